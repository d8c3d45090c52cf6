// Standing orders of a player: winners stay up, and several numbers at once. Which wagers stay up, and which numbers a
// name means, comes from the server: `again` of an area, `spreads` of the layout.
/** @param {string} table */
const storageKey = (table) => `passline winners ${table}`;
/**
 * @param {string} table
 * @param {string} account
 */
const done = (table, account) => `passline winners done ${table} ${account}`; // by every window of this browser

export class Orders {
  /**
   * @param {{
   *   live: import("../live.js").Live,
   *   play: import("./play.js").Play,
   *   layout: Server.Layout,
   *   table: string,
   * }} options
   */
  constructor({ live, play, layout, table }) {
    this.live = live;
    this.play = play;
    this.layout = layout;
    this.table = table;
    this.isOn = localStorage.getItem(storageKey(table)) === "yes";
    this.isBusy = false;
  }

  // Give or take back the order that winners stay up.
  turn() {
    this.isOn = !this.isOn;
    if (this.isOn) localStorage.setItem(storageKey(this.table), "yes");
    else localStorage.removeItem(storageKey(this.table));
    if (this.isOn) this.follow();
  }

  // After a roll: make again what won and came down, once. The server judges each.
  async follow() {
    const { table, own } = this.live;
    if (!table || !own || !this.isOn || !this.play.seat || this.play.isShut || this.isBusy) return;
    const { roll } = table;
    const key = done(this.table, own.account);
    if (Number(localStorage.getItem(key) ?? -1) >= roll) return; // another window has seen to this roll
    localStorage.setItem(key, String(roll));
    this.isBusy = true;
    const { owner } = this.play;
    try {
      for (const listed of [...this.play.listed.values()].filter((each) => each.again && each.state === "open")) {
        const area = this.play.areaOf(listed);
        this.play.owner = "player";
        if (area) await this.play.make(area, listed.again, listed.number);
      }
    } finally {
      this.play.owner = owner;
      this.isBusy = false;
    }
  }

  /**
   * @param {string} name
   * @returns {boolean}
   */
  has(name) {
    return (this.layout.spreads[name] ?? []).length > 0;
  }

  /**
   * The numbers of a spread that may be placed now, each with what the chosen chip comes to there. The point is left
   * out for somebody who has it already, by the line.
   *
   * @param {string} name
   * @returns {{ number: number, cents: number }[]}
   */
  open(name) {
    const { play, live } = this;
    const hasLine = play.own().some((wager) => wager.kind === "pass");
    return this.layout.spreads[name]
      .filter((number) => !(hasLine && number === live.view.puck))
      .flatMap((number) => {
        const state = play.listed.get(`place_win:${number}`);
        if (state?.state !== "open" || state.standing) return [];
        return [{ number, cents: Math.max(Math.ceil(play.chip / state.unit) * state.unit, state.min) }];
      });
  }

  /** @param {string} name */
  async spread(name) {
    for (const { number, cents } of this.open(name)) {
      const area = this.play.areaOf({ kind: "place_win", number });
      if (!area || !(await this.play.make(area, cents, number))) return;
    }
  }
}
