// Accounts: what tables won, by count and by ledger, beside what they should have won; of a day, or until it.

import { el, hintText, setChildren, words } from "../../elements.js";
import { currencySign, withSign } from "../../money.js";
import { actLink, book, facility, gate, here, historyLink, loadBook, mayDo, withNames } from "../book.js";
import { bandChart, barChart } from "../charts.js";
import { label } from "../fields.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  choice,
  countWithLuck,
  crewText,
  dayAsked,
  dayPicker,
  dayPlus,
  dollars,
  figure,
  furthestText,
  host,
  ledger,
  linkTo,
  note,
  percent,
  periodAsked,
  periodChoice,
  RARITY_HINT,
  rarity,
  rarityText,
  shortSpan,
  spanOf,
  spanText,
  title,
  workbookLink,
} from "./shared.js";

/** @import { LedgerRow, Query } from "./shared.js" */
/** @typedef {Server.ResultsAnswer | null} Counted */
/** @typedef {{ isClosed: boolean, wrong: string[] }} Books of a gaming day */
/**
 * What was played: the accounts that the page lists, of a day also those of its shifts, and the one of all of it.
 *
 * @typedef {{
 *   accounts: Server.Figures[],
 *   shifts?: Server.Figures[],
 *   all?: Server.Figures | null,
 *   behind?: number,
 *   fault?: string,
 * } | null} Played
 */
/**
 * What was counted of a row; null: not known.
 *
 * @typedef {object} CountedRow
 * @property {number | null} drop
 * @property {number | null} win
 * @property {number | null} hold
 * @property {number | null} ledger_win
 * @property {number | null} difference
 * @property {number} [covered]
 * @property {string[]} [missing]
 * @property {number} [unknown]
 * @property {number | string[]} [corrections]
 */

const COUNTED = [`Drop ${currencySign()}`, `Win ${currencySign()}`, "Hold"],
  LEDGER = [`Ledger win ${currencySign()}`, `Difference ${currencySign()}`],
  PLAYED = [`Theoretical ${currencySign()}`, `Luck ${currencySign()}`, "Luck alone, at most", "Known"];
const DAYS_SHOWN = 14;
const CLOSE = "close_gaming_day";
/** @type {CountedRow} */
const NOBODY = { drop: null, win: null, hold: null, ledger_win: null, difference: null };

const period = periodAsked();
/** @type {{ table: string, pit: string, shift: string, crew: string }} */
const only = { table: asked.table ?? "", pit: asked.pit ?? "", shift: asked.shift ?? "", crew: asked.crew ?? "" };
const scope = only.table ? "table" : only.pit ? "pit" : "house"; // of the account of all of it
const people = asked.people ?? ""; // a whole crew, as accounts of play name it; "none": where none is on record
const isOne = Boolean(people) || Object.values(only).some(Boolean);
const by = asked.by ?? "table";
let looked = 0; // how many figures of the page have luck

/** Everything that is known of the period, as rows: {name, counted, played, links, shift, said}. */
async function load() {
  await loadBook();
  const day = await dayAsked();
  const span = spanOf(day, period);
  /** @type {[Counted, Played, Server.PlayedAnswer | null]} */
  const [counted, played, house] = await Promise.all([
    here.reads_results && !people ? ask("results", { day, period, by, ...only }) : null,
    here.reads_accounts ? playedOf(day, span) : null,
    here.reads_accounts && !only.shift && !only.crew && !people ? ask(`accounts/${scope}`, { period, span }) : null,
  ]);
  if (played) played.all = house?.accounts.find((account) => account.subject === (only.table || only.pit)) ?? null;
  const shown = figuresOf(played);
  looked = countWithLuck(shown);
  const books = counted && period === "day" ? await booksOf(counted) : null;
  const rows = rowsOf(counted, played, day);
  const what = [
    only.table,
    only.pit,
    only.shift && `${only.shift} shift`,
    only.crew && `crew ${only.crew}`,
    people && `crew ${crewText(people === "none" ? "" : people)}`,
  ]
    .filter(Boolean)
    .join(", ");
  title(`Accounts${what ? `: ${what}` : ""}`);
  /** @param {Query} change */
  const address = (change) =>
    linkTo("", { day, period: period === "day" ? "" : period, by: by === "table" ? "" : by, ...change });
  setChildren(
    host,
    el(
      "div",
      { class: "asked" },
      dayPicker(day, (other) => address({ day: other })),
      periodChoice(period, (other) => linkTo("", { day, period: other }), " to date"),
      isOne
        ? el("a", { class: "button", href: linkTo("", { day, period }) }, "All tables")
        : choice(
            "Sums",
            [
              ["table", "By table"],
              ["pit", "By pit"],
              ...(period === "day" ? [["shift", "By shift"]] : [["day", period === "month" ? "By day" : "By month"]]),
              ["crew", "By crew"],
              ["game", "By game"],
            ].map(([item, said]) => [item === "day" && period === "year" ? "month" : item, said]),
            by,
            (item) => linkTo("", { day, period: period === "day" ? "" : period, by: item === "table" ? "" : item }),
          ),
      books ? booksPanel(books, day) : null,
    ),
    tiles(counted, played),
    el(
      "section",
      { class: "panel", "aria-labelledby": "figures-title" },
      el(
        "div",
        { class: "heading" },
        el("h2", { id: "figures-title" }, heading(day)),
        counted ? workbookLink("results", { day, period, by }) : null,
      ),
      by === "crew"
        ? crews(counted, played, day)
        : ledger("Accounts", heads(), rows, { words: wordsOf(), none: "No table was counted or played." }),
      played ? el("p", { class: "below" }, furthestText(shown, sentenceName)) : null,
      period !== "day" && played && by !== "day" && by !== "month"
        ? hintText(
            `Counts are added up until ${spanText(day)}; theoretical win and luck are of all that was played ` +
              `in ${spanText(span)}.`,
          )
        : null,
      played
        ? hintText(
            "Theoretical: what the wagers were worth to the house, exactly. Luck: what the dice brought beyond " +
              "it. Known: the share of the rolls whose wagers were keyed in; of the others nobody knows more " +
              "than the count.",
          )
        : null,
      played ? hintText(RARITY_HINT) : null,
      behindText(counted?.as_of ?? {}) ?? behindText(played ?? {}),
    ),
    await charts(counted, day),
  );
}

/** @param {string} day */
const heading = (day) =>
  ({
    day: spanText(day),
    month: `${spanText(day.slice(0, 7))} until ${spanText(day)}`,
    year: `${day.slice(0, 4)} until ${spanText(day)}`,
  })[period];

/**
 * What was played, by whatever the rows are: tables, the house by shift, crews, days or months.
 *
 * @param {string} day
 * @param {string} span
 * @returns {Promise<Played>}
 */
async function playedOf(day, span) {
  if (by === "crew" || by === "game" || by === "pit") return ask(`accounts/${by}`, { period, span });
  if (by === "day" || by === "month") {
    if (only.shift || only.crew) return null;
    const of = { subject: people === "none" ? "" : people || only.table || only.pit };
    return ask(`accounts/${people ? "crew" : scope}/course`, {
      period: by,
      since: by === "day" ? span : `${span}-01`,
      until: by === "day" ? dayPlus(day, 1) : `${day.slice(0, 7)}~`,
      ...of,
    });
  }
  const shifts = facility().shifts.map((shift) => `${day} ${shift.name}`);
  if (by === "shift") {
    const all = await Promise.all(shifts.map((shift) => ask("accounts/house", { period: "shift", span: shift })));
    return { ...all[0], scope: "house", accounts: all.flatMap((item) => item.accounts) };
  }
  const found = await ask("accounts/table", { period, span });
  if (period !== "day") return found;
  const all = await Promise.all(shifts.map((shift) => ask("accounts/table", { period: "shift", span: shift })));
  return { ...found, shifts: all.flatMap((item) => item.accounts) };
}

/**
 * All accounts of play that the page shows.
 *
 * @param {Played} played
 * @returns {(Server.Figures | null | undefined)[]}
 */
function figuresOf(played) {
  const rows = [...(played?.accounts ?? []), ...(played?.shifts ?? [])];
  return [
    ...rows.filter((account) => !only.table || account.subject === only.table || account.scope !== "table"),
    played?.all,
  ];
}

/**
 * What an account is called in a sentence.
 *
 * @param {Server.Figures} account
 */
function sentenceName(account) {
  if (account.scope === "crew") return crewText(account.subject);
  if (account.scope === "game") return words(account.subject);
  const when = account.period === "shift" || by === "day" || by === "month" ? spanText(account.span) : "";
  return [account.subject || "all tables", when].filter(Boolean).join(", ");
}

const wordsOf = () => (by === "table" && period === "day" ? 2 : 1);
const heads = () => [
  by === "table" ? "Table" : words(by),
  ...(wordsOf() === 2 ? ["Shift"] : []),
  ...(here.reads_results ? [...COUNTED, ...LEDGER] : []),
  ...(here.reads_accounts ? PLAYED : []),
];

/**
 * The figures of a row: counted ones lead to their acts, played ones to their hands.
 *
 * @param {string} name
 * @param {CountedRow | null | undefined} counted
 * @param {Server.Figures | null | undefined} played
 * @param {string} to
 * @param {string} toPlayed
 * @returns {HTMLTableCellElement[]}
 */
function cells(name, counted, played, to, toPlayed) {
  const row = counted ?? NOBODY,
    isCovered = row.covered !== 0 && row.ledger_win !== null;
  const seen = here.reads_results
    ? [
        figure(amount(row.drop), to, `Drop, ${name}`),
        figure(amount(row.win), to, `Win, ${name}`),
        figure(percent(row.hold), to, `Hold, ${name}`),
        figure(isCovered ? amount(row.ledger_win) : "–", toPlayed || to, `Ledger win, ${name}`),
        differs(isCovered ? row.difference : null, to, name),
      ]
    : [];
  if (!here.reads_accounts) return seen;
  const isKnown = played && played.rolls > 0;
  return [
    ...seen,
    figure(isKnown ? amount(played.theoretical) : "–", toPlayed, `Theoretical win, ${name}`),
    figure(isKnown ? amount(played.luck) : "–", toPlayed, `Luck, ${name}`),
    rarity(isKnown ? played : null, looked, toPlayed, name),
    figure(played ? percent(played.coverage, 0) : "–", toPlayed, `Known, ${name}`),
  ];
}

/**
 * @param {number | null} cents
 * @param {string} to
 * @param {string} name
 */
function differs(cents, to, name) {
  const cell = figure(amount(cents), to, `Difference, ${name}`);
  if (cents) cell.classList.add("is-off");
  return cell;
}

/**
 * What is to be said of a row: what is not known yet, what was corrected.
 *
 * @param {number} columns
 * @param {CountedRow | null | undefined} counted
 * @param {Server.Figures | null | undefined} played
 * @param {string} to
 * @returns {LedgerRow[]}
 */
function remarksOf(columns, counted, played, to) {
  const missing = counted?.missing?.length
    ? `Not known yet: ${counted.missing.map(withNames).join(", ")}.`
    : counted?.unknown
      ? `${counted.unknown} ${counted.unknown === 1 ? "gaming day of a table is" : "gaming days of tables are"} ` +
        "not known yet, and not in these sums."
      : "";
  const corrected = Array.isArray(counted?.corrections)
    ? counted.corrections.map((correction) => `Corrected: ${correction}.`)
    : counted?.corrections
      ? [`${counted.corrections} ${counted.corrections === 1 ? "correction" : "corrections"} of counts.`]
      : [];
  const rolls = played?.corrections
    ? `${played.corrections === 1 ? "A roll was" : `${played.corrections} rolls were`} corrected: ` +
      `${withSign(amount(played.corrected))} of the luck.`
    : "";
  const all = [
    missing ? el("span", { class: "tag warn" }, missing) : null,
    ...corrected.map((item) => el("a", { class: "tag warn", href: to }, item)),
    rolls ? el("span", { class: "tag warn" }, rolls) : null,
  ].filter(Boolean);
  return all.length ? [note(columns, ...all)] : [];
}

/**
 * @param {Counted} counted
 * @param {Played} played
 * @param {string} day
 * @returns {LedgerRow[]}
 */
function rowsOf(counted, played, day) {
  const columns = heads().length;
  if (by === "crew") return [];
  if (by === "table" && period === "day") return dayRows(counted, played, day, columns);
  const asTables = by === "table" ? (played?.accounts ?? []).filter((own) => isShown(own.subject, counted)) : null;
  const of = new Map((asTables ?? played?.accounts ?? []).map((account) => [keyOf(account), account]));
  const sums = new Map((counted?.sums ?? []).map((sum) => [sum.name, sum]));
  const rows = [...new Set([...sums.keys(), ...of.keys()])].sort().flatMap((name) => {
    const { to, toPlayed } = behind(name, day),
      seen = by === "day" || by === "month" ? spanText(name) : by === "game" ? words(name) : name || "no pit on record";
    return [
      { cells: [el("th", { scope: "row" }, seen), ...cells(seen, sums.get(name), of.get(name), to, toPlayed)] },
      ...remarksOf(columns, sums.get(name), of.get(name), to),
    ];
  });
  return counted && sums.size > 1
    ? [
        ...rows,
        {
          kind: "sum",
          cells: [el("th", { scope: "row" }, "All"), ...cells("all", counted.total, played?.all, ...allLinks(day))],
        },
      ]
    : rows;
}

/**
 * @param {Server.Figures} account
 * @returns {string}
 */
const keyOf = (account) =>
  by === "table" || by === "game" || by === "pit"
    ? account.subject
    : by === "shift"
      ? account.span.split(" ").slice(1).join(" ")
      : account.span;

/**
 * Where the figures of a row lead: a longer time to its months and days, a day to its tables, a shift to acts and
 * hands.
 *
 * @param {string} name
 * @param {string} day
 * @returns {{ to: string, toPlayed: string }}
 */
function behind(name, day) {
  if (by === "game") return twice(linkTo("", { day, period: period === "day" ? "" : period }));
  if (by === "pit") return twice(linkTo("", { day, period: period === "day" ? "" : period, pit: name }));
  if (by === "day")
    return twice(people ? linkTo("hands", { day: name, crew: people }) : linkTo("", { day: name, ...only }));
  if (by === "month")
    return twice(
      linkTo("", { day: name === day.slice(0, 7) ? day : lastOf(name), period: "month", by: "day", people, ...only }),
    );
  if (period !== "day")
    return twice(linkTo("", { day, period, by: period === "month" ? "day" : "month", table: name }));
  return { to: linkTo("counted", { day, shift: name }), toPlayed: linkTo("hands", { day, shift: name }) };
}
/**
 * Where the sum of all rows leads: a longer time to its days or months, from which one goes on.
 *
 * @param {string} day
 * @returns {[to: string, toPlayed: string]}
 */
function allLinks(day) {
  if (period === "day") return [linkTo("counted", { day }), linkTo("hands", { day })];
  return by === "table" ? [daysOf(day), daysOf(day)] : ["", ""];
}
/** @param {string} day */
const daysOf = (day) => linkTo("", { day, period, by: period === "month" ? "day" : "month" });
/** @param {string} to */
const twice = (to) => ({ to, toPlayed: to });
/** @param {string} month */
const lastOf = (month) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);

/**
 * The shifts of each table, with a sum below where there are several, and all tables last.
 *
 * @param {Counted} counted
 * @param {Played} played
 * @param {string} day
 * @param {number} columns
 * @returns {LedgerRow[]}
 */
function dayRows(counted, played, day, columns) {
  const order = facility().shifts.map((shift) => shift.name),
    rows = [];
  const shifts = new Map((counted?.shifts ?? []).map((shift) => [`${shift.table} ${shift.shift}`, shift]));
  const hands = new Map(
    (played?.shifts ?? []).map((account) => [
      `${account.subject} ${account.span.split(" ").slice(1).join(" ")}`,
      account,
    ]),
  );
  const tables = [
    ...new Set([
      ...(counted?.sums ?? []).map((sum) => sum.name),
      ...(played?.accounts ?? []).map((account) => account.subject),
    ]),
  ].sort();
  for (const table of tables.filter((table) => isShown(table, counted))) {
    const own = order.filter((shift) => shifts.has(`${table} ${shift}`) || hands.has(`${table} ${shift}`));
    own.forEach((shift, number) => {
      const each = shifts.get(`${table} ${shift}`),
        to = linkTo("counted", { day, table, shift });
      const shown = each?.missing.length ? { ...each, drop: each.drop || null } : each;
      rows.push(
        {
          cells: [
            number
              ? el("td", {})
              : el("th", { scope: "row", id: `table-${table}` }, el("a", { href: historyLink("table", table) }, table)),
            el("td", {}, words(shift)),
            ...cells(
              `${table}, ${shift}`,
              shown,
              hands.get(`${table} ${shift}`),
              to,
              linkTo("hands", { day, table, shift }),
            ),
          ],
        },
        ...remarksOf(columns, each, hands.get(`${table} ${shift}`), to),
      );
    });
    if (own.length > 1)
      rows.push({
        kind: "sum",
        cells: [
          el("td", {}),
          el("td", {}, "All shifts"),
          ...cells(
            `${table}, all shifts`,
            sumOrUnknown(counted?.sums.find((sum) => sum.name === table)),
            played?.accounts.find((account) => account.subject === table),
            linkTo("counted", { day, table }),
            linkTo("hands", { day, table }),
          ),
        ],
      });
  }
  if (tables.length > 1 && !only.table && counted?.sums.length)
    rows.push({
      kind: "sum all",
      cells: [
        el("th", { scope: "row" }, "All tables"),
        el("td", {}),
        ...cells(
          "all tables",
          sumOrUnknown(counted.total),
          played?.all,
          linkTo("counted", { day }),
          linkTo("hands", { day }),
        ),
      ],
    });
  return rows;
}

/**
 * A sum of which nothing is known has no figures.
 *
 * @param {Server.SumOfPeriod | undefined} sum
 * @returns {CountedRow | undefined}
 */
const sumOrUnknown = (sum) => (sum && !sum.days ? { ...NOBODY } : sum);

/**
 * Whether a table is among those that are asked for; which tables stood in a pit is known from their counts.
 *
 * @param {string} table
 * @param {Counted} counted
 */
const isShown = (table, counted) =>
  (!only.table || table === only.table) && (!only.pit || (counted?.sums ?? []).some((sum) => sum.name === table));

/**
 * Counted by the boxpersons of a shift, and played by the whole crew: two lists, since nobody counts between crews.
 *
 * @param {Counted} counted
 * @param {Played} played
 * @param {string} day
 */
function crews(counted, played, day) {
  const list = [];
  if (counted)
    list.push(
      el("h3", {}, "Counted, by boxpersons of a shift"),
      ledger(
        "Counted by crew",
        ["Boxpersons", ...COUNTED, ...LEDGER],
        counted.sums.flatMap((sum) => {
          const to =
            period === "day"
              ? linkTo("counted", { day, crew: sum.name })
              : linkTo("", { day, period, by: period === "month" ? "day" : "month", crew: sum.name });
          return [
            {
              cells: [
                el("th", { scope: "row" }, sum.name),
                ...cells(sum.name, sumOrUnknown(sum), null, to, "").slice(0, 5),
              ],
            },
            ...remarksOf(6, sum, null, to),
          ];
        }),
        { none: "Nothing was counted." },
      ),
    );
  if (played)
    list.push(
      el("h3", {}, "Played, by crew at the table"),
      ledger(
        "Played by crew",
        ["Crew", "Rolls", `Won ${currencySign()}`, ...PLAYED],
        played.accounts.flatMap((account) => {
          const name = label(crewText(account.subject)),
            crew = account.subject || "none",
            isKnown = account.rolls > 0;
          const to =
            period === "day"
              ? linkTo("hands", { day, crew })
              : linkTo("", { day, period, by: period === "month" ? "day" : "month", people: crew });
          return [
            {
              cells: [
                el("th", { scope: "row", class: "wide" }, name),
                figure((account.rolls + account.unkeyed).toLocaleString("en-US"), to, `Rolls, ${name}`),
                figure(isKnown ? amount(account.won) : "–", to, `Won, ${name}`),
                ...cells(name, null, account, "", to).slice(-4),
              ],
            },
            ...remarksOf(7, null, account, to),
          ];
        }),
        { none: "Nothing was played." },
      ),
    );
  return el("div", { class: "stack" }, ...list);
}

/**
 * The sums on top.
 *
 * @param {Counted} counted
 * @param {Played} played
 */
function tiles(counted, played) {
  const all = counted?.total,
    list = [];
  if (all?.days)
    list.push(
      ["Drop", withSign(amount(all.drop))],
      ["Win", withSign(amount(all.win))],
      ["Hold", percent(all.hold)],
      ["Over the ledgers", all.covered ? withSign(amount(all.difference)) : "not covered"],
    );
  const own = played?.all;
  if (own?.rolls)
    list.push(
      ["Theoretical win", withSign(amount(own.theoretical))],
      [
        "Luck of the house",
        withSign(amount(own.luck)),
        own.one_in ? rarityText(own, looked).replace(/^1/, "luck alone at most 1") : "",
      ],
    );
  return list.length
    ? el(
        "dl",
        { class: "sums" },
        ...list.map(([name, value, small]) =>
          el("div", {}, el("dt", {}, name), el("dd", {}, value, small ? el("small", {}, ` ${small}`) : null)),
        ),
      )
    : null;
}

/**
 * Whether the books of the day are closed: the act that closed them, or what stands against it.
 *
 * @param {Server.ResultsAnswer} counted
 * @returns {Promise<Books | null>}
 */
async function booksOf({ day, is_closed: isClosed }) {
  return book.acts[CLOSE]
    ? { isClosed, wrong: isClosed ? [] : (await gate(CLOSE, day)).items.flatMap((item) => item.wrong) }
    : null;
}

/**
 * @param {Books} books
 * @param {string} day
 */
function booksPanel({ isClosed, wrong }, day) {
  if (isClosed)
    return el(
      "p",
      { class: "books" },
      el("span", { class: "tag on" }, "Books closed"),
      " ",
      el("a", { class: "which", href: historyLink("gaming_day", day) }, "The act that closed them"),
    );
  const act = book.acts[CLOSE];
  return el(
    "div",
    { class: "books" },
    el("span", { class: "tag warn" }, "Books open"),
    " ",
    wrong.length
      ? el(
          "details",
          {},
          el(
            "summary",
            {},
            `${wrong.length} ${wrong.length === 1 ? "thing stands" : "things stand"} against closing them`,
          ),
          el("ul", {}, ...wrong.map((fault) => el("li", {}, label(withNames(fault))))),
        )
      : mayDo(act)
        ? el("a", { class: "button", href: actLink(CLOSE, [day]) }, act.name)
        : el("span", { class: "hint" }, "Nothing stands against closing them."),
  );
}

/**
 * Win against what was expected by day, and hold by table.
 *
 * @param {Counted} counted
 * @param {string} day
 */
async function charts(counted, day) {
  const list = [];
  if (here.reads_accounts && !only.shift && !only.crew && !people) {
    const isMonths = period === "year",
      since =
        period === "day"
          ? dayPlus(day, 1 - DAYS_SHOWN)
          : period === "month"
            ? day.slice(0, 7)
            : `${day.slice(0, 4)}-01`;
    /** @type {Server.PlayedAnswer} */
    const course = await ask(`accounts/${scope}/course`, {
      period: isMonths ? "month" : "day",
      since,
      until: isMonths ? `${day.slice(0, 7)}~` : dayPlus(day, 1),
      subject: only.table || only.pit,
    });
    const items = course.accounts
      .filter((account) => account.rolls > 0)
      .map((account) => ({
        name: shortSpan(account.span),
        expected: account.theoretical - account.carried,
        actual: account.won,
        low: account.low,
        high: account.high,
        href: isMonths
          ? linkTo("", {
              day: account.span === day.slice(0, 7) ? day : lastOf(account.span),
              period: "month",
              by: "day",
              table: only.table,
            })
          : linkTo("", { day: account.span, table: only.table }),
      }));
    if (items.length)
      list.push(
        bandChart(
          `Win against expected${only.table || only.pit ? `, ${only.table || only.pit}` : ""}`,
          `Of keyed wagers. Luck alone leaves the band in at most one ${isMonths ? "month" : "day"} of 20, ` +
            "whatever was staked.",
          items,
          dollars,
          [isMonths ? "Month" : "Day", "Won", "Expected", "Band of luck"],
        ),
      );
  }
  const held =
    by === "table"
      ? (counted?.sums ?? []).map((sum) => ({
          name: sum.name,
          value: sum.days ? sum.hold : null,
          href: period === "day" ? linkTo("counted", { day, table: sum.name }) : behind(sum.name, day).to,
        }))
      : [];
  if (held.some(({ value }) => value !== null))
    list.push(
      barChart("Hold by table", "Counted win as a share of the drop.", held, percent, ["Table", "Hold"], (share) =>
        percent(share, Number.isInteger(Number((share * 100).toFixed(6))) ? 0 : 1),
      ),
    );
  return list.length
    ? el("div", { class: "columns" }, ...list.map((element) => el("section", { class: "panel" }, element)))
    : null;
}

trying(host, load);
