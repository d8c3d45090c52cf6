// Clauses that can be clicked: the summary, and where the regulation has it, open beside them.
//
//   clauseTags("MD-5.A, MD-3.B.1")  ->  a button for each; `practice` and `house` are words of ours and stay texts.
//   withClauses("paid 9 to 5 [MD-5.A.5]")  ->  the text, its citations as such buttons.

import { buttonFor, el } from "./elements.js";
import { get } from "./http.js";

const IS_CLAUSE = /^[A-Z][A-Z0-9]*-\S+$/;
const CITED = /\[((?:[A-Z][A-Z0-9]*-[^\s,\]]+)(?:, [A-Z][A-Z0-9]*-[^\s,\]]+)*)\]/g;
const known = new Map(); // by id: what the server said of a clause
let number = 0;

/**
 * A button for each clause of a text; what is no clause stays as it is.
 *
 * @param {string | null | undefined} text
 * @returns {(string | HTMLElement)[]}
 */
export function clauseTags(text) {
  return String(text ?? "")
    .split(", ")
    .filter(Boolean)
    .flatMap((cited, place) => {
      const tag = IS_CLAUSE.test(cited) ? clauseTag(cited) : el("span", { class: "clause" }, cited);
      return place ? [" ", tag] : [tag];
    });
}

/**
 * A line of the log whose citations can be clicked.
 *
 * @param {string} line
 * @returns {(string | HTMLElement)[]}
 */
export function withClauses(line) {
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let from = 0;
  for (const match of line.matchAll(CITED)) {
    parts.push(line.slice(from, match.index), ...clauseTags(match[1]));
    from = match.index + match[0].length;
  }
  return [...parts, line.slice(from)].filter((part) => part !== "");
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function clauseTag(id) {
  const about = `clause-${++number}`;
  /** @type {HTMLButtonElement} */
  const button = buttonFor(id, () => toggle(button, id, about), {
    class: "clause-tag",
    "aria-expanded": "false",
    "aria-controls": about,
  });
  return button;
}

/**
 * @param {HTMLElement} button
 * @param {string} id
 * @param {string} about
 */
async function toggle(button, id, about) {
  const open = document.getElementById(about);
  if (open) {
    open.remove();
    button.setAttribute("aria-expanded", "false");
    return;
  }
  const box = el("span", { class: "clause-box", id: about, role: "note" }, "…");
  button.after(box);
  button.setAttribute("aria-expanded", "true");
  try {
    if (!known.has(id)) known.set(id, await get(`/api/clauses/${encodeURIComponent(id)}`));
    const { summary, cite, title } = known.get(id);
    box.replaceChildren(
      el("b", {}, `${title}, ${cite}`),
      " ",
      summary,
      " ",
      el("a", { href: `/clauses/${encodeURIComponent(id)}` }, "More"),
    );
  } catch (refused) {
    box.textContent = String(refused instanceof Error ? refused.message : refused);
  }
}
