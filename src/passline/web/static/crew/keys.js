// The keys of the console: one mode at a time with its legend; Escape leaves it.

/** Whether a key is typed into a field, where it is text. */
function isTyping(event) {
  const node = event.target;
  return node instanceof HTMLElement && (node.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName));
}

export class Keys {
  #base = [];
  #mode = null;
  #listeners = new Set();

  constructor() {
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** The keys outside any mode: `[{keys: "1-6", says: "a die", on: (key) => {}, when: () => true}]`. */
  set base(bindings) {
    this.#base = bindings;
    this.#tell();
  }

  /** Enter a mode: `{name, bindings, onleave}`. Escape leaves it. */
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
      if (isTyping(event)) event.target.blur();
      if (this.#mode) this.leave();
      else this.#base.find((one) => one.keys === "Esc")?.on("Escape");
      return;
    }
    if (isTyping(event)) return;
    const bindings = this.#mode ? this.#mode.bindings : this.#base;
    const found = bindings.find((one) => matches(one.keys, event.key) && (!one.when || one.when()));
    if (!found) return;
    event.preventDefault();
    found.on(event.key);
  }
}

/** Whether a key matches "1-6", "c" or "Enter". */
function matches(keys, key) {
  const range = /^(.)-(.)$/.exec(keys);
  if (range) return key.length === 1 && key >= range[1] && key <= range[2];
  return keys === key || (keys.length === 1 && keys.toLowerCase() === key.toLowerCase());
}
