// The page of the house: open and close tables, close shifts, file approvals and reports.

import { el, embedded, fill, words } from "../elements.js";
import { get, post, refusalList } from "../http.js";
import { money } from "../money.js";
import { regulationName } from "../wording.js";
import { sendForm } from "./forms.js";
import { recordTable, showPages } from "./lists.js";
import { parts, trying } from "./parts.js";
import { showShift } from "./shift.js";

const data = embedded("house-data");
const node = (id) => document.getElementById(id);

// Tables

async function showTables() {
  const { tables } = await get("/api/tables");
  fill(
    node("report-table"),
    tables.map((one) => one.id),
    () => [
      el("option", { value: "" }, "the whole house"),
      ...tables.map((one) => el("option", { value: one.id }, one.name)),
    ],
  );
  fill(node("table-list"), tables, () =>
    tables.length
      ? tables.map(row)
      : el(
          "tr",
          {},
          el("td", { colspan: 7, class: "muted" }, "No table yet. ", el("a", { href: "#open" }, "Open one"), "."),
        ),
  );
}

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
              table.stopped &&
                data.acts_as === "owner" &&
                el("button", { type: "button", onclick: () => askAdopt(table) }, "Rulebook"),
              data.acts_as &&
                el(
                  "a",
                  {
                    class: "button",
                    href:
                      `/elections?regulation=${table.regulation}&game=${table.game}` +
                      `&table=${encodeURIComponent(table.id)}`,
                  },
                  "House",
                ),
              data.acts_as && el("button", { type: "button", onclick: () => askClose(table) }, "Close"),
            ]
        ).filter(Boolean),
      ),
    ),
  );
}

// The only owner of a house can act without a second person: then nobody's name and PIN are asked for.
const alone = (form) => (form.querySelector("[data-alone]")?.checked ? { is_sole_owner: true } : {});
for (const box of document.querySelectorAll("[data-alone]")) {
  const fields = box.form.querySelectorAll(".sign-off input");
  const show = () => {
    for (const one of fields) one.disabled = box.checked;
  };
  box.addEventListener("change", show);
  show(); // a browser keeps a box checked when a page is loaded again
}

let closing = null;
function askClose(table) {
  closing = table;
  node("close-title").textContent = `Close ${table.name}`;
  node("close").hidden = false;
  node("close-title").focus();
}

node("close")
  .querySelector("[data-cancel]")
  .addEventListener("click", () => {
    node("close").hidden = true;
  });
node("close").addEventListener("submit", async (event) => {
  event.preventDefault();
  const done = await sendForm(event.target, {
    path: `/api/tables/${closing.id}/commands`,
    body: (body) => ({ ...body, role: data.acts_as, command: { command: "close-table", ...alone(event.target) } }),
  });
  if (!done) return;
  node("close").hidden = true;
  await showTables();
});

let adopting = null;
function askAdopt(table) {
  adopting = table;
  node("adopt-title").textContent = `The rulebook of ${table.name}`;
  node("adopt-why").textContent = table.stopped;
  node("adopt").hidden = false;
  node("adopt-title").focus();
}

node("adopt")
  .querySelector("[data-cancel]")
  .addEventListener("click", () => {
    node("adopt").hidden = true;
  });
node("adopt").addEventListener("submit", async (event) => {
  event.preventDefault();
  const done = await sendForm(event.target, {
    path: `/api/tables/${adopting.id}/commands`,
    body: (body) => ({
      ...body,
      role: "owner",
      command: { command: "adopt-rulebook", digest: adopting.rulebook_installed, ...alone(event.target) },
    }),
  });
  if (!done) return;
  node("adopt").hidden = true;
  await showTables();
});

// Opening

const regulation = node("regulation");
const game = node("game");
const toml = node("toml");

async function showGames() {
  const known = data.regulations.find((one) => one.key === regulation.value);
  game.replaceChildren(...known.games.map((one) => el("option", { value: one }, words(one))));
  await showDefaults();
}

let asked = null; // the defaults that were asked for last

/** Show the elections of the game that is picked: what an earlier pick asked for and comes late is not shown. */
async function showDefaults() {
  toml.value = "";
  const mine = get(`/house/elections?regulation=${regulation.value}&game=${game.value}`);
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
    showChecked("", refused.refusals);
    return null;
  }
}

function showChecked(said, breaches = []) {
  node("checked").hidden = !said;
  node("checked").textContent = said ?? "";
  node("breaches").hidden = !breaches.length;
  node("breaches").replaceChildren(
    ...(breaches.length ? [el("b", {}, "This house breaks the regulation:"), refusalList(breaches)] : []),
  );
}

regulation.addEventListener("change", () => trying(node("open"), showGames));
game.addEventListener("change", () => trying(node("open"), showDefaults));
node("defaults").addEventListener("click", () => trying(node("open"), showDefaults));
node("check").addEventListener("click", check);
toml.addEventListener("input", () => showChecked(null));
node("file").addEventListener("change", async () => {
  const [file] = node("file").files;
  if (!file) return;
  toml.value = await file.text();
  await check();
});
/** The id that a table gets from its name. */
const idOf = (name) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

node("open-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const house = await check();
  if (!house) {
    node("breaches").scrollIntoView({ block: "center" });
    return;
  }
  node("opening-list").querySelector("a").href = `/office/${house.rules}/opening-list/${idOf(node("open-name").value)}`;
  const done = await sendForm(event.target, {
    path: "/api/tables",
    body: (command) => ({ command: "open-table", ...command, house }),
  });
  node("opening-list").hidden = Boolean(done);
  if (!done) return;
  fill(node("opened"), done.lines, () => done.lines.map((line) => el("p", {}, line)));
  location.hash = "tables";
  await showTables();
});

// Shifts, approvals, reports

/** Show the approvals on file, with a form to withdraw one. */
async function showApprovals() {
  const { records } = await get("/api/records?kind=approvals");
  fill(node("approval-list"), records, () => [
    recordTable("approvals", records),
    ...(records.length ? [withdrawal(records)] : []),
  ]);
}

function withdrawal(records) {
  const which = el(
    "select",
    { id: "withdraw" },
    ...records.map((one, place) =>
      el("option", { value: place }, `${words(one.kind)}, ${one.authority}, ${one.reference}`),
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
          const { kind, authority, reference } = records[which.value];
          trying(node("approvals"), async () => {
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
  return showPages(node("report-list"), node("report-kind").value);
}
node("report-kind").addEventListener("change", () => trying(node("reports"), showReports));

const SHOWN = {
  tables: showTables,
  open: () => (toml.value ? null : showGames()),
  shift: () => Promise.all([showShift(node("shift-totals")), showPages(node("checkpoints"), "checkpoints")]),
  approvals: showApprovals,
  reports: () => Promise.all([showTables(), showReports()]),
};
for (const form of document.querySelectorAll("form[data-refresh]"))
  form.addEventListener("done", () => {
    for (const one of form.querySelectorAll("textarea, input")) one.value = ""; // keep what was picked in lists
    trying(node(form.dataset.refresh), SHOWN[form.dataset.refresh]);
  });
node("shift-form").addEventListener("done", () => trying(node("shift"), SHOWN.shift));
parts(SHOWN);
