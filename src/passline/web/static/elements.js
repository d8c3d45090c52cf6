// Elements, words and times for all pages.

import { money, numberText } from "./money.js";
import { momentText } from "./wording.js";

/** @typedef {Node | string | number | false | null | undefined | Child[]} Child what an element is made with */
/**
 * Of an element; those that begin with "on" listen to events.
 *
 * @typedef {{
 *   onclick?: ((event: MouseEvent) => unknown) | null | false,
 *   onchange?: (event: Event) => unknown,
 *   oninput?: (event: Event) => unknown,
 *   onsubmit?: (event: SubmitEvent) => unknown,
 *   onkeydown?: (event: KeyboardEvent) => unknown,
 *   [name: string]: any,
 * }} Attributes
 */

/**
 * Make an element: `el("button", {type: "button", onclick: f, "aria-label": "x"}, "text", child)`.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...shownOf(children));
  return node;
}

/**
 * A button that does something: `buttonFor("Count again", () => count(), { class: "first" })`.
 *
 * @param {Child} text
 * @param {((event: MouseEvent) => unknown) | null | false} onclick
 * @param {Attributes} [attributes]
 */
export const buttonFor = (text, onclick, attributes = {}) =>
  el("button", { type: "button", ...attributes, onclick }, text);

/**
 * A field for an amount, with the sign of its currency in front of it.
 *
 * @param {HTMLInputElement} input
 */
export const amountField = (input) =>
  el("span", { class: "amount-field" }, el("span", { "aria-hidden": "true" }, money(0).replace(/\d.*/, "")), input);

/**
 * A panel under its heading, whose id is `id`.
 *
 * @param {string} id
 * @param {Child} title
 * @param {...Child} children
 */
export const titledPanel = (id, title, ...children) =>
  el("section", { class: "panel", "aria-labelledby": id }, el("h2", { id }, title), ...children);

/**
 * The head of a table whose first columns are words and the others amounts.
 *
 * @param {Child[]} heads
 * @param {number} [words]
 */
export function tableHead(heads, words = heads.length) {
  const cells = heads.map((head, at) => el("th", { scope: "col", class: at < words ? null : "amount" }, head));
  return el("thead", {}, el("tr", {}, ...cells));
}

/**
 * A table of figures that scrolls by itself; what is not a cell yet becomes one. Of kind "cards" a phone shows each row
 * as a card, in which every cell but the first has its head in front of it.
 *
 * @param {string} label
 * @param {string} kind
 * @param {HTMLTableSectionElement} head
 * @param {{ cells: Child[], kind?: string }[]} rows
 */
export function figuresTable(label, kind, head, rows) {
  const heads = [...head.querySelectorAll("th")].map((cell) => cell.textContent ?? "");
  const isCards = kind.split(" ").includes("cards");
  const lines = rows.map(({ cells, kind = "" }) => {
    const shown = cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : el("td", {}, cell)));
    for (const [at, cell] of isCards ? shown.entries() : []) if (at && heads[at]) cell.dataset.label = heads[at];
    return el("tr", { class: kind }, ...shown);
  });
  const table = el("table", { class: kind }, head, el("tbody", {}, ...lines));
  return el("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, table);
}

/**
 * A hint in small print.
 *
 * @param {...Child} children
 */
export const hintText = (...children) => el("p", { class: "hint" }, ...children);

/**
 * What is shown of children: all but null, undefined and false.
 *
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function shownOf(children) {
  const all = /** @type {Child[]} */ (/** @type {any[]} */ (children).flat(Infinity));
  const shown = all.filter((child) => child !== null && child !== undefined && child !== false);
  return /** @type {(Node | string)[]} */ (shown);
}

/**
 * Replace the children of a node; null, undefined and false are left out.
 *
 * @param {Element} node
 * @param {...Child} children
 */
export function setChildren(node, ...children) {
  node.replaceChildren(...shownOf(children));
}

/**
 * Replace the children of a node if `key` has changed. Focus inside moves to the new element with the same id.
 *
 * @param {Element} node
 * @param {unknown} key
 * @param {() => Child} make
 */
export function fill(node, key, make) {
  const text = JSON.stringify(key);
  if (filled.get(node) === text) return;
  filled.set(node, text);
  const focused = node.contains(document.activeElement) ? document.activeElement?.id : "";
  node.replaceChildren(.../** @type {(Node | string)[]} */ ([make()].flat().filter(Boolean)));
  if (focused) document.getElementById(focused)?.focus();
}
const filled = new WeakMap();

/**
 * A key in words: "not_together" becomes "Not together".
 *
 * @param {string} key
 * @returns {string}
 */
export function words(key) {
  const text = String(key).replaceAll("_", " ").replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The display name of a wager, such as "Place 6"; from its kind and number where it has none.
 *
 * @param {{ name?: string, kind: string, number: number }} wager
 * @returns {string}
 */
export function wagerName({ name, kind, number }) {
  return name ?? (number ? `${words(kind)} ${numberText(number)}` : words(kind));
}

/**
 * A UTC timestamp on the house's clock; hovering shows the day, the zone and the timestamp itself.
 *
 * @param {string} at
 * @param {boolean} [isLong]
 * @returns {HTMLTimeElement}
 */
export function timeOf(at, isLong = false) {
  return el("time", { datetime: at, title: `${momentText(at)} (${at})` }, momentText(at, isLong));
}

/**
 * The JSON that a page embeds for its scripts.
 *
 * @param {string} id
 * @returns {any}
 */
export function embedded(id) {
  const node = document.getElementById(id);
  return node ? JSON.parse(node.textContent ?? "") : null;
}

/**
 * A button that copies a text.
 *
 * @param {string | (() => string)} text
 * @param {string} [label]
 * @returns {HTMLButtonElement}
 */
export function copyButton(text, label = "Copy") {
  const button = el(
    "button",
    {
      type: "button",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
          button.textContent = "Copied";
        } catch {
          button.textContent = "Select and copy by hand"; // without TLS there is no clipboard
        }
        setTimeout(() => {
          button.textContent = label;
        }, 2000);
      },
    },
    label,
  );
  return button;
}

/** A new id for a command: sending the command again with the same id is harmless. */
export function freshId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
