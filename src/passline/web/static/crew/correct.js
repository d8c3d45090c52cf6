// Correct the last roll: c, two digits, a reason, the sign-off. Nothing is erased from the log.

import { el } from "../elements.js";
import { isSettled } from "../wording.js";
import { keypad, typedDice } from "./dice.js";
import { act, field, form, panel, select, signOff, submit } from "./panel.js";

const REASONS = ["Misread dice", "Mistyped dice", "Called wrong", "Surveillance review", "Other: see the report"];

/**
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function correctPanel(console_) {
  const { keys } = console_;
  const was = el("p", { class: "was" });
  const entry = typedDice(console_, (dice) => picked(dice));
  const pad = keypad((face) => entry.typed.digit(face));
  const reason = select(REASONS.map((text) => /** @type {import("./panel.js").Option} */ ([text, text])));
  const signed = signOff(console_, "correct-roll");
  const to = el("output", { class: "to" });
  /** @type {import("./keyboard/typed_dice.js").Die[] | null} */
  let faces = null;
  /** @type {{ first: number, second: number } | null} */
  let last = null;
  const sheet = form(
    "Correct the last roll",
    async () => {
      if (!faces) return false;
      const [first, second] = faces.map((die) => die.face);
      const done = await console_.submit(
        `Roll corrected to ${first}-${second}`,
        { command: "correct-roll", first, second, reason: reason.value },
        { signOff: signed.value(), undo: "correct it again: every correction stays in the log" },
      );
      signed.clear();
      if (done) close();
      return done;
    },
    to,
    field("Reason", reason, { size: "wide" }),
    signed.element,
    submit("Correct the roll"),
    act("Cancel", "Esc", () => close()),
  );
  sheet.hidden = true;
  const open = act("Key the right faces", "c", () => enter());
  const dice = el("div", { class: "correct-entry" }, entry.element, pad);
  const element = panel("Correct the last roll", "c", was, open, dice, sheet);
  dice.hidden = true;

  function enter() {
    close();
    dice.hidden = false;
    open.hidden = true;
    keys.enter({
      name: "Correct the last roll",
      bindings: [{ keys: "1-6", says: "the right faces", on: (digit) => entry.typed.digit(Number(digit)) }],
      onleave: () => {
        if (!faces) close();
      },
    });
  }

  /** @param {import("./keyboard/typed_dice.js").Die[]} keyed */
  function picked(keyed) {
    faces = keyed;
    keys.leave();
    dice.hidden = true;
    sheet.hidden = false;
    showTo();
    reason.focus();
  }

  function showTo() {
    const before = last ? `${last.first}-${last.second}` : "The last roll";
    if (faces) to.textContent = `${before} becomes ${faces.map((die) => die.face).join("-")}`;
  }

  function close() {
    faces = null;
    entry.typed.clear();
    dice.hidden = true;
    sheet.hidden = true;
    open.hidden = false;
  }
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && faces && !console_.refusals.isShown) {
      close();
      open.focus();
    }
  });

  return {
    element,
    update({ table }) {
      const [first, second] = table.dice_are === "air" ? [0, 0] : table.faces;
      // There is no list of rolls if the regulation forbids it.
      const call = isSettled(table) && table.rolls?.at(-1)?.call;
      last = first ? { first, second } : null;
      was.textContent = last ? `Last roll: ${first}-${second}${call ? `, “${call}”` : ""}` : "No roll to correct yet.";
      open.disabled = !last && !console_.isAhead;
      showTo();
    },
    bindings: [{ keys: "c", says: "correct the last roll", on: enter, when: () => Boolean(last), ahead: true }],
  };
}
