// Dice: what the rolls of each set say against it, as a curve with the bound at which it alarms.

import { el, hintText, setChildren } from "../../elements.js";
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
    found.sets.find((set) => set.subject === asked.set) ??
    [...found.sets].sort((set, other) => rank(other) - rank(set))[0];
  const alarms = found.sets.filter((set) => set.alarm);
  title(asked.table ? `Dice of ${asked.table}` : "Dice");
  setChildren(
    host,
    alarms.length ? alarmPanel(alarms) : null,
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
        found.sets.flatMap((set) => row(set, chosen)),
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
 * @param {Server.DiceSetEvidence} set
 */
const rank = (set) => (set.alarm ? 1e6 : 0) + (set.is_in_use ? 1e3 : 0) + set.log;

/** @param {Server.DiceSetEvidence[]} alarms */
function alarmPanel(alarms) {
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
      ...[...new Set(alarms.map((set) => set.table))].map((table) =>
        el("a", { class: "button", href: historyLink("table", table) }, `History of ${table}`),
      ),
    ),
  );
}

/** @param {Server.DiceSetEvidence} set */
function curve(set) {
  const entries = here.reads_accounts ? linkTo("entries", { table: set.table, first: set.first, last: set.last }) : "";
  return el(
    "section",
    { class: "panel" },
    evidenceChart(
      `Evidence against set ${set.number} of ${set.table}`,
      `After each of ${set.rolls.toLocaleString("en-US")} rolls, as powers of ten. When the curve crosses the ` +
        "bound the dice go out of play.",
      set.curve.length ? set.curve : [[0, 0]],
      boundOf(set),
      ["Rolls", "Evidence"],
    ),
    set.dice.length
      ? hintText(
          `Dice ${set.dice.join(", ")}. What is said against a die goes with it into every cup, to every table ` +
            "and over every closing.",
        )
      : null,
    set.parts.length > 1
      ? ledger(
          "What it is made of",
          ["Part", "Rolls", "Evidence"],
          set.parts.map((part) => ({
            cells: [
              el("th", { scope: "row" }, part.names.join(", ")),
              figure(part.rolls.toLocaleString("en-US"), entries),
              figure(inColumn(part.evidence), entries),
            ],
          })),
        )
      : null,
    foundByNow(set, entries),
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
            figure(set.counts[number].toLocaleString("en-US"), entries),
            figure((set.rolls / (low === high ? HARD : EASY)).toFixed(1)),
          ],
        })),
      ),
    ),
    entries ? el("p", {}, el("a", { class: "which", href: entries }, `Entries ${set.first} to ${set.last}`)) : null,
  );
}

/**
 * @param {Server.DiceSetEvidence} set
 * @param {Server.DiceSetEvidence} chosen
 * @returns {LedgerRow[]}
 */
function row(set, chosen) {
  const to = linkTo("dice", { table: asked.table, set: set.subject }),
    name = `set ${set.number} of ${set.table}`;
  const line = {
    kind: set === chosen ? "is-chosen" : "",
    cells: [
      el("th", { scope: "row" }, el("a", { href: to }, `${set.table}, set ${set.number}`)),
      el("td", {}, localText(set.at)),
      el(
        "td",
        {},
        set.alarm
          ? el("span", { class: "tag bad" }, "alarmed")
          : set.is_in_use
            ? el("span", { class: "tag on" }, "in use")
            : el("span", { class: "tag" }, "retired"),
      ),
      figure(set.rolls.toLocaleString("en-US"), to, `Rolls, ${name}`),
      figure(inColumn(set.evidence), to, `Evidence, ${name}`),
      figure(inColumn(Math.exp(set.highest_log)), to, `Highest evidence, ${name}`),
      figure(evidenceText(boundOf(set))),
    ],
  };
  return set.alarm
    ? [
        line,
        note(
          7,
          el(
            "span",
            { class: "tag bad" },
            `Came to ${evidenceText(set.alarm.evidence)} after ${set.alarm.rolls.toLocaleString("en-US")} rolls, ` +
              `${localText(set.alarm.at)}, entry ${set.alarm.sequence}`,
          ),
        ),
      ]
    : [line];
}

trying(host, load);
