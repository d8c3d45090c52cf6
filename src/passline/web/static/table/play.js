// What a player does at the layout: make, press, take down, call on or off, undo, clear, repeat. The server decides.
import { Refused } from "../http.js";
import { keyOf } from "../live.js";
import { money } from "../money.js";
import { isSideWager, keyOfArea } from "./felt.js";

export const SHUT = "Dice are out: wagers are closed";
const AT_PUCK = new Set(["pass_odds", "dont_pass_odds"]);

/**
 * A command whose seat may be left out: it is then the player's.
 *
 * @template Command
 * @typedef {Command extends { seat: number } ? Omit<Command, "seat"> & { seat?: number } : Command} WithoutSeat
 */
/** @typedef {(wager: { kind: string, number: number }) => Server.LayoutArea | null} AreaOf where a wager lies */
/**
 * @typedef {{
 *   area: Server.LayoutArea | null,
 *   undo: () => Server.TableCommand | string,
 *   key: string,
 * }} Done by this page
 */
/**
 * @typedef {object} OddsRoom odds that may be added, or why not
 * @property {Server.LayoutArea | null} [area]
 * @property {number} cents
 * @property {number} [number]
 * @property {string} [why]
 * @property {string} [clause]
 */
/**
 * @typedef {object} Told what the page does about a command
 * @property {(area: Server.LayoutArea, isBusy: boolean) => void} busy
 * @property {(area: Server.LayoutArea | null, command: Server.TableCommand, done: Server.DoneAnswer) => void} done
 * @property {(
 *   area: Server.LayoutArea | null, refusals: Server.RefusalView[], command?: Server.TableCommand, error?: Refused,
 * ) => void} refused
 */

export class Play {
  /** @param {{ live: import("../live.js").Live, layout: Server.Layout, areaOf: AreaOf, told: Told }} options */
  constructor({ live, layout, areaOf, told }) {
    this.live = live;
    this.layout = layout;
    this.areaOf = areaOf;
    this.told = told;
    this.chip = layout.chips.includes(500) ? 500 : layout.chips[0];
    this.owner = "player";
    /** @type {Map<string, Server.Area>} */
    this.states = new Map(); // by area key: whether a wager may be made there now
    /** @type {Map<string, Server.Area>} */
    this.listed = new Map(); // the same, by kind and number
    /** @type {Done[]} */
    this.done = []; // what this page did, which undo reverses, newest last
    /** @type {Set<number>} */
    this.sequences = new Set(); // of the entries that this page wrote
    /** @type {Map<string, number>} */
    this.sent = new Map(); // by key of a wager: commands of this page that are not answered yet
    this.isElsewhere = false; // whether wagers were changed since the last roll, and not by this page
    /** @type {Server.WagerView[]} */
    this.taken = []; // wagers that the last rolls took, for repeat
    /** @type {number | null} */
    this.roll = null;
    /** @type {Map<string, Server.WagerView>} */
    this.standing = new Map();
  }

  // Whether electronic dice are thrown and have not landed: the server refuses everything.
  get isShut() {
    return Boolean(this.live.table?.closing);
  }

  get seat() {
    return this.live.own?.seat ?? 0;
  }

  /** @returns {Server.WagerView[]} */
  own() {
    return this.live.view.wagers.filter((wager) => wager.seat === this.seat);
  }

  /**
   * Follow a change of the table: after a roll nothing can be undone, and what it took can be repeated.
   *
   * @param {import("../live.js").Change} change
   */
  follow({ kind, changed }) {
    const table = this.live.view;
    this.#disown(kind, "settled" in changed);
    if (this.roll !== null && table.roll !== this.roll) {
      this.done = [];
      this.isElsewhere = false;
      const moved = new Set(
        (table.settled ?? [])
          .filter((wager) => wager.seat === this.seat && wager.outcome === "moved")
          .map((wager) => wager.kind),
      );
      const up = new Set(this.own().map(keyOf));
      const gone = [...this.standing.values()].filter((wager) => !up.has(keyOf(wager)) && !moved.has(wager.kind));
      if (gone.length) this.taken = gone;
    }
    this.roll = table.roll;
    this.standing = new Map(this.own().map((wager) => [keyOf(wager), wager]));
  }

  /**
   * Notice what others did to this player's wagers: another window, or the crew. A wager that they took down is not
   * this page's to undo any more, even if it is made again; after news was missed, nothing is.
   *
   * @param {"table" | "news"} kind
   * @param {boolean} isSettled
   */
  #disown(kind, isSettled) {
    if (this.sequences.has(this.live.sequence)) return;
    const up = new Map(this.own().map((wager) => [keyOf(wager), wager]));
    const keys = [...new Set([...up.keys(), ...this.standing.keys()])].filter((key) => !this.sent.has(key));
    const changed = keys.filter((key) => up.get(key)?.cents !== this.standing.get(key)?.cents);
    const lost = new Set(kind === "table" ? changed : changed.filter((key) => !up.has(key)));
    this.done = this.done.filter((item) => !lost.has(item.key));
    if (this.roll !== null && changed.length && !isSettled) this.isElsewhere = true;
  }

  /**
   * Take over the server's list of areas. An area with several wagers is open if one of them is.
   *
   * @param {Server.Area[]} areas
   */
  judge(areas) {
    this.listed = new Map(areas.map((area) => [`${area.kind}:${area.number}`, area]));
    this.states = new Map();
    for (const area of this.layout.table.areas) {
      const numbers = area.printed.picks.length ? area.printed.picks.map((pick) => pick.number) : [this.numberOf(area)];
      const found = numbers.flatMap((number) => this.listed.get(`${area.kind}:${number}`) ?? []);
      const state = found.find((area) => area.state === "open") ?? found[0];
      if (state) this.states.set(keyOfArea(area), state);
    }
  }

  /**
   * @param {Server.LayoutArea} area
   * @returns {Server.Area | null}
   */
  stateOf(area) {
    return this.statesNow().get(keyOfArea(area)) ?? null;
  }

  /**
   * The states as they are shown: while the dice are out, every area is closed.
   *
   * @returns {Map<string, Server.Area>}
   */
  statesNow() {
    if (!this.isShut) return this.states;
    return new Map([...this.states].map(([key, state]) => [key, { ...state, state: "closed", why: SHUT, clause: "" }]));
  }

  /**
   * @param {Server.LayoutArea} area
   * @returns {number}
   */
  numberOf(area) {
    return AT_PUCK.has(area.kind) ? this.live.view.puck : area.number;
  }

  /**
   * The player's wagers in an area, with the odds first.
   *
   * @param {Server.LayoutArea} area
   * @returns {Server.WagerView[]}
   */
  upIn(area) {
    const mine = this.own().filter((wager) => {
      const lies = this.areaOf(wager);
      return lies && keyOfArea(lies) === keyOfArea(area);
    });
    const isItsOwn = (/** @type {Server.WagerView} */ wager) => Number(wager.kind === area.kind);
    return mine.sort((wager, other) => isItsOwn(other) - isItsOwn(wager));
  }

  /**
   * @param {Server.LayoutArea} area
   * @param {number} cents
   * @param {number} [number]
   * @returns {Promise<boolean>}
   */
  async make(area, cents, number = this.numberOf(area)) {
    /** @type {Server.MakeWager} */
    const command = { command: "make-wager", seat: this.seat, wager: area.kind, number, cents };
    if (this.owner !== "player") command.owner = this.owner;
    return this.#act(area, command, () => this.#takeBack(area, command));
  }

  /**
   * The command that takes back what this page made, and nothing that was made elsewhere; or why there is none.
   *
   * @param {Server.LayoutArea} area
   * @param {Server.MakeWager} made
   * @returns {Server.TableCommand | string}
   */
  #takeBack(area, { wager: kind, number, owner = "player", cents }) {
    const mine = (/** @type {Server.WagerView} */ wager) =>
      wager.kind === kind &&
      (wager.number === number || isSideWager(area)) &&
      wager.owner === owner &&
      !wager.progress.length;
    const up = this.own().find(mine);
    if (!up || up.cents < cents)
      return `What this page made on ${area.printed.name} is no longer up: it was changed elsewhere.`;
    if (up.cents > cents) return { command: "reduce-wager", ...wagerFields(up), cents };
    /** @param {Server.WagerView} wager */
    const isBehind = (wager) =>
      wager.kind === `${kind}_odds` && (wager.number === up.number || AT_PUCK.has(wager.kind));
    const odds = this.own().find((wager) => isBehind(wager) && wager.owner === owner);
    if (odds && !this.done.some((item) => item.key === keyOf(odds)))
      return `Odds that were made elsewhere are behind ${area.printed.name}; take it down by hand.`;
    return { command: "remove-wager", ...wagerFields(up), cents }; // refused if somebody has added to it meanwhile
  }

  /**
   * What making a wager takes in all, in words: "$25 + $1 vigorish". From a win it is taken later.
   *
   * @param {Server.LayoutArea} area
   * @param {number} cents
   * @param {number} [number]
   * @returns {string}
   */
  takes(area, cents, number = this.numberOf(area)) {
    const charge = (this.listed.get(`${area.kind}:${number}`) ?? this.stateOf(area))?.vigorish;
    if (!charge?.is_due_when_made || !cents) return money(cents);
    const standing = this.own().find(
      (wager) => wager.kind === area.kind && wager.number === number && wager.owner === this.owner,
    );
    const due = vigorishOn(charge, (standing?.cents ?? 0) + cents) - (standing?.vigorish ?? 0);
    return due > 0 ? `${money(cents)} + ${money(due)} vigorish` : `${money(cents)}, no vigorish`;
  }

  /** @param {Server.LayoutArea} area */
  async takeDown(area) {
    const [wager] = this.upIn(area);
    return wager
      ? this.#remove(area, wager)
      : this.told.refused(area, [{ clause: "", why: `You have nothing up on ${area.printed.name}.` }]);
  }

  /** @param {Server.LayoutArea} area */
  async press(area) {
    const pressed = this.pressed(area);
    if (pressed) await this.make(area, pressed.cents, pressed.number);
  }

  /**
   * What a press adds: as much again, as far as the limit allows; null if nothing is up.
   *
   * @param {Server.LayoutArea} area
   * @returns {{ cents: number, number: number } | null}
   */
  pressed(area) {
    const wager = this.upIn(area).find((wager) => wager.kind === area.kind);
    const state = this.listed.get(`${area.kind}:${wager?.number}`) ?? this.stateOf(area);
    if (!wager || !state) return null;
    const unit = state.unit || 1;
    const room = state.max === null ? Infinity : state.max - wager.cents;
    const more = Math.min(Math.ceil(wager.cents / unit) * unit, Math.floor(room / unit) * unit);
    return { cents: Math.max(more, unit), number: wager.number };
  }

  /**
   * The smallest correct amount if nothing is up, otherwise one more unit.
   *
   * @param {Server.LayoutArea} area
   * @returns {number}
   */
  unitOf(area) {
    const state = this.stateOf(area);
    if (!state) return 0;
    return this.upIn(area).some((wager) => wager.kind === area.kind) ? state.unit : leastOf(state);
  }

  /** @param {Server.LayoutArea} area */
  async call(area) {
    const [wager] = this.upIn(area);
    if (!wager) return;
    await this.#act(area, { command: "call-wager", ...wagerFields(wager), call: wager.is_off ? "on" : "off" });
  }

  // Reverse the newest thing that this page did. What another window or the crew did is theirs to undo.
  async undo() {
    const last = this.done.pop();
    const command = last
      ? last.undo()
      : "This page has nothing to undo since the last roll. What was done in another window, or by the crew, is " +
        "undone there.";
    if (last && typeof command !== "string") await this.#act(last.area, command);
    else this.told.refused(last?.area ?? null, [{ clause: "", why: String(command) }]);
  }

  async clear() {
    const down = this.own().filter((wager) => this.listed.get(`${wager.kind}:${wager.number}`)?.may_remove);
    for (const wager of down.sort((wager, other) => isOdds(other) - isOdds(wager))) {
      await this.#remove(this.areaOf(wager), wager);
    }
  }

  /** @returns {Server.WagerView[]} */
  repeatable() {
    const up = new Set(this.own().map(keyOf));
    return this.taken.filter(
      (wager) => !up.has(keyOf(wager)) && this.listed.get(`${wager.kind}:${wager.number}`)?.state === "open",
    );
  }

  async repeat() {
    const { owner } = this;
    for (const wager of this.repeatable()) {
      this.owner = wager.owner;
      const area = this.areaOf(wager);
      if (area) await this.make(area, wager.cents, wager.number);
    }
    this.owner = owner;
  }

  /**
   * Odds that may still be added, in correct units.
   *
   * @returns {OddsRoom[]}
   */
  oddsRoom() {
    return [...this.listed.values()]
      .filter((area) => area.kind.endsWith("_odds") && area.state === "open")
      .flatMap((area) => {
        const most = area.max === null ? area.default : Math.floor((area.max - area.standing) / area.unit) * area.unit;
        const cents = Math.min(most, Math.floor((this.live.own?.rack ?? 0) / area.unit) * area.unit);
        return cents > 0 ? [{ area: this.areaOf(area), cents, number: area.number }] : [];
      });
  }

  /**
   * The odds behind the wager of an area: how much may be added, or why nothing; null if it can have none.
   *
   * @param {Server.LayoutArea} area
   * @returns {OddsRoom | null}
   */
  oddsFor(area) {
    const behind = this.upIn(area).find((wager) => !wager.kind.endsWith("_odds")) ?? { kind: area.kind, number: 0 };
    const kind = `${behind.kind}_odds`;
    if (!this.layout.table.areas.some((area) => area.kind === kind)) return null;
    const number = AT_PUCK.has(kind) ? this.live.view.puck : behind.number;
    const room = this.oddsRoom().find((item) => item.area?.kind === kind && item.number === number);
    if (room) return room;
    const state = this.listed.get(`${kind}:${number}`);
    return {
      cents: 0,
      why:
        state?.state === "open"
          ? "they are full, or your rack is empty"
          : state?.why || "no odds until it has a number",
      clause: state?.clause ?? "",
    };
  }

  async fullOdds() {
    for (const { area, cents, number } of this.oddsRoom()) if (area) await this.make(area, cents, number);
  }

  // Take down what may come down, give up the dice, and leave.
  async leave() {
    await this.clear();
    if (this.hasDice() && !(await this.passDice())) return false;
    return this.do({ command: "leave-seat" });
  }

  hasDice() {
    const table = this.live.view;
    return table.shooter === this.seat || (table.dice_are === "offered" && table.offered_to === this.seat);
  }

  // Decline the dice if they are offered, or surrender them.
  passDice() {
    return this.do({ command: this.live.view.shooter === this.seat ? "surrender-dice" : "decline-dice" });
  }

  /**
   * Commands that concern no area: dice, seats, disputes.
   *
   * @param {WithoutSeat<Server.TableCommand>} command
   * @param {string} [id]
   * @returns {Promise<boolean>}
   */
  async do(command, id) {
    const whole = /** @type {Server.TableCommand} */ ({ seat: this.seat, ...command });
    return this.#act(null, whole, null, id);
  }

  /**
   * @param {Server.LayoutArea | null} area
   * @param {Server.WagerView} wager
   * @returns {Promise<boolean>}
   */
  #remove(area, wager) {
    return this.#act(area, { command: "remove-wager", ...wagerFields(wager) }, () => ({
      command: "make-wager",
      ...wagerFields(wager),
      cents: wager.cents,
    }));
  }

  /**
   * @param {Server.LayoutArea | null} area
   * @param {Server.TableCommand} command
   * @param {(() => Server.TableCommand | string) | null} [undo]
   * @param {string} [id]
   * @returns {Promise<boolean>}
   */
  async #act(area, command, undo = null, id = undefined) {
    if (this.isShut) {
      this.told.refused(area, [{ clause: "", why: `${SHUT}. They land in a moment.` }], command);
      return false;
    }
    if (area) this.told.busy(area, true);
    const key =
      "wager" in command && "seat" in command
        ? keyOf({ owner: "player", number: 0, kind: command.wager, ...command })
        : "";
    this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
    try {
      const done = await this.live.send(command, null, id);
      this.sequences.add(done.sequence);
      if (undo) this.done.push({ area, undo, key });
      this.told.done(area, command, done);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.told.refused(area, error.refusals, command, error);
      return false;
    } finally {
      const left = (this.sent.get(key) ?? 0) - 1;
      if (left > 0) this.sent.set(key, left);
      else this.sent.delete(key);
      if (area) this.told.busy(area, false);
    }
  }
}

const isOdds = (/** @type {Server.WagerView} */ wager) => Number(wager.kind.endsWith("_odds"));

/**
 * The vigorish of a whole stake, by the rate that the server states: rounded down to the smallest chip, but at least
 * the least that is charged.
 *
 * @param {Pick<Server.Charge, "over" | "under" | "chip"> & { min?: number }} charge
 * @param {number} cents
 * @returns {number}
 */
export function vigorishOn({ over, under, chip, min = 0 }, cents) {
  return cents ? Math.max(Math.floor((cents * over) / (under * chip)) * chip, min) : 0;
}

/**
 * The smallest amount that is allowed and can be paid exactly.
 *
 * @param {Server.Area} state
 * @returns {number}
 */
export function leastOf(state) {
  const unit = state.unit || 1;
  return Math.ceil(Math.max(state.min - state.standing, unit) / unit) * unit;
}

/**
 * The next correct amount above one that was refused, or 0 if there is none.
 *
 * @param {Server.Area | undefined} state
 * @param {number} cents
 * @returns {number}
 */
export function correctedFor(state, cents) {
  if (state?.state !== "open") return 0;
  const unit = state.unit || 1;
  let better = Math.max(Math.ceil(cents / unit) * unit, leastOf(state));
  if (state.max !== null && state.standing + better > state.max)
    better = Math.floor((state.max - state.standing) / unit) * unit;
  return better > 0 && better !== cents ? better : 0;
}

/**
 * @param {Server.WagerView[]} wagers
 * @returns {string}
 */
export function upText(wagers) {
  if (!wagers.length) return "Nothing up";
  return wagers
    .map((wager) => {
      const odds = wager.kind.endsWith("_odds") ? " odds" : "";
      const crew = wager.owner === "crew" ? " for the crew" : "";
      return `${money(wager.cents)}${odds}${crew}${wager.is_off ? ", off" : wager.working === "on" ? ", on" : ""}`;
    })
    .join(" + ");
}

/** @param {Server.WagerView} wager */
function wagerFields(wager) {
  return {
    seat: wager.seat,
    wager: wager.kind,
    number: wager.number,
    ...(wager.owner === "player" ? {} : { owner: wager.owner }),
  };
}
