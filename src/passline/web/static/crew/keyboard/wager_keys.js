// Wagers for players by keys: from the seat, the area and the amount to commands.

import { money } from "../../money.js";
import { Codes } from "../wagers/codes.js";
import { WagerCommands } from "../wagers/commands.js";
import { Memory } from "../wagers/memory.js";
import { Ticket } from "../wagers/ticket.js";
import { keyName } from "./notices.js";

export const ALL = { W: "All stay up", R: "All same again", O: "All odds" };

export class WagerKeys {
  #table = null;
  #key = ""; // that is being taken
  #isThrowing = false; // dice out was announced from here: keys are for wagers again with the second die

  /** `areasOf(seat)` asks where a seat may make wagers now; `stick` is null where this console keys no dice. */
  constructor({ card, modes, notices, queue, stick, give, areasOf, changed }) {
    Object.assign(this, { card, modes, notices, queue, stick, changed });
    this.codes = new Codes(card);
    this.memory = new Memory(this.codes);
    this.commands = new WagerCommands({ codes: this.codes, memory: this.memory, table: () => this.#table, areasOf });
    this.give = (says, command, undo = "") => {
      give(says, command, { undo });
      return true;
    };
    this.ticket = new Ticket(this.codes, this.#acts());
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

  /** Take in the table as it is shown now. */
  follow(table) {
    this.#table = table;
    this.memory.follow(table);
    const { seat, half } = this.ticket;
    if (!seat || this.nameAt(seat)) return;
    this.ticket.choose(0);
    if (half) this.reject(`Seat ${seat}`, "Nobody is there any more.", [`${half} (half typed)`]);
  }

  nameAt(seat) {
    return this.#table?.seats.find((one) => one.seat === seat)?.name;
  }

  /**
   * Say that a key means nothing: what is half typed is dropped with it, since the next keys were meant to follow it.
   */
  reject(key, why, left = []) {
    const half = this.ticket.halt();
    this.notices.add({
      title: `${key}: not placed`,
      refusals: [{ clause: "", why }],
      left: [...left, ...(half ? [`${half} (half typed)`] : [])],
    });
  }

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
        this.give(`Seat ${seat}: ${spot.name} down`, () => commands.takeDown({ seat, spot }));
        ticket.done();
      },
      odds: (seat, spot) => this.#odds(seat, spot),
      again: (seat) => this.give(`Seat ${seat}: same again`, () => commands.again(seat)),
      press: (seat) => this.give(`Seat ${seat}: press`, () => commands.press(seat)),
      all: (letter) => (ALL[letter] ? this.give(ALL[letter], () => commands.all(letter)) : false),
    };
  }

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

  #make(ticket) {
    const { seat, spot, cents } = ticket;
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

  /** What is made of the amount for several numbers, if the point is left out of it: "$32 without 6 (of $44)". */
  shareText(seat, spot, cents) {
    const shared = spot.group ? this.commands.share(seat, spot, cents) : null;
    return shared?.without.length
      ? `${money(shared.made)} without ${shared.without.join(" and ")} (of ${money(cents)})`
      : "";
  }

  /** The odds that o stands for: the first that the seat could take, or the one after `spot`. */
  #odds(seat, spot) {
    const choices = this.commands.oddsChoices(seat);
    const place = choices.findIndex((one) => one.kind === spot?.kind && one.number === spot?.number);
    const next = choices[(place + 1) % choices.length];
    if (next) return { ...next, others: choices.filter((one) => one !== next) };
    // Behind what is not shown yet: found at its turn.
    if (this.queue.isAhead && !spot) return { isOdds: true, name: "Odds" };
    this.reject(
      `Key ${this.#key}`,
      this.queue.isAhead
        ? "The wagers of this seat are not shown yet: wait, or press Enter."
        : `Seat ${seat} has no wager that takes odds now, or has them already.`,
    );
    return null;
  }

  /** Take a key; Space announces the throw from here too. */
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
