// A tournament that is cancelled: the form that does it, and what goes back to whom.

import { buttonFor, el, hintText } from "../elements.js";
import { money } from "../money.js";
import { commandButton, here, openForm, panel, row } from "./common.js";

/**
 * The way to cancel a tournament, at the end of the desk: nothing where it is over or cancelled.
 *
 * @param {Server.StaffTournament} now
 */
export function cancelPanel(now) {
  if (!here.is_director || now.is_closed || now.cancelled || now.concluded.length) return null;
  const open = () => {
    const reason = el("input", { id: "cancel-reason", autocomplete: "off", maxlength: 400 });
    openForm(
      `Cancel ${now.name}`,
      [
        el(
          "p",
          {},
          "Nothing more is played, and it never goes on. Everybody gets back what they paid: fee, buy-in and chips " +
            "bought. Money that the house added goes back to it. Somebody else signs it with name and PIN.",
        ),
        row("Why", reason, "Players and the regulator read it"),
      ],
      "Cancel the tournament",
      () => ({ command: "cancel-tournament", reason: reason.value.trim() }),
      "danger",
    );
  };
  return panel(
    "cancel",
    "If it cannot be held",
    hintText("It is cancelled for good, and every entry gets back what it paid."),
    el("div", { class: "buttons" }, buttonFor("Cancel the tournament", open)),
  );
}

/**
 * What a cancelled tournament still owes, with a button for each entry.
 *
 * @param {Server.StaffTournament} now
 */
export function refundPanel(now) {
  if (!now.cancelled) return null;
  const total = now.refunds.reduce((sum, refund) => sum + refund.cents, 0);
  return panel(
    "refunds",
    "Cancelled",
    el("p", {}, `Why: ${now.cancelled}`),
    now.refunds.length
      ? el("p", {}, "Still to be given back in cash: ", el("strong", { class: "number" }, money(total)))
      : el("p", {}, now.is_closed ? "Everything is given back." : closingText()),
    el("ul", { class: "counts-list" }, ...now.refunds.map(refundLine)),
  );
}

function closingText() {
  return el(
    "span",
    {},
    "Everything is given back. The director closes the books on the page ",
    el("a", { href: `/tournaments/${here.id}/money` }, "Money"),
    ".",
  );
}

/** @param {Server.RefundDue} refund */
function refundLine(refund) {
  const what = [refund.cents || !refund.things.length ? money(refund.cents) : "", ...refund.things];
  return el(
    "li",
    {},
    el(
      "span",
      { class: "grow" },
      el("strong", {}, refund.name),
      el("span", { class: "hint" }, what.filter(Boolean).join(" and ")),
    ),
    here.is_cash
      ? commandButton(
          ["Give back", el("span", { class: "spoken" }, ` to ${refund.name}`)],
          { command: "refund-entry", entry: refund.entry },
          { what: `Give back what ${refund.name} paid` },
        )
      : null,
  );
}
