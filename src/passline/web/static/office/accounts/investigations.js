// Investigations into results beyond luck, open and closed, and what the tables bring to the gaming tax return.

import { el, hintText, setChildren, words } from "../../elements.js";
import { currencySign } from "../../money.js";
import { historyLink, loadBook, personName, withNames } from "../book.js";
import { label } from "../fields.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  choice,
  crewText,
  figure,
  host,
  ledger,
  linkTo,
  path,
  spanText,
  workbookLink,
} from "./shared.js";

async function load() {
  await loadBook();
  /** @type {[Server.InvestigationsAnswer, Server.TaxAnswer]} */
  const [found, tax] = await Promise.all([
    ask("investigations", { before: asked.before }),
    ask("tax", { year: asked.year }),
  ]);
  const open = found.investigations.filter((own) => own.state !== "closed"),
    closed = found.investigations.filter((own) => own.state === "closed");
  setChildren(
    host,
    investigationsPanel(found, [
      ["open", "Open", open, asked.before ? "None of these is open." : "None is open."],
      ["closed", "Closed", closed, asked.before ? "None of these is closed." : "None was closed yet."],
    ]),
    taxPanel(tax),
  );
}

/**
 * @param {Server.InvestigationsAnswer} found
 * @param {[id: string, title: string, own: Server.ListedInvestigation[], none: string][]} parts
 */
function investigationsPanel(found, parts) {
  return el(
    "section",
    { class: "panel", "aria-labelledby": "investigations-title" },
    el(
      "div",
      { class: "heading" },
      el("h2", { id: "investigations-title" }, "Investigations"),
      workbookLink("investigations", asked.before ? { before: asked.before } : {}),
    ),
    hintText("What was won in a month and luck alone does not leave, of a table, a crew, a shift or the house."),
    ...parts.flatMap(([id, title, own, none]) => [
      el("h3", { id: `${id}-title` }, title),
      own.length
        ? el("ul", { class: "entries", "aria-labelledby": `${id}-title` }, ...own.map(row))
        : el("p", { class: "muted" }, none),
    ]),
    found.earlier
      ? el("p", {}, el("a", { href: linkTo("investigations", { before: found.earlier }) }, "Earlier investigations"))
      : null,
    behindText(found),
  );
}

/** @param {Server.ListedInvestigation} own */
function row(own) {
  const tone = { open: "bad", closed: "on" }[own.state] ?? "warn",
    form = `${path}/investigations/${encodeURIComponent(own.id)}.pdf`;
  return el(
    "li",
    { class: own.state === "open" ? "is-bad" : "" },
    el(
      "div",
      { class: "heading" },
      el(
        "span",
        {},
        el("a", { class: "which", href: historyLink("incident", own.id) }, own.id),
        el("strong", {}, ` ${resultText(own)}, ${spanText(own.month)}`),
      ),
      el("span", { class: `tag ${tone}` }, words(own.state)),
    ),
    el("p", {}, label(withNames(own.why))),
    own.finding ? el("p", {}, `Found: ${own.finding}`) : null,
    own.outcome ? el("p", {}, `Outcome: ${own.outcome}`) : null,
    el(
      "p",
      { class: "hint" },
      `Opened ${own.opened}${own.closed ? `, closed ${own.closed}` : ""}. `,
      own.people.length ? `Involved: ${own.people.map(personName).join(", ")}.` : "Nobody is on record as crew.",
    ),
    el(
      "div",
      { class: "buttons" },
      el("a", { class: "button", href: form }, own.closed ? "The form (PDF)" : "The form, drafted from the log (PDF)"),
    ),
  );
}

/** @param {Server.ListedInvestigation} own */
const resultText = ({ scope, subject }) =>
  subject ? `${words(scope)} ${scope === "crew" ? crewText(subject) : subject}` : "The house";

/** @param {Server.TaxAnswer} tax */
function taxPanel(tax) {
  const year = String(tax.year),
    years = (asked.year ? [-1, 0, 1] : [-1, 0]).map((by) => String(tax.year + by)),
    hasTax = tax.months.some((own) => own.tax !== null),
    hasFees = tax.months.some((own) => own.fees !== 0);
  return el(
    "section",
    { class: "panel", "aria-labelledby": "tax-title" },
    el(
      "div",
      { class: "heading" },
      el("h2", { id: "tax-title" }, `Tax return, ${year}`),
      choice(
        "Year",
        years.map((other) => [other, other]),
        year,
        (other) => linkTo("investigations", { before: asked.before, year: other }),
      ),
      el(
        "div",
        { class: "buttons" },
        el(
          "a",
          { class: "button small", href: `${path}/tax?${new URLSearchParams({ year, format: "pdf" })}` },
          "The worksheet (PDF)",
        ),
        workbookLink("tax", { year }),
      ),
    ),
    ledger(
      `Gross revenue by month, ${year}`,
      [
        "Month",
        ...[
          "Drop",
          "Fills",
          "Credits",
          "Closers less openers",
          "Won by the tables",
          ...(hasFees ? ["Tournament fees"] : []),
          "Gross revenue",
          ...(hasTax ? ["Tax"] : []),
        ].map((head) => `${head} ${currencySign()}`),
        "Days not known",
      ],
      tax.months.length > 1 ? tax.months.map((own) => monthRow(own, tax.year, hasFees, hasTax)) : [],
      { none: "Nothing was counted in this year." },
    ),
    hintText(
      "By the counts, of the gaming days of tables that are known. ",
      hasTax
        ? "The tax is at the rate that the house has stated."
        : "The house has stated no rate, so the tax is not worked out.",
    ),
    behindText(tax),
  );
}

/**
 * @param {Server.TaxMonthShape} own
 * @param {number} year
 * @param {boolean} hasFees
 * @param {boolean} hasTax
 */
function monthRow(own, year, hasFees, hasTax) {
  const name = own.month ? spanText(own.month) : `${year} to date`,
    to = own.month
      ? linkTo("", { period: "month", day: `${own.month}-01` })
      : linkTo("", { period: "year", by: "month", day: `${year}-01-01` });
  /** @type {[string, number | null][]} */
  const figures = [
    ["Drop", own.drop],
    ["Fills", own.fills],
    ["Credits", own.credits],
    ["Closers less openers", own.inventory],
    ["Won by the tables", own.win],
    ...(hasFees ? [/** @type {[string, number]} */ (["Tournament fees", own.fees])] : []),
    ["Gross revenue", own.gross],
    ...(hasTax ? [/** @type {[string, number | null]} */ (["Tax", own.tax])] : []),
  ];
  return {
    kind: own.month ? "" : "sum",
    cells: [
      el("th", { scope: "row" }, el("a", { href: to }, name)),
      ...figures.map(([head, cents]) => figure(amount(cents), to, `${head}, ${name}`)),
      figure(String(own.unknown), own.unknown ? to : "", `Days not known, ${name}`),
    ],
  };
}

trying(host, load);
