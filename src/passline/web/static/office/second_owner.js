// What takes two owners while the house has dual control: the second one's name and PIN beside a form.

import { el } from "../elements.js";
import { book } from "./book.js";

/** @import { SendOptions } from "./book.js" */
/** @typedef {{ node: HTMLElement | null, read: () => SendOptions }} SecondOwner */

/**
 * The fields for the second owner of a command; nothing where one owner may give it alone.
 *
 * @param {string} command
 * @returns {SecondOwner}
 */
export function secondOwner(command) {
  if (!book.takes_two_owners.includes(command)) return { node: null, read: () => ({}) };
  const id = `second-${command}`;
  const name = el("input", { id: `${id}-name`, autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const pin = el("input", { id: `${id}-pin`, type: "password", inputmode: "numeric", autocomplete: "off" });
  const node = el(
    "fieldset",
    { class: "row" },
    el("legend", {}, "The second owner"),
    el("p", { class: "hint" }, "Two owners do this together: one sends it, the other signs here."),
    el(
      "div",
      { class: "pair" },
      el("div", { class: "row" }, el("label", { for: name.id }, "Name"), name),
      el("div", { class: "row" }, el("label", { for: pin.id }, "PIN"), pin),
    ),
  );
  return { node, read: () => (name.value.trim() ? { sign_off: { name: name.value.trim(), pin: pin.value } } : {}) };
}
