// The strategies side by side: each by its names in the catalogue, or as a file that is written here.

import { buttonFor, el } from "../elements.js";

/** @typedef {import("./state.js").Played} Played */

export const LETTERS = "ABCDEF";

/**
 * The name that a file gives itself.
 *
 * @param {string} text
 */
export const nameInFile = (text) => /^\s*name\s*=\s*["']([^"'\n]{0,40})["']/m.exec(text)?.[1] ?? "unnamed";

/**
 * What a strategy is called before the server has said so.
 *
 * @param {Played} played
 */
export const playedName = ({ played, file }) => (file === undefined ? (played ?? "") : nameInFile(file));

/**
 * @param {HTMLElement} host
 * @param {Played[]} strategies
 * @param {{
 *   named: (at: number, played: string) => void, edit: (at: number) => void, remove: (at: number) => void,
 *   about: (played: string) => string,
 * }} tells
 */
export function showPlayed(host, strategies, { named, edit, remove, about }) {
  host.replaceChildren(
    ...strategies.map((strategy, at) => {
      const isFile = strategy.file !== undefined;
      const hint = el("p", { class: "hint" }, isFile ? "Written here" : about(strategy.played ?? ""));
      const field = el("input", {
        id: `played-${at}`,
        value: playedName(strategy),
        "aria-label": `Strategy ${LETTERS[at]}`,
        list: isFile ? null : "catalogue",
        readonly: isFile,
        autocomplete: "off",
        spellcheck: "false",
        maxlength: 400,
        oninput: () => {
          named(at, field.value);
          hint.textContent = about(field.value);
        },
      });
      return el(
        "li",
        { class: `series s${at}` },
        el("span", { class: "letter", "aria-hidden": "true" }, LETTERS[at]),
        field,
        buttonFor(isFile ? "Edit" : "Open", () => edit(at), {
          "aria-label": isFile ? `Edit strategy ${LETTERS[at]}` : `Open strategy ${LETTERS[at]} as a file to edit`,
        }),
        buttonFor("\u00d7", () => remove(at), {
          class: "plain",
          "aria-label": `Remove strategy ${LETTERS[at]}`,
          disabled: strategies.length === 1,
        }),
        hint,
      );
    }),
  );
}
