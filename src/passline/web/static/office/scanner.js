// A field for serial numbers: a scanner types like a keyboard, so Enter, space or a comma ends one and begins the next.

import { buttonFor, el } from "../elements.js";

/** @import { Child } from "../elements.js" */
/**
 * @typedef {object} Scanner
 * @property {Child[]} nodes
 * @property {HTMLInputElement} input
 * @property {() => string[]} read
 * @property {(names: string[]) => void} add
 */

/** What times of day look like. */
export const TIMES_EXAMPLE = "06:00, or 13:45-14:15 for a while";
const OFFERED_MAX = 24; // so many can be chosen with a tap, too
const CLICK_MS = 250; // what a click moves away from stays in place until the click has landed

/**
 * Names that are typed or scanned, several of them unless a single one is wanted (`isSingle`).
 *
 * `check(name)` says what is wrong with one, "" if nothing; `known` are suggested; `shown(name)` is what people see,
 * `beside(name)` what stands beside it, such as whose it is; `example` is what one looks like where nothing is scanned.
 *
 * @param {{
 *  id: string,
 *  label: string,
 *  known?: string[],
 *  check?: (name: string) => string,
 *  shown?: (name: string) => string,
 *  beside?: (name: string) => string,
 *  isSingle?: boolean,
 *  onchange?: () => void,
 *  describedby?: string | null,
 *  example?: string,
 * }} asked
 * @returns {Scanner}
 */
export function scanner({
  id,
  label,
  known = [],
  check = () => "",
  shown = (name) => name,
  beside = () => "",
  isSingle = false,
  onchange = () => {},
  describedby = null,
  example = "",
}) {
  const input = el("input", {
    id,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    enterkeyhint: "next",
    list: known.length ? `${id}-known` : null,
    "aria-describedby": describedby,
    placeholder: isSingle
      ? known.length
        ? "Scan, type or choose"
        : "Scan or type"
      : example
        ? `${example}; Enter or space for the next`
        : "Scan or type; Enter or space for the next",
  });
  const options = known.length ? el("datalist", { id: `${id}-known` }, ...known.slice(0, 500).map(offer)) : null;
  const count = el("span", { class: "hint count-line", role: "status" });
  /** @param {string} name */
  function offer(name) {
    return el("option", { value: name, label: beside(name) ? `${name} ${beside(name)}` : null });
  }
  return isSingle ? single() : several();

  /** @returns {Scanner} */
  function single() {
    const read = () => [input.value.trim()].filter(Boolean);
    const show = () => {
      const typed = input.value.trim();
      count.textContent = typed ? check(typed) || beside(typed) : "";
    };
    input.addEventListener("input", () => {
      show();
      onchange();
    });
    return {
      nodes: [input, options, count],
      input,
      read,
      add: ([name]) => {
        input.value = name;
        show();
        onchange();
      },
    };
  }

  /** @returns {Scanner} */
  function several() {
    /** @type {string[]} */
    let names = [];
    const offered = el("div", { class: "offered", role: "group", "aria-label": `${label}: to choose` });
    const list = el("ul", { class: "tokens", "aria-label": `${label}: taken` });
    const show = () => {
      const left = known.filter((name) => !names.includes(name));
      offered.hidden = !left.length || known.length > OFFERED_MAX;
      offered.replaceChildren(
        ...(left.length > 1 ? [buttonFor(`Take all ${left.length}`, () => add(left))] : []),
        ...left.map((name) => buttonFor(shown(name), () => add([name]), { class: "plain" })),
      );
      list.hidden = !names.length;
      list.replaceChildren(
        ...names.map((name) => {
          const wrong = check(name);
          return el(
            "li",
            { class: wrong ? "is-wrong" : "" },
            el("span", {}, shown(name)),
            wrong ? el("span", { class: "why" }, wrong) : null,
            buttonFor(
              "×",
              () => {
                keep(names.filter((other) => other !== name));
                input.focus();
              },
              { class: "plain", "aria-label": `Leave out ${shown(name)}` },
            ),
          );
        }),
      );
      count.textContent = names.length ? `${names.length} taken` : "";
    };
    /** @param {string[]} all */
    const keep = (all) => {
      names = all;
      show();
      onchange();
    };
    /** @param {string[]} more */
    const add = (more) => keep([...new Set([...names, ...more])]);
    const take = () => {
      const typed = input.value.split(/[\s,;]+/).filter(Boolean);
      input.value = "";
      if (typed.length) add(typed);
      return typed.length > 0;
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Backspace" && !input.value && names.length) keep(names.slice(0, -1));
      if (event.key === " " || event.key === ",") {
        event.preventDefault();
        take();
      }
      if (event.key === "Tab") take();
      if (event.key === "Enter" && take()) event.preventDefault(); // with nothing typed Enter goes on
    });
    input.addEventListener("change", () => setTimeout(take, CLICK_MS)); // chosen from the list, or left
    input.addEventListener("paste", () => setTimeout(take));
    show();
    return {
      nodes: [input, options, offered, count, list],
      input,
      add,
      read: () => {
        take();
        return names;
      },
    };
  }
}
