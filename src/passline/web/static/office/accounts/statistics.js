// Statistics: win, drop, hold and theoretical win of a day, month and year, beside the month before and a year ago.

import { el, hintText, setChildren, words } from "../../elements.js";
import { currencySign } from "../../money.js";
import { loadBook } from "../book.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  choice,
  countWithLuck,
  dayAsked,
  dayPicker,
  figure,
  host,
  ledger,
  linkTo,
  path,
  percent,
  RARITY_HINT,
  rarity,
  spanText,
} from "./shared.js";

/** @import { LedgerRow, Query } from "./shared.js" */

const by = asked.by ?? "table",
  only = asked.only ?? "";
const HEADS = [
  "Time",
  `Drop ${currencySign()}`,
  `Win ${currencySign()}`,
  "Hold",
  `Handle ${currencySign()}`,
  "Of handle",
  `Theoretical ${currencySign()}`,
  "Base hold",
  "Of handle",
  `Band ${currencySign()}`,
  "Luck alone, at most",
  "Known",
];
/** @type {{ [name in Server.Statistic["time"]]: (row: Server.Statistic) => string }} */
const TIMES = {
  day: (row) => spanText(row.last),
  month: (row) => `${spanText(row.last.slice(0, 7))} until then`,
  year: (row) => `${row.last.slice(0, 4)} until then`,
  month_before: (row) => `${spanText(row.last.slice(0, 7))} to the ${Number(row.last.slice(8))}.`,
  month_of_year_before: (row) => `${spanText(row.last.slice(0, 7))} to the ${Number(row.last.slice(8))}.`,
};
let looked = 0; // how many figures of the page have luck

async function load() {
  const [day] = await Promise.all([dayAsked(), loadBook()]);
  /** @type {Server.StatisticsAnswer} */
  const found = await ask("statistics", { day, by, only });
  looked = countWithLuck(found.statistics.map((row) => ({ ...row, first: 0, last: 0, won: row.won })));
  /** @param {Query} change */
  const address = (change) => linkTo("statistics", { day, by: by === "table" ? "" : by, only, ...change });
  setChildren(
    host,
    el(
      "div",
      { class: "asked" },
      dayPicker(day, (other) => address({ day: other })),
      choice(
        "Sums",
        [
          ["table", "By table"],
          ["pit", "By pit"],
          ["shift", "By shift"],
          ["game", "By game"],
          ["house", "The house"],
        ],
        by,
        (item) => linkTo("statistics", { day, by: item === "table" ? "" : item }),
      ),
      only ? el("a", { class: "button", href: linkTo("statistics", { day, by }) }, "All") : null,
    ),
    el(
      "section",
      { class: "panel", "aria-labelledby": "statistics-title" },
      el(
        "div",
        { class: "heading" },
        el("h2", { id: "statistics-title" }, only || `${words(by)}: until ${spanText(day)}`),
        fileLink(day, "xlsx", "As a workbook"),
        fileLink(day, "pdf", "As a PDF"),
      ),
      ledger("Statistics", [by === "house" ? "House" : words(by), ...HEADS], rowsOf(found.statistics, address), {
        words: 2,
        none: "Nothing was counted or played.",
      }),
      hintText(
        "Hold: counted win as a share of the drop, and win by the ledger as a share of the handle, the keyed wagers " +
          "that were decided. Base hold: what the wagers that were made leave the house by their exact laws, as a " +
          "share of the drop or of the handle. Band: what was won stays in it by luck alone, but for one figure in 20.",
      ),
      hintText("Known: the share of the rolls whose wagers were keyed in. Of the others no base hold can be known."),
      hintText(RARITY_HINT),
      behindText(found),
    ),
  );
}

/**
 * @param {string} day
 * @param {string} format
 * @param {string} said
 */
const fileLink = (day, format, said) =>
  el(
    "a",
    { class: "button small", href: `${path}/statistics?${new URLSearchParams({ day, by, only, format })}` },
    said,
  );

/**
 * The rows: the times of each subject below each other.
 *
 * @param {Server.Statistic[]} found
 * @param {(change: Query) => string} address
 * @returns {LedgerRow[]}
 */
function rowsOf(found, address) {
  return found.map((row, number) => {
    const isFirst = found[number - 1]?.subject !== row.subject,
      name = `${row.subject || "all"}, ${TIMES[row.time](row)}`,
      called = row.subject || (by === "house" ? "All tables" : `no ${by} on record`);
    const band = row.low === null ? "–" : `${amount(row.low)} to ${amount(row.high)}`;
    return {
      cells: [
        isFirst
          ? el(
              "th",
              { scope: "row" },
              row.subject && !only ? el("a", { href: address({ only: row.subject }) }, called) : called,
            )
          : el("td", {}),
        el(
          "td",
          {},
          TIMES[row.time](row),
          row.unknown ? el("span", { class: "tag warn" }, `${row.unknown} not known`) : null,
        ),
        figure(row.days ? amount(row.drop) : "–"),
        figure(row.days ? amount(row.win) : "–"),
        figure(percent(row.hold)),
        figure(amount(row.handle)),
        figure(percent(row.hold_of_handle)),
        figure(amount(row.theoretical)),
        figure(percent(row.base_hold)),
        figure(percent(row.base_hold_of_handle, 2)),
        figure(band),
        rarity({ ...row, first: 0, last: 0 }, looked, "", name),
        figure(percent(row.keyed, 0)),
      ],
    };
  });
}

trying(host, load);
