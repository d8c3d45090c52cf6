// What all pages of the accounts share: what the address asks for, figures in columns, and where each leads.

import { byId, firstOf } from "../../dom.js";
import { el, figuresTable, hintText, tableHead } from "../../elements.js";
import { get } from "../../http.js";
import { currencySign, withSign } from "../../money.js";
import { here, personName } from "../book.js";

/** @import { Child } from "../../elements.js" */
/** @typedef {{ [name: string]: string | number | null | undefined }} Query */
/**
 * Figures that have luck.
 *
 * @typedef {{ one_in: number | null, first: number, last: number, luck: number | null, won: number | null }} Lucky
 */
/** @typedef {{ cells: Child[], kind?: string }} LedgerRow */

export const host = byId("accounts");
export const path = `/api/office/${here.office}`;
const page = `/office/${here.office}/accounts`;

/**
 * What the address of the page asks for.
 *
 * @type {{ [name: string]: string | undefined }}
 */
export const asked = Object.fromEntries(new URLSearchParams(location.search));

/**
 * @param {Query} query
 * @param {(value: Query[string]) => boolean} isAsked
 */
const searchOf = (query, isAsked) =>
  new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => isAsked(value))
      .map(([name, value]) => [name, String(value)]),
  );

/**
 * The period that the address asks for: a gaming day unless it says otherwise.
 *
 * @returns {"day" | "month" | "year"}
 */
export const periodAsked = () => (asked.period === "month" || asked.period === "year" ? asked.period : "day");

/**
 * A gaming day, its month or its year, as accounts name them.
 *
 * @param {string} day
 * @param {"day" | "month" | "year"} period
 */
export const spanOf = (day, period) => ({ day, month: day.slice(0, 7), year: day.slice(0, 4) })[period];

/**
 * The address of a page of the accounts: `linkTo("hands", { table: "craps-1" })`.
 *
 * @param {string} name
 * @param {Query} [query]
 * @returns {string}
 */
export function linkTo(name, query = {}) {
  const given = searchOf(query, (value) => value !== "" && value !== undefined && value !== null);
  return `${page}${name ? `/${name}` : ""}${given.size ? `?${given}` : ""}`;
}

/**
 * Ask the API: `ask("results", { day })`.
 *
 * @param {string} name
 * @param {Query} [query]
 * @returns {Promise<any>}
 */
export const ask = (name, query = {}) => get(`${path}/${name}?${searchOf(query, Boolean)}`);

/**
 * Cents as they stand in a column: always with two digits, so that they are in line.
 *
 * @param {number | null | undefined} cents
 * @returns {string}
 */
export function amount(cents) {
  if (cents === null || cents === undefined) return "–";
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-US");
  return `${cents < 0 ? "-" : ""}${whole}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}

/**
 * Cents on an axis or in a sentence, in whole dollars.
 *
 * @param {number} cents
 * @returns {string}
 */
export const dollars = (cents) =>
  withSign(`${cents < 0 ? "-" : ""}${Math.round(Math.abs(cents) / 100).toLocaleString("en-US")}`);

/**
 * @param {number | null | undefined} share
 * @param {number} [digits]
 * @returns {string}
 */
export const percent = (share, digits = 1) =>
  share === null || share === undefined ? "–" : `${(share * 100).toFixed(digits)}%`;

/**
 * Cents above or below what was expected: "+$120", "-$3,004".
 *
 * @param {number} cents
 * @returns {string}
 */
export const signedDollars = (cents) => `${cents > 0 ? "+" : ""}${dollars(cents)}`;

// From here on bounds on chances are told, and stand out; below, luck alone may well go so far.
const TOLD_FROM = 20,
  STANDS_OUT_FROM = 100;

/**
 * Whether luck could move a figure.
 *
 * @template {Lucky} Kind
 * @param {Kind | null | undefined} figures
 * @returns {figures is Kind & { one_in: number }}
 */
const isKnown = (figures) => Boolean(figures?.one_in);

/**
 * How many figures were looked at: each once, though the same play may stand in several rows.
 *
 * @param {(Lucky | null | undefined)[]} figures
 * @returns {number}
 */
export function countWithLuck(figures) {
  const known = figures.filter(isKnown);
  return new Set(known.map(({ first, last, luck, won }) => [first, last, luck, won].join(" "))).size;
}

/**
 * How often luck alone brings any of `many` figures so far off, at most: 1 in this.
 *
 * @param {Lucky | null | undefined} figures
 * @param {number} many
 * @returns {number | null}
 */
function oneIn(figures, many) {
  return figures?.one_in ? Math.max(1, Math.floor(figures.one_in / Math.max(many, 1))) : null;
}

/**
 * The bound of a figure, in words; `many` were looked at.
 *
 * @param {Lucky | null | undefined} figures
 * @param {number} many
 * @returns {string}
 */
export function rarityText(figures, many) {
  const bound = oneIn(figures, many);
  return bound === null ? "–" : bound < TOLD_FROM ? "not rare" : `1 in ${bound.toLocaleString("en-US")}`;
}

/**
 * A cell with the bound of a figure; `many` were looked at.
 *
 * @param {Lucky | null | undefined} figures
 * @param {number} many
 * @param {string} to
 * @param {string} name
 */
export function rarity(figures, many, to, name) {
  const cell = figure(rarityText(figures, many), to, `Luck alone at most, ${name}`);
  if ((oneIn(figures, many) ?? 0) >= STANDS_OUT_FROM) cell.classList.add("is-far");
  return cell;
}

/** What the column of bounds means. */
export const RARITY_HINT =
  "Luck alone, at most: how often luck alone goes so far, at most, whatever was staked and " +
  "whenever one looks, with all figures of the page counted in. Not rare: perhaps more often than 1 in 20.";

/** The heads of the figures of a rating, after what is rated. */
export const RATING_HEADS = [
  "Time",
  "Wagers",
  `Average ${currencySign()}`,
  `Wagered ${currencySign()}`,
  `Theoretical ${currencySign()}`,
  `House won ${currencySign()}`,
  `Luck ${currencySign()}`,
  "Luck alone, at most",
];

/**
 * What the house expects to win of a rating, with the range of an estimate.
 *
 * @param {Pick<Server.PlayerRating, "theoretical" | "theoretical_low" | "theoretical_high">} rating
 */
export function theoreticalText({ theoretical, theoretical_low: low, theoretical_high: high }) {
  const range = low !== high ? ` (${amount(low)} to ${amount(high)})` : "";
  return `${amount(theoretical)}${range}`;
}

/**
 * What the page shows, as a workbook.
 *
 * @param {string} name
 * @param {{ [name: string]: string }} query
 */
export function workbookLink(name, query) {
  const href = `${path}/${name}?${new URLSearchParams({ ...query, format: "xlsx" })}`;
  return el("a", { class: "button small", href, download: "" }, "As a workbook");
}

/**
 * Minutes as hours and minutes.
 *
 * @param {number} minutes
 * @returns {string}
 */
export const timeText = (minutes) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;

/**
 * A figure in a column; with an address, a link to what is behind it.
 *
 * @param {string} said
 * @param {string} [href]
 * @param {string} [name]
 */
export function figure(said, href = "", name = "") {
  const isLink = href && said !== "–";
  return el(
    "td",
    { class: "amount" },
    isLink ? el("a", { href, "aria-label": name ? `${name}: ${said}` : null }, said) : said,
  );
}

/**
 * A table of figures whose first columns are words; `rows` are cells, or {cells, kind} for sums and notes.
 *
 * @param {string} label
 * @param {Child[]} heads
 * @param {LedgerRow[]} rows
 * @param {{ words?: number, none?: string }} [more]
 */
export function ledger(label, heads, rows, { words: many = 1, none = "Nothing." } = {}) {
  if (!rows.length) return el("p", { class: "muted" }, none);
  return figuresTable(label, "figures ledger", tableHead(heads, many), rows);
}

/**
 * A row that only says something about the one above it.
 *
 * @param {number} columns
 * @param {...Child} said
 * @returns {LedgerRow}
 */
export const note = (columns, ...said) => ({ kind: "note", cells: [el("td", { colspan: columns }, ...said)] });

/**
 * Which of several figures has the rarest luck, and how often luck alone brings one of so many so far, at most.
 *
 * @template {Lucky} Kind
 * @param {(Kind | null | undefined)[]} figures
 * @param {(furthest: Kind) => string} called
 * @returns {string}
 */
export function furthestText(figures, called) {
  const many = countWithLuck(figures),
    known = figures.filter(isKnown);
  if (!many) return "Nothing to compare with luck: no keyed wager could win or lose.";
  const [furthest] = known.sort((first, other) => other.one_in - first.one_in),
    bound = oneIn(furthest, many) ?? 1;
  const looked = many === 1 ? "One figure was looked at" : `${many} figures were looked at`;
  if (bound < TOLD_FROM) return `${looked}. Luck alone may well bring all of this.`;
  const luck = signedDollars(furthest.luck ?? 0);
  const said = `The rarest luck is that of ${called(furthest)}: ${luck} beside what was expected.`;
  return (
    `${looked}. ${said} Luck alone brings one of so many figures so far ` +
    `at most 1 time in ${bound.toLocaleString("en-US")}, whatever was staked and whenever one looks. It says ` +
    "nothing of why."
  );
}

/**
 * @param {string} subject
 * @returns {string}
 */
export const crewText = (subject) => (subject ? subject.split(",").map(personName).join(", ") : "no crew on record");

/**
 * A day as people say it: "Sat 14 Nov 2026"; a month or a year likewise.
 *
 * @param {string} span
 * @returns {string}
 */
export function spanText(span) {
  const [day, ...shift] = span.split(" ");
  if (day.length < 8)
    return day.length === 7
      ? new Date(`${day}-01T12:00Z`).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" })
      : day;
  const said = new Date(`${day}T12:00Z`)
    .toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
    .replace(",", "");
  return shift.length ? `${said}, ${shift.join(" ")} shift` : said;
}

/**
 * A day as it fits below an axis: "14 Nov"; of a month "Nov 2026".
 *
 * @param {string} span
 * @returns {string}
 */
export const shortSpan = (span) =>
  new Date(`${span.length === 7 ? `${span}-01` : span}T12:00Z`).toLocaleDateString("en-GB", {
    ...(span.length === 7 ? { year: "numeric" } : { day: "numeric" }),
    month: "short",
    timeZone: "UTC",
  });

/**
 * The day before or after another.
 *
 * @param {string} day
 * @param {number} by
 * @returns {string}
 */
export const dayPlus = (day, by) => new Date(Date.parse(`${day}T12:00Z`) + by * 86_400_000).toISOString().slice(0, 10);

/**
 * The table of an account: of its stream, or the first part of what it is of.
 *
 * @param {Server.Figures} account
 * @returns {string}
 */
export const tableOf = (account) =>
  account.stream ? account.stream.replace(/^table\//, "") : account.subject.split("/")[0];

/**
 * A list that is not complete yet says so.
 *
 * @param {{ behind?: number, fault?: string }} read
 */
export function behindText({ behind = 0, fault = "" }) {
  if (fault)
    return el("p", { class: "refused" }, "What is read from the log has stopped: the newest entries are missing here.");
  return behind ? hintText(`${behind.toLocaleString("en-US")} newer entries of the log are still being read.`) : null;
}

/**
 * Pills that are links: one of several ways to look at the same.
 *
 * @param {string} label
 * @param {[value: string, text: string][]} options
 * @param {string} chosen
 * @param {(value: string) => string} address
 */
export function choice(label, options, chosen, address) {
  return el(
    "nav",
    { class: "choice", "aria-label": label },
    ...options.map(([value, said]) =>
      el("a", { href: address(value), "aria-current": value === chosen ? "page" : null }, said),
    ),
  );
}

/**
 * The day that is looked at: as the address says, or this one if something of it was counted, or the one before.
 *
 * @returns {Promise<string>}
 */
export async function dayAsked() {
  if (asked.day && /^\d{4}-\d\d-\d\d$/.test(asked.day)) return asked.day;
  const now = here.reads_results ? await ask("results") : await ask("accounts/table");
  const day = now.day ?? now.span;
  return (now.sums ?? now.accounts).length ? day : dayPlus(day, -1);
}

/**
 * The choice of a period: a gaming day, which the address leaves out, a month or a year.
 *
 * @param {string} period
 * @param {(period: string) => string} address
 * @param {string} [until] What is said of a month and a year besides.
 */
export const periodChoice = (period, address, until = "") =>
  choice(
    "Time",
    [
      ["day", "Gaming day"],
      ["month", `Month${until}`],
      ["year", `Year${until}`],
    ],
    period,
    (item) => address(item === "day" ? "" : item),
  );

/**
 * The day that is looked at: a date to choose, and the days before and after.
 *
 * @param {string} day
 * @param {(day: string) => string} address
 */
export function dayPicker(day, address) {
  const input = el("input", {
    id: "day",
    type: "date",
    value: day,
    onchange: () => {
      if (input.value) location.assign(address(input.value));
    },
  });
  return el(
    "div",
    { class: "day" },
    el("a", { class: "button", href: address(dayPlus(day, -1)), "aria-label": "The day before" }, "‹"),
    el("div", {}, el("label", { for: "day", class: "spoken" }, "Gaming day"), input),
    el("a", { class: "button", href: address(dayPlus(day, 1)), "aria-label": "The day after" }, "›"),
  );
}

/**
 * Set the heading of the page.
 *
 * @param {string} text
 */
export const title = (text) => {
  firstOf(".book-head h1").textContent = text;
};
