// Chips or notes by denomination, with a running total. Buttons add a stack; a count can be typed.

import { amountField, buttonFor, el } from "../elements.js";
import { centsFrom, money } from "../money.js";
import { book } from "./book.js";

/** @import { Act, Units } from "./book.js" */
/** @import { Control } from "./fields.js" */

const CHIPS = [100, 500, 2500, 10000, 50000];
const NOTES = [100, 500, 1000, 2000, 5000, 10000];
const STACK = 20;

/**
 * The stock that a field with units is about: its act moves or counts it, or another act of the same thing does.
 *
 * @param {Act} act
 * @param {string} key
 * @returns {string}
 */
function stockOf(act, key) {
  const acts = [act, ...Object.values(book.acts).filter((each) => each.thing && each.thing === act.thing)];
  for (const act of acts)
    for (const part of [act.moves, act.counts]) if (part?.field === key && part.stock) return part.stock;
  return "";
}

/**
 * The denominations to offer: those that the stock has anywhere, or the usual ones. What is there is not said.
 *
 * @param {string} stock
 * @param {Units} given
 * @returns {number[]}
 */
function denominations(stock, given) {
  const held = (book.denominations[stock] ?? []).map(Number);
  const offered = new Set([...(held.length ? held : stock ? CHIPS : NOTES), ...Object.keys(given).map(Number)]);
  return [...offered].sort((item, other) => item - other);
}

/**
 * A denomination as it looks: a chip in its colour, or a note.
 *
 * @param {number | string} cents
 * @param {boolean} isChip
 */
export function denominationMark(cents, isChip) {
  return el("span", { class: isChip ? "chip-mark" : "note-mark", "data-cents": cents, "aria-hidden": "true" });
}

/**
 * A control for units by denomination in cents. `onchange(sum)` is told the total as it runs.
 *
 * @param {{
 *  id: string,
 *  act: Act,
 *  key: string,
 *  label: string,
 *  given?: Units,
 *  describedby?: string | null,
 *  onchange?: (sum: number) => void,
 * }} asked
 * @returns {Control}
 */
export function unitsControl({ id, act, key, label, given = {}, describedby = null, onchange = () => {} }) {
  const stock = stockOf(act, key);
  /** @type {Map<number, { input: HTMLInputElement, worth: HTMLElement, row: HTMLElement }>} */
  const rows = new Map();
  const total = el("output", { class: "total" });
  const body = el("div", { class: "units", role: "group", "aria-label": label, "aria-describedby": describedby });
  /** @param {number} cents */
  const add = (cents) => {
    if (rows.has(cents)) return;
    const input = el("input", {
      id: `${id}-${cents}`,
      inputmode: "numeric",
      autocomplete: "off",
      enterkeyhint: "next",
      "aria-label": `How many of ${money(cents)}`,
      value: given[cents] ?? "",
    });
    const worth = el("span", { class: "worth" });
    /** @param {number} by */
    const step = (by) => () => {
      input.value = String(Math.max(0, (countOf(input) || 0) + by));
      show();
    };
    input.addEventListener("input", () => show());
    input.addEventListener("focus", () => input.select());
    input.addEventListener("keydown", (event) => onKey(event, input, step));
    const row = el(
      "div",
      { class: "unit" },
      denominationMark(cents, Boolean(stock)),
      el("span", { class: "chip-value" }, money(cents)),
      buttonFor("−", step(-1), { "aria-label": `One less of ${money(cents)}` }),
      input,
      buttonFor("+", step(1), { "aria-label": `One more of ${money(cents)}` }),
      buttonFor(`+${STACK}`, step(STACK), { "aria-label": `A stack of ${STACK} more of ${money(cents)}` }),
      buttonFor(
        "×",
        () => {
          input.value = "";
          show();
        },
        { class: "plain", "aria-label": `None of ${money(cents)}` },
      ),
      worth,
    );
    rows.set(cents, { input, worth, row });
  };
  /**
   * @param {KeyboardEvent} event
   * @param {HTMLInputElement} input
   * @param {(by: number) => () => void} step
   */
  const onKey = (event, input, step) => {
    // Enter and arrows go from row to row, plus and minus count
    const all = [...rows.values()].map((row) => row.input);
    const by = { "+": 1, "-": -1 }[event.key],
      to = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = to ? all[all.indexOf(input) + to] : null;
    if (by) step(by)();
    else if (!next) return;
    next?.focus();
    event.preventDefault();
  };
  const show = () => {
    let sum = 0;
    for (const [cents, { input, worth }] of rows) {
      const count = countOf(input);
      input.setAttribute("aria-invalid", String(Number.isNaN(count)));
      worth.textContent = count > 0 ? money(cents * count) : "";
      sum += cents * (count || 0);
    }
    total.textContent = `Total ${money(sum)}`;
    onchange(sum);
  };
  const more = el("input", {
    id: `${id}-more`,
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: "2.50",
    "aria-label": "Another denomination",
  });
  const other = el(
    "div",
    { class: "unit-more" },
    amountField(more),
    buttonFor("Add denomination", () => {
      const cents = centsFrom(more.value);
      if (!cents) {
        more.setAttribute("aria-invalid", "true");
        more.focus();
        return;
      }
      more.value = "";
      more.removeAttribute("aria-invalid");
      add(cents);
      draw();
      rows.get(cents)?.input.focus();
    }),
  );
  const draw = () => {
    const sorted = [...rows.entries()].sort(([item], [another]) => item - another);
    rows.clear();
    for (const [cents, row] of sorted) rows.set(cents, row);
    body.replaceChildren(...sorted.map(([, item]) => item.row), el("div", { class: "unit-foot" }, total, other));
    show();
  };
  for (const cents of denominations(stock, given)) add(cents);
  draw();
  return {
    nodes: [body],
    input: [...rows.values()][0].input,
    read: () => {
      /** @type {Units} */
      const units = {};
      let isEmpty = false;
      for (const [cents, { input }] of rows) {
        const count = countOf(input);
        if (Number.isNaN(count)) throw new Error(`${money(cents)}: ${input.value} is not a count`);
        if (count) units[cents] = count;
        else isEmpty ||= Boolean(input.value.trim()); // a 0 says that there is none
      }
      return isEmpty && !Object.keys(units).length ? { [[...rows.keys()][0]]: 0 } : units;
    },
  };
}

/**
 * What was typed as a count; NaN if it is none.
 *
 * @param {HTMLInputElement} input
 * @returns {number}
 */
function countOf(input) {
  const text = input.value.trim().replaceAll(",", "");
  return /^\d{0,8}$/.test(text) ? Number(text) : NaN;
}
