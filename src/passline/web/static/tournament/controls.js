// Rows and choices of the forms of tournaments.

import { el } from "../elements.js";

/** @import { Attributes } from "../elements.js" */
/** @import { Field } from "../dom.js" */
/** @typedef {[value: string | number, text: string]} Option */

/**
 * A control under its label.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function row(label, control, hint = "") {
  return el(
    "div",
    { class: "row" },
    el("label", { for: control.id }, label),
    control,
    hint ? el("span", { class: "hint" }, hint) : null,
  );
}

/**
 * A choice: options are [value, text].
 *
 * @param {string} id
 * @param {Option[]} options
 * @param {Attributes} [attributes]
 */
export function choice(id, options, attributes = {}) {
  return el("select", { id, ...attributes }, ...options.map(([value, text]) => el("option", { value }, text)));
}
