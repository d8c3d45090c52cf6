// From the keys of a console and the acknowledgements of the server to commands and notices.
//
// Nothing here knows the page or the time: `live` sends commands and hears what became of them, `clock` has now() and
// after(ms, act), `store` keeps what waits. The page shows `notices`, `queue`, `modes`, `stick` and `wagers` after
// `changed`. What a key means follows from the keys before it, and never from how long an acknowledgement takes.
//
//   const crew = new CrewKeys({ live, clock, store, kept, card, keysDice: true, takesWagers: true, areasOf, changed,
//     told });
//   crew.modes.base = [...];
//   crew.follow(table);                                     // whenever the table has changed
//   crew.press({ key: " ", code: "Space", shiftKey: false });

import { Modes } from "./modes.js";
import { keyName, Notices } from "./notices.js";
import { Queue } from "./queue.js";
import { Stick } from "./stick.js";
import { WagerKeys } from "./wager_keys.js";

/** @type {{ [diceAre: string]: string }} */
const DICE_ARE = {
  cup: "in the cup",
  offered: "offered",
  accepted: "with the shooter, who picks two",
  held: "with the shooter",
  air: "in the air",
  rest: "at rest",
  called: "called",
  centre: "at the centre",
};

/**
 * Where the dice are, in words.
 *
 * @param {string | undefined} diceAre
 * @returns {string}
 */
export function diceText(diceAre) {
  return diceAre === undefined ? "not known yet" : (DICE_ARE[diceAre] ?? diceAre);
}

/** @param {import("./queue.js").Making} command */
const commandOf = (command) => (typeof command === "function" ? command() : command);

/** @typedef {{ signOff?: Server.SignOff | null, undo?: string, about?: string }} GiveOptions */
/** @typedef {(says: string, command: import("./queue.js").Making, options?: GiveOptions) => unknown} Give */
/**
 * @typedef {object} Options
 * @property {import("./queue.js").Sender} live
 * @property {import("./typed_dice.js").Clock} clock
 * @property {import("./queue.js").Store} store
 * @property {string} kept
 * @property {Server.CrewCard} card
 * @property {boolean} keysDice
 * @property {boolean} takesWagers
 * @property {(seat: number) => Promise<Server.Area[]>} areasOf
 * @property {() => void} changed
 * @property {(text: string) => void} told
 * @property {(
 *   command: import("./queue.js").Making,
 * ) => import("./queue.js").Given | Promise<import("./queue.js").Given>} [made]
 * @property {(done: Server.DoneAnswer, about: { says: string, undo: string }) => void} [given]
 * @property {() => string[]} [halted]
 */

export class CrewKeys {
  /** @type {Server.TableView | null} */
  #table = null;

  /**
   * `made(command)` makes a command at its turn, or throws why it is not sent; `given` hears what was acknowledged;
   * `halted` returns what panels drop, in words, when something is refused.
   *
   * @param {Options} options
   */
  constructor({
    live,
    clock,
    store,
    kept,
    card,
    keysDice,
    takesWagers,
    areasOf,
    changed,
    told,
    made = commandOf,
    given = () => {},
    halted = () => [],
  }) {
    this.made = made;
    this.given = given;
    this.halted = halted;
    this.notices = new Notices({ changed, told });
    this.queue = new Queue({ live, clock, store, kept, changed, refused: (stopped) => this.stop(stopped) });
    const isAhead = () => this.queue.isAhead;
    this.modes = new Modes({
      isAhead,
      changed,
      stopped: (binding, key) => this.#isStopped(binding, key),
      escaped: () => this.notices.dismissNotes(),
      notNow: (binding, key, mode) => this.#notNow(binding, key, mode),
      unknown: (key, mode) => this.#unknown(key, mode),
    });
    /** @type {Give} */
    const give = (says, command, options) => this.give(says, command, options);
    const shared = { notices: this.notices, queue: this.queue, give, changed };
    this.stick = keysDice
      ? new Stick({ ...shared, clock, table: () => this.#table, ended: () => this.wagers?.comeBack() })
      : null;
    this.wagers = takesWagers
      ? new WagerKeys({ ...shared, card, modes: this.modes, stick: this.stick, areasOf })
      : null;
  }

  /**
   * The keys of the dice, outside any mode.
   *
   * @returns {import("./modes.js").Binding[]}
   */
  get diceBindings() {
    const { stick } = this;
    if (!stick) return [];
    const isReady = () => this.isReadyToThrow || stick.diceAre === "air";
    const out = { on: () => stick.out(), when: isReady, ahead: true, says: "dice out" };
    return [
      { keys: "1-6", says: "a die; two make a roll", on: (digit) => stick.digit(Number(digit)) },
      { ...out, keys: "d" },
      { ...out, keys: " ", isUnlisted: true },
      { keys: "k", says: "next die cocked", on: () => stick.typed.cock() },
      { keys: "Backspace", says: "clear the first die", on: () => stick.typed.clear(), isUnlisted: true },
    ];
  }

  /** Whether the dice, as they are shown, can go out. */
  get isReadyToThrow() {
    const diceAre = this.#table?.dice_are;
    return diceAre === "held" || (!this.#table?.is_keyed && diceAre === "cup");
  }

  /**
   * @param {import("./modes.js").Key} event
   * @returns {boolean}
   */
  press(event) {
    if (event.key === "Enter" && event.shiftKey && !event.isTyping && !event.isPressing) return this.#confirm(event);
    return this.modes.press(event);
  }

  /**
   * Take in the table as it is shown now.
   *
   * @param {Server.TableView} table
   */
  follow(table) {
    this.#table = table;
    this.stick?.follow(table);
    this.wagers?.follow(table);
  }

  /**
   * Give a command by a key or a button, after those that were given before it; it may be a function that makes it at
   * its turn. Resolves to the answer, or to null if it was not done. While a refusal is shown nothing is done.
   *
   * @param {string} says
   * @param {import("./queue.js").Making} command
   * @param {GiveOptions} [options]
   * @returns {Promise<Server.DoneAnswer | null>}
   */
  async give(says, command, options = {}) {
    if (!this.notices.isShown) return this.submit(says, command, options);
    this.notices.notTaken(says);
    return null;
  }

  /**
   * Give a command by a form, also while a refusal is shown: a form is filled in with care, and may correct what was
   * refused.
   *
   * @param {string} says
   * @param {import("./queue.js").Making} command
   * @param {GiveOptions} [options]
   * @returns {Promise<Server.DoneAnswer | null>}
   */
  async submit(says, command, { signOff = null, undo = "", about = "" } = {}) {
    const done = await this.queue.add(says, () => this.made(command), { signOff, about });
    if (done) this.given(done, { says, undo });
    return done;
  }

  /**
   * Do what a button says, unless something stops the keys.
   *
   * @param {string} says
   * @param {() => void} act
   */
  byButton(says, act) {
    if (this.notices.isShown) this.notices.notTaken(says);
    else act();
  }

  /**
   * Something was refused: show it with what is not done because of it, and drop what is half typed.
   *
   * @param {import("./notices.js").Stopped} stopped
   */
  stop(stopped) {
    const half = [this.modes.halt(), ...(this.stick?.halt() ?? []), ...this.halted()]
      .filter(Boolean)
      .map((item) => `${item} (half typed)`);
    this.notices.add({ ...stopped, left: [...(stopped.left ?? []), ...half] });
    if (this.stick?.diceAre !== "air") this.wagers?.comeBack();
  }

  /** Take back what was not sent yet. */
  takeBack() {
    this.stop({ title: "Taken back with Esc before it was sent", left: this.queue.takeBack() });
  }

  /**
   * @param {import("./modes.js").Key} event
   * @returns {boolean}
   */
  #confirm(event) {
    if (event.repeat || this.notices.answer(true)) return true;
    if (this.notices.isShown) this.notices.notTaken("Shift+Enter");
    else this.notices.note("Shift+Enter: nothing is asked");
    return true;
  }

  /**
   * Whether a key does nothing because a refusal or a question is shown. Escape dismisses it.
   *
   * @param {import("./modes.js").Binding | null} binding
   * @param {string} key
   * @returns {boolean}
   */
  #isStopped(binding, key) {
    if (!this.notices.isShown || binding?.always || binding?.quiet) return false;
    if (key !== "Escape") this.notices.notTaken(key);
    else if (!this.notices.answer(false)) this.notices.dismiss();
    return true;
  }

  /**
   * @param {import("./modes.js").Binding} binding
   * @param {string} key
   * @param {string} mode
   */
  #notNow({ says }, key, mode) {
    const isHome = mode === this.wagers?.mode.name; // it stays, and passes some keys on
    const why =
      mode && !isHome
        ? `“${mode}” does not use this key, and was left.`
        : `The dice are ${diceText(this.#table?.dice_are)}.`;
    this.stop({ title: `Key ${keyName(key)} (${says}): not now`, refusals: [{ clause: "", why }] });
  }

  /**
   * @param {string} key
   * @param {string} mode
   */
  #unknown(key, mode) {
    const why = mode ? `“${mode}” does not use this key.` : "It does nothing here. ? shows all keys; m begins wagers.";
    this.stop({ title: `Key ${keyName(key)}: not placed`, refusals: [{ clause: "", why }] });
  }
}
