// The editor of a strategy file: the linter's words stand behind the lines that they are about, and below as a list.

import { buttonFor, el } from "../elements.js";
import { marksOf } from "./marks.js";

/** @typedef {import("./marks.js").Mark} Mark */

const WIDTH_MAX = 400;
const IN_VAIN = "What is said in vain stands beside its line.";
const ALL_DECIDE = "Every parameter, memory, let and wish decides something.";

export class Editor {
  /** @type {Mark[]} */
  #marks = [];

  /**
   * @param {HTMLElement} host
   * @param {{ changed: (text: string) => void, closed: () => void }} tells
   */
  constructor(host, { changed, closed }) {
    this.host = host;
    this.title = el("h2", { id: "editor-title" });
    this.about = el("p", { class: "hint", id: "editor-about" });
    this.numbers = el("pre", { class: "numbers", "aria-hidden": "true" });
    this.behind = el("pre", { class: "behind", "aria-hidden": "true" });
    this.field = el("textarea", {
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      maxlength: 20_000,
      "aria-label": "The strategy as a file",
      "aria-describedby": "editor-found",
      oninput: () => {
        this.#marks = [];
        this.#draw();
        changed(this.field.value);
      },
    });
    this.found = el("div", { id: "editor-found", role: "status" });
    host.replaceChildren(
      el("div", { class: "chart-head" }, this.title, buttonFor("Close", closed)),
      this.about,
      el("div", { class: "code" }, this.numbers, el("div", { class: "code-lines" }, this.behind, this.field)),
      this.found,
    );
  }

  get text() {
    return this.field.value;
  }

  /**
   * @param {string} title
   * @param {string} text
   */
  open(title, text) {
    this.title.textContent = title;
    this.about.textContent = "";
    this.field.value = text;
    this.#marks = [];
    this.found.replaceChildren();
    this.host.hidden = false;
    this.#draw();
  }

  close() {
    this.host.hidden = true;
  }

  /** @param {Server.LabCheck} found */
  show(found) {
    this.#marks = marksOf(this.text, found);
    this.about.textContent = found.faults.length
      ? "It cannot be played yet."
      : `Looked at ${found.seen}. ${found.notes.length ? IN_VAIN : ALL_DECIDE}`;
    this.#draw();
    const said = this.#marks.filter(({ text }) => !text.includes(" states with it"));
    this.found.replaceChildren(
      said.length
        ? el(
            "ul",
            { class: "found" },
            ...said.map((mark) =>
              el(
                "li",
                { class: mark.isFault ? "is-fault" : "" },
                mark.line < 0 ? null : buttonFor(`Line ${mark.line + 1}`, () => this.#goTo(mark.line)),
                el("span", {}, mark.text),
              ),
            ),
          )
        : "",
    );
  }

  /** @param {string} words why it could not be looked at */
  fail(words) {
    this.about.textContent = words;
  }

  /** @param {number} line */
  #goTo(line) {
    const lines = this.text.split("\n");
    const start = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
    this.field.focus();
    this.field.setSelectionRange(start, start + lines[line].length);
  }

  #draw() {
    const lines = this.text.split("\n");
    this.numbers.textContent = lines.map((_, at) => at + 1).join("\n");
    /** @type {Map<number, Mark[]>} */
    const marks = new Map();
    for (const mark of this.#marks) marks.set(mark.line, [...(marks.get(mark.line) ?? []), mark]);
    this.behind.replaceChildren(
      ...lines.map((line, at) =>
        el(
          "span",
          { class: `code-line ${(marks.get(at) ?? []).some(({ isFault }) => isFault) ? "is-fault" : ""}` },
          el("span", { class: "ghost" }, line.slice(0, WIDTH_MAX)),
          ...(marks.get(at) ?? []).map(({ text, isFault }) =>
            el("span", { class: isFault ? "mark is-fault" : "mark" }, text),
          ),
          "\n",
        ),
      ),
    );
  }
}
