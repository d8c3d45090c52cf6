// The commands behind the keys: one wager, across and inside, odds, same again, press, winners that stay up.
// Each is made at its turn, from the table as it is then; the server judges all of them.

import { Refused } from "../../http.js";
import { money } from "../../money.js";

const make = (seat, { kind, number = 0 }, cents) => ({ command: "make-wager", seat, wager: kind, number, cents });
const nothing = (why) => { throw new Refused([{ clause: "", why }]); };
const floorTo = (cents, unit) => Math.floor(cents / unit) * unit;
const ceilTo = (cents, unit) => Math.ceil(cents / unit) * unit;

export class WagerCommands {
  /** `areasOf(seat)` asks the server where a seat may make wagers now. */
  constructor({ codes, memory, table, areasOf }) {
    Object.assign(this, { codes, memory, table, areasOf });
  }

  /** What a spot is made for if no amount is typed, in cents. */
  usual(seat, spot) {
    if (spot.group) return this.#each(seat, spot).reduce((sum, [, cents]) => sum + cents, 0);
    if (this.codes.isBehind(spot.kind)) return null; // it depends on the wager that it is behind
    return this.memory.usual(seat, spot);
  }

  #each(seat, spot) {
    return this.codes.numbersOf(spot, seat, this.table()).map((number) => [number, this.codes.leastOf("place_win", number)]);
  }

  /** The commands of what was typed. */
  async typed({ seat, spot, cents }) {
    if (spot.group) return this.#group(seat, spot, cents);
    if (this.codes.isBehind(spot.kind)) return this.#oddsOn(seat, [spot.kind], cents);
    return make(seat, spot, cents ?? this.memory.usual(seat, spot));
  }

  /** Across, inside and outside: the amount is of all numbers together, in whole multiples of their least amounts. */
  #group(seat, spot, cents) {
    const each = this.#each(seat, spot);
    const least = each.reduce((sum, [, one]) => sum + one, 0);
    const times = (cents ?? least) / least;
    if (!Number.isInteger(times) || times < 1) nothing(`${spot.name} is ${money(least)}, ${money(2 * least)}, ${money(3 * least)} and so on here: ${each.map(([number, one]) => `${number} for ${money(one)}`).join(", ")}.`);
    return each.map(([number, one]) => make(seat, { kind: "place_win", number }, one * times));
  }

  /** Take a wager down; odds and groups too. */
  takeDown({ seat, spot }) {
    const there = this.table().wagers.filter((one) => one.seat === seat && one.owner === "player"
      && (spot.group ? one.kind === "place_win" && spot.numbers.includes(one.number) : one.kind === spot.kind && (!spot.number || one.number === spot.number)));
    if (!there.length) nothing(`Seat ${seat} has nothing up there.`);
    return there.map((one) => ({ command: "remove-wager", seat, wager: one.kind, number: one.number }));
  }

  /** Odds behind the line wager of a seat, or else behind come wagers that have none: as usual, or as much as the wager itself. */
  async odds(seat) {
    const kinds = [...this.codes.wagers.values()].filter((one) => one.behind).map((one) => one.kind);
    return this.#oddsOn(seat, kinds, null);
  }

  async #oddsOn(seat, kinds, cents) {
    const { table, codes } = this;
    const up = (kind, number) => table().wagers.find((one) => one.seat === seat && one.owner === "player" && one.kind === kind && (!number || one.number === number));
    const places = (await this.areasOf(seat)).filter((area) => kinds.includes(area.kind));
    const made = places.flatMap((area) => {
      const base = up(codes.isBehind(area.kind), 0)?.number ? up(codes.isBehind(area.kind), area.number) : up(codes.isBehind(area.kind), 0);
      if (!base || (cents === null && area.standing)) return [];
      const times = this.memory.oddsOf(seat);
      const wanted = times ? floorTo(times * base.cents, area.unit) || area.unit : ceilTo(base.cents, area.unit);
      return [[area, cents ?? Math.min(wanted, floorTo(area.max, area.unit))]];
    });
    const line = made.filter(([area]) => !["come_odds", "dont_come_odds"].includes(area.kind));
    const chosen = line.length && cents === null ? line : made;
    if (!chosen.length) nothing(places.length ? `Seat ${seat} has odds on all that takes them.` : `Seat ${seat} has no wager that takes odds now.`);
    return chosen.map(([area, amount]) => make(seat, area, amount));
  }

  again(seat) {
    const wagers = this.memory.again(seat, this.table());
    return wagers.length ? wagers.map((one) => make(seat, one, one.cents)) : nothing(`Nothing of seat ${seat} was just decided that can be made again now.`);
  }

  press(seat) {
    const wagers = this.memory.pressed(seat, this.table());
    return wagers.length ? wagers.map((one) => make(seat, one, one.isUp ? one.more : one.cents + one.more)) : nothing(`Seat ${seat} has no winner of the last roll to press.`);
  }

  /** For all seats: W winners stay up, R same again, O usual odds. */
  async all(letter) {
    const { memory } = this;
    const table = this.table();
    const seated = new Set(table.seats.map(({ seat }) => seat));
    if (letter === "O") {
      const made = [];
      for (const seat of memory.seatsWithOdds.filter((one) => seated.has(one))) made.push(...await this.odds(seat).catch(() => []));
      return made.length ? made : nothing("Nobody who takes odds has a wager without them now.");
    }
    const of = (seat) => (letter === "W" ? memory.stayUp(seat, table) : memory.again(seat, table));
    const made = memory.seats.filter((seat) => seated.has(seat)).flatMap((seat) => of(seat).map((one) => make(seat, one, one.cents)));
    return made.length ? made : nothing(letter === "W" ? "No winner came down in the last roll." : "Nothing was just decided that can be made again now.");
  }
}
