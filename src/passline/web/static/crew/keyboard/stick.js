// The throws as the stickperson keys them: dice out, then two dice.
//
// What a digit means follows from the keys that were pressed and never from how fast the server answers: dice are keyed
// only after their own dice out, and a second roll is never given behind one that is not acknowledged without it. A
// roll that comes within a second of another is asked about.

import { TypedDice } from "./typed_dice.js";

const SOON_MS = 1000;
const OUT = "dice-out";
const ROLL = "roll"; // dice, a void throw, or no roll: the throw is over
const CONFIRM = "Shift+Enter";

/** @param {import("./typed_dice.js").Die} die */
const lieOf = ({ lie }) => (lie === "cocked" ? " cocked" : "");
/** @param {import("./typed_dice.js").Die[]} dice */
const facesOf = (dice) => dice.map((die) => `${die.face}${lieOf(die)}`).join("-");

/**
 * @typedef {object} Options
 * @property {import("./typed_dice.js").Clock} clock
 * @property {import("./queue.js").Queue} queue
 * @property {import("./notices.js").Notices} notices
 * @property {() => Server.TableView | null} table
 * @property {import("./crew_keys.js").Give} give
 * @property {() => void} ended
 * @property {() => void} changed
 */

export class Stick {
  #rolledAt = -Infinity; // when the last roll was keyed here, or shown
  #rolled = "";
  /** @type {number | null} */
  #shown = null; // the number of the last roll that was shown

  /**
   * `table()` is the table as shown last; `give(says, command, options)` gives a command; `ended()` hears that a throw
   * is over.
   *
   * @param {Options} options
   */
  constructor({ clock, queue, notices, table, give, ended, changed }) {
    this.clock = clock;
    this.queue = queue;
    this.notices = notices;
    this.table = table;
    this.give = give;
    this.ended = ended;
    this.typed = new TypedDice({
      clock,
      changed,
      full: (dice) => this.#full(dice),
      timedOut: (half) => this.#stop(half, "It timed out. Key both dice again."),
    });
  }

  /** Where the dice are once everything that was given is done. */
  get diceAre() {
    const last = this.queue.abouts.filter((about) => about === OUT || about === ROLL).at(-1);
    if (last) return last === OUT ? "air" : "rolled";
    return this.table()?.dice_are ?? "";
  }

  /** Announce that the dice are out. */
  out() {
    if (this.diceAre === "air") return void this.notices.note("Dice out: they are out already. Key the dice.");
    this.drop();
    this.give("Dice out", { command: "dice-out" }, { about: OUT });
  }

  /**
   * Key a die.
   *
   * @param {number} face
   */
  digit(face) {
    const why = this.#notNow();
    if (why) this.#stop(`die ${face}`, why, this.typed.stop());
    else this.typed.digit(face);
  }

  /**
   * Give what ends a throw without a roll: void dice, or a call of no roll.
   *
   * @param {string} says
   * @param {import("./queue.js").Making} command
   */
  end(says, command) {
    this.drop();
    this.give(says, command, { about: ROLL });
    this.ended();
  }

  /** Drop a single die, and say that it is not recorded. */
  drop() {
    const half = this.typed.stop();
    if (half) this.notices.note(`Not recorded: ${half} (half typed)`);
  }

  /** Drop what is half typed or asked about, and return it in words. */
  halt() {
    return [this.typed.stop(), this.notices.withdraw()].filter(Boolean);
  }

  /**
   * Take in the table as it is shown now: a roll from elsewhere counts like one that was keyed here.
   *
   * @param {Server.TableView} table
   */
  follow({ roll, faces }) {
    const isNew = this.#shown !== null && roll > this.#shown;
    if (isNew && !this.queue.has(ROLL)) this.#remember((faces ?? []).join("-"));
    this.#shown = roll;
  }

  /**
   * Why no die can be keyed now; empty if one can.
   *
   * @returns {string}
   */
  #notNow() {
    if (this.diceAre === "air") return "";
    if (this.queue.isAhead)
      return "Dice out first (Space or d): before the last commands are acknowledged, a roll needs its own.";
    return this.table()?.requires_dice_out
      ? "Dice out first (Space or d): this house requires it before the dice are keyed."
      : "";
  }

  /** @param {import("./typed_dice.js").Die[]} dice */
  #full(dice) {
    const passed = this.clock.now() - this.#rolledAt;
    if (passed >= SOON_MS) return void this.#roll(dice);
    const says = `Dice ${facesOf(dice)}`;
    this.notices.ask({
      title: `${says}, ${(passed / 1000).toFixed(1)} seconds after ${this.#rolled || "a roll"}: was it another throw?`,
      why: `${CONFIRM} records it, Esc drops it. No other key does anything until then.`,
      yes: { says, act: () => this.#roll(dice) },
      no: () => this.notices.note(`${says}: dropped, not recorded`),
    });
  }

  /** @param {import("./typed_dice.js").Die[]} dice */
  #roll(dice) {
    const [first, second] = dice;
    /** @type {Server.KeyDice} */
    const command = {
      command: "key-dice",
      first: first.face,
      second: second.face,
      first_lie: first.lie,
      second_lie: second.lie,
    };
    this.#remember(facesOf(dice));
    this.give(`Dice ${facesOf(dice)}`, command, { undo: "c corrects the roll", about: ROLL });
    this.ended();
  }

  /** @param {string} rolled */
  #remember(rolled) {
    this.#rolledAt = this.clock.now();
    this.#rolled = rolled;
  }

  /**
   * @param {string} says
   * @param {string} why
   * @param {string} [half]
   */
  #stop(says, why, half = "") {
    const title = `${says.charAt(0).toUpperCase()}${says.slice(1)}: not placed`;
    this.notices.add({ title, refusals: [{ clause: "", why }], left: half ? [`${half} (half typed)`] : [] });
  }
}
