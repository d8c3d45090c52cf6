// The stickperson's keys: two digits make a roll, a single digit times out; cocked dice, void throws and no-roll calls.

import { el, fill } from "../elements.js";
import { act, choiceKeys, choices, panel } from "./panel.js";

const HALF_MS = 3000;

/** Two dice as they are typed, small and apart from the table's. `onfull` gets [{face, lie}, {face, lie}]; after HALF_MS a single die is dropped. */
export class Entry {
  #dice = [];
  #cocked = false;
  #until = 0;
  #timer = 0;

  constructor(onfull) {
    this.onfull = onfull;
    this.boxes = [0, 1].map(() => el("span", { class: "typed-box" }));
    this.rest = el("span", { class: "half-bar" });
    this.text = el("span", { class: "half-text", role: "status" });
    this.element = el("div", { class: "entry" }, el("span", { class: "typed", "aria-hidden": "true" }, "Typing", ...this.boxes,
      el("span", { class: "half" }, this.rest)), this.text);
    this.#show();
  }

  /** Whether one die is typed, or marked as cocked, and the other is not. */
  get isHalf() { return this.#dice.length > 0 || this.#cocked; }

  digit(face) {
    this.#dice.push({ face, lie: this.#cocked ? "cocked" : "flat" });
    this.#cocked = false;
    if (this.#dice.length < 2) {
      this.#until = performance.now() + HALF_MS;
      clearInterval(this.#timer);
      this.#timer = setInterval(() => this.#tick(), 50);
      this.#show();
      return;
    }
    const dice = this.#dice;
    this.clear();
    this.onfull(dice);
  }

  /** Drop what is half typed, and return it in words. */
  stop() {
    const [first] = this.#dice;
    this.clear();
    return first ? `die ${first.face}` : "";
  }

  /** Mark the next die as cocked: the face to key is the one it rests on. */
  cock() {
    this.#cocked = !this.#cocked;
    this.#show();
  }

  clear(text = "") {
    clearInterval(this.#timer);
    this.#dice = [];
    this.#cocked = false;
    this.#show(text);
  }

  #tick() {
    const left = this.#until - performance.now();
    this.rest.style.inlineSize = `${Math.max(0, left / HALF_MS) * 100}%`;
    if (left <= 0) this.clear("The first die timed out; key both dice again.");
  }

  #show(text = "") {
    const [first] = this.#dice;
    this.element.classList.toggle("is-typing", this.isHalf);
    this.boxes[0].textContent = first ? first.face : "";
    this.boxes[1].textContent = this.#cocked && first ? "?" : "";
    this.boxes[0].classList.toggle("is-keyed", Boolean(first));
    this.boxes[0].classList.toggle("is-cocked", first?.lie === "cocked" || (this.#cocked && !first));
    this.boxes[1].classList.toggle("is-cocked", this.#cocked && Boolean(first));
    this.rest.style.inlineSize = first ? "100%" : "0";
    if (first) this.text.textContent = `${first.face}${first.lie === "cocked" ? " cocked" : ""} and …`;
    else this.text.textContent = text || (this.#cocked ? "The next die is cocked: key the face it rests on." : "");
  }
}

export function keypad(ondigit) {
  return el("div", { class: "keypad", role: "group", "aria-label": "Faces" },
    ...[1, 2, 3, 4, 5, 6].map((face) => el("button", { type: "button", onclick: () => ondigit(face), "aria-label": `Die ${face}` }, String(face))));
}

const OUT_FIRST = "Dice out first (d): this house requires it before the dice are keyed.";
const LIE = { rest: "at rest, not called yet", called: "called, not settled yet" };

/** The table's own dice, large: what the server said last, and never what is being typed. */
class TableDice {
  constructor() {
    this.boxes = [0, 1].map(() => el("div", { class: "die-box" }));
    this.caption = el("p", { class: "lie" });
    this.element = el("div", { class: "table-dice", role: "group", "aria-label": "Dice on the table" }, ...this.boxes, this.caption);
  }

  show({ faces, dice_are }, isOpen) {
    const [first, second] = dice_are === "air" ? [0, 0] : faces;
    [first, second].forEach((face, place) => { this.boxes[place].textContent = face || "–"; });
    const lie = dice_are === "air" ? "in the air" : first ? LIE[dice_are] ?? "the last roll" : "no roll yet";
    fill(this.caption, [first, second, lie, isOpen], () => [el("span", {}, "On the table"), el("b", {}, first ? `${first}-${second}` : "–"), el("span", {}, lie),
      isOpen ? null : el("span", { class: "stale" }, "last known; no connection")]);
    this.element.classList.toggle("is-lying", dice_are in LIE);
    this.element.classList.toggle("is-stale", !isOpen);
  }
}

/** Key the dice of a physical table. */
export function dicePanel(console_) {
  const { card, keys } = console_;
  const lieOf = ({ lie }) => (lie === "cocked" ? " cocked" : "");
  const key = (dice) => console_.act(`Dice ${dice[0].face}${lieOf(dice[0])}-${dice[1].face}${lieOf(dice[1])}`, { command: "key-dice",
    first: dice[0].face, second: dice[1].face, first_lie: dice[0].lie, second_lie: dice[1].lie }, { undo: "c corrects the roll" });
  const lying = new TableDice();
  const entry = new Entry(key);
  let isEarly = () => false;
  const typed = (face) => (isEarly() ? entry.clear(OUT_FIRST) : entry.digit(face));
  const cocked = act("Cocked", "k", () => entry.cock(), { title: `The next die is cocked ${card.cocked}` });
  const out = act("Dice out", "d", () => diceOut());
  const diceOut = () => console_.act("Dice out", { command: "dice-out" });
  const voided = (lie) => {
    keys.leave();
    console_.act(`Void: ${lie.name}`, { command: "key-dice", first: 0, second: 0, first_lie: lie.key });
  };
  const lies = choices("Ways a throw is void", card.lies, voided);
  const enterVoid = () => {
    entry.clear();
    lies.classList.add("is-armed");
    keys.enter({ name: "Void throw", bindings: choiceKeys(card.lies, voided), onleave: () => lies.classList.remove("is-armed") });
  };
  const element = panel("Key the dice", "1-6", lying.element, entry.element, keypad((face) => typed(face)),
    el("div", { class: "acts" }, out, cocked, act("Clear", "Esc", () => entry.clear())),
    el("h3", {}, "Void throw", el("kbd", {}, "v")), lies);
  element.classList.add("is-dice");
  return {
    element,
    update({ table }) {
      const isReady = table.dice_are === "held" || (!table.is_keyed && table.dice_are === "cup");
      out.disabled = !isReady && !console_.isAhead;
      isEarly = () => table.requires_dice_out && table.dice_are !== "air" && !console_.isAhead;
      out.classList.toggle("is-next", isReady && table.requires_dice_out);
      lying.show(table, console_.live.isOpen);
      element.classList.toggle("is-now", table.dice_are === "air");
    },
    bindings: [
      { keys: "1-6", says: "a die; two make a roll", on: (digit) => typed(Number(digit)) },
      { keys: "d", says: "dice out", on: diceOut, when: () => !out.disabled, ahead: true },
      { keys: "k", says: "next die cocked", on: () => entry.cock() },
      { keys: "v", says: "void throw", on: enterVoid },
      { keys: "Esc", says: "clear the first die", on: () => entry.clear(), when: () => entry.isHalf || !console_.isAhead },
    ],
    stop: () => entry.stop(),
  };
}

/** Call no roll, for one of the reasons of the regulation, each with its clause. */
export function noRollPanel(console_) {
  const { card, keys, role } = console_;
  const reasons = card.no_roll.reasons.filter((reason) => !reason.by.length || reason.by.includes(role));
  const call = (reason) => {
    keys.leave();
    console_.act(`No roll: ${reason.name}`, { command: "call-no-roll", reason: reason.key });
  };
  const list = choices("Reasons for no roll", reasons, call);
  const none = card.no_roll.no_reason.map((reason) => el("p", { class: "hint" }, "Not a reason: ", reason.name.toLowerCase(), el("span", { class: "clause" }, ` ${reason.clause}`)));
  const element = panel("No roll", "n", list, ...none);
  const enter = () => {
    list.classList.add("is-armed");
    keys.enter({ name: "No roll", bindings: choiceKeys(reasons, call), onleave: () => list.classList.remove("is-armed") });
  };
  return {
    element,
    update({ table }) {
      const isRolling = ["air", "rest", "called"].includes(table.dice_are);
      for (const button of list.querySelectorAll("button")) button.disabled = !isRolling && !console_.isAhead;
      element.classList.toggle("is-idle", !isRolling);
    },
    bindings: [{ keys: "n", says: "no roll, then the reason", on: enter }],
  };
}
