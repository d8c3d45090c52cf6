// The regulator's first screen: what is open at the tables and in the offices, and what happened last.

import { byId } from "../dom.js";
import { el, fill, timeOf, words } from "../elements.js";
import { get } from "../http.js";
import { trying } from "../office/parts.js";
import { inWords, regulationName } from "../wording.js";

/** @typedef {{ tag: string, where: string, href: string, text: string, clause: string, since: string }} Open */

const EVERY_MS = 5000;
const LATEST = 12;
const READ = 60; // entries, of which those that only keep the log going are passed over
const OF_THE_LOG = new Set(["rulebook-kept/1", "office-kept/1"]);

/**
 * Show both lists, and again every few seconds.
 *
 * @param {HTMLElement} host
 */
export function followNow(host) {
  const show = () =>
    trying(host, async () => {
      /** @type {Server.TablesAnswer} */
      const { tables } = await get("/api/tables");
      showOpenTables(tables.filter((table) => table.status !== "closed"));
      await Promise.all([showOpen(), showLatest(new Map(tables.map((table) => [table.id, table.name])))]);
    });
  show();
  setInterval(() => {
    if (!document.hidden && !host.hidden) show();
  }, EVERY_MS);
}

/**
 * What an office has open: incidents that nobody closed, and deadlines that are over.
 *
 * @param {string} office
 * @returns {Promise<Open[]>}
 */
async function openIn(office) {
  /** @type {Server.Today} */
  const { incidents, due } = await get(`/api/office/${office}/today`);
  const where = `Office of ${regulationName(office)}`,
    href = `/office/${office}`;
  return [
    ...incidents.map((incident) => ({
      tag: "Incident",
      where,
      href: `${href}/history/incident/${encodeURIComponent(incident.id)}`,
      text: `${incident.id}: ${incident.why}`,
      clause: incident.clause,
      since: incident.since,
    })),
    ...due
      .filter((deadline) => deadline.is_overdue)
      .map((deadline) => ({
        tag: "Overdue",
        where,
        href: `${href}#due`,
        text: deadline.name,
        clause: deadline.clause,
        since: deadline.due,
      })),
  ];
}

async function showOpen() {
  /** @type {[Server.MattersAnswer, Server.OfficesAnswer]} */
  const [{ matters }, { offices }] = await Promise.all([get("/api/matters"), get("/api/office")]);
  const kept = offices.filter((office) => office.facility);
  /** @type {Open[]} */
  const atTables = matters.map((matter) => ({
    tag: words(matter.kind),
    where: matter.name,
    href: `/tables/${encodeURIComponent(matter.table)}/recall`,
    text: matter.text,
    clause: matter.clause,
    since: "",
  }));
  const open = [...atTables, ...(await Promise.all(kept.map((office) => openIn(office.name)))).flat()];
  byId("open-count").textContent = open.length ? `${open.length} open` : "";
  fill(byId("open-list"), open, () =>
    open.length
      ? open.map((each) =>
          el(
            "li",
            { class: "is-bad" },
            el(
              "div",
              { class: "heading" },
              el("a", { class: "which", href: each.href }, each.where),
              el("span", { class: "tag bad" }, each.tag),
            ),
            el(
              "p",
              {},
              `${each.text} `,
              each.clause && each.clause !== "practice" ? el("span", { class: "clause" }, each.clause) : null,
              each.since ? el("span", { class: "hint" }, ` since ${each.since}`) : null,
            ),
          ),
        )
      : el("li", { class: "muted" }, "Nothing is open: no dispute, incident, overdue duty or debt of a bank."),
  );
}

/** @param {number} count */
const playersText = (count) => (count ? `${count} ${count === 1 ? "player" : "players"}` : "nobody at it");

/** @param {Server.ListedTable[]} tables */
function showOpenTables(tables) {
  fill(byId("open-tables"), tables, () =>
    tables.length
      ? tables.map((table) =>
          el(
            "li",
            {},
            el("a", { href: `/tables/${encodeURIComponent(table.id)}/recall` }, table.name),
            ` ${regulationName(table.regulation)}, ${playersText(table.players)}${table.practice ? ", practice" : ""}`,
            table.status === "open" ? null : [" ", el("span", { class: "tag warn" }, words(table.status))],
          ),
        )
      : el("li", { class: "muted" }, "No table is open."),
  );
}

/**
 * Where an entry belongs, as people would say: the table "Felt One", the office of Maryland.
 *
 * @param {Server.LogEntry} entry
 * @param {Map<string, string>} tables
 */
function placeOf({ stream, sequence }, tables) {
  const [kind, name = ""] = stream.split("/", 2);
  if (kind === "table")
    return el("a", { href: `/tables/${encodeURIComponent(name)}/recall#${sequence}` }, tables.get(name) ?? name);
  if (kind === "office") return `Office of ${regulationName(name)}`;
  return words(name ? `${kind} ${name}` : kind);
}

/** @param {Server.LogEntry} entry */
const isTold = ({ events, lines }) => lines.length > 0 && events.some(({ event }) => !OF_THE_LOG.has(event));

/** @param {Map<string, string>} tables their names */
async function showLatest(tables) {
  const { sequence } = await get("/api/log/head");
  /** @type {Server.LogPage} */
  const { entries } = await get(`/api/log?before=${sequence + 1}&limit=${READ}`);
  const shown = entries.filter(isTold).slice(0, LATEST);
  fill(
    byId("happened"),
    shown.map((entry) => entry.sequence),
    () =>
      shown.length
        ? shown.map((entry) =>
            el(
              "li",
              {},
              el("p", { class: "what" }, entry.lines.map(inWords).join(" · ")),
              el(
                "p",
                { class: "hint" },
                timeOf(entry.at),
                " ",
                placeOf(entry, tables),
                entry.name ? `, ${entry.name}` : null,
              ),
            ),
          )
        : el("li", { class: "muted" }, "Nothing is on record yet."),
  );
}
