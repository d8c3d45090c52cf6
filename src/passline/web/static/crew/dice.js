// The stickperson's keys: two digits make a roll, a single digit times out; cocked dice, void throws and no-roll calls.

import { buttonFor, el, fill, hintText } from "../elements.js";
import { TypedDice } from "./keyboard/typed_dice.js";
import { CLOCK } from "./keys.js";
import { act, byPointer, choiceKeys, choices, panel } from "./panel.js";

const TICK_MS = 50;

/** Two dice as they are typed, drawn small and apart from the table's. */
export class Entry {
  #timer = 0;

  /** @param {TypedDice} typed */
  constructor(typed) {
    this.typed = typed;
    this.boxes = [0, 1].map(() => el("span", { class: "typed-box" }));
    this.rest = el("span", { class: "half-bar" });
    this.text = el("span", { class: "half-text", role: "status" });
    this.element = el(
      "div",
      { class: "entry" },
      el(
        "span",
        { class: "typed", "aria-hidden": "true" },
        "Typing",
        ...this.boxes,
        el("span", { class: "half" }, this.rest),
      ),
      this.text,
    );
  }

  show() {
    const { first, isCocked, isHalf } = this.typed;
    clearInterval(this.#timer);
    if (first) this.#timer = setInterval(() => this.#showRest(), TICK_MS);
    this.element.classList.toggle("is-typing", isHalf);
    this.boxes[0].textContent = first ? String(first.face) : "";
    this.boxes[1].textContent = isCocked && first ? "?" : "";
    this.boxes[0].classList.toggle("is-keyed", Boolean(first));
    this.boxes[0].classList.toggle("is-cocked", first?.lie === "cocked" || (isCocked && !first));
    this.boxes[1].classList.toggle("is-cocked", isCocked && Boolean(first));
    this.#showRest();
    if (first) this.text.textContent = `${first.face}${first.lie === "cocked" ? " cocked" : ""} and …`;
    else this.text.textContent = isCocked ? "The next die is cocked: key the face it rests on." : "";
  }

  #showRest() {
    this.rest.style.inlineSize = `${this.typed.rest * 100}%`;
  }
}

/**
 * Two dice that are typed for something else than a roll: `onfull` gets them.
 *
 * @param {import("./console.js").Console} console_
 * @param {(dice: import("./keyboard/typed_dice.js").Die[]) => void} onfull
 * @returns {Entry}
 */
export function typedDice(console_, onfull) {
  /** @param {string} half */
  const timedOut = (half) =>
    console_.crew.stop({ title: `${half}: timed out`, refusals: [{ clause: "", why: "Key both dice again." }] });
  /** @type {Entry} */
  const entry = new Entry(new TypedDice({ clock: CLOCK, full: onfull, timedOut, changed: () => entry.show() }));
  return entry;
}

/** @param {(face: number) => void} ondigit */
export function keypad(ondigit) {
  return el(
    "div",
    { class: "keypad", role: "group", "aria-label": "Faces" },
    ...[1, 2, 3, 4, 5, 6].map((face) =>
      buttonFor(
        String(face),
        byPointer(() => ondigit(face)),
        { "aria-label": `Die ${face}` },
      ),
    ),
  );
}

/** @type {{ [diceAre: string]: string }} */
const LIE = { rest: "at rest, not called yet", called: "called, not settled yet" };

/** The table's own dice, large: what the server said last, and never what is being typed. */
class TableDice {
  constructor() {
    this.boxes = [0, 1].map(() => el("div", { class: "die-box" }));
    this.caption = el("p", { class: "lie" });
    this.element = el(
      "div",
      { class: "table-dice", role: "group", "aria-label": "Dice on the table" },
      ...this.boxes,
      this.caption,
    );
  }

  /**
   * @param {Server.TableView} table
   * @param {boolean} isOpen
   */
  show({ faces, dice_are }, isOpen) {
    const [first, second] = dice_are === "air" ? [0, 0] : faces;
    [first, second].forEach((face, place) => {
      this.boxes[place].textContent = String(face || "–");
    });
    const lie = dice_are === "air" ? "in the air" : first ? (LIE[dice_are] ?? "the last roll") : "no roll yet";
    fill(this.caption, [first, second, lie, isOpen], () => [
      el("span", {}, "On the table"),
      el("b", {}, first ? `${first}-${second}` : "–"),
      el("span", {}, lie),
      isOpen ? null : el("span", { class: "stale" }, "last known; no connection"),
    ]);
    this.element.classList.toggle("is-lying", dice_are in LIE);
    this.element.classList.toggle("is-stale", !isOpen);
  }
}

/**
 * Key the dice of a physical table.
 *
 * @param {import("./console.js").Console} console_
 * @param {import("./keyboard/stick.js").Stick} stick
 * @returns {import("./panel.js").Panel}
 */
export function dicePanel(console_, stick) {
  const { card, keys, crew } = console_;
  const lying = new TableDice();
  const entry = new Entry(stick.typed);
  const cocked = act("Cocked", "k", () => stick.typed.cock(), { title: `The next die is cocked ${card.cocked}` });
  const out = act("Dice out", "d", () => stick.out());
  /** @param {Server.Reason} lie */
  const voided = (lie) => {
    keys.leave();
    stick.end(`Void: ${lie.name}`, { command: "key-dice", first: 0, second: 0, first_lie: lie.key });
  };
  const lies = choices("Ways a throw is void", card.lies, voided);
  const enterVoid = () => {
    stick.drop();
    lies.classList.add("is-armed");
    keys.enter({
      name: "Void throw",
      bindings: choiceKeys(card.lies, voided),
      onleave: () => lies.classList.remove("is-armed"),
    });
  };
  const clear = () => stick.typed.clear();
  const element = panel(
    "Key the dice",
    "1-6",
    lying.element,
    entry.element,
    keypad((face) => crew.byButton(`Die ${face}`, () => stick.digit(face))),
    el("div", { class: "acts" }, out, cocked, act("Clear", "Esc", clear)),
    el("h3", {}, "Void throw", el("kbd", {}, "v")),
    lies,
  );
  element.classList.add("is-dice");
  return {
    element,
    update({ table }) {
      const isOut = stick.diceAre === "air";
      out.disabled = isOut || (!crew.isReadyToThrow && !console_.isAhead);
      out.classList.toggle("is-next", !isOut && crew.isReadyToThrow && table.requires_dice_out);
      lying.show(table, console_.live.isOpen);
      entry.show();
      element.classList.toggle("is-now", isOut);
    },
    bindings: [
      ...crew.diceBindings,
      { keys: "v", says: "void throw", on: enterVoid },
      { keys: "Esc", says: "clear the first die", on: clear, when: () => stick.typed.isHalf || !console_.isAhead },
    ],
  };
}

/**
 * Call no roll, for one of the reasons of the regulation, each with its clause.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function noRollPanel(console_) {
  const { card, crew, keys, role } = console_;
  const reasons = card.no_roll.reasons.filter((reason) => !reason.by.length || reason.by.includes(role));
  /** @param {Server.Reason} reason */
  const call = (reason) => {
    keys.leave();
    /** @type {Server.CallNoRoll} */
    const command = { command: "call-no-roll", reason: reason.key };
    if (crew.stick) crew.stick.end(`No roll: ${reason.name}`, command);
    else console_.act(`No roll: ${reason.name}`, command);
  };
  const list = choices("Reasons for no roll", reasons, call);
  const none = card.no_roll.no_reason.map((reason) =>
    hintText("Not a reason: ", reason.name.toLowerCase(), el("span", { class: "clause" }, ` ${reason.clause}`)),
  );
  const element = panel("No roll", "n", list, ...none);
  const enter = () => {
    list.classList.add("is-armed");
    keys.enter({
      name: "No roll",
      bindings: choiceKeys(reasons, call),
      onleave: () => list.classList.remove("is-armed"),
    });
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
