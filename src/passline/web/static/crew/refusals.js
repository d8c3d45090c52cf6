// Refusals as the console shows them: each stays until it is dismissed, with what was not done because of it.

import { el } from "../elements.js";
import { refusalList } from "../http.js";

export class Refusals {
  #shown = [];
  #keys = [];

  constructor(element) {
    this.element = element;
  }

  get isShown() { return this.#shown.length > 0; }

  /** Show that something was not done, and what was given after it and is not done either. */
  add({ says, title = `${says}: refused`, refusals = [], left = [] }) {
    this.#shown.push({ title, refusals, left });
    this.#show();
  }

  /** Say of a key or a button that it did nothing, because a refusal is shown. */
  notTaken(key) {
    this.#keys.push(key);
    this.#show();
  }

  dismiss() {
    this.#shown = [];
    this.#keys = [];
    this.#show();
    this.element.dispatchEvent(new Event("dismissed"));
  }

  #show() {
    this.element.hidden = !this.isShown;
    const parts = this.#shown.flatMap(({ title, refusals, left }) => [el("b", {}, title), refusalList(refusals),
      left.length ? el("p", { class: "left" }, el("b", {}, "Not done: "), left.join(", ")) : null]);
    const keys = this.#keys.length ? el("p", { class: "left" }, el("b", {}, "Not taken since: "), ...this.#keys.flatMap((key) => [el("kbd", {}, key), " "])) : null;
    const close = el("button", { type: "button", class: "act", onclick: () => this.dismiss() }, "Dismiss", el("kbd", {}, "Esc"));
    this.element.replaceChildren(...(this.isShown ? [el("div", {}, ...parts, keys), close] : []));
  }
}
