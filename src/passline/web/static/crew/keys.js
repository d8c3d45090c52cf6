// The keys of the console: one mode at a time with its legend; Escape leaves it.

/** Whether a key is typed into a field, where it is text. */
function isTyping(event) {
  const node = event.target;
  return node instanceof HTMLElement && (node.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName));
}

/** Whether a key presses the button or link that has the focus. */
function isPressing(event) {
  return (event.key === "Enter" || event.key === " ") && event.target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(event.target.tagName);
}

const ACTING = new Set(["Delete", "Backspace", "ArrowLeft", "ArrowRight"]);

export class Keys {
  #base = [];
  #mode = null;
  #listeners = new Set();

  /**
   * `isAhead` says whether commands are not acknowledged yet: a key with `ahead` is then taken before its time, and judged at
   * its turn. `stopped` gets every key while it returns true, and does not let it act. `notNow` is told of a key that does
   * nothing now: none is dropped without a word.
   */
  constructor({ isAhead = () => false, stopped = () => false, notNow = () => {} } = {}) {
    Object.assign(this, { isAhead, stopped, notNow });
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** The keys outside any mode: `[{keys: "1-6", says: "a die", on: (key) => {}, when: () => true, ahead: true}]`. */
  set base(bindings) {
    this.#base = bindings;
    this.#tell();
  }

  /**
   * Enter a mode: `{name, bindings, onleave}`. Escape leaves it. A mode of many keys has `take(event)`, which returns whether
   * the key was one of them, and `back()`, which returns whether Escape had something to drop before the mode is left.
   */
  enter(mode) {
    if (this.#mode && this.#mode !== mode) this.leave();
    this.#mode = mode;
    this.#tell();
  }

  leave() {
    const mode = this.#mode;
    this.#mode = null;
    mode?.onleave?.();
    this.#tell();
  }

  /** Something was refused: leave the mode, or, if it is one that stays, drop what is half typed. Returns that in words. */
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
    const shown = bindings.filter((one) => !one.when || one.when()).map(({ keys, says }) => ({ keys, says }));
    return this.#mode ? [...shown, { keys: "Esc", says: "back" }] : shown;
  }

  /** All keys outside a mode, also those that do nothing now. */
  get all() {
    return this.#base.map(({ keys, says, when }) => ({ keys, says, isNow: !when || when() }));
  }

  onchange(listener) {
    this.#listeners.add(listener);
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (this.stopped(null, "Escape")) return;
      if (isTyping(event)) event.target.blur();
      else if (this.#mode?.back?.()) return;
      if (this.#mode) this.leave();
      else this.#base.find((one) => one.keys === "Esc" && (!one.when || one.when()))?.on("Escape");
      return;
    }
    if (isTyping(event)) return;
    if (this.#mode?.take && !isPressing(event) && event.key !== "?" && (event.key.length === 1 || event.key === "Enter" || ACTING.has(event.key))) {
      if (event.repeat || this.stopped(null, event.key) || this.#mode.take(event)) return void event.preventDefault();
    }
    const known = [...(this.#mode?.bindings ?? []), ...this.#base].filter((one) => matches(one.keys, event.key));
    if (!known.length) return;
    event.preventDefault();
    if (event.repeat) return; // a key that is held down is one key
    const found = this.#found(known);
    if (this.stopped(found ?? known[0], event.key)) return;
    if (found) found.on(event.key);
    else if (!known[0].quiet) this.notNow(known[0], event.key, this.mode);
  }

  /** The binding that acts now. In a mode it is one of the mode, or one that acts at any time. */
  #found(known) {
    const isNow = (one) => !one.when || one.when() || (one.ahead && this.isAhead());
    return known.find((one) => (this.#mode ? this.#mode.bindings.includes(one) || one.always : isNow(one)));
  }
}

/** Whether a key matches "1-6", "c" or "Enter". */
function matches(keys, key) {
  const range = /^(.)-(.)$/.exec(keys);
  if (range) return key.length === 1 && key >= range[1] && key <= range[2];
  return keys === key || (keys.length === 1 && keys.toLowerCase() === key.toLowerCase());
}
