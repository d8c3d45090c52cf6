// Notes and chips: what counts say of thefts, by table and crew, and the smallest skim that they could find.

import { el, hintText, setChildren } from "../../elements.js";
import { currencySign } from "../../money.js";
import { here, historyLink, loadBook, personName } from "../book.js";
import { evidenceText } from "../charts.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  dayAsked,
  dayPicker,
  dollars,
  figure,
  host,
  ledger,
  linkTo,
  percent,
  spanText,
  workbookLink,
} from "./shared.js";

async function load() {
  const [day] = await Promise.all([dayAsked(), loadBook()]);
  /** @type {Server.TheftAnswer} */
  const found = await ask("theft", { day });
  const alarmed = found.lines.filter((line) => line.alarms.length);
  setChildren(
    host,
    el(
      "div",
      { class: "asked" },
      dayPicker(day, (other) => linkTo("theft", { day: other })),
    ),
    alarmed.length ? alarmPanel(alarmed) : null,
    look(found, "notes", "Notes", "Buy-ins that were recorded at the table, against what was counted in its box."),
    look(
      found,
      "chips",
      "Chips",
      "What the keyed wagers leave in the tray, against its count; and chips that nobody can explain of openers and " +
        "slips.",
    ),
    holds(found),
    el(
      "section",
      { class: "panel", "aria-labelledby": "assumed-title" },
      el("h2", { id: "assumed-title" }, "What these figures rest on"),
      el("ul", {}, ...found.assumptions.map((said) => el("li", {}, said))),
      behindText(found),
    ),
  );
}

/** @param {Server.SkimLine} line */
const nameOf = (line) => (line.kind === "table" ? line.subject : `Crew of ${personName(line.subject)}`);

/** @param {Server.SkimLine[]} lines */
function alarmPanel(lines) {
  return el(
    "section",
    { class: "panel verdict is-red", "aria-labelledby": "alarm-title" },
    el(
      "h2",
      { id: "alarm-title" },
      lines.length === 1 ? "Money is missing" : `Money is missing in ${lines.length} places`,
    ),
    el(
      "ul",
      {},
      ...lines.flatMap((line) =>
        line.alarms.map((alarm) =>
          el(
            "li",
            {},
            `${nameOf(line)}, ${line.look}: ${dollars(alarm.short)} short in ${alarm.shifts} shifts until ` +
              `${spanText(alarm.day)}, ${alarm.shift} shift, ${evidenceText(alarm.evidence)} to one against honest ` +
              "keying.",
          ),
        ),
      ),
    ),
    el(
      "div",
      { class: "buttons" },
      el("a", { class: "button first", href: `/office/${here.office}/incidents` }, "Incidents"),
    ),
  );
}

/**
 * @param {Server.TheftAnswer} found
 * @param {"notes" | "chips"} key
 * @param {string} name
 * @param {string} says
 */
function look(found, key, name, says) {
  const lines = found.lines.filter((line) => line.look === key);
  return el(
    "section",
    { class: "panel", "aria-labelledby": `${key}-title` },
    el("div", { class: "heading" }, el("h2", { id: `${key}-title` }, name), workbookLink("theft", { day: found.day })),
    hintText(says),
    ledger(
      `${name} by table and crew`,
      [
        "Table or crew",
        "Shifts",
        `Recorded ${currencySign()}`,
        `Short ${currencySign()}`,
        "Evidence",
        "Alarm at",
        `Smallest skim found ${currencySign()}`,
        ...(key === "notes" ? ["A tenth is found in"] : []),
      ],
      lines.map((line) => ({
        cells: [
          el(
            "th",
            { scope: "row" },
            nameOf(line),
            line.alarms.length ? el("span", { class: "tag warn" }, "alarm") : null,
          ),
          cell(line, line.shifts.toLocaleString("en-US"), "Shifts"),
          cell(line, amount(line.recorded), "Recorded"),
          cell(line, amount(line.short), "Short"),
          cell(
            line,
            line.evidence >= 0.01 && line.evidence < 100 ? line.evidence.toFixed(2) : evidenceText(line.evidence),
            "Evidence",
          ),
          cell(line, line.bound.toLocaleString("en-US"), "Alarm at"),
          cell(line, amount(line.smallest), "Smallest skim found"),
          ...(key === "notes"
            ? [
                cell(
                  line,
                  line.tenth === null ? "cannot be found" : line.tenth === 1 ? "1 shift" : `${line.tenth} shifts`,
                  "A tenth is found in",
                ),
              ]
            : []),
        ],
      })),
      {
        none:
          key === "notes" ? "No shift has both recorded buy-ins and a counted box." : "No shift was wholly counted.",
      },
    ),
    hintText(
      "The smallest skim is what somebody would have to take in every shift to be found within " +
        `${found.promised_shifts} ` +
        `shifts in ${found.found_in - 1} cases of ${found.found_in}, by the volumes of this quarter.`,
    ),
  );
}

/**
 * @param {Server.SkimLine} line
 * @param {string} said
 * @param {string} what
 */
function cell(line, said, what) {
  const byCrew = { crew: personName(line.subject), period: "month", by: "shift", day: asked.day };
  const to = line.kind === "table" ? historyLink("table", line.subject) : linkTo("", byCrew);
  return figure(said, to, `${what}, ${line.look}, ${nameOf(line)}`);
}

/** @param {Server.TheftAnswer} found */
function holds(found) {
  return el(
    "section",
    { class: "panel", "aria-labelledby": "hold-title" },
    el("h2", { id: "hold-title" }, "The hold"),
    hintText(
      "Luck moves the hold, so it shows far less. This is the least that it could show at best, by the exact " +
        "variance " +
        `of all that was dealt: one look after ${found.promised_shifts} shifts, by a normal law.`,
    ),
    ledger(
      "Hold by table",
      ["Table", "Shifts", `Luck of a shift ${currencySign()}`, `Smallest skim shown ${currencySign()}`, "Of the drop"],
      found.holds.map((power) => ({
        cells: [
          el("th", { scope: "row" }, power.table),
          ...[
            ["Shifts", power.shifts.toLocaleString("en-US")],
            ["Luck of a shift", amount(power.deviation)],
            ["Smallest skim shown", amount(power.smallest)],
            ["Of the drop", percent(power.share)],
          ].map(([what, said]) => figure(said, historyLink("table", power.table), `${what}, ${power.table}`)),
        ],
      })),
      { none: "No table with keyed wagers was wholly counted." },
    ),
  );
}

trying(host, load);
