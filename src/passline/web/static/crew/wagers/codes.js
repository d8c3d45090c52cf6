// The areas of the layout by the short codes that dealers use, as far as the table offers them.
//
// After a seat: 4 5 6 8 9 0 place a number (0 is 10), p is the pass line, d or dp don't pass, h6 or Shift+6 hard six, 7
// any seven. A longer code may begin with a shorter one (c come, ce craps and eleven): it is typed on before the
// amount.

import { numberText } from "../../money.js";

const NAMED = [
  ["p", "pass"],
  ["d", "dont_pass"],
  ["dp", "dont_pass"],
  ["c", "come"],
  ["dc", "dont_come"],
  ["f", "field"],
  ["po", "pass_odds"],
  ["dpo", "dont_pass_odds"],
  ["co", "come_odds"],
  ["dco", "dont_come_odds"],
  ["7", "any_seven"],
  ["ac", "any_craps"],
  ["y", "eleven"],
  ["2", "craps_2"],
  ["3", "craps_3"],
  ["t", "craps_12"],
  ["ce", "c_and_e"],
  ["hn", "horn"],
  ["w", "whirl"],
  ["s", "six_seven_eight"],
];
const NUMBERED = [
  ["", "place_win"],
  ["h", "hardway"],
  ["b", "buy"],
  ["l", "lay"],
  ["n", "place_lose"],
  ["g", "big"],
];
/** @type {[code: string, group: string, numbers: number[]][]} */
const GROUPS = [
  ["a", "across", [4, 5, 6, 8, 9, 10]],
  ["i", "inside", [5, 6, 8, 9]],
  ["u", "outside", [4, 5, 9, 10]],
];
const LINES = new Set(["pass", "dont_pass"]);

/**
 * @typedef {object} Spot of the layout; `kind` is empty for a group, and for odds whose wager is not known yet
 * @property {string} kind
 * @property {number} number
 * @property {string} name
 * @property {string} [code]
 * @property {string} [group]
 * @property {number[]} [numbers] of a group
 * @property {boolean} [isOdds]
 * @property {boolean} [isLine]
 * @property {number | null} [usual]
 * @property {Spot[]} [others] that o could stand for too
 */

/** The wagers of a table: their codes, names, least amounts and steps, from the crew's card. */
export class Codes {
  /** @type {Map<string, Spot>} */
  #byCode = new Map();

  /** @param {Server.CrewCard} card */
  constructor(card) {
    this.wagers = new Map(card.wagers.map((wager) => [wager.kind, wager]));
    for (const [code, kind] of NAMED) {
      if (this.wagers.has(kind)) this.#add(code, { kind, number: 0 });
    }
    for (const [prefix, kind] of NUMBERED) {
      for (const { number } of this.wagers.get(kind)?.numbers ?? []) {
        if (number <= 10) this.#add(`${prefix}${number % 10}`, { kind, number });
      }
    }
    for (const [code, group, numbers] of GROUPS) {
      if (numbers.every((number) => this.unitOf("place_win", number)))
        this.#add(code, { kind: "", number: 0, group, numbers });
    }
  }

  /**
   * @param {string} code
   * @param {Omit<Spot, "name">} spot
   */
  #add(code, spot) {
    if (!this.#byCode.has(code))
      this.#byCode.set(code, { code, ...spot, name: spot.group ? `Place ${spot.group}` : this.nameOf(spot) });
  }

  /**
   * The spot of a code, or null.
   *
   * @param {string} code
   * @returns {Spot | null}
   */
  of(code) {
    return this.#byCode.get(code) ?? null;
  }

  /**
   * Whether a longer code begins like this.
   *
   * @param {string} code
   * @returns {boolean}
   */
  isBegun(code) {
    return code !== "" && [...this.#byCode.keys()].some((item) => item.startsWith(code));
  }

  /**
   * @param {{ kind: string, number?: number }} spot
   * @returns {string}
   */
  nameOf({ kind, number = 0 }) {
    return [this.wagers.get(kind)?.name ?? kind, numberText(number)].filter(Boolean).join(" ");
  }

  /**
   * @param {string} kind
   * @returns {string}
   */
  isBehind(kind) {
    return this.wagers.get(kind)?.behind ?? "";
  }

  /**
   * @param {string} kind
   * @returns {string}
   */
  familyOf(kind) {
    return this.wagers.get(kind)?.family ?? "";
  }

  /**
   * The step of a wager in cents; 0 if there is no such wager.
   *
   * @param {string} kind
   * @param {number} [number]
   * @returns {number}
   */
  unitOf(kind, number = 0) {
    return this.#spot(kind, number)?.unit ?? 0;
  }

  /**
   * The least amount of a wager in cents.
   *
   * @param {string} kind
   * @param {number} [number]
   * @returns {number}
   */
  leastOf(kind, number = 0) {
    return this.#spot(kind, number)?.least ?? 0;
  }

  /**
   * @param {string} kind
   * @param {number} number
   * @returns {Server.SpotAmounts | null}
   */
  #spot(kind, number) {
    const spots = this.wagers.get(kind)?.spots ?? {};
    return spots[number] ?? spots[0] ?? null;
  }

  /**
   * The numbers of across, inside or outside at a seat: without the point, if the player has a wager on the line.
   *
   * @param {Spot} spot
   * @param {number} seat
   * @param {Server.TableView} table
   * @returns {number[]}
   */
  numbersOf({ numbers = [] }, seat, table) {
    const isOnLine = table.wagers.some((wager) => wager.seat === seat && LINES.has(wager.kind));
    return numbers.filter((number) => !(isOnLine && number === table.puck));
  }

  /** The codes in the order of the legend: `[[code, name]]`. */
  get legend() {
    const single = [...this.#byCode.values()].filter((item) => !item.number && item.code !== "dp");
    /** @type {(keys: string | undefined, name: string) => [keys: string, name: string]} */
    const row = (keys = "", name) => [keys, name];
    return [
      ...single.filter((item) => item.kind && !this.isBehind(item.kind)).map(({ code, name }) => row(code, name)),
      ...NUMBERED.filter(([, kind]) => this.wagers.has(kind)).map(([prefix, kind]) =>
        row(`${prefix}4 … ${prefix}0`, `${this.wagers.get(kind)?.name} 4 to 10`),
      ),
      ...single.filter((item) => item.group).map(({ code, name }) => row(code, name)),
      ...single.filter((item) => item.kind && this.isBehind(item.kind)).map(({ code, name }) => row(code, name)),
    ];
  }
}
