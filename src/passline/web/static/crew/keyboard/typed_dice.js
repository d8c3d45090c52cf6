// Two dice as they are typed: the second makes a roll, a single one times out.

const HALF_MS = 3000;

/** @typedef {{ face: number, lie: string }} Die */
/** @typedef {{ now: () => number, after: (ms: number, act: () => void) => () => void }} Clock in milliseconds */

export class TypedDice {
  /** @type {Die[]} */
  #dice = [];
  #until = 0;
  #stopWaiting = () => {};
  isCocked = false; // the next die

  /**
   * `full` gets [{face, lie}, {face, lie}]; `timedOut` gets the die that was dropped, in words.
   *
   * @param {{
   *   clock: Clock,
   *   full: (dice: Die[]) => void,
   *   timedOut?: (half: string) => void,
   *   changed?: () => void,
   * }} options
   */
  constructor({ clock, full, timedOut = () => {}, changed = () => {} }) {
    this.clock = clock;
    this.full = full;
    this.timedOut = timedOut;
    this.changed = changed;
  }

  /** The die that is typed already, or null. */
  get first() {
    return this.#dice[0] ?? null;
  }

  /** Whether one die is typed, or marked as cocked, and the other is not. */
  get isHalf() {
    return this.#dice.length > 0 || this.isCocked;
  }

  /** How much is left of the time for the second die, from 1 to 0. */
  get rest() {
    return this.first ? Math.max(0, (this.#until - this.clock.now()) / HALF_MS) : 0;
  }

  /** @param {number} face */
  digit(face) {
    this.#dice.push({ face, lie: this.isCocked ? "cocked" : "flat" });
    this.isCocked = false;
    if (this.#dice.length === 2) {
      const dice = this.#dice;
      this.clear();
      this.full(dice);
      return;
    }
    this.#until = this.clock.now() + HALF_MS;
    this.#stopWaiting = this.clock.after(HALF_MS, () => this.timedOut(this.stop()));
    this.changed();
  }

  /** Mark the next die as cocked, or take the mark back: the face to key is the one it rests on. */
  cock() {
    this.isCocked = !this.isCocked;
    this.changed();
  }

  /** Drop what is half typed, and return it in words. */
  stop() {
    const half = [this.first ? `die ${this.first.face}` : "", this.isCocked ? "a cocked die" : ""];
    this.clear();
    return half.filter(Boolean).join(" and ");
  }

  clear() {
    this.#stopWaiting();
    this.#dice = [];
    this.isCocked = false;
    this.changed();
  }
}
