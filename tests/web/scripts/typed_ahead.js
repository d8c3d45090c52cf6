// Types key sequences at the console's keyboard with a clock of its own and a table that answers after a delay.
//
// `node typed_ahead.js` reads {card, runs} from its input, and writes of each run the commands that the table did,
// everything the crew was told, and what is still shown. `lag` of a run is how much later than the answer, or before it
// if below 0, the table is shown.
import { argv, stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { CrewKeys } from "../../../src/passline/web/static/crew/keyboard/crew_keys.js";
import { Refused } from "../../../src/passline/web/static/http.js";

/**
 * @typedef {object} Run
 * @property {number} delay in milliseconds, there and back
 * @property {number} lag
 * @property {boolean} requires whether dice out comes before dice are keyed
 * @property {number} refuses the amount that the table refuses
 * @property {[at: number, key: string, code: string, isShifted: boolean][]} keys
 * @property {number[]} seats
 */

const STEPS = 24;
const settle = async () => {
  for (let step = 0; step < STEPS; step += 1) await null;
}; // let promises that are due go on

class Clock {
  time = 0;
  /** @type {{ at: number, act: () => void }[]} */
  timers = [];
  now() {
    return this.time;
  }
  /**
   * @param {number} ms
   * @param {() => void} act
   */
  after(ms, act) {
    const timer = { at: this.time + ms, act };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }
  next() {
    return this.timers.reduce((first, timer) => (timer.at < first.at ? timer : first), this.timers[0]);
  }
}

/** A table whose steps are all automatic: dice go out and come to rest, wagers are up or refused. */
class Table extends EventTarget {
  isOpen = true;
  isInDoubt = false;
  state = "open";
  sequence = 0;
  /** @type {any[]} */
  log = [];

  /**
   * @param {Clock} clock
   * @param {Run} run
   */
  constructor(clock, { delay, lag, requires, refuses, seats }) {
    super();
    this.clock = clock;
    this.delay = delay;
    this.lag = lag;
    this.refuses = refuses;
    const names = seats.map((seat) => ({ seat, name: `P${seat}` }));
    /** @type {Server.TableView} */
    this.held = /** @type {any} */ ({
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
    });
    this.table = this.held;
  }

  /**
   * @param {Server.TableCommand} command
   * @returns {Promise<Server.DoneAnswer>}
   */
  send(command) {
    return new Promise((resolve, reject) => {
      this.clock.after(this.delay / 2, () => {
        const why = this.judge(command);
        const { held } = this;
        const sequence = why ? 0 : this.log.length;
        const back = this.delay / 2;
        if (why) return void this.clock.after(back, () => reject(new Refused([{ clause: "", why }])));
        this.clock.after(back + Math.max(0, -this.lag), () =>
          resolve({ kind: "done", id: "", sequence, hash: "", head: { sequence, hash: "", seal: "" }, lines: [] }),
        );
        this.clock.after(back + Math.max(0, this.lag), () => {
          this.table = held;
          this.sequence = sequence;
          this.dispatchEvent(new Event("change"));
        });
        return undefined;
      });
    });
  }

  /** @param {Server.TableCommand} command */
  judge(command) {
    const { held } = this;
    const isOut = held.dice_are === "air";
    if (command.command === "dice-out" && isOut) return "the dice are in the air";
    if (command.command === "key-dice" && !isOut && held.requires_dice_out) return "dice out first";
    if (command.command === "make-wager" && command.cents === this.refuses) return "more than the table takes";
    this.log.push(command);
    if (command.command === "dice-out") this.held = { ...held, dice_are: "air", hand: held.hand + 1 };
    if (command.command === "key-dice")
      this.held = { ...held, dice_are: "held", roll: held.roll + 1, faces: [command.first ?? 0, command.second ?? 0] };
    return "";
  }
}

/**
 * @param {Server.CrewCard} card
 * @param {Run} asked
 */
export async function typeKeys(card, asked) {
  const clock = new Clock();
  const live = new Table(clock, asked);
  /** @type {string[]} */
  const told = [];
  /** @type {Map<string, string>} */
  const kept = new Map();
  const store = {
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => kept.set(name, value),
    removeItem: (/** @type {string} */ name) => kept.delete(name),
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
    told: (/** @type {string} */ text) => told.push(text),
  });
  crew.modes.base = [
    ...crew.diceBindings,
    { keys: "m", says: "wagers", on: () => crew.wagers?.enter() },
    {
      keys: "Esc",
      says: "clear",
      on: () => crew.stick?.typed.clear(),
      when: () => crew.stick?.typed.isHalf || !crew.queue.isAhead,
    },
    { keys: "Esc", says: "take back", on: () => crew.takeBack(), when: () => crew.queue.hasUnsent },
  ];
  live.addEventListener("change", () => crew.follow(live.table));
  crew.follow(live.table);
  const until = async (/** @type {number} */ time) => {
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

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { card, runs } = JSON.parse(await text(stdin));
  const results = [];
  for (const asked of runs) results.push(await typeKeys(card, asked));
  stdout.write(JSON.stringify(results));
}
