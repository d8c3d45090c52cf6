// What a key does: one mode at a time with its legend; Escape leaves it.
//
// A key is given as `{key, code, shiftKey, repeat, isCapsLock, isTyping, isPressing, blur}`: typed into a field it is
// text, and Enter and Space press the button that has the focus.

const TAKEN = new Set(["Enter", "Delete", "Backspace", "ArrowLeft", "ArrowRight"]);
// Beside the printable ones: keys that mean an act wherever they are pressed.
const ACTING = new Set(["Enter", "Delete"]);

/**
 * @typedef {object} Key as it is pressed
 * @property {string} key
 * @property {string} code
 * @property {boolean} shiftKey
 * @property {boolean} [repeat]
 * @property {boolean} [isCapsLock]
 * @property {boolean} [isTyping]
 * @property {boolean} [isPressing]
 * @property {() => void} [blur]
 */
/**
 * @typedef {object} Binding of a key
 * @property {string} keys such as "1-6", "c" or "Enter"
 * @property {string} says
 * @property {(key: string) => unknown} on
 * @property {() => boolean} [when]
 * @property {boolean} [ahead] it is taken before its time while commands are not acknowledged
 * @property {boolean} [isUnlisted]
 * @property {boolean} [always] it acts in every mode
 * @property {boolean} [quiet]
 */
/**
 * @typedef {object} Mode
 * @property {string} name
 * @property {Binding[]} bindings
 * @property {() => void} [onleave]
 * @property {boolean} [isHome]
 * @property {boolean} [passesCapitals]
 * @property {(event: Key) => boolean} [take]
 * @property {() => boolean} [back]
 * @property {() => string} [halt]
 */
/**
 * @typedef {object} Hearing what modes ask and tell
 * @property {() => boolean} [isAhead]
 * @property {(binding: Binding | null, key: string) => boolean} [stopped]
 * @property {(binding: Binding, key: string, mode: string) => void} [notNow]
 * @property {(key: string, mode: string) => void} [unknown]
 * @property {() => void} [escaped]
 * @property {() => void} [changed]
 */

export class Modes {
  /** @type {Binding[]} */
  #base = [];
  /** @type {Mode | null} */
  #mode = null;
  /** @type {Mode | null} */
  #under = null; // the mode to come back to

  /**
   * `isAhead` says whether commands are not acknowledged yet: a key with `ahead` is then taken before its time, and
   * judged at its turn. `stopped` gets every key while it returns true, and does not let it act. `notNow` is told of a
   * key that does nothing now, `unknown` of one that does nothing at all: none is dropped without a word.
   *
   * @param {Hearing} [options]
   */
  constructor({
    isAhead = () => false,
    stopped = () => false,
    notNow = () => {},
    unknown = () => {},
    escaped = () => {},
    changed = () => {},
  } = {}) {
    this.isAhead = isAhead;
    this.stopped = stopped;
    this.notNow = notNow;
    this.unknown = unknown;
    this.escaped = escaped;
    this.changed = changed;
  }

  /**
   * The keys outside any mode: `[{keys: "1-6", says: "a die", on: (key) => {}, when: () => true, ahead: true,
   * isUnlisted: false}]`.
   *
   * @param {Binding[]} bindings
   */
  set base(bindings) {
    this.#base = bindings;
    this.changed();
  }

  /**
   * Enter a mode: `{name, bindings, onleave}`. Escape leaves it. A mode of many keys has `take(event)`, which returns
   * whether the key was one of them, and `back()`, which returns whether Escape had something to drop before the mode
   * is left. Other modes come back to one that `isHome`.
   *
   * @param {Mode} mode
   */
  enter(mode) {
    if (this.#mode === mode) return;
    const under = this.#mode?.isHome ? this.#mode : this.#under;
    this.#leave();
    this.#mode = mode;
    this.#under = mode.isHome ? null : under;
    this.changed();
  }

  /** Leave the mode, for the one it was entered from if that is a home. */
  leave() {
    this.#leave();
    this.#mode = this.#under;
    this.#under = null;
    this.changed();
  }

  #leave() {
    const mode = this.#mode;
    this.#mode = null;
    mode?.onleave?.();
  }

  /**
   * Something was refused: leave the mode, or, if it is one that stays, drop what is half typed. Returns that in words.
   *
   * @returns {string}
   */
  halt() {
    const mode = this.#mode;
    if (mode?.halt) return mode.halt();
    if (mode) this.leave();
    return mode?.name ?? "";
  }

  get mode() {
    return this.#mode?.name ?? "";
  }

  get legend() {
    const bindings = this.#mode ? this.#mode.bindings : this.#base;
    const shown = bindings
      .filter((binding) => !binding.isUnlisted && (!binding.when || binding.when()))
      .map(({ keys, says }) => ({ keys, says }));
    return this.#mode ? [...shown, { keys: "Esc", says: "back" }] : shown;
  }

  /** All keys outside a mode, also those that do nothing now. */
  get all() {
    return this.#base
      .filter((item) => !item.isUnlisted)
      .map(({ keys, says, when }) => ({ keys, says, isNow: !when || when() }));
  }

  /**
   * Press a key. Returns whether it did something here, so that the browser must not do anything with it.
   *
   * @param {Key} event
   * @returns {boolean}
   */
  press(event) {
    const { key } = event;
    if (key === "Escape") return this.#escape(event);
    if (event.isTyping || event.isPressing) return false;
    const isTaken = this.#mode?.take && key !== "?" && (key.length === 1 || TAKEN.has(key));
    // A key that is held down is one key.
    if (isTaken && (event.repeat || this.stopped(null, key) || this.#mode?.take?.(event))) return true;
    const known = [...(this.#mode?.bindings ?? []), ...this.#base].filter((binding) => matches(binding.keys, key));
    if (!known.length) return this.#unknown(event);
    if (event.repeat) return true;
    const found = this.#found(known, event);
    if (this.stopped(found ?? known[0], key)) return true;
    if (found) found.on(key);
    else if (!known[0].quiet) this.notNow(known[0], key, this.mode);
    return true;
  }

  /**
   * @param {Key} event
   * @returns {boolean}
   */
  #escape(event) {
    if (this.stopped(null, "Escape")) return false;
    this.escaped();
    if (event.isTyping) event.blur?.();
    else if (this.#mode?.back?.()) return false;
    if (this.#mode) this.leave();
    else this.#base.find((item) => item.keys === "Esc" && (!item.when || item.when()))?.on("Escape");
    return false;
  }

  /**
   * @param {Key} event
   * @returns {boolean}
   */
  #unknown({ key, repeat }) {
    if (!(ACTING.has(key) || (key.length === 1 && key !== " "))) return false;
    if (!repeat && !this.stopped(null, key)) this.unknown(key, this.mode);
    return true;
  }

  /**
   * The binding that acts now. In a mode it is one of the mode, or one that acts at any time; with Shift some modes
   * pass it on.
   *
   * @param {Binding[]} known
   * @param {Key} event
   * @returns {Binding | undefined}
   */
  #found(known, { shiftKey }) {
    const isNow = (/** @type {Binding} */ item) => !item.when || item.when() || (item.ahead && this.isAhead());
    const mode = this.#mode;
    if (!mode) return known.find(isNow);
    return known.find(
      (known) => mode.bindings.includes(known) || known.always || (mode.passesCapitals && shiftKey && isNow(known)),
    );
  }
}

/**
 * Whether a key matches "1-6", "c" or "Enter".
 *
 * @param {string} keys
 * @param {string} key
 * @returns {boolean}
 */
function matches(keys, key) {
  const range = /^(.)-(.)$/.exec(keys);
  if (range) return key.length === 1 && key >= range[1] && key <= range[2];
  return keys === key || (keys.length === 1 && keys.toLowerCase() === key.toLowerCase());
}
