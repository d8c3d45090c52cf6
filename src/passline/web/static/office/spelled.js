// Abbreviations of outside bodies, spelled out where they first stand in a part of a page.

import { el } from "../elements.js";

/**
 * Give the first of each abbreviation within an element its words, for whoever points at it or has it read out.
 *
 * @param {HTMLElement} root
 * @param {{ [short: string]: string }} spelled
 */
export function spellOut(root, spelled) {
  for (const [short, words] of Object.entries(spelled)) {
    if ([...root.querySelectorAll("abbr")].some((abbr) => abbr.textContent === short)) continue;
    const text = firstWith(root, new RegExp(`\\b${short}\\b`));
    if (!text) continue;
    const rest = text.splitText(text.data.search(new RegExp(`\\b${short}\\b`)));
    rest.splitText(short.length);
    rest.replaceWith(el("abbr", { title: words }, short));
  }
}

/**
 * @param {HTMLElement} root
 * @param {RegExp} wanted
 * @returns {Text | null}
 */
function firstWith(root, wanted) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text instanceof Text && wanted.test(text.data) && !text.parentElement?.closest("option, textarea, .clause"))
      return text;
  }
  return null;
}
