// How a win was counted: opener, closer, fills, credits and drop of each shift of a table, and the acts behind each.

import { el, setChildren, words } from "../../elements.js";
import { currencySign } from "../../money.js";
import { book, here, historyLink, loadBook, withNames } from "../book.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  figure,
  host,
  ledger,
  linkTo,
  note,
  percent,
  spanText,
  title,
} from "./shared.js";

/** @import { Child } from "../../elements.js" */
/** @import { LedgerRow } from "./shared.js" */
/** @typedef {"opener" | "closer" | "credits" | "drop" | "fills"} Part of a win */

/** @type {[key: Part, name: string][]} */
const PARTS = [
  ["closer", "Closer"],
  ["credits", "plus credits"],
  ["drop", "plus drop"],
  ["opener", "less opener"],
  ["fills", "less fills"],
];

async function load() {
  const { day = "", table = "", shift = "", crew = "" } = asked;
  /** @type {[Server.ResultsAnswer, void]} */
  const [found] = await Promise.all([ask("results", { day, table, shift, crew, by: "shift" }), loadBook()]);
  const about = [table, shift && `${shift} shift`, crew && `crew ${crew}`].filter(Boolean).join(", ");
  title(`How the win was counted${about ? `: ${about}` : ""}`);
  setChildren(
    host,
    el(
      "p",
      { class: "back" },
      el("a", { class: "which", href: linkTo("", { day: found.day }) }, `Accounts of ${spanText(found.day)}`),
    ),
    el("div", { class: "columns counted" }, ...found.shifts.map(panel)),
    found.shifts.length ? null : el("section", { class: "panel" }, el("p", {}, "Nothing was counted.")),
    behindText(found.as_of),
  );
}

/** @param {Server.ShiftResult} shift */
function panel(shift) {
  const name = `${shift.table}, ${shift.shift} shift`,
    of = historyLink("table", shift.table);
  const hands = here.reads_accounts ? linkTo("hands", { day: shift.day, table: shift.table, shift: shift.shift }) : of;
  /** @param {...Child} said */
  const wide = (...said) => el("td", { class: "wide" }, ...said);
  return el(
    "section",
    { class: "panel" },
    el(
      "div",
      { class: "heading" },
      el(
        "h2",
        {},
        shift.table,
        " ",
        el("span", { class: "hint" }, `${words(shift.shift)} shift, ${spanText(shift.day ?? "")}`),
      ),
      here.reads_accounts ? el("a", { class: "button small", href: hands }, "Its hands") : null,
    ),
    ledger(
      name,
      ["What", "Act", `Amount ${currencySign()}`],
      [
        ...PARTS.flatMap((part) => partRows(shift, part)),
        {
          kind: "sum all",
          cells: [
            el("th", { scope: "row" }, "Win"),
            wide(shift.hold === null ? "" : `hold ${percent(shift.hold)} of the drop`),
            figure(amount(shift.win), of, `Win, ${name}`),
          ],
        },
        {
          cells: [
            el("th", { scope: "row" }, "Ledger win"),
            wide(
              shift.ledger_win === null
                ? "not known: wagers were not keyed in, or a count is missing"
                : "by the keyed wagers",
            ),
            figure(amount(shift.ledger_win), hands, `Ledger win, ${name}`),
          ],
        },
        {
          cells: [
            el("th", { scope: "row" }, "Difference"),
            wide(
              shift.difference
                ? el("a", { class: "which", href: of }, "see the incidents of the table")
                : "counted less ledger",
            ),
            off(figure(amount(shift.difference), of, `Difference, ${name}`), shift.difference),
          ],
        },
        ...(shift.missing.length
          ? [note(3, el("span", { class: "tag warn" }, `Not known yet: ${shift.missing.map(withNames).join(", ")}`))]
          : []),
        ...shift.corrections.map((said) => note(3, el("span", { class: "tag warn" }, `Corrected: ${said}`))),
      ],
      { words: 2 },
    ),
  );
}

/**
 * A part of the win with the act behind it, or with several and their sum.
 *
 * @param {Server.ShiftResult} shift
 * @param {[key: Part, name: string]} part
 * @returns {LedgerRow[]}
 */
function partRows(shift, [key, name]) {
  const acts = shift.acts.filter((act) => act.column === key),
    head = (/** @type {Child[]} */ ...said) => el("th", { scope: "row" }, ...said),
    to = (/** @type {Server.EnteredAct} */ act) => `${link(act.about)}#act-${act.act}`;
  /**
   * @param {Server.EnteredAct} act
   * @param {Child} first
   */
  const row = (act, first) => ({
    cells: [
      first,
      el(
        "td",
        { class: "wide" },
        el("a", { class: "which", href: to(act) }, `Act ${act.act}, ${aboutWords(act.about)}`),
        act.is_correction ? el("span", { class: "tag warn" }, "correction") : null,
      ),
      figure(amount(act.cents), to(act), `${withNames(key)}, act ${act.act}`),
    ],
  });
  if (acts.length === 1 && acts[0].cents === shift[key]) return [row(acts[0], head(name))];
  const isMissing = shift.missing.length && !shift[key] && key !== "fills" && key !== "credits";
  const sum = {
    kind: acts.length ? "sum" : "",
    cells: [
      head(name),
      el("td", {}, acts.length ? `${acts.length} acts together` : isMissing ? "not counted yet" : "none"),
      figure(isMissing ? "–" : amount(shift[key]), acts.length ? to(acts[0]) : "", `${withNames(key)} together`),
    ],
  };
  return [...acts.map((act) => row(act, el("td", {}))), sum];
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {unknown} isOff
 */
const off = (cell, isOff) => {
  cell.classList.toggle("is-off", Boolean(isOff));
  return cell;
};
/**
 * @param {string} about
 * @returns {[kind: string, id: string]}
 */
const split = (about) => {
  const [kind, ...rest] = about.split("/");
  return [kind, rest.join("/")];
};
/** @param {string} about */
const link = (about) => historyLink(...split(about));
/** @param {string} about */
const aboutWords = (about) => {
  const [kind, id] = split(about);
  return `${book.things[kind]?.name ?? words(kind).toLowerCase()} ${id}`;
};

trying(host, load);
