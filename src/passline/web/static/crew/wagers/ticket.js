// What is being typed for a seat: the seat, the area, the amount. Enter makes the wager.
//
// A seat is one key: 1 to 9, 0 for 10, and with Shift 11 to 20. While it waits for an area, digits are numbers of the
// layout (6 places the six, Shift+6 is the hard six); after the area they are the amount. Capitals are for all seats.
import { typedMoney } from "../../money.js";

const SEAT_FIRST = "Pick a seat first: 1 to 9, 0 for 10, with Shift 11 to 20.";
const DIGIT = /^(?:Digit|Numpad)(\d)$/;
const AMOUNT_MAX = 8;

/**
 * The seat of a key: 0 is 10, and Shift adds ten.
 *
 * @param {number} digit
 * @param {boolean} isShifted
 * @returns {number}
 */
export function seatOf(digit, isShifted) {
  return (digit === 0 ? 10 : digit) + (isShifted ? 10 : 0);
}

/**
 * @typedef {object} Acts what a ticket asks for; those that return a boolean say whether the key was one of theirs
 * @property {() => void} changed
 * @property {(why: string) => void} reject
 * @property {(seat: number) => boolean} pick
 * @property {(step: number) => boolean} next
 * @property {(ticket: Ticket) => void} make
 * @property {(ticket: Ticket) => void} takeDown
 * @property {(seat: number, spot: import("./codes.js").Spot | null) => import("./codes.js").Spot | null} odds
 * @property {(seat: number) => boolean} again
 * @property {(seat: number) => boolean} press
 * @property {(letter: string) => boolean} all
 */

export class Ticket {
  seat = 0;
  code = "";
  /** @type {import("./codes.js").Spot | null} */
  spot = null;
  typed = "";
  isPicked = false; // the seat was keyed just now: digits are numbers of the layout

  /**
   * `acts`: pick(seat), make(ticket), takeDown(ticket), odds(seat, spot), which returns the next spot for odds,
   * again(seat), press(seat), all(letter), next(step), reject(text), which says why the key that is being taken means
   * nothing, changed().
   *
   * @param {import("./codes.js").Codes} codes
   * @param {Acts} acts
   */
  constructor(codes, acts) {
    this.codes = codes;
    this.acts = acts;
  }

  /**
   * Take a key. Returns whether it was one of these.
   *
   * @param {import("../keyboard/modes.js").Key} event
   * @returns {boolean}
   */
  take(event) {
    const digit = DIGIT.exec(event.code)?.[1];
    const letter = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : "";
    const isCapital = letter !== "" && (event.shiftKey || (event.key !== letter && !event.isCapsLock));
    const done = this.spot
      ? this.#amount(event, digit, isCapital ? "" : letter)
      : this.#start(event, digit, letter, isCapital);
    if (done) this.acts.changed();
    return done;
  }

  /** Step back: the amount, the area, the seat. Returns whether there was something to drop. */
  back() {
    if (this.typed) this.typed = "";
    else if (this.spot || this.code) this.#clear();
    else if (this.seat) this.choose(0);
    else return false;
    this.acts.changed();
    return true;
  }

  /** Drop what is half typed, and return it in words. */
  halt() {
    const { half } = this;
    this.#clear();
    this.isPicked = false;
    this.acts.changed();
    return half;
  }

  /** What is half typed, in words; empty if nothing but a seat is. */
  get half() {
    if (!this.spot && !this.code) return "";
    return [`seat ${this.seat}`, this.spot?.name ?? `“${this.code}”`, this.typed ? typedMoney(this.typed) : ""]
      .filter(Boolean)
      .join(", ");
  }

  /**
   * Choose a seat; 0 chooses none.
   *
   * @param {number} seat
   */
  choose(seat) {
    this.#clear();
    this.seat = seat;
    this.isPicked = seat > 0;
    this.acts.changed();
  }

  /**
   * Choose an area by its code, or one that was clicked.
   *
   * @param {import("./codes.js").Spot} spot
   * @param {string} [code]
   */
  area(spot, code = "") {
    this.spot = spot;
    this.code = code;
    this.typed = "";
    this.acts.changed();
  }

  /**
   * Type an amount by chips: the first replaces what is usual.
   *
   * @param {number} cents
   */
  add(cents) {
    const before = this.typed ? Math.round(Number(this.typed) * 100) : 0;
    this.typed = String((before + cents) / 100);
    this.acts.changed();
  }

  /** The amount that was typed, in cents; null if none was. */
  get cents() {
    return this.typed ? Math.round(Number(this.typed) * 100) : null;
  }

  /** The wager was given: the seat stays for the next letter. */
  done() {
    this.#clear();
    this.isPicked = false;
    this.acts.changed();
  }

  #clear() {
    this.code = this.typed = "";
    this.spot = null;
  }

  /**
   * @param {import("../keyboard/modes.js").Key} event
   * @param {string | undefined} digit
   * @param {string} letter
   * @param {boolean} isCapital
   * @returns {boolean}
   */
  #start(event, digit, letter, isCapital) {
    if (this.code) return this.#goOn(event, digit, isCapital ? "" : letter);
    if (isCapital) return this.acts.all(letter.toUpperCase());
    if (event.key === "=" || event.key === "+")
      return this.#forSeat(event.key === "=" ? this.acts.again : this.acts.press);
    if (event.key === "ArrowRight" || event.key === "ArrowLeft")
      return this.acts.next(event.key === "ArrowRight" ? 1 : -1);
    if (event.key === "Backspace") return this.back() || true; // with nothing to drop it has nothing to do
    if (letter === "o") return this.odds();
    if (event.key === "Enter" || event.key === "Delete")
      return this.#reject(this.seat ? "Which area? Nothing is typed for this seat." : SEAT_FIRST);
    if (digit !== undefined && !this.isPicked) return this.acts.pick(seatOf(Number(digit), event.shiftKey));
    const key = digit === undefined ? letter : event.shiftKey ? `h${digit}` : digit;
    return key ? this.#coded(key) : false;
  }

  /**
   * Take the next key of a code that is begun.
   *
   * @param {import("../keyboard/modes.js").Key} event
   * @param {string | undefined} digit
   * @param {string} letter
   * @returns {boolean}
   */
  #goOn(event, digit, letter) {
    if (event.key === "Backspace") return this.back();
    const key = digit !== undefined && !event.shiftKey ? digit : letter;
    if (key) return this.#coded(this.code + key);
    return this.#reject(`“${this.code}” is not an area yet: type it to its end.`);
  }

  /**
   * @param {(seat: number) => unknown} act
   * @returns {boolean}
   */
  #forSeat(act) {
    if (this.seat) act(this.seat);
    else this.acts.reject(SEAT_FIRST);
    this.isPicked = false;
    return true;
  }

  /** Odds: the wager that they would be behind is shown before Enter; o again shows the next one. */
  odds() {
    if (!this.seat) return this.#reject(SEAT_FIRST);
    const spot = this.acts.odds(this.seat, this.spot);
    if (spot) this.area(spot, "o");
    return true;
  }

  /**
   * @param {string} why
   * @returns {boolean}
   */
  #reject(why) {
    this.acts.reject(why);
    return true;
  }

  /**
   * @param {string} code
   * @returns {boolean}
   */
  #coded(code) {
    if (!this.seat) return this.#reject(SEAT_FIRST);
    const spot = this.codes.of(code);
    if (spot) this.area(spot, code);
    else if (this.codes.isBegun(code)) this.code = code;
    else this.acts.reject(`There is no area “${code}” here.`);
    return true;
  }

  /**
   * @param {import("../keyboard/modes.js").Key} event
   * @param {string | undefined} digit
   * @param {string} letter
   * @returns {boolean}
   */
  #amount(event, digit, letter) {
    if (digit !== undefined && !event.shiftKey) {
      if (this.typed.length >= AMOUNT_MAX) return this.#reject("The amount is too long.");
      this.typed += digit;
    } else if (letter === "o" && this.code === "o" && !this.typed) return this.odds();
    else if (event.key === "." && !this.typed.includes(".")) this.typed += this.typed ? "." : "0.";
    else if (event.key === "Enter") this.acts.make(this);
    else if (event.key === "Delete") this.acts.takeDown(this);
    else if (event.key === "Backspace" && this.typed) this.typed = this.typed.slice(0, -1);
    else if (event.key === "Backspace") this.back();
    else if (letter && !this.typed && this.code && this.codes.isBegun(this.code + letter))
      return this.#coded(this.code + letter);
    else if (event.key.length === 1)
      this.acts.reject("An amount cannot have this key. Type the amount, or Enter for the one shown.");
    else return false;
    return true;
  }
}
