// Cash per patron of the gaming day, for those who answer for reports of it.

import { el, fill, words } from "../elements.js";
import { get } from "../http.js";
import { money } from "../money.js";
import { aboutText, here } from "./book.js";
import { figures } from "./lists.js";
import { trying } from "./parts.js";

const path = `/api/office/${here.office}/cash`;

/** The panel with the cash of a gaming day, of this one at first; nothing for whoever may not read it. */
export function cashPanel() {
  if (here.subject !== "patrons" || !here.reads_folders || !here.is_set_up) return null;
  const list = el("div", {}),
    day = el("input", { id: "cash-day", type: "date" });
  day.addEventListener("change", () => show(day.value));
  const file = el("a", { class: "button small" }, "As a workbook");
  const log = el("a", { class: "button small" }, "Multiple-transaction log");
  const out = el(
    "a",
    { class: "button small", href: `/api/office/${here.office}/exclusions?format=xlsx` },
    "Who is kept away",
  );
  /** @param {string} asked */
  const show = (asked) =>
    trying(list, async () => {
      /** @type {Server.CashAnswer} */
      const found = await get(`${path}${asked ? `?day=${asked}` : ""}`);
      day.value = found.day;
      file.href = `${path}?format=xlsx&day=${found.day}`;
      log.href = `${path}/log?format=xlsx&day=${found.day}`;
      fill(list, found, () => [
        figures(
          "Cash by patron",
          ["Patron", "Cash in", "Cash out", "Times", "Report"],
          found.patrons.map((patron) => [
            words(aboutText(patron.patron)),
            amount(patron.cents_in),
            amount(patron.cents_out),
            String(patron.parts.length),
            patron.report || (patron.is_above ? "due" : "–"),
          ]),
          "No cash changed hands.",
        ),
      ]);
    });
  show("");
  return el(
    "section",
    { class: "panel", "aria-labelledby": "cash-title" },
    el(
      "div",
      { class: "heading" },
      el("h2", { id: "cash-title" }, "Cash by patron"),
      el("div", {}, file, " ", log, " ", out),
    ),
    el("div", { class: "filters" }, el("div", {}, el("label", { for: "cash-day" }, "Gaming day"), day)),
    list,
  );
}

/** @param {number} cents */
const amount = (cents) => el("td", { class: "amount" }, money(cents));
