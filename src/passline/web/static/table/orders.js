// Standing orders of a player: winners stay up, and several numbers at once. Which wagers stay up, and which numbers a
// name means, comes from the server: `again` of an area, `spreads` of the layout.
const kept = (table) => `passline winners ${table}`;
const done = (table, account) => `passline winners done ${table} ${account}`; // by every window of this browser

export class Orders {
  constructor({ live, play, layout, table }) {
    Object.assign(this, { live, play, layout, table });
    this.isOn = localStorage.getItem(kept(table)) === "yes";
    this.isBusy = false;
  }

  // Give or take back the order that winners stay up.
  turn() {
    this.isOn = !this.isOn;
    if (this.isOn) localStorage.setItem(kept(this.table), "yes");
    else localStorage.removeItem(kept(this.table));
    if (this.isOn) this.follow();
  }

  // After a roll: make again what won and came down, once. The server judges each.
  async follow() {
    const { roll } = this.live.table ?? {};
    if (!this.isOn || !this.play.seat || this.play.isShut || this.isBusy) return;
    const key = done(this.table, this.live.own.account);
    if (Number(localStorage.getItem(key) ?? -1) >= roll) return; // another window has seen to this roll
    localStorage.setItem(key, String(roll));
    this.isBusy = true;
    const { owner } = this.play;
    try {
      for (const one of [...this.play.listed.values()].filter((each) => each.again && each.state === "open")) {
        this.play.owner = "player";
        await this.play.make(this.play.areaOf(one), one.again, one.number);
      }
    } finally {
      this.play.owner = owner;
      this.isBusy = false;
    }
  }

  has(name) {
    return (this.layout.spreads[name] ?? []).length > 0;
  }

  // The numbers of a spread that may be placed now, each with what the chosen chip comes to there. The point is left
  // out for somebody who has it already, by the line.
  open(name) {
    const { play, live } = this;
    const hasLine = play.own().some((one) => one.kind === "pass");
    return this.layout.spreads[name]
      .filter((number) => !(hasLine && number === live.table.puck))
      .flatMap((number) => {
        const state = play.listed.get(`place_win:${number}`);
        if (state?.state !== "open" || state.standing) return [];
        return [{ number, cents: Math.max(Math.ceil(play.chip / state.unit) * state.unit, state.min) }];
      });
  }

  async spread(name) {
    for (const { number, cents } of this.open(name)) {
      if (!(await this.play.make(this.play.areaOf({ kind: "place_win", number }), cents, number))) return;
    }
  }
}
