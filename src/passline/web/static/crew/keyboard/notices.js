// What the crew is told of keys and commands that did nothing: no key is dropped without a word.
//
// A refusal stops the keys until it is dismissed: what is typed after it was meant for another table. A question stops
// them until it is answered. A note stops nothing. `told` gets each of them as one line, for the list of latest
// actions.

/** @typedef {{ title: string, refusals: Server.RefusalView[], left: string[] }} Stop that is shown */
/**
 * @typedef {{
 *   says?: string,
 *   title?: string,
 *   refusals?: Server.RefusalView[],
 *   left?: string[],
 * }} Stopped what was not done
 */
/** @typedef {{ title: string, why: string, yes: { says: string, act: () => void }, no: () => void }} Question */

export class Notices {
  /** @type {Stop[]} */
  #stops = [];
  /** @type {string[]} */
  #keys = []; // those that were pressed since, and did nothing
  /** @type {string[]} */
  #notes = [];
  /** @type {Question | null} */
  #question = null;

  /** @param {{ changed?: () => void, told?: (text: string) => void }} [options] */
  constructor({ changed = () => {}, told = () => {} } = {}) {
    this.changed = changed;
    this.told = told;
  }

  /** Whether something stops the keys. */
  get isShown() {
    return this.#stops.length > 0 || this.#question !== null;
  }

  /**
   * What is shown: `{stops: [{title, refusals, left}], notes: [text], question: {title, why, yes} or null, keys:
   * [key]}`.
   */
  get shown() {
    return { stops: this.#stops, notes: this.#notes, question: this.#question, keys: this.#keys };
  }

  /**
   * Show that something was not done, and what was given after it and is not done either.
   *
   * @param {Stopped} stopped
   */
  add({ says, title = `${says}: refused`, refusals = [], left = [] }) {
    this.#stops.push({ title, refusals, left });
    const whys = refusals.map(({ why }) => why);
    this.#tell([title, ...whys, left.length ? `Not done: ${left.join(", ")}` : ""].filter(Boolean).join(". "));
  }

  /**
   * Say something that does not stop the keys.
   *
   * @param {string} text
   */
  note(text) {
    this.#notes = [...this.#notes, text].slice(-3);
    this.#tell(text);
  }

  /**
   * Ask before something is done: `{title, why, yes: {says, act}, no: () => {}}`.
   *
   * @param {Question} question
   */
  ask(question) {
    this.#question = question;
    this.#tell(question.title);
  }

  /**
   * Answer the question. Returns whether there was one.
   *
   * @param {boolean} isYes
   * @returns {boolean}
   */
  answer(isYes) {
    const question = this.#question;
    if (!question) return false;
    this.#question = null;
    this.#tellKeys();
    (isYes ? question.yes.act : question.no)();
    this.changed();
    return true;
  }

  /** Take the question back. Returns what was asked about, in words. */
  withdraw() {
    const about = this.#question?.yes.says ?? "";
    this.#question = null;
    return about;
  }

  /**
   * Say of a key or a button that it did nothing, because something stops the keys.
   *
   * @param {string} key
   */
  notTaken(key) {
    this.#keys.push(key);
    this.changed();
  }

  dismiss() {
    this.#tellKeys();
    this.#stops = [];
    this.#notes = [];
    this.changed();
  }

  /** Remove the notes alone. */
  dismissNotes() {
    if (!this.#notes.length) return;
    this.#notes = [];
    this.changed();
  }

  #tellKeys() {
    const keys = this.#keys;
    this.#keys = [];
    if (keys.length) this.told(`Not taken: ${keys.map(keyName).join(" ")}`);
  }

  /** @param {string} text */
  #tell(text) {
    this.told(text);
    this.changed();
  }
}

/** @type {{ [key: string]: string }} */
const NAMES = { " ": "Space", Delete: "Del" };

/**
 * A key as it is printed on the screen.
 *
 * @param {string} key
 * @returns {string}
 */
export function keyName(key) {
  return NAMES[key] ?? key;
}
