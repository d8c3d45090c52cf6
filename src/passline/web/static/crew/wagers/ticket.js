// What is being typed for a seat: the seat, the area, the amount. Enter makes the wager.
//
// A seat is one key: 1 to 9, 0 for 10, and with Shift 11 to 20. While it waits for an area, digits are numbers of the layout
// (6 places the six, Shift+6 is the hard six); after the area they are the amount. Capitals are for all seats.

const DIGIT = /^(?:Digit|Numpad)(\d)$/;
const AMOUNT_MAX = 8;

/** The seat of a key: 0 is 10, and Shift adds ten. */
export function seatOf(digit, isShifted) { return (digit === 0 ? 10 : digit) + (isShifted ? 10 : 0); }

export class Ticket {
  seat = 0;
  code = "";
  spot = null;
  typed = "";
  isPicked = false; // the seat was keyed just now: digits are numbers of the layout

  /** `acts`: pick(seat), make(ticket), takeDown(ticket), odds(seat), again(seat), press(seat), all(letter), next(step), say(text), changed(). */
  constructor(codes, acts) {
    Object.assign(this, { codes, acts });
  }

  /** Take a key. Returns whether it was one of these. */
  take(event) {
    const digit = DIGIT.exec(event.code)?.[1];
    const letter = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : "";
    const isCapital = letter && (event.shiftKey || (event.key !== letter && !event.getModifierState("CapsLock")));
    const done = this.spot ? this.#amount(event, digit, isCapital ? "" : letter) : this.#start(event, digit, letter, isCapital);
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
    const half = this.spot ? `seat ${this.seat}, ${this.spot.name}` : "";
    this.#clear();
    this.isPicked = false;
    this.acts.changed();
    return half;
  }

  /** Choose a seat; 0 chooses none. */
  choose(seat) {
    this.#clear();
    this.seat = seat;
    this.isPicked = seat > 0;
    this.acts.changed();
  }

  /** Choose an area by its code, or one that was clicked. */
  area(spot, code = "") {
    this.spot = spot;
    this.code = code;
    this.typed = "";
    this.acts.changed();
  }

  /** Type an amount by chips: the first replaces what is usual. */
  add(cents) {
    const before = this.typed ? Math.round(Number(this.typed) * 100) : 0;
    this.typed = String((before + cents) / 100);
    this.acts.changed();
  }

  /** The amount that was typed, in cents; null if none was. */
  get cents() { return this.typed ? Math.round(Number(this.typed) * 100) : null; }

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

  #start(event, digit, letter, isCapital) {
    if (isCapital) return this.acts.all(letter.toUpperCase());
    if (event.key === "=" || event.key === "+") return this.#forSeat(event.key === "=" ? this.acts.again : this.acts.press);
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") return this.acts.next(event.key === "ArrowRight" ? 1 : -1);
    if (event.key === "Backspace") return this.back();
    if (letter === "o" && !this.code) return this.#forSeat(this.acts.odds);
    if (digit !== undefined && !this.code && !this.isPicked) return this.acts.pick(seatOf(Number(digit), event.shiftKey));
    const key = digit === undefined ? letter : event.shiftKey ? `h${digit}` : digit;
    return key ? this.#coded(this.code + key, key) : false;
  }

  #forSeat(act) {
    if (this.seat) act(this.seat);
    else this.acts.say("Pick a seat first: 1 to 9, 0 for 10, with Shift 11 to 20.");
    this.isPicked = false;
    return true;
  }

  #coded(code, key) {
    if (!this.seat) {
      this.acts.say("Pick a seat first: 1 to 9, 0 for 10, with Shift 11 to 20.");
      return true;
    }
    const spot = this.codes.of(code);
    if (spot) this.area(spot, code);
    else if (this.codes.isBegun(code)) this.code = code;
    else {
      this.acts.say(`“${code}” is no area here.`);
      this.code = key !== code && this.codes.isBegun(key) ? key : "";
    }
    return true;
  }

  #amount(event, digit, letter) {
    if (digit !== undefined && !event.shiftKey) {
      if (this.typed.length < AMOUNT_MAX) this.typed += digit;
    } else if (event.key === "." && !this.typed.includes(".")) this.typed += this.typed ? "." : "0.";
    else if (event.key === "Enter") this.acts.make(this);
    else if (event.key === "Delete") this.acts.takeDown(this);
    else if (event.key === "Backspace" && this.typed) this.typed = this.typed.slice(0, -1);
    else if (event.key === "Backspace") this.back();
    else if (letter && !this.typed && this.code && this.codes.isBegun(this.code + letter)) return this.#coded(this.code + letter, letter);
    else if (event.key.length === 1) this.acts.say("Type the amount, or Enter for the one shown; Esc drops it.");
    else return false;
    return true;
  }
}
