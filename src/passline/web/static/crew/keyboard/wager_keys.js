// Wagers for players by keys: from the seat, the area and the amount to commands.

import { money } from "../../money.js";
import { Codes } from "../wagers/codes.js";
import { WagerCommands } from "../wagers/commands.js";
import { Memory } from "../wagers/memory.js";
import { Ticket } from "../wagers/ticket.js";
import { keyName } from "./notices.js";

/** @type {{ [letter: string]: string }} */
export const ALL = { W: "All stay up", R: "All same again", O: "All odds" };

/** @typedef {import("../wagers/codes.js").Spot} Spot */
/**
 * @typedef {object} Options
 * @property {Server.CrewCard} card
 * @property {import("./modes.js").Modes} modes
 * @property {import("./notices.js").Notices} notices
 * @property {import("./queue.js").Queue} queue
 * @property {import("./stick.js").Stick | null} stick
 * @property {import("./crew_keys.js").Give} give
 * @property {(seat: number) => Promise<Server.Area[]>} areasOf
 * @property {() => void} changed
 */

export class WagerKeys {
  /** @type {Server.TableView | null} */
  #table = null;
  #key = ""; // that is being taken
  #isThrowing = false; // dice out was announced from here: keys are for wagers again with the second die

  /**
   * `areasOf(seat)` asks where a seat may make wagers now; `stick` is null where this console keys no dice.
   *
   * @param {Options} options
   */
  constructor({ card, modes, notices, queue, stick, give, areasOf, changed }) {
    this.card = card;
    this.modes = modes;
    this.notices = notices;
    this.queue = queue;
    this.stick = stick;
    this.changed = changed;
    this.codes = new Codes(card);
    this.memory = new Memory(this.codes);
    this.commands = new WagerCommands({ codes: this.codes, memory: this.memory, table: () => this.#shown, areasOf });
    /** @type {(says: string, command: import("./queue.js").Making, undo?: string) => boolean} */
    this.give = (says, command, undo = "") => {
      give(says, command, { undo });
      return true;
    };
    this.ticket = new Ticket(this.codes, this.#acts());
    /** @type {import("./modes.js").Mode} */
    this.mode = {
      name: "Wagers",
      bindings: [],
      isHome: true,
      passesCapitals: true,
      take: (event) => this.#take(event),
      back: () => this.ticket.back(),
      halt: () => this.ticket.halt(),
      onleave: () => this.#left(),
    };
  }

  /** The table as it is shown; wagers are typed only once there is one. */
  get #shown() {
    if (!this.#table) throw new Error("the table has not come yet");
    return this.#table;
  }

  get isOn() {
    return this.modes.mode === this.mode.name;
  }

  /** Whether the dice are out and keys are for them until they are keyed. */
  get isThrowing() {
    return this.#isThrowing;
  }

  enter() {
    this.stick?.drop();
    this.#isThrowing = false;
    this.modes.enter(this.mode);
    this.changed();
  }

  /** The throw is over, or will not be: keys are for wagers again. */
  comeBack() {
    if (this.#isThrowing) this.enter();
  }

  /**
   * Take in the table as it is shown now.
   *
   * @param {Server.TableView} table
   */
  follow(table) {
    this.#table = table;
    this.memory.follow(table);
    const { seat, half } = this.ticket;
    if (!seat || this.nameAt(seat)) return;
    this.ticket.choose(0);
    if (half) this.reject(`Seat ${seat}`, "Nobody is there any more.", [`${half} (half typed)`]);
  }

  /**
   * @param {number} seat
   * @returns {string | undefined}
   */
  nameAt(seat) {
    return this.#table?.seats.find((each) => each.seat === seat)?.name;
  }

  /**
   * Say that a key means nothing: what is half typed is dropped with it, since the next keys were meant to follow it.
   *
   * @param {string} key
   * @param {string} why
   * @param {string[]} [left]
   */
  reject(key, why, left = []) {
    const half = this.ticket.halt();
    this.notices.add({
      title: `${key}: not placed`,
      refusals: [{ clause: "", why }],
      left: [...left, ...(half ? [`${half} (half typed)`] : [])],
    });
  }

  /** @returns {import("../wagers/ticket.js").Acts} */
  #acts() {
    const { commands } = this;
    return {
      changed: () => this.changed(),
      reject: (why) => this.reject(`Key ${this.#key}`, why),
      pick: (seat) => {
        if (this.nameAt(seat)) this.ticket.choose(seat);
        else this.reject(`Key ${this.#key}`, `Nobody is at seat ${seat}.`);
        return true;
      },
      next: (step) => this.#next(step),
      make: (ticket) => this.#make(ticket),
      takeDown: (ticket) => {
        const { seat, spot } = ticket;
        if (!spot) return;
        this.give(`Seat ${seat}: ${spot.name} down`, () => commands.takeDown({ seat, spot }));
        ticket.done();
      },
      odds: (seat, spot) => this.#odds(seat, spot),
      again: (seat) => this.give(`Seat ${seat}: same again`, () => commands.again(seat)),
      press: (seat) => this.give(`Seat ${seat}: press`, () => commands.press(seat)),
      all: (letter) => (ALL[letter] ? this.give(ALL[letter], () => commands.all(letter)) : false),
    };
  }

  /**
   * @param {number} step
   * @returns {boolean}
   */
  #next(step) {
    const { ticket } = this;
    const order = this.card.ends
      .flatMap((end, place) => (place ? [...end.seats].reverse() : end.seats))
      .filter((seat) => this.nameAt(seat));
    if (!order.length) return true;
    const before = ticket.seat ? order.indexOf(ticket.seat) : step < 0 ? order.length : -1;
    ticket.choose(order[(before + step + order.length) % order.length]);
    return true;
  }

  /** @param {Ticket} ticket */
  #make(ticket) {
    const { seat, spot, cents } = ticket;
    if (!spot) return;
    const shown = this.shareText(seat, spot, cents);
    const amount = cents ?? this.commands.usual(seat, spot);
    // As it was shown; what is usual may be another amount at its turn.
    const asked = spot.group || spot.isOdds ? cents : amount;
    const says = `Seat ${seat}: ${spot.name}${shown ? ` ${shown}` : amount ? ` ${money(amount)}` : ""}`;
    this.give(
      says,
      async () => {
        const commands = await this.commands.typed({ seat, spot, cents: asked });
        const now = this.shareText(seat, spot, cents); // a roll may have set a point since Enter
        if (now !== shown) this.notices.note(`Seat ${seat}: ${spot.name} is ${now} now`);
        return commands;
      },
      "take it down again: seat, area, Del",
    );
    ticket.done();
  }

  /**
   * What is made of the amount for several numbers, if the point is left out of it: "$32 without 6 (of $44)".
   *
   * @param {number} seat
   * @param {Spot} spot
   * @param {number | null} cents
   * @returns {string}
   */
  shareText(seat, spot, cents) {
    const shared = spot.group ? this.commands.share(seat, spot, cents) : null;
    return shared?.without.length
      ? `${money(shared.made)} without ${shared.without.join(" and ")} (of ${money(cents ?? 0)})`
      : "";
  }

  /**
   * The odds that o stands for: the first that the seat could take, or the one after `spot`.
   *
   * @param {number} seat
   * @param {Spot | null} spot
   * @returns {Spot | null}
   */
  #odds(seat, spot) {
    const choices = this.commands.oddsChoices(seat);
    const place = choices.findIndex((choice) => choice.kind === spot?.kind && choice.number === spot?.number);
    const next = choices[(place + 1) % choices.length];
    if (next) return { ...next, others: choices.filter((choice) => choice !== next) };
    // Behind what is not shown yet: found at its turn.
    if (this.queue.isAhead && !spot) return { kind: "", number: 0, isOdds: true, name: "Odds" };
    this.reject(
      `Key ${this.#key}`,
      this.queue.isAhead
        ? "The wagers of this seat are not shown yet: wait, or press Enter."
        : `Seat ${seat} has no wager that takes odds now, or has them already.`,
    );
    return null;
  }

  /**
   * Take a key; Space announces the throw from here too.
   *
   * @param {import("./modes.js").Key} event
   * @returns {boolean}
   */
  #take(event) {
    this.#key = keyName(event.key);
    if (event.key !== " ") return this.ticket.take(event);
    if (!this.stick) return false;
    this.#isThrowing = true;
    this.modes.leave();
    this.stick.out();
    return true;
  }

  /** The mode is left: nothing half typed stays behind for the next key to go on with. */
  #left() {
    const half = this.ticket.halt();
    if (half) this.notices.note(`Not made: ${half} (half typed)`);
    this.changed();
  }
}
