// Tables of figures and records for the pages of the office.

import { buttonFor, el, figuresTable, fill, hintText, tableHead, timeOf, words } from "../elements.js";
import { getFor } from "../http.js";
import { money } from "../money.js";
import { trying } from "./parts.js";

/** @typedef {import("../elements.js").Child} Cell */
/** @typedef {[heads: string[], cells: (record: any) => Cell[]]} Columns of a kind of record */

/**
 * A table: `figures("Checkpoints", ["At", "Entry"], [[node, "12"], ...])`, or a text if there are no rows.
 *
 * @param {string} label
 * @param {string[]} heads
 * @param {Cell[][]} rows
 * @param {string} [none]
 * @returns {HTMLElement}
 */
export function figures(label, heads, rows, none = "Nothing yet.") {
  if (!rows.length) return el("p", { class: "muted" }, none);
  const lines = rows.map((cells) => ({ cells }));
  return figuresTable(label, "figures cards", tableHead(heads), lines);
}

/** @param {unknown} value */
const text = (value) => (value === "" || value === null || value === undefined ? "–" : String(value));
/** @param {unknown} value */
const long = (value) => el("td", { class: "wide" }, text(value));
/** @param {unknown} value */
const code = (value) => el("td", { class: "wide" }, el("code", {}, text(value)));
/** @param {number} value */
const cents = (value) => el("td", { class: "amount" }, money(value));
/** @param {number} sequence */
const entry = (sequence) => el("td", { class: "amount" }, String(sequence));
/**
 * @param {string} table
 * @param {number} sequence
 */
const recall = (table, sequence) =>
  el("a", { href: `/tables/${encodeURIComponent(table)}/recall#${sequence}` }, `entry ${sequence}`);

/**
 * The column heads and the cells of each kind of record.
 *
 * @type {{ [kind: string]: Columns }}
 */
const PRINTED = {
  checkpoints: [
    ["Shift", "Closed", "By", "Entry", "Hash", "Signature", "Tables"],
    (item) => [
      String(item.shift),
      timeOf(item.at, true),
      text(item.by),
      entry(item.sequence),
      code(item.hash),
      code(item.signature),
      long(
        item.tables
          .map(
            (/** @type {{ table: string, is_blind: boolean, balances: { bank?: number } }} */ table) =>
              `${table.table}: ${table.is_blind ? "counted blind" : `bank ${money(table.balances.bank ?? 0)}`}`,
          )
          .join("; "),
      ),
    ],
  ],
  approvals: [
    ["What", "By", "Reference", "Date"],
    (item) => [words(item.kind), words(item.authority), long(item.reference), item.date],
  ],
  reports: [
    ["Number", "Class", "Filed", "Table", "By", "Text"],
    (item) => [
      String(item.number),
      words(item.record_class),
      timeOf(item.at, true),
      text(item.table),
      text(item.by),
      long(item.text),
    ],
  ],
  activity: [
    [
      "Day",
      "Table",
      "Hands",
      "Rolls",
      "Opening",
      "Drop",
      "Fills",
      "Credits",
      "Win",
      "Tips",
      "Closing",
      "Corrections",
      "Freezes",
    ],
    (item) => {
      /** @param {number} amount */
      const byWagers = (amount) =>
        // which only a ledger knows
        item.is_blind ? "counted blind" : item.is_covered === false ? "not covered" : cents(amount);
      return [
        item.day,
        item.table,
        String(item.hands),
        String(item.rolls),
        byWagers(item.bank_opening),
        byWagers(item.drop),
        item.is_blind ? "counted blind" : cents(item.fills),
        item.is_blind ? "counted blind" : cents(item.credits),
        byWagers(item.win),
        byWagers(item.tips),
        byWagers(item.bank_closing),
        String(item.corrections),
        String(item.freezes),
      ];
    },
  ],
  postings: [
    ["Table", "From", "Minimum", "Maximum", "Own limits", "Noticed", "Clause"],
    (item) => [
      item.table,
      timeOf(item.at, true),
      cents(item.wager_cents_min),
      cents(item.wager_cents_max),
      long(
        Object.entries(item.wagers)
          .map(([kind, [min, max]]) => `${words(kind)} ${money(min)} to ${money(max)}`)
          .join(", "),
      ),
      item.noticed_at ? timeOf(item.noticed_at, true) : "–",
      text(item.clause),
    ],
  ],
  disputes: [
    ["Table", "Frozen", "Why", "What each seat had seen"],
    (item) => [
      item.table,
      timeOf(item.at, true),
      long(item.reason + (item.seat ? ` (seat ${item.seat})` : "")),
      el(
        "td",
        { class: "wide" },
        ...Object.entries(item.shown).map(([seat, seen]) =>
          el("div", {}, `Seat ${seat}: `, seen ? recall(item.table, seen.sequence) : "too long before the freeze"),
        ),
        Object.keys(item.shown).length ? null : "no screen was open",
      ),
    ],
  ],
};
/** @type {Columns} */
const RECORD = [
  ["At", "Table", "By", "Text", "Clause", "Entry"],
  (item) => [
    timeOf(item.at, true),
    text(item.table),
    text(item.by),
    long(item.text),
    text(item.clause),
    entry(item.sequence),
  ],
];

/**
 * A table of records of one kind, with the names of people.
 *
 * @param {string} kind
 * @param {any[]} records
 * @returns {HTMLElement}
 */
export function recordTable(kind, records) {
  const [heads, cells] = PRINTED[kind] ?? RECORD;
  return figures(
    words(kind),
    heads,
    records.map((record) => cells({ ...record, by: record.name ?? record.by })),
    "Nothing on record.",
  );
}

/**
 * Show records of one kind, newest first, with a button for the next page; `filters` leaves out others.
 *
 * @param {HTMLElement} host
 * @param {string} kind
 * @param {{ [name: string]: string }} [filters]
 */
export async function showPages(host, kind, filters = {}) {
  const asked = new URLSearchParams({
    kind,
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value)),
  });
  /** @param {string} before */
  const ask = (before) => getFor(host, `/api/records?${asked}${before ? `&before=${encodeURIComponent(before)}` : ""}`);
  /**
   * @param {any[]} records
   * @param {{ next: string, behind: number }} page
   * @returns {void}
   */
  const show = (records, { next, behind }) =>
    fill(host, [String(asked), records, next, behind], () => [
      behind ? hintText(`${behind.toLocaleString("en-US")} newer entries of the log are still being read.`) : null,
      recordTable(kind, records),
      next
        ? buttonFor("Older records", () =>
            trying(host, async () => {
              const page = await ask(next);
              if (page) show([...records, ...page.records], page);
            }),
          )
        : null,
    ]);
  const page = await ask("");
  if (page) show(page.records, page);
}
