// The page of the house: open and close tables, close shifts, file approvals and reports.

import { byId, elementsOf, fieldById, firstOf, inputsOf, isField } from "../dom.js";
import { buttonFor, el, embedded, fill, words } from "../elements.js";
import { get, post, refusalList, refusalsIn } from "../http.js";
import { money } from "../money.js";
import { regulationName } from "../wording.js";
import { sendForm } from "./forms.js";
import { recordTable, showPages } from "./lists.js";
import { parts, trying } from "./parts.js";
import { showShift } from "./shift.js";

/** @type {Server.EmbeddedHouse} */
const data = embedded("house-data");

// Tables

async function showTables() {
  /** @type {Server.TablesAnswer} */
  const { tables } = await get("/api/tables");
  fill(
    byId("report-table"),
    tables.map((table) => table.id),
    () => [
      el("option", { value: "" }, "the whole house"),
      ...tables.map((table) => el("option", { value: table.id }, table.name)),
    ],
  );
  fill(byId("table-list"), tables, () =>
    tables.length
      ? tables.map(row)
      : el(
          "tr",
          {},
          el(
            "td",
            { colspan: 7, class: "muted" },
            "No table yet. ",
            el("a", { href: "#open" }, data.can_open ? "Open one" : "What is missing"),
            ".",
          ),
        ),
  );
}

/** @param {Server.ListedTable} table */
function row(table) {
  const state = { open: "on", frozen: "bad", closed: "" }[table.status] ?? "";
  const links = data.crew_roles.map((role) =>
    el("a", { class: "button", href: `/tables/${table.id}/crew?role=${role}` }, words(role)),
  );
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, el("a", { href: `/tables/${table.id}` }, table.name)),
    el("td", {}, `${regulationName(table.regulation)}, ${words(table.game).toLowerCase()}`),
    el("td", { "data-label": "Dice" }, words(table.dice)),
    el("td", { "data-label": "Limits" }, `${money(table.limits.min)} to ${money(table.limits.max)}`),
    el("td", { "data-label": "Players" }, String(table.players)),
    el(
      "td",
      {},
      el(
        "span",
        { class: `tag ${table.stopped ? "bad" : state}` },
        table.stopped ? "Stopped: its rulebook changed" : words(table.status),
      ),
      ...table.coming
        .filter((text) => text.breaches.length)
        .map((text) => el("p", { class: "hint" }, `Unlawful from ${text.day} on: ${text.breaches.join("; ")}`)),
    ),
    el(
      "td",
      {},
      el(
        "div",
        { class: "buttons" },
        ...(table.status === "closed"
          ? []
          : [
              ...links,
              table.stopped && data.adopts && buttonFor("Rulebook", () => askAdopt(table)),
              data.acts_as &&
                el(
                  "a",
                  {
                    class: "button",
                    href:
                      `/elections?regulation=${table.regulation}&game=${table.game}` +
                      `&table=${encodeURIComponent(table.id)}`,
                  },
                  "House rules",
                ),
              data.acts_as && buttonFor("Close", () => askClose(table)),
            ]
        ).filter(Boolean),
      ),
    ),
  );
}

// The only owner of a house can act without a second person: then nobody's name and PIN are asked for.
/** @param {HTMLFormElement} form */
const alone = (form) => (inputsOf("[data-alone]", form)[0]?.checked ? { is_sole_owner: true } : {});
for (const box of inputsOf("[data-alone]")) {
  const fields = inputsOf(".sign-off input", box.form ?? document);
  const show = () => {
    for (const field of fields) field.disabled = box.checked;
  };
  box.addEventListener("change", show);
  show(); // a browser keeps a box checked when a page is loaded again
}

/** @type {Server.ListedTable | null} */
let closing = null;
/** @param {Server.ListedTable} table */
function askClose(table) {
  closing = table;
  byId("close-title").textContent = `Close ${table.name}`;
  byId("close").hidden = false;
  byId("close-title").focus();
}

firstOf("#close [data-cancel]").addEventListener("click", () => {
  byId("close").hidden = true;
});
byId("close").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = byId("close", HTMLFormElement);
  const done = await sendForm(form, {
    path: `/api/tables/${closing?.id}/commands`,
    body: (body) => ({ ...body, role: data.acts_as, command: { command: "close-table", ...alone(form) } }),
  });
  if (!done) return;
  byId("close").hidden = true;
  await showTables();
});

/** @type {Server.ListedTable | null} */
let adopting = null;
/** @param {Server.ListedTable} table */
function askAdopt(table) {
  adopting = table;
  byId("adopt-title").textContent = `The rulebook of ${table.name}`;
  byId("adopt-why").textContent = table.stopped;
  byId("adopt").hidden = false;
  byId("adopt-title").focus();
}

firstOf("#adopt [data-cancel]").addEventListener("click", () => {
  byId("adopt").hidden = true;
});
byId("adopt").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = byId("adopt", HTMLFormElement);
  const done = await sendForm(form, {
    path: `/api/tables/${adopting?.id}/commands`,
    body: (body) => ({
      ...body,
      role: data.acts_as,
      command: { command: "adopt-rulebook", digest: adopting?.rulebook_installed, ...alone(form) },
    }),
  });
  if (!done) return;
  byId("adopt").hidden = true;
  await showTables();
});

// Opening

const regulation = fieldById("regulation");
const game = fieldById("game");
const toml = fieldById("toml");
const version = fieldById("version");

async function showGames() {
  const known = data.regulations.find((each) => each.key === regulation.value);
  game.replaceChildren(...(known?.games ?? []).map((game) => el("option", { value: game }, words(game))));
  await showVersions();
}

/** @type {{ [id: string]: object }} */
let versions = {}; // houses of the office, by what they are called there

/** Offer the houses of the office; the one that the table is to be dealt by is chosen. */
async function showVersions() {
  byId("by-form", HTMLAnchorElement).href = `/elections?regulation=${regulation.value}&game=${game.value}`;
  const [houses, tables] = await Promise.all([officeThings("house"), officeThings("table")]);
  const fit = houses.filter((thing) => (thing.facts.file?.game ?? "craps") === game.value);
  versions = Object.fromEntries(fit.map((thing) => [thing.id, thing.facts.file]));
  version.replaceChildren(
    el("option", { value: "" }, "The regulation's own defaults"),
    ...fit.map((thing) => el("option", { value: thing.id }, `${thing.id} (${words(thing.state).toLowerCase()})`)),
  );
  const own = tables.find((thing) => thing.id === idOf(fieldById("open-name").value))?.facts.house;
  version.value = versions[own] ? own : "";
  await showDefaults();
}

/**
 * The things of a kind in the office of the regulation that is picked; none where it is not set up.
 *
 * @param {string} kind
 * @returns {Promise<Server.KnownThing[]>}
 */
async function officeThings(kind) {
  try {
    return (await get(`/api/office/${regulation.value}/things/${kind}`)).things;
  } catch {
    return [];
  }
}

/** @type {Promise<{ toml: string }> | null} */
let asked = null; // the defaults that were asked for last

/** Show the elections of the game that is picked: what an earlier pick asked for and comes late is not shown. */
async function showDefaults() {
  toml.value = "";
  const mine = version.value
    ? post("/elections/check", { house: versions[version.value] })
    : get(`/house/elections?regulation=${regulation.value}&game=${game.value}`);
  asked = mine;
  const found = await mine;
  if (asked !== mine) return;
  toml.value = found.toml;
  showChecked(null);
}

/** Check the elections. Returns the house, or null after showing every breach with its clause. */
async function check() {
  try {
    await asked;
    const { house } = await post("/house/check", { toml: toml.value, regulation: regulation.value, game: game.value });
    showChecked(
      `${regulationName(house.rules ?? regulation.value)}, ${words(house.game ?? game.value).toLowerCase()}: ` +
        "nothing breaks the regulation.",
    );
    return house;
  } catch (refused) {
    showChecked("", refusalsIn(refused));
    return null;
  }
}

/**
 * @param {string | null} said
 * @param {Server.RefusalView[]} [breaches]
 */
function showChecked(said, breaches = []) {
  byId("checked").hidden = !said;
  byId("checked").textContent = said ?? "";
  byId("breaches").hidden = !breaches.length;
  byId("breaches").replaceChildren(
    ...(breaches.length ? [el("b", {}, "This house breaks the regulation:"), refusalList(breaches)] : []),
  );
}

const wanted = new URLSearchParams(location.search); // as a step of the office's way to the first table has it
if (data.regulations.some((each) => each.key === wanted.get("regulation")))
  regulation.value = wanted.get("regulation") ?? "";
fieldById("open-name").value = wanted.get("table") ?? "";
if (wanted.has("approval")) fieldById("approval-kind").value = wanted.get("approval") ?? "";

regulation.addEventListener("change", () => trying(byId("open"), showGames));
game.addEventListener("change", () => trying(byId("open"), showVersions));
version.addEventListener("change", () => trying(byId("open"), showDefaults));
fieldById("open-name").addEventListener("change", () => trying(byId("open"), showVersions));
byId("defaults").addEventListener("click", () => trying(byId("open"), showDefaults));
byId("check").addEventListener("click", check);
toml.addEventListener("input", () => showChecked(null));
byId("file").addEventListener("change", async () => {
  const [file] = byId("file", HTMLInputElement).files ?? [];
  if (!file) return;
  toml.value = await file.text();
  await check();
});
/**
 * The id that a table gets from its name.
 *
 * @param {string} name
 */
const idOf = (name) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/**
 * What comes after a table was opened: who logs in where, and where the day goes on.
 *
 * @param {string} id
 * @param {string} rules
 */
const nextSteps = (id, rules) =>
  el(
    "ol",
    { class: "next-steps", "aria-label": "What comes next" },
    el(
      "li",
      {},
      "Each of the crew logs in at their own screen and opens the console: ",
      el("a", { href: `/tables/${id}/crew` }, `/tables/${id}/crew`),
      ".",
    ),
    el(
      "li",
      {},
      "Players watch at ",
      el("a", { href: `/tables/${id}` }, `/tables/${id}`),
      "; the ",
      el("a", { href: "/invite" }, "page for phones"),
      " has its code to scan.",
    ),
    el(
      "li",
      {},
      "What is due from now on, such as counts, drops and reports, stands on ",
      el("a", { href: `/office/${rules}` }, "Today"),
      "; shifts are closed ",
      el("a", { href: "#shift" }, "here"),
      ".",
    ),
  );

byId("open-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const house = await check();
  if (!house) {
    byId("breaches").scrollIntoView({ block: "center" });
    return;
  }
  firstOf("#opening-list a", HTMLAnchorElement).href =
    `/office/${house.rules}/opening-list/${idOf(fieldById("open-name").value)}`;
  const done = await sendForm(byId("open-form", HTMLFormElement), {
    path: "/api/tables",
    body: (command) => ({ command: "open-table", ...command, house }),
  });
  byId("opening-list").hidden = Boolean(done);
  if (!done) return;
  const id = idOf(fieldById("open-name").value);
  fill(byId("opened"), done.lines, () => [
    ...done.lines.map((/** @type {string} */ line) => el("p", {}, line)),
    nextSteps(id, house.rules),
  ]);
  location.hash = "tables";
  await showTables();
});

// Shifts, approvals, reports

/** Show the approvals on file, with a form to withdraw one. */
async function showApprovals() {
  const { records } = await get("/api/records?kind=approvals");
  fill(byId("approval-list"), records, () => [
    recordTable("approvals", records),
    ...(records.length ? [withdrawal(records)] : []),
  ]);
}

/** @param {any[]} records */
function withdrawal(records) {
  const which = el(
    "select",
    { id: "withdraw" },
    ...records.map((record, place) =>
      el("option", { value: place }, `${words(record.kind)}, ${record.authority}, ${record.reference}`),
    ),
  );
  const reason = el("input", { id: "withdraw-reason", required: true, maxlength: 200, autocomplete: "off" });
  return el(
    "details",
    {},
    el("summary", {}, "Withdraw an approval"),
    el(
      "form",
      {
        "aria-label": "Withdraw an approval",
        onsubmit: (event) => {
          event.preventDefault();
          const { kind, authority, reference } = records[Number(which.value)];
          trying(byId("approvals"), async () => {
            await post("/api/approvals/withdraw", { kind, authority, reference, reason: reason.value });
            await showApprovals();
          });
        },
      },
      el("div", { class: "row" }, el("label", { for: "withdraw" }, "Approval"), which),
      el("div", { class: "row" }, el("label", { for: "withdraw-reason" }, "Reason"), reason),
      el("button", { type: "submit", class: "bad" }, "Withdraw"),
    ),
  );
}

function showReports() {
  return showPages(byId("report-list"), fieldById("report-kind").value);
}
byId("report-kind").addEventListener("change", () => trying(byId("reports"), showReports));

/** @type {{ [part: string]: () => unknown }} */
const SHOWN = {
  tables: showTables,
  open: () => (toml.value ? null : showGames()),
  shift: () => Promise.all([showShift(byId("shift-totals")), showPages(byId("checkpoints"), "checkpoints")]),
  approvals: showApprovals,
  reports: () => Promise.all([showTables(), showReports()]),
};
for (const form of elementsOf("form[data-refresh]"))
  form.addEventListener("done", () => {
    const part = form.dataset.refresh ?? "";
    // keep what was picked in lists
    for (const typed of form.querySelectorAll("textarea, input")) if (isField(typed)) typed.value = "";
    trying(byId(part), SHOWN[part]);
  });
byId("shift-form").addEventListener("done", () => trying(byId("shift"), SHOWN.shift));
parts(SHOWN);
