// Small pieces the crew's and the office's pages are made of: elements, words, times.

import { numberText } from "./money.js";
import { momentText } from "./wording.js";

/** Make an element: `el("button", {type: "button", onclick: f, "aria-label": "x"}, "text", child)`. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Put new children in the place of the old ones, unless nothing changed; a focus inside finds its id again. */
export function fill(node, key, make) {
  const text = JSON.stringify(key);
  if (filled.get(node) === text) return;
  filled.set(node, text);
  const focused = node.contains(document.activeElement) ? document.activeElement.id : "";
  node.replaceChildren(...[make()].flat().filter(Boolean));
  if (focused) document.getElementById(focused)?.focus();
}
const filled = new WeakMap();

/** A key in words: "not_together" is "Not together". */
export function words(key) {
  const text = String(key).replaceAll("_", " ").replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "Place Bet to Win 6" for a wager or a line of a settlement. */
export function wagerName(wager) {
  const name = wager.name ?? words(wager.kind);
  return wager.number ? `${name} ${numberText(wager.number)}` : name;
}

/** The time of a UTC stamp on this machine's clock, with the stamp itself for whoever asks. */
export function timeOf(at, isLong = false) {
  return el("time", { datetime: at, title: at }, momentText(at, isLong));
}

/** The JSON a page carries for its modules. */
export function embedded(id) {
  const node = document.getElementById(id);
  return node ? JSON.parse(node.textContent) : null;
}

/** A button that copies a text and says so. */
export function copyButton(text, label = "Copy") {
  const button = el("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy by hand"; // a page not served over TLS has no clipboard
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  } }, label);
  return button;
}

/** An id for a command sent by HTTP, made here, so that sending it again is harmless. */
export function freshId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
