// The commands behind the keys: one wager, across and inside, odds, same again, press, winners that stay up.
// Each is made at its turn, from the table as it is then; the server judges all of them.

import { Refused } from "../../http.js";
import { money } from "../../money.js";

/** @typedef {import("./codes.js").Spot} Spot */

const LINES = new Set(["pass", "dont_pass"]);
/**
 * @param {number} seat
 * @param {{ kind: string, number?: number }} spot
 * @param {number} cents
 * @returns {Server.MakeWager}
 */
const make = (seat, { kind, number = 0 }, cents) => ({ command: "make-wager", seat, wager: kind, number, cents });
/**
 * @param {string} why
 * @returns {never}
 */
const nothing = (why) => {
  throw new Refused([{ clause: "", why }]);
};
/**
 * @param {number} cents
 * @param {number} unit
 */
const floorTo = (cents, unit) => Math.floor(cents / unit) * unit;
/**
 * @param {number} cents
 * @param {number} unit
 */
const ceilTo = (cents, unit) => Math.ceil(cents / unit) * unit;

export class WagerCommands {
  /**
   * `areasOf(seat)` asks the server where a seat may make wagers now.
   *
   * @param {{
   *   codes: import("./codes.js").Codes,
   *   memory: import("./memory.js").Memory,
   *   table: () => Server.TableView,
   *   areasOf: (seat: number) => Promise<Server.Area[]>,
   * }} options
   */
  constructor({ codes, memory, table, areasOf }) {
    this.codes = codes;
    this.memory = memory;
    this.table = table;
    this.areasOf = areasOf;
  }

  /**
   * What a spot is made for if no amount is typed, in cents.
   *
   * @param {number} seat
   * @param {Spot} spot
   * @returns {number | null}
   */
  usual(seat, spot) {
    if (spot.group) return this.#each(seat, spot).reduce((sum, [, cents]) => sum + cents, 0);
    if (spot.isOdds) return spot.usual ?? null;
    if (this.codes.isBehind(spot.kind)) return null; // it depends on the wager that it is behind
    return this.memory.usual(seat, spot);
  }

  /**
   * @param {number} seat
   * @param {Spot} spot
   * @returns {[number: number, cents: number][]}
   */
  #each(seat, spot) {
    return this.#leastOf(this.codes.numbersOf(spot, seat, this.table()));
  }

  /**
   * @param {number[]} numbers
   * @returns {[number: number, cents: number][]}
   */
  #leastOf(numbers) {
    return numbers.map((number) => [number, this.codes.leastOf("place_win", number)]);
  }

  /**
   * The commands of what was typed.
   *
   * @param {{ seat: number, spot: Spot, cents: number | null }} typed
   * @returns {Promise<Server.TableCommand | Server.TableCommand[]>}
   */
  async typed({ seat, spot, cents }) {
    if (spot.group) return this.#group(seat, spot, cents);
    if (spot.isOdds) return this.#oddsTyped(seat, spot, cents);
    if (this.codes.isBehind(spot.kind)) return this.#oddsOn(seat, [spot.kind], cents);
    return make(seat, spot, cents ?? this.memory.usual(seat, spot));
  }

  /**
   * Across, inside and outside: the amount is of all numbers together, in whole multiples of their least amounts. The
   * point of a player on the line is left out; an amount that is meant for all numbers gives the others what they have
   * of it. Returns `{each: [[number, cents]], made, without}`, with `made` in cents, or null if the amount cannot be
   * shared out.
   *
   * @param {number} seat
   * @param {Spot} spot
   * @param {number | null} cents
   * @returns {{ each: [number: number, cents: number][], made: number, without: number[] } | null}
   */
  share(seat, spot, cents) {
    const each = this.#each(seat, spot);
    const sum = (/** @type {[number, number][]} */ amounts) => amounts.reduce((total, [, item]) => total + item, 0);
    const { numbers = [] } = spot;
    const all = this.#leastOf(numbers);
    const least = sum(each);
    const asked = cents ?? least;
    const divisor = [least, sum(all)].find((item) => item > 0 && asked >= item && asked % item === 0);
    if (!divisor) return null;
    const shares = each.map(([number, item]) => /** @type {[number, number]} */ ([number, item * (asked / divisor)]));
    return {
      each: shares,
      made: sum(shares),
      without: divisor === least ? [] : numbers.filter((number) => !each.some(([item]) => item === number)),
    };
  }

  /**
   * @param {number} seat
   * @param {Spot} spot
   * @param {number | null} cents
   * @returns {Server.TableCommand[]}
   */
  #group(seat, spot, cents) {
    const shared = this.share(seat, spot, cents);
    if (shared) return shared.each.map(([number, item]) => make(seat, { kind: "place_win", number }, item));
    const each = this.#each(seat, spot);
    const least = each.reduce((sum, [, item]) => sum + item, 0);
    const amounts = [1, 2, 3].map((times) => money(times * least)).join(", ");
    const parts = each.map(([number, item]) => `${number} for ${money(item)}`).join(", ");
    return nothing(`${spot.name} is ${amounts} and so on here: ${parts}.`);
  }

  /**
   * Take a wager down; odds and groups too.
   *
   * @param {{ seat: number, spot: Spot }} typed
   * @returns {Server.TableCommand[]}
   */
  takeDown({ seat, spot }) {
    if (spot.isOdds) nothing("Odds are taken down by their own code: seat, po or co, Del.");
    const there = this.table().wagers.filter(
      (wager) =>
        wager.seat === seat &&
        wager.owner === "player" &&
        (spot.group
          ? wager.kind === "place_win" && spot.numbers?.includes(wager.number)
          : wager.kind === spot.kind && (!spot.number || wager.number === spot.number)),
    );
    if (!there.length) nothing(`Seat ${seat} has nothing up there.`);
    return there.map((wager) => ({
      command: /** @type {const} */ ("remove-wager"),
      seat,
      wager: wager.kind,
      number: wager.number,
    }));
  }

  /**
   * The odds that a seat could take now, by the table as it is shown: the line first, then come wagers.
   *
   * @param {number} seat
   * @returns {Spot[]}
   */
  oddsChoices(seat) {
    const { wagers, puck } = this.table();
    const mine = wagers.filter((wager) => wager.seat === seat && wager.owner === "player");
    const kinds = [...this.codes.wagers.values()].filter((wager) => wager.behind);
    const choices = kinds.flatMap(({ kind, behind }) =>
      mine
        .filter((wager) => wager.kind === behind && (LINES.has(behind) ? puck : wager.number))
        .filter(
          (base) => !mine.some((wager) => wager.kind === kind && (LINES.has(behind) || wager.number === base.number)),
        )
        .map((base) => this.#oddsSpot(seat, kind, LINES.has(behind) ? puck : base.number, base)),
    );
    return choices.sort(
      (choice, other) => Number(other.isLine) - Number(choice.isLine) || choice.number - other.number,
    );
  }

  /**
   * @param {number} seat
   * @param {string} kind
   * @param {number} number
   * @param {Server.WagerView} base
   * @returns {Spot}
   */
  #oddsSpot(seat, kind, number, base) {
    const isLine = LINES.has(this.codes.isBehind(kind));
    return {
      isOdds: true,
      kind,
      number,
      isLine,
      name: `${this.codes.nameOf({ kind })} on ${number}`,
      usual: this.#usualOdds(seat, base, this.codes.unitOf(kind, number)),
    };
  }

  /**
   * @param {number} seat
   * @param {Server.WagerView} base
   * @param {number} unit
   * @returns {number}
   */
  #usualOdds(seat, base, unit) {
    const times = this.memory.oddsOf(seat);
    return times ? floorTo(times * base.cents, unit) || unit : ceilTo(base.cents, unit);
  }

  /**
   * Odds as they were chosen; those that were typed before the table was shown are made if there is no choice.
   *
   * @param {number} seat
   * @param {Spot} spot
   * @param {number | null} cents
   * @returns {Promise<Server.TableCommand[]>}
   */
  async #oddsTyped(seat, spot, cents) {
    const choices = spot.kind ? [spot] : this.oddsChoices(seat);
    if (choices.length > 1) {
      const names = choices.map((choice) => choice.name).join(" or ");
      nothing(`Seat ${seat} may take ${names}. Type o until the right ones are shown, then Enter.`);
    }
    if (!choices.length) nothing(`Seat ${seat} has no wager that takes odds now, or has them already.`);
    const [{ kind, number, isLine }] = choices;
    return this.#oddsOn(seat, [kind], cents, isLine ? 0 : number);
  }

  /**
   * Usual odds behind the line wager of a seat, or else behind come wagers that have none.
   *
   * @param {number} seat
   * @returns {Promise<Server.TableCommand[]>}
   */
  async #usualOddsOf(seat) {
    const kinds = [...this.codes.wagers.values()].filter((wager) => wager.behind).map((wager) => wager.kind);
    return this.#oddsOn(seat, kinds, null);
  }

  /**
   * @param {number} seat
   * @param {string[]} kinds
   * @param {number | null} cents
   * @param {number} [number]
   * @returns {Promise<Server.TableCommand[]>}
   */
  async #oddsOn(seat, kinds, cents, number = 0) {
    const { table, codes } = this;
    const up = (/** @type {string} */ kind, /** @type {number} */ at) =>
      table().wagers.find(
        (wager) =>
          wager.seat === seat && wager.owner === "player" && wager.kind === kind && (!at || wager.number === at),
      );
    const places = (await this.areasOf(seat)).filter(
      (area) => kinds.includes(area.kind) && (!number || area.number === number),
    );
    const made = places.flatMap((area) => {
      /** @type {[Server.Area, number][]} */
      const none = [];
      const base = up(codes.isBehind(area.kind), 0)?.number
        ? up(codes.isBehind(area.kind), area.number)
        : up(codes.isBehind(area.kind), 0);
      if (!base || (cents === null && area.standing)) return none;
      return [
        ...none,
        /** @type {[Server.Area, number]} */ ([
          area,
          cents ?? Math.min(this.#usualOdds(seat, base, area.unit), floorTo(area.max, area.unit)),
        ]),
      ];
    });
    const line = made.filter(([area]) => LINES.has(codes.isBehind(area.kind)));
    const chosen = line.length && cents === null ? line : made;
    if (!chosen.length)
      nothing(
        places.length
          ? `Seat ${seat} has odds on all that takes them.`
          : `Seat ${seat} has no wager that takes odds now.`,
      );
    return chosen.map(([area, amount]) => make(seat, area, amount));
  }

  /**
   * @param {number} seat
   * @returns {Server.TableCommand[]}
   */
  again(seat) {
    const wagers = this.memory.again(seat, this.table());
    return wagers.length
      ? wagers.map((wager) => make(seat, wager, wager.cents))
      : nothing(`Nothing of seat ${seat} was just decided that can be made again now.`);
  }

  /**
   * @param {number} seat
   * @returns {Server.TableCommand[]}
   */
  press(seat) {
    const wagers = this.memory.pressed(seat, this.table());
    return wagers.length
      ? wagers.map((wager) => make(seat, wager, wager.isUp ? wager.more : wager.cents + wager.more))
      : nothing(`Seat ${seat} has no winner of the last roll to press.`);
  }

  /**
   * For all seats: W winners stay up, R same again, O usual odds.
   *
   * @param {string} letter
   * @returns {Promise<Server.TableCommand[]>}
   */
  async all(letter) {
    const { memory } = this;
    const table = this.table();
    const seated = new Set(table.seats.map(({ seat }) => seat));
    if (letter === "O") {
      /** @type {Server.TableCommand[]} */
      const made = [];
      for (const seat of memory.seatsWithOdds.filter((seatsWithOdd) => seated.has(seatsWithOdd)))
        made.push(...(await this.#usualOddsOf(seat).catch(() => [])));
      return made.length ? made : nothing("Nobody who takes odds has a wager without them now.");
    }
    const of = (/** @type {number} */ seat) =>
      letter === "W" ? memory.stayUp(seat, table) : memory.again(seat, table);
    const made = memory.seats
      .filter((seat) => seated.has(seat))
      .flatMap((seat) => of(seat).map((value) => make(seat, value, value.cents)));
    return made.length
      ? made
      : nothing(
          letter === "W"
            ? "No winner came down in the last roll."
            : "Nothing was just decided that can be made again now.",
        );
  }
}
