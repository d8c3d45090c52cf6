// Types key sequences at the console's keyboard with a clock of its own and a table that answers after a delay.
//
// Gets {card, runs: [{delay, lag, requires, refuses, keys: [[at, key, code, shift]], seats}]} and returns of each run
// the commands that the table did, everything the crew was told, and what is still shown. `lag` is how much later than
// the answer, or before it if below 0, the table is shown.
async ({ card, runs }) => {
  const STEPS = 24;
  const { CrewKeys } = await import("/static/crew/keyboard/crew_keys.js");
  const { Refused } = await import("/static/http.js");
  const settle = async () => {
    for (let step = 0; step < STEPS; step += 1) await null;
  }; // let promises that are due go on

  class Clock {
    time = 0;
    timers = [];
    now() {
      return this.time;
    }
    after(ms, act) {
      const timer = { at: this.time + ms, act, place: this.timers.length };
      this.timers.push(timer);
      return () => {
        this.timers = this.timers.filter((one) => one !== timer);
      };
    }
    next() {
      return this.timers.reduce((first, one) => (!first || one.at < first.at ? one : first), null);
    }
  }

  /** A table whose steps are all automatic: dice go out and come to rest, wagers are up or refused. */
  class Table extends EventTarget {
    isOpen = true;
    isInDoubt = false;
    state = "open";
    sequence = 0;
    log = [];
    constructor(clock, { delay, lag, requires, refuses, seats }) {
      super();
      Object.assign(this, { clock, delay, lag, refuses });
      const names = seats.map((seat) => ({ seat, name: `P${seat}` }));
      this.held = {
        dice_are: "held",
        requires_dice_out: requires,
        is_keyed: true,
        hand: 1,
        roll: 1,
        faces: [2, 4],
        puck: 6,
        phase: "point",
        seats: names,
        wagers: [],
        settled: [],
      };
      this.table = this.held;
    }
    send(command) {
      return new Promise((resolve, reject) => {
        this.clock.after(this.delay / 2, () => {
          const why = this.judge(command);
          const { held } = this;
          const sequence = why ? 0 : this.log.length;
          const back = this.delay / 2;
          if (why) return void this.clock.after(back, () => reject(new Refused([{ clause: "", why }])));
          this.clock.after(back + Math.max(0, -this.lag), () => resolve({ sequence, lines: [] }));
          this.clock.after(back + Math.max(0, this.lag), () => {
            Object.assign(this, { table: held, sequence });
            this.dispatchEvent(new Event("change"));
          });
          return undefined;
        });
      });
    }
    judge(command) {
      const { held } = this;
      const isOut = held.dice_are === "air";
      if (command.command === "dice-out" && isOut) return "the dice are in the air";
      if (command.command === "key-dice" && !isOut && held.requires_dice_out) return "dice out first";
      if (command.command === "make-wager" && command.cents === this.refuses) return "more than the table takes";
      this.log.push(command);
      if (command.command === "dice-out") this.held = { ...held, dice_are: "air", hand: held.hand + 1 };
      if (command.command === "key-dice")
        this.held = { ...held, dice_are: "held", roll: held.roll + 1, faces: [command.first, command.second] };
      return "";
    }
  }

  async function run(asked) {
    const clock = new Clock();
    const live = new Table(clock, asked);
    const told = [];
    const kept = new Map();
    const store = {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
      removeItem: (name) => kept.delete(name),
    };
    const crew = new CrewKeys({
      live,
      clock,
      store,
      kept: "waiting",
      card,
      keysDice: true,
      takesWagers: true,
      areasOf: async () => [],
      changed: () => {},
      told: (text) => told.push(text),
    });
    crew.modes.base = [
      ...crew.diceBindings,
      { keys: "m", says: "wagers", on: () => crew.wagers.enter() },
      {
        keys: "Esc",
        says: "clear",
        on: () => crew.stick.typed.clear(),
        when: () => crew.stick.typed.isHalf || !crew.queue.isAhead,
      },
      { keys: "Esc", says: "take back", on: () => crew.takeBack(), when: () => crew.queue.hasUnsent },
    ];
    live.addEventListener("change", () => crew.follow(live.table));
    crew.follow(live.table);
    const until = async (time) => {
      for (;;) {
        const timer = clock.next();
        if (!timer || timer.at > time) break;
        clock.timers.splice(clock.timers.indexOf(timer), 1);
        clock.time = timer.at;
        timer.act();
        await settle();
      }
      if (time < Infinity) clock.time = time;
    };
    for (const [at, key, code, shiftKey] of asked.keys) {
      await until(at);
      if (key === "look") {
        // the crew looks at the screen, and dismisses what it has read
        if (crew.notices.isShown) crew.press({ key: "Escape", code: "Escape", shiftKey: false });
      } else crew.press({ key, code, shiftKey });
      await settle();
    }
    await until(Infinity);
    const { stops, keys } = crew.notices.shown;
    return { log: live.log, told, stops, keys };
  }
  const results = [];
  for (const asked of runs) results.push(await run(asked));
  return results;
};
