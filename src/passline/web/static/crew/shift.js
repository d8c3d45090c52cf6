// What this table has by its ledger for the open shift, for the boxperson and the floor.

import { el } from "../elements.js";
import { showShift } from "../office/shift.js";
import { folded } from "./panel.js";

export function shiftPanel(console_) {
  const host = el("div", { class: "shift-totals" });
  const element = folded("This shift", "!", host);
  element.querySelector("details").addEventListener("toggle", (event) => {
    if (event.target.open) showShift(host, console_.table).catch((refused) => console_.refuse("This shift", refused));
  });
  return { element, update: () => {}, bindings: [{ keys: "!", says: "this shift", on: () => element.unfold() }] };
}
