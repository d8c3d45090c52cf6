// The page of surveillance: what is open now, the tables, what may be filed, records and the log.

import { byId, fieldById } from "../dom.js";
import { el, embedded, fill, words } from "../elements.js";
import { get } from "../http.js";
import { money } from "../money.js";
import { figures, showPages } from "../office/lists.js";
import { parts, trying } from "../office/parts.js";
import { showShift } from "../office/shift.js";
import { LogTail } from "../regulator/log.js";
import { momentText, regulationName } from "../wording.js";
import { startFiling } from "./filing.js";

const EVERY_MS = 3000;
/** @type {Server.EmbeddedWatch} */
const data = embedded("watch-data");
/** @type {{ [kind: string]: string }} */
const NAMES = {
  dispute: "Dispute",
  faces: "Faces disputed",
  irregularity: "Irregularity",
  dice: "Dice condemned",
  debt: "Bank owes",
  past_posted: "Past-posted",
};
/** @type {Server.ListedTable[]} */
let tables = [];

async function showMatters() {
  /** @type {Server.MattersAnswer} */
  const { matters } = await get("/api/matters");
  byId("matters-as-of").textContent = `as of ${momentText(new Date())}`;
  fill(byId("matters"), matters, () =>
    matters.length
      ? matters.map(({ table, name, kind, text, clause }) =>
          el(
            "li",
            { class: `is-${kind}` },
            el("span", { class: "tag bad" }, NAMES[kind] ?? words(kind)),
            el("a", { href: `/tables/${encodeURIComponent(table)}/recall` }, name),
            el("span", {}, text),
            clause ? el("span", { class: "clause" }, clause) : null,
          ),
        )
      : el(
          "li",
          { class: "muted" },
          "Nothing: no dispute, irregularity, condemned dice, debt of a bank or past-posted wager.",
        ),
  );
}

async function showTables() {
  ({ tables } = await get("/api/tables"));
  const shown = tables.map((table) => [
    table.id,
    table.name,
    table.status,
    table.puck,
    table.players,
    table.places,
    table.shooter,
    table.roll,
  ]);
  fill(byId("watched"), shown, () =>
    figures(
      "Tables",
      ["Table", "Rules", "State", "Puck", "Players", "Shooter", "Rolls", "Limits", "Look"],
      tables.map((table) => {
        const path = `/tables/${encodeURIComponent(table.id)}`;
        return [
          el("th", { scope: "row" }, table.name),
          `${regulationName(table.regulation)}, ${words(table.game).toLowerCase()}, ${table.dice} dice`,
          words(table.status),
          table.puck ? `ON ${table.puck}` : "OFF",
          `${table.players} of ${table.places}`,
          table.shooter ? `Seat ${table.shooter}` : "none",
          String(table.roll),
          `${money(table.limits.min)} to ${money(table.limits.max)}`,
          el(
            "td",
            { class: "looks" },
            el("a", { href: path }, "Watch"),
            " ",
            el("a", { href: `${path}/recall` }, "Recall hands"),
          ),
        ];
      }),
      "No table has been opened yet.",
    ),
  );
  for (const id of ["report-table", "record-table"]) {
    const list = byId(id, HTMLSelectElement);
    const known = new Set([...list.options].map((option) => option.value));
    list.append(
      ...tables.filter((table) => !known.has(table.id)).map((table) => el("option", { value: table.id }, table.name)),
    );
  }
}

function showRecords() {
  const [kind, table, since, until] = ["kind", "record-table", "since", "until"].map((id) =>
    fieldById(id).value.trim(),
  );
  const told = Object.values(data.tables).flatMap((filing) =>
    filing.told.map(({ wager, count, clause }) => `${filing.name}: ${wager}, from ${count} on [${clause}]`),
  );
  byId("told").textContent =
    kind === "surveillance"
      ? told.length
        ? `Tables tell you of: ${told.join("; ")}.`
        : "No open table has a wager of which you must be told."
      : "";
  return showPages(byId("record-list"), kind, { table, since, until });
}

const tail = new LogTail(
  () => {},
  (act) => trying(byId("log"), act),
);
let isTailing = false;
const showLog = async () => {
  if (isTailing) return;
  isTailing = true;
  await tail.start();
};
for (const id of ["kind", "record-table", "since", "until"])
  byId(id).addEventListener("change", () => trying(byId("records"), showRecords));
startFiling(data.tables, () => tables, showMatters);
trying(byId("matters"), showMatters);
setInterval(() => {
  if (!document.hidden) Promise.all([showMatters(), showTables()]).catch(() => {});
}, EVERY_MS); // the next one shows what this one could not
parts({
  tables: () => Promise.all([showTables(), showShift(byId("shift-totals"))]),
  file: showTables,
  records: async () => {
    await showTables();
    await showRecords();
  },
  log: showLog,
});
