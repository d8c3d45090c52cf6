// What each seat usually wagers, and what the last rolls took from it or paid it: for "same again", "press" and winners
// that stay up. It is kept on this console only, from what the table shows.
import { isFromMeter } from "../../table/settled.js";

const LINES = new Set(["pass", "dont_pass"]);
const MOVING = new Set(["come", "dont_come"]); // on a number they do not come again
const NEEDS_POINT = new Set(["come", "dont_come"]);
/** @param {{ kind: string, number?: number }} spot */
const keyOf = ({ kind, number = 0 }) => `${kind}:${number}`;

/**
 * @typedef {object} Decided wager of a seat
 * @property {string} kind
 * @property {number} number
 * @property {number} cents
 * @property {number} [winnings]
 * @property {boolean} [isUp]
 */

export class Memory {
  /** @type {Map<string, number>} */
  #usual = new Map(); // by seat and spot: the amount it was first made for
  /** @type {Map<number, number>} */
  #odds = new Map(); // by seat: odds in parts of the wager that they are behind
  /** @type {Map<number, Map<string, Decided>>} */
  #away = new Map(); // by seat: what was lost and is not up again, by spot
  /** @type {Map<number, Map<string, Decided>>} */
  #won = new Map(); // by seat: what the last roll paid
  /** @type {Map<number, string>} */
  #names = new Map(); // by seat: who is there; somebody else has other habits
  /** @type {Map<string, Server.WagerView>} */
  #seen = new Map(); // by seat and spot: what was up
  /** @type {string | null} */
  #roll = null;

  /** @param {import("./codes.js").Codes} codes */
  constructor(codes) {
    this.codes = codes;
  }

  /**
   * Take in the table as it is shown now.
   *
   * @param {Server.TableView} table
   */
  follow(table) {
    this.#followSeats(table);
    const up = new Map(
      table.wagers.filter((wager) => wager.owner === "player").map((wager) => [`${wager.seat}/${keyOf(wager)}`, wager]),
    );
    for (const [key, wager] of up) {
      const won = this.#won.get(wager.seat)?.get(keyOf(wager));
      if (won && wager.cents > won.cents)
        this.#won.get(wager.seat)?.delete(keyOf(wager)); // it was pressed
      else if (won) won.isUp = true;
      if (this.#seen.has(key)) continue;
      this.#usual.set(key, wager.cents);
      this.#away.get(wager.seat)?.delete(keyOf(wager));
    }
    for (const wager of up.values()) {
      const behind = this.codes.isBehind(wager.kind);
      const base =
        behind &&
        table.wagers.find(
          (each) =>
            each.seat === wager.seat && each.kind === behind && (LINES.has(behind) || each.number === wager.number),
        );
      if (base) this.#odds.set(wager.seat, wager.cents / base.cents);
    }
    this.#seen = up;
    const roll = `${table.hand}/${table.roll}`;
    const settled = table.settled ?? [];
    if (roll === this.#roll || !settled.length) return;
    this.#roll = roll;
    this.#followRoll(settled.filter((line) => line.owner === "player"));
  }

  /** @param {Server.TableView} table */
  #followSeats(table) {
    const names = new Map(table.seats.map(({ seat, name }) => [seat, name]));
    for (const [seat, name] of this.#names) {
      if (names.get(seat) === name) continue;
      for (const map of [this.#away, this.#won, this.#odds]) map.delete(seat);
      for (const key of [...this.#usual.keys()]) if (key.startsWith(`${seat}/`)) this.#usual.delete(key);
    }
    this.#names = names;
  }

  /** @param {Server.SettledWager[]} lines */
  #followRoll(lines) {
    this.#won = new Map();
    const lost = lines.filter(
      (line) => line.outcome === "lost" && !this.codes.isBehind(line.kind) && !(MOVING.has(line.kind) && line.number),
    );
    for (const line of lost) {
      const there = this.#of(this.#away, line.seat);
      const before = lost
        .filter((wager) => wager.seat === line.seat && keyOf(wager) === keyOf(line))
        .reduce((sum, wager) => sum + wager.cents, 0); // the parts of a horn
      there.set(keyOf(line), { kind: line.kind, number: line.number, cents: before });
    }
    const won = lines.filter((wager) => wager.outcome === "won" && !isFromMeter(wager));
    for (const line of won.filter((wager) => !this.codes.isBehind(wager.kind))) {
      this.#of(this.#won, line.seat).set(keyOf(line), {
        kind: line.kind,
        number: line.number,
        cents: line.cents || (line.stays ?? 0),
        winnings: line.winnings,
        isUp: (line.stays ?? 0) > 0,
      });
    }
  }

  /**
   * @param {Map<number, Map<string, Decided>>} map
   * @param {number} seat
   * @returns {Map<string, Decided>}
   */
  #of(map, seat) {
    const there = map.get(seat) ?? new Map();
    map.set(seat, there);
    return there;
  }

  /**
   * What a seat usually puts on a spot: as last time there, or as on one with the same step, or the least.
   *
   * @param {number} seat
   * @param {{ kind: string, number?: number }} spot
   * @returns {number}
   */
  usual(seat, { kind, number = 0 }) {
    const known = this.#usual.get(`${seat}/${kind}:${number}`);
    if (known) return known;
    const unit = this.codes.unitOf(kind, number);
    const like = [...this.#usual].find(([key]) => {
      const [, other, at] = /^\d+\/(.*):(\d+)$/.exec(key) ?? [];
      return key.startsWith(`${seat}/`) && other === kind && this.codes.unitOf(other, Number(at)) === unit;
    });
    return like ? like[1] : this.codes.leastOf(kind, number);
  }

  /**
   * How many times the wager a seat's odds usually are; 0 if it never took any.
   *
   * @param {number} seat
   * @returns {number}
   */
  oddsOf(seat) {
    return this.#odds.get(seat) ?? 0;
  }

  get seatsWithOdds() {
    return [...this.#odds.keys()].sort((item, other) => item - other);
  }

  get seats() {
    return [...new Set([...this.#away.keys(), ...this.#won.keys()])].sort((item, other) => item - other);
  }

  /**
   * What a seat lost, or won and took down, and can make again now.
   *
   * @param {number} seat
   * @param {Server.TableView} table
   * @returns {Decided[]}
   */
  again(seat, table) {
    return [...this.#made(this.#away, seat, table), ...this.stayUp(seat, table)];
  }

  /**
   * The winners that came down and would be left up for the next roll.
   *
   * @param {number} seat
   * @param {Server.TableView} table
   * @returns {Decided[]}
   */
  stayUp(seat, table) {
    return this.#made(this.#won, seat, table).filter((item) => !item.isUp && !(MOVING.has(item.kind) && item.number));
  }

  /**
   * What the last roll paid, to be pressed: those still up, and those that came down.
   *
   * @param {number} seat
   * @param {Server.TableView} table
   * @returns {(Decided & { more: number })[]}
   */
  pressed(seat, table) {
    return [...(this.#won.get(seat)?.values() ?? [])]
      .filter((item) => !(MOVING.has(item.kind) && item.number) && (item.isUp || this.#isOpen(item, table)))
      .map((item) => ({ ...item, more: this.#press(item) }))
      .filter((item) => item.more > 0);
  }

  /**
   * By how much a winner is pressed: doubled as far as its winnings reach, in whole steps.
   *
   * @param {Decided} decided
   * @returns {number}
   */
  #press({ kind, number, cents, winnings = 0 }) {
    const unit = this.codes.unitOf(kind, number) || 100;
    return Math.floor(Math.min(cents, winnings) / unit) * unit;
  }

  /**
   * @param {Map<number, Map<string, Decided>>} map
   * @param {number} seat
   * @param {Server.TableView} table
   * @returns {Decided[]}
   */
  #made(map, seat, table) {
    return [...(map.get(seat)?.values() ?? [])].filter(
      (item) =>
        this.#isOpen(item, table) &&
        !table.wagers.some((up) => up.seat === seat && up.owner === "player" && keyOf(up) === keyOf(item)),
    );
  }

  /**
   * Whether ordinary play makes such a wager now; the server judges it.
   *
   * @param {Decided} decided
   * @param {Server.TableView} table
   * @returns {boolean}
   */
  #isOpen({ kind }, table) {
    if (LINES.has(kind)) return table.phase === "come_out";
    return !(NEEDS_POINT.has(kind) || this.codes.familyOf(kind) === "number") || table.puck > 0;
  }
}
