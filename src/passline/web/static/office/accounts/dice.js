// Dice: what the rolls of each set say against it, as a curve with the bound at which it alarms.

import { el, setChildren } from "../../elements.js";
import { here, historyLink, loadBook, localText } from "../book.js";
import { evidenceChart, evidenceText } from "../charts.js";
import { trying } from "../parts.js";
import { foundByNow, promise } from "./found.js";
import { ask, asked, behindText, figure, host, ledger, linkTo, note, title } from "./shared.js";

/** @import { LedgerRow } from "./shared.js" */

const FACES = Array.from({ length: 6 }, (_, low) =>
  Array.from({ length: 6 - low }, (_none, more) => [low + 1, low + 1 + more]),
).flat();
const HARD = 36,
  EASY = 18; // one in so many rolls

async function load() {
  /** @type {[Server.DiceEvidenceAnswer, void]} */
  const [found] = await Promise.all([ask("dice-evidence", { table: asked.table ?? "" }), loadBook()]);
  const chosen =
    found.sets.find((one) => one.subject === asked.set) ??
    [...found.sets].sort((one, other) => rank(other) - rank(one))[0];
  const alarms = found.sets.filter((one) => one.alarm);
  title(asked.table ? `Dice of ${asked.table}` : "Dice");
  setChildren(
    host,
    alarms.length ? alarmed(alarms) : null,
    chosen ? curve(chosen) : null,
    el(
      "section",
      { class: "panel", "aria-labelledby": "sets-title" },
      el(
        "div",
        { class: "heading" },
        el("h2", { id: "sets-title" }, "Sets of dice"),
        asked.table ? el("a", { class: "which", href: linkTo("dice") }, "All tables") : null,
      ),
      ledger(
        "Evidence by set",
        ["Set", "In play since", "State", "Rolls", "Evidence", "Highest", "Alarm at"],
        found.sets.flatMap((one) => row(one, chosen)),
        { words: 3, none: "No physical dice were thrown." },
      ),
      ...promise(found),
      behindText(found),
    ),
  );
}

/**
 * Evidence as it stands in a column.
 *
 * @param {number} value
 */
const inColumn = (value) => (value >= 0.01 && value < 100 ? value.toFixed(2) : evidenceText(value));

/**
 * The bound of a set: as it was when it alarmed, or as it is now.
 *
 * @param {Server.DiceSetEvidence} set
 */
const boundOf = ({ alarm, bound }) => (alarm ? alarm.sets * alarm.one_in : bound);

/**
 * Which set is shown first: one that alarmed, else the most suspicious one in use.
 *
 * @param {Server.DiceSetEvidence} one
 */
const rank = (one) => (one.alarm ? 1e6 : 0) + (one.is_in_use ? 1e3 : 0) + one.log;

/** @param {Server.DiceSetEvidence[]} alarms */
function alarmed(alarms) {
  return el(
    "section",
    { class: "panel verdict is-red", "aria-labelledby": "alarm-title" },
    el(
      "h2",
      { id: "alarm-title" },
      alarms.length === 1 ? `The dice of ${alarms[0].table} alarmed` : `${alarms.length} sets of dice alarmed`,
    ),
    el(
      "p",
      {},
      "Take the dice out of play, keep them apart and have them inspected; look into the incident that was opened.",
    ),
    el(
      "div",
      { class: "buttons" },
      el("a", { class: "button first", href: `/office/${here.office}/incidents` }, "Incidents"),
      el("a", { class: "button", href: `/office/${here.office}/dice` }, "Take dice out of play"),
      ...[...new Set(alarms.map((one) => one.table))].map((table) =>
        el("a", { class: "button", href: historyLink("table", table) }, `History of ${table}`),
      ),
    ),
  );
}

/** @param {Server.DiceSetEvidence} one */
function curve(one) {
  const entries = here.reads_accounts ? linkTo("entries", { table: one.table, first: one.first, last: one.last }) : "";
  return el(
    "section",
    { class: "panel" },
    evidenceChart(
      `Evidence against set ${one.number} of ${one.table}`,
      `After each of ${one.rolls.toLocaleString("en-US")} rolls, as powers of ten. When the curve crosses the ` +
        "bound the dice go out of play.",
      one.curve.length ? one.curve : [[0, 0]],
      boundOf(one),
      ["Rolls", "Evidence"],
    ),
    one.dice.length
      ? el(
          "p",
          { class: "hint" },
          `Dice ${one.dice.join(", ")}. What is said against a die goes with it into every cup, to every table ` +
            "and over every closing.",
        )
      : null,
    one.parts.length > 1
      ? ledger(
          "What it is made of",
          ["Part", "Rolls", "Evidence"],
          one.parts.map((part) => ({
            cells: [
              el("th", { scope: "row" }, part.names.join(", ")),
              figure(part.rolls.toLocaleString("en-US"), entries),
              figure(inColumn(part.evidence), entries),
            ],
          })),
        )
      : null,
    foundByNow(one, entries),
    el(
      "details",
      {},
      el("summary", {}, "How often each roll came"),
      ledger(
        "Rolls",
        ["Roll", "Came", "Expected"],
        FACES.map(([low, high], number) => ({
          cells: [
            el("th", { scope: "row" }, `${low}-${high}`),
            figure(one.counts[number].toLocaleString("en-US"), entries),
            figure((one.rolls / (low === high ? HARD : EASY)).toFixed(1)),
          ],
        })),
      ),
    ),
    entries ? el("p", {}, el("a", { class: "which", href: entries }, `Entries ${one.first} to ${one.last}`)) : null,
  );
}

/**
 * @param {Server.DiceSetEvidence} one
 * @param {Server.DiceSetEvidence} chosen
 * @returns {LedgerRow[]}
 */
function row(one, chosen) {
  const to = linkTo("dice", { table: asked.table, set: one.subject }),
    name = `set ${one.number} of ${one.table}`;
  const line = {
    kind: one === chosen ? "is-chosen" : "",
    cells: [
      el("th", { scope: "row" }, el("a", { href: to }, `${one.table}, set ${one.number}`)),
      el("td", {}, localText(one.at)),
      el(
        "td",
        {},
        one.alarm
          ? el("span", { class: "tag bad" }, "alarmed")
          : one.is_in_use
            ? el("span", { class: "tag on" }, "in use")
            : el("span", { class: "tag" }, "retired"),
      ),
      figure(one.rolls.toLocaleString("en-US"), to, `Rolls, ${name}`),
      figure(inColumn(one.evidence), to, `Evidence, ${name}`),
      figure(inColumn(Math.exp(one.highest_log)), to, `Highest evidence, ${name}`),
      figure(evidenceText(boundOf(one))),
    ],
  };
  return one.alarm
    ? [
        line,
        note(
          7,
          el(
            "span",
            { class: "tag bad" },
            `Came to ${evidenceText(one.alarm.evidence)} after ${one.alarm.rolls.toLocaleString("en-US")} rolls, ` +
              `${localText(one.alarm.at)}, entry ${one.alarm.sequence}`,
          ),
        ),
      ]
    : [line];
}

trying(host, load);
