// A table whose chips are counted: where its fills and credits are, and how play is estimated where no wagers are keyed
// in.

import { el } from "../elements.js";
import { money } from "../money.js";
import { amountInput, amountOf, field, folded, form, submit } from "./panel.js";

const MINUTES_MAX = 24 * 60;

/**
 * The bank of a table whose fills and credits come by slips of the office, and where those are.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function slipPanel(console_) {
  const bank = el("p", { class: "bank" });
  const office = `/office/${encodeURIComponent(console_.card.regulation)}/table_money`;
  const element = folded(
    "Table's money",
    "f",
    bank,
    el(
      "p",
      {},
      "Fills, credits, counts and drops are done ",
      el("a", { href: office }, "in the office"),
      "; the bank here follows.",
    ),
  );
  return {
    element,
    update: ({ own }) => {
      const held =
        own?.bank === undefined
          ? ""
          : `Bank ${money(own.bank)}, drop ${money(own.drop ?? 0)}, tip box ${money(own.tip_box ?? 0)}`;
      bank.textContent = own?.not_covered
        ? "Bank, drop and tip box: not covered, since no wagers are keyed in"
        : own?.counted_blind && !own.owes
          ? "Bank, drop and tip box are not shown to those who count them"
          : own?.owes
            ? `The bank owes ${money(own.owes)} and needs a fill`
            : held;
    },
    bindings: [{ keys: "f", says: "the table's money", on: () => element.unfold() }],
  };
}

/**
 * Estimate somebody's play, as pits do that key in no wagers.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function ratingPanel(console_) {
  const name = el("input", { type: "text", required: true, maxlength: 40, autocomplete: "off" });
  const average = amountInput();
  const minutes = el("input", { type: "number", min: 1, max: MINUTES_MAX, required: true });
  const element = folded(
    "Rate a player",
    "q",
    form(
      "Rate a player",
      async () => {
        const cents = amountOf(average);
        if (cents === null) return false;
        /** @type {Server.RatePlayer} */
        const command = {
          command: "rate-player",
          name: name.value.trim(),
          average_cents: cents,
          minutes: Number(minutes.value),
        };
        const said = await console_.submit(`${command.name}: ${money(cents)} on average, estimated`, command, {
          undo: "a later estimate stands beside it",
        });
        if (said)
          [name, average, minutes].forEach((input) => {
            input.value = "";
          });
        return said;
      },
      field("Player", name, { size: "wide" }),
      field("Average wager", average),
      field("Minutes", minutes),
      submit("Record the estimate"),
    ),
  );
  return {
    element,
    update: () => {},
    bindings: [{ keys: "q", says: "rate a player", on: () => element.unfold(name) }],
  };
}
