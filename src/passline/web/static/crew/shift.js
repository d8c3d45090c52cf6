// What this table has by its ledger for the open shift, for the boxperson and the floor.

import { el } from "../elements.js";
import { showShift } from "../office/shift.js";
import { folded } from "./panel.js";

/**
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function shiftPanel(console_) {
  const host = el("div", { class: "shift-totals" });
  const element = folded("This shift", "!", host);
  const details = element.querySelector("details");
  details?.addEventListener("toggle", () => {
    if (details.open)
      showShift(host, console_.table).catch((/** @type {unknown} */ refused) => console_.refuse("This shift", refused));
  });
  return { element, update: () => {}, bindings: [{ keys: "!", says: "this shift", on: () => element.unfold() }] };
}
