// Today: what is due and overdue, what waits to be signed, incidents, figures not set, and how far each table is from
// opening.

import { byId } from "../dom.js";
import { buttonFor, el, hintText, titledPanel, words } from "../elements.js";
import { money } from "../money.js";
import { openAct } from "./act_form.js";
import {
  aboutText,
  amOf,
  book,
  clause,
  factList,
  groupWords,
  here,
  historyLink,
  isOfOutage,
  loadBook,
  mayDo,
  openLink,
  thingName,
  thingsOf,
  today,
  withNames,
} from "./book.js";
import { dueTogether } from "./due_together.js";
import { label } from "./fields.js";
import { openingPath, pathPanel } from "./first_table.js";
import { begin, flowTiles } from "./flows.js";
import { trying } from "./parts.js";
import { closeSheet, redraw } from "./sheet.js";
import { openSignature } from "./sign.js";
import { openSlips, slipBoard } from "./slips.js";
import { openValue } from "./values.js";

/** @typedef {(number: number, text: string, tone: string, to: string) => HTMLElement} Counter */

const found = document.getElementById("today"); // none before the office is set up
const host = found ?? el("div");
const EVERY_MS = 20_000;
let isLeading = true; // until a table was opened

async function load() {
  await loadBook();
  const now = await today();
  const way = here.gate && isLeading ? await openingPath() : { path: null, kept: "", owners: 0 };
  isLeading = Boolean(way.path);
  const numbered = Object.keys(book.things).filter(
    (kind) => book.things[kind].series && !isOfOutage(kind) && mySteps(kind).length,
  );
  const slips = await Promise.all(numbered.map(async (kind) => ({ kind, things: await thingsOf(kind) })));
  redraw(host, [now, slips, book.held, way], () => [
    summary(now),
    pathPanel(way, host, refresh),
    flowTiles(() => true),
    el(
      "div",
      { class: "today" },
      el(
        "div",
        { class: "stack" },
        toBegin(numbered),
        ...slips
          .filter(({ kind, things }) => openSlips(kind, things).length)
          .map(({ kind, things }) =>
            el(
              "section",
              { class: "panel", "aria-label": `${words(book.things[kind].name)}: under way` },
              el("h2", {}, words(book.things[kind].name)),
              ...slipBoard({ kind, things, refresh, canBegin: false }),
            ),
          ),
        askedOfMe(now.asked),
        due(now.due, now.asked),
        toSign(now.sign),
      ),
      el(
        "div",
        { class: "stack" },
        now.clock ? part("clock", "The clock", [el("li", { class: "is-bad" }, el("p", {}, now.clock))], "") : null,
        here.gate ? tables(now.tables) : null,
        now.rota.length ? rotaPanel(now.rota) : null,
        now.below_par.length ? belowPar(now.below_par) : null,
        now.coming.length ? comingPanel(now.coming) : null,
        incidents(now.incidents),
        missingSlips(now.slips),
        unsetPanel(now.unset),
        noticesPanel(now.told),
      ),
    ),
  ]);
}

const refresh = () => trying(host, load);

/**
 * What whoever opened the page does to numbered slips that are handed from one person to the next.
 *
 * @param {string} kind
 */
function mySteps(kind) {
  const about = Object.values(book.acts).filter((act) => act.thing === kind);
  return about.some((act) => act.new) ? about.filter((act) => mayDo(act) === "self") : [];
}

/**
 * What whoever opened the page begins, such as a fill; of slips that pass through their hands, who may begin them.
 *
 * @param {string[]} kinds
 */
function toBegin(kinds) {
  const begins = Object.entries(book.acts).filter(
    ([, act]) => act.new && kinds.includes(act.thing) && mayDo(act) === "self",
  );
  const others = Object.values(book.acts).filter(
    (act) => act.new && kinds.includes(act.thing) && !mayDo(act) && !begins.some(([, own]) => own.thing === act.thing),
  );
  return begins.length + others.length
    ? titledPanel(
        "begin-title",
        "To begin",
        begins.length
          ? el(
              "div",
              { class: "buttons begin" },
              ...begins.map(([key, act]) => buttonFor(act.name, () => trying(host, () => openAct(key, [], refresh)))),
            )
          : null,
        others.length
          ? el(
              "details",
              { class: "others" },
              el("summary", {}, `${others.length} begun by others`),
              el("ul", {}, ...others.map((act) => el("li", {}, `${act.name}: ${groupWords(act.by)}`))),
            )
          : null,
      )
    : null;
}

/** @param {Server.Today} now */
function summary(now) {
  const duties = dueTogether(now.due);
  const overdue = duties.filter(([deadline]) => deadline.is_overdue).length;
  /** @type {Counter} */
  const count = (number, text, tone, to) =>
    el("a", { class: `count ${number ? tone : ""}`, href: `#${to}` }, el("strong", {}, String(number)), ` ${text}`);
  return el(
    "div",
    { class: "counts" },
    el("p", {}, el("strong", {}, dayText(now.day)), el("span", { class: "hint" }, ` gaming day, ${now.shift} shift`)),
    el(
      "nav",
      { "aria-label": "Parts of today" },
      count(overdue, "overdue", "bad", "due"),
      count(duties.length - overdue, "due", "warn", "due"),
      count(now.sign.length, "to sign", "warn", "sign"),
      count(now.incidents.length, now.incidents.length === 1 ? "incident" : "incidents", "bad", "incidents"),
      here.gate && notReady(now.tables, count),
      el("a", { class: "count", href: `/office/${here.office}/forms` }, "Forms of the day"),
      here.reads_investigations
        ? el("a", { class: "count", href: `/office/${here.office}/accounts/investigations` }, "Investigations and tax")
        : null,
      here.reads_folders
        ? el(
            "a",
            { class: "count", href: `/api/office/${here.office}/folders/${now.day}`, download: "" },
            "The day's folder",
          )
        : null,
    ),
  );
}

/**
 * @param {Server.Gated[]} all
 * @param {Counter} count
 */
function notReady(all, count) {
  const red = all.filter((table) => !isOpen(table) && table.green < table.items).length;
  return count(red, red === 1 ? "table not ready" : "tables not ready", "warn", "tables");
}

/** @param {string} day */
function dayText(day) {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/**
 * @param {string} id
 * @param {string} title
 * @param {HTMLElement[]} rows
 * @param {string} none
 */
function part(id, title, rows, none) {
  return el(
    "section",
    { class: "panel", id, "aria-labelledby": `${id}-title` },
    el(
      "div",
      { class: "heading" },
      el("h2", { id: `${id}-title` }, title),
      rows.length ? el("span", { class: "hint" }, String(rows.length)) : null,
    ),
    rows.length ? el("ul", { class: "entries" }, ...rows) : el("p", { class: "muted" }, none),
  );
}

/**
 * Buttons for the acts that meet something: at once on this page.
 *
 * @param {string[]} keys
 * @param {string} kind
 * @param {string[]} ids
 */
function buttons(keys, kind, ids) {
  const known = keys.filter((key) => book.acts[key]);
  const can = known.filter((key) => mayDo(book.acts[key]));
  if (!can.length)
    return known.length ? hintText(`${book.acts[known[0]].name}: ${groupWords(book.acts[known[0]].by)}`) : null;
  return el(
    "div",
    { class: "buttons" },
    ...can.map((key) =>
      buttonFor(book.acts[key].name, () =>
        trying(host, () =>
          begin(
            key,
            book.acts[key].thing === kind && !book.acts[key].new && (book.acts[key].many || ids.length === 1)
              ? ids
              : [],
            refresh,
          ),
        ),
      ),
    ),
  );
}

/**
 * What was told after an outage for whoever opened the page: they say whether it is so. Nothing where nothing was.
 *
 * @param {Server.AskedPerson[]} all
 */
function askedOfMe(all) {
  const own = all.filter((asked) => asked.person === here.account);
  if (!own.length) return null;
  return part(
    "asked",
    "Told for you after an outage: is it so?",
    own.map((asked) =>
      el(
        "li",
        { class: asked.is_overdue ? "is-bad" : "" },
        el(
          "div",
          { class: "heading" },
          el("a", { class: "which", href: historyLink(asked.kind, asked.id) }, asked.id),
          el(
            "span",
            { class: `tag ${asked.is_overdue ? "bad" : "warn"}` },
            `${asked.is_overdue ? "Overdue since" : "By"} ${asked.due}`,
          ),
        ),
        el("p", {}, label(asked.why)),
        buttons(asked.acts, asked.kind, [asked.id]),
      ),
    ),
    "",
  );
}

/**
 * What has a deadline. What somebody else is asked, they answer themselves.
 *
 * @param {Server.Due[]} all
 * @param {Server.AskedPerson[]} asked
 */
function due(all, asked) {
  const others = new Set(asked.map((each) => `${each.kind}/${each.id}`));
  const own = new Set(asked.flatMap((each) => each.acts));
  return part(
    "due",
    "Due",
    dueTogether(all).map((group) => {
      const [deadline] = group,
        [kind] = deadline.about.split("/"),
        ids = group.map((each) => each.about.split("/").slice(1).join("/"));
      const about = deadline.about
        ? `${label(aboutText(deadline.about))}${ids
            .slice(1)
            .map((id) => `, ${thingName(kind, id)}`)
            .join("")}. `
        : "";
      return el(
        "li",
        { class: deadline.is_overdue ? "is-bad" : "" },
        el(
          "div",
          { class: "heading" },
          el("strong", {}, deadline.name),
          el(
            "span",
            { class: `tag ${deadline.is_overdue ? "bad" : "warn"}` },
            deadline.due ? `${deadline.is_overdue ? "Overdue since" : "By"} ${deadline.due}` : "No time is set yet",
          ),
        ),
        el(
          "p",
          {},
          about,
          `Owed by: ${deadline.owes}${deadline.to.length ? `, to the ${deadline.to.join(" and the ")}` : ""}. ` +
            `${deadline.then ? `${deadline.then} ` : ""}`,
          clause(deadline.clause),
        ),
        buttons(
          deadline.acts.filter((key) => !(others.has(deadline.about) && own.has(key))),
          kind,
          ids,
        ),
      );
    }),
    isLeading ? "Nothing has a deadline yet: follow the way to the first open table." : "Nothing is due.",
  );
}

/** @param {Server.ToSign[]} all */
function toSign(all) {
  return part(
    "sign",
    "To sign",
    all.map((entry) => {
      const act = book.acts[entry.act];
      const isOwn = entry.hands.includes(here.account),
        can = amOf(entry.roles) && !isOwn;
      return el(
        "li",
        {},
        el(
          "div",
          { class: "heading" },
          el("strong", {}, `No. ${entry.number}: ${entry.name}`),
          el("span", { class: "hint" }, entry.at),
        ),
        el(
          "p",
          {},
          `${label(entry.wants)} `,
          clause(entry.clause),
          el("br"),
          el(
            "span",
            { class: "hint" },
            `Recorded by ${entry.by}${entry.things.length ? ": " : ""}`,
            entry.things.map((id) => thingName(act.thing, id)).join(", "),
          ),
        ),
        factList(act.thing, entry.fields, act.fields),
        el(
          "div",
          { class: "buttons" },
          buttonFor(
            entry.counts ? "Count and sign" : can ? "Sign" : "Have it signed",
            () =>
              openSignature(entry, () => {
                closeSheet();
                refresh();
              }),
            { class: can ? "first" : "" },
          ),
        ),
      );
    }),
    "Nothing waits for a signature.",
  );
}

/** @param {Server.OpenIncident} incident */
function draftLink(incident) {
  if (!incident.has_draft) {
    return null;
  }
  const href = `/api/office/${here.office}/investigations/${encodeURIComponent(incident.id)}.pdf`;
  return el("p", {}, el("a", { href }, "Form of the investigation, drafted from the log (PDF)"));
}

/** @param {Server.OpenIncident[]} all */
function incidents(all) {
  return part(
    "incidents",
    "Incidents",
    all.map((incident) => {
      const acts = Object.entries(book.acts)
        .filter(([, act]) => act.thing === "incident" && act.states?.includes(incident.state))
        .map(([key]) => key);
      return el(
        "li",
        { class: incident.state === "open" ? "is-bad" : "" },
        el(
          "div",
          { class: "heading" },
          el("strong", {}, incident.id),
          el("span", { class: `tag ${incident.state === "open" ? "bad" : "warn"}` }, words(incident.state)),
        ),
        el(
          "p",
          {},
          `${label(withNames(incident.why))} `,
          clause(incident.clause),
          el("br"),
          el(
            "span",
            { class: "hint" },
            `${incident.about ? `${label(aboutText(incident.about))}, ` : ""}since ${incident.since}`,
          ),
        ),
        draftLink(incident),
        buttons(acts, "incident", [incident.id]),
      );
    }),
    "None is open.",
  );
}

/**
 * Manual slips that are missing since an outage; nothing where none is.
 *
 * @param {Server.MissingSlip[]} all
 */
function missingSlips(all) {
  if (!all.length) return null;
  return part(
    "slips",
    "Manual slips missing",
    all.map((slip) =>
      el(
        "li",
        { class: "is-bad" },
        el(
          "div",
          { class: "heading" },
          el("a", { class: "which", href: historyLink("manual_slip", slip.number) }, slip.number),
          el("span", { class: "hint" }, book.forms[slip.form]?.name ?? slip.form),
        ),
        el("p", {}, `${label(slip.handed_to)}; missing since outage ${slip.outage}, told ${slip.since}.`),
      ),
    ),
    "None is missing.",
  );
}

/**
 * What outside bodies were told last; nothing where the regulation has nobody told.
 *
 * @param {Server.ToldBody[]} all
 */
function noticesPanel(all) {
  if (!Object.values(book.acts).some((act) => act.tells?.length)) return null;
  return part(
    "told",
    "Told",
    all.map((notice) =>
      el(
        "li",
        {},
        el(
          "div",
          { class: "heading" },
          el("strong", {}, `${notice.body}: ${notice.name}`),
          el("span", { class: "hint" }, notice.at),
          notice.is_late ? el("span", { class: "tag warn" }, "told late") : null,
        ),
        el("p", {}, notice.about ? `${label(aboutText(notice.about))} ` : "", clause(notice.clause)),
      ),
    ),
    "No outside body was told anything.",
  );
}

/**
 * Tables at which others work than the rota of the shift says.
 *
 * @param {Server.RotaGap[]} all
 */
function rotaPanel(all) {
  /** @type {(title: string, accounts: string[]) => HTMLElement | null} */
  const who = (title, accounts) =>
    accounts.length
      ? el("p", {}, `${title}: ${accounts.map((account) => thingName("person", account)).join(", ")}`)
      : null;
  return part(
    "rota",
    "Not as planned",
    all.map((gap) =>
      el(
        "li",
        { class: "is-bad" },
        el(
          "div",
          { class: "heading" },
          el("a", { class: "which", href: historyLink("table", gap.table) }, gap.table),
          el("a", { class: "hint", href: `/api/office/${here.office}/rota.pdf` }, "The rota (PDF)"),
        ),
        who("In the crew and not planned", gap.unplanned),
        who("Planned and not in the crew", gap.absent),
      ),
    ),
    "",
  );
}

/**
 * Trays below their par level, each with the fill that is drafted for it.
 *
 * @param {Server.BelowPar[]} all
 */
function belowPar(all) {
  return part(
    "below-par",
    "Below par",
    all.map((tray) =>
      el(
        "li",
        {},
        el(
          "div",
          { class: "heading" },
          el("a", { class: "which", href: historyLink("table", tray.table) }, tray.table),
          el("span", { class: "hint" }, `counted ${tray.counted}`),
        ),
        el(
          "p",
          {},
          `${Object.entries(tray.short)
            .map(([cents, count]) => `${count} × ${money(Number(cents))}`)
            .join(", ")}: ${money(tray.cents)}`,
        ),
        book.acts[tray.act] && mayDo(book.acts[tray.act])
          ? el(
              "div",
              { class: "buttons" },
              buttonFor(book.acts[tray.act].name, () =>
                trying(host, () => openAct(tray.act, [], refresh, { table: tray.table, units: tray.short })),
              ),
            )
          : null,
      ),
    ),
    "",
  );
}

/** @param {Server.Gated[]} all */
function tables(all) {
  const pits = new Set(all.map((table) => table.pit)),
    inOrder = [...all].sort((one, other) => one.pit.localeCompare(other.pit, "en"));
  return part(
    "tables",
    "Tables",
    inOrder.map((table) =>
      el(
        "li",
        { class: "table-row" },
        el(
          "span",
          {},
          el("a", { href: `/office/${here.office}/opening-list/${encodeURIComponent(table.table)}` }, table.table),
          pits.size > 1 ? el("span", { class: "hint" }, ` ${table.pit || "no pit"}`) : null,
        ),
        el("progress", {
          max: table.items || 1,
          value: table.items ? table.green : 1,
          "aria-label": `Opening list of ${table.table}`,
        }),
        tableState(table),
      ),
    ),
    "No table is in the register.",
  );
}

/** @param {Server.Gated} table */
const isOpen = (table) => table.status === "open" || table.status === "frozen";

/**
 * Whether a table is open; of one that is not, whether it can be.
 *
 * @param {Server.Gated} table
 */
function tableState(table) {
  const left = table.items - table.green;
  if (isOpen(table)) {
    const [tone, text] = table.status === "open" ? ["on", "Open"] : ["bad", "Stopped"];
    return el("a", { class: `tag ${tone}`, href: `/tables/${encodeURIComponent(table.table)}` }, text);
  }
  if (left) return el("span", { class: "tag bad" }, `${left} missing`);
  return here.opens_tables
    ? el("a", { class: "button small", href: openLink(table.table) }, "Ready to open")
    : el("span", { class: "tag on" }, "Ready to open");
}

/**
 * What amendments bring the houses in force, and what they will forbid.
 *
 * @param {Server.ComingLaw[]} all
 */
function comingPanel(all) {
  return part(
    "coming",
    "The regulation changes",
    all.map(({ house, text }) =>
      el(
        "li",
        { class: "figure" },
        el("p", {}, `${house}, from ${text.day} on: ${text.by.join(", ")} `),
        ...(text.breaches.length
          ? text.breaches.map((breach) => el("p", { class: "bad" }, breach))
          : [el("p", { class: "hint" }, "It stays lawful.")]),
      ),
    ),
    "",
  );
}

/** @param {Server.Unset[]} all */
function unsetPanel(all) {
  return part(
    "unset",
    "Figures not set",
    all.map((figure) =>
      el(
        "li",
        { class: "figure" },
        el(
          "p",
          {},
          `${label(figure.name)} `,
          clause(figure.clause),
          figure.by.length ? [el("br"), el("span", { class: "hint" }, `Set by the ${groupWords(figure.by)}`)] : null,
        ),
        here.is_clerk
          ? el(
              "div",
              { class: "buttons" },
              buttonFor("Set", () => openValue(figure.key, refresh)),
            )
          : null,
      ),
    ),
    "Every figure is set.",
  );
}

if (found) {
  refresh();
  setInterval(() => {
    if (!document.hidden && !byId("sheet", HTMLDialogElement).open) refresh();
  }, EVERY_MS);
}
