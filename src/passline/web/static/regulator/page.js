// The regulator's page, read-only. The log updates itself; the other parts load when opened.

import { el, fill, words } from "../elements.js";
import { get, getFor } from "../http.js";
import { figures, showPages } from "../office/lists.js";
import { parts, trying } from "../office/parts.js";
import { LogTail } from "./log.js";
import { showTable } from "./tables.js";
import { showHead, startVerify } from "./verify.js";

const node = (id) => document.getElementById(id);
const tail = new LogTail(showHead, (act) => trying(node("log"), act));

async function showPeople() {
  const found = await getFor(
    node("people-list"),
    `/api/people?name=${encodeURIComponent(node("people-find").value.trim())}`,
  );
  if (!found) return;
  const { people, count } = found;
  node("people-count").textContent = `${people.length} shown of ${count}`;
  fill(node("people-list"), people, () =>
    figures(
      "People",
      ["Name", "Account", "Roles", "State"],
      people.map((one) => [
        one.name,
        el("code", {}, one.account),
        one.roles.map(words).join(", "),
        one.is_disabled ? "Disabled" : "Active",
      ]),
    ),
  );
}

async function showTables() {
  const { tables } = await get("/api/tables");
  fill(
    node("table"),
    tables.map((one) => [one.id, one.name]),
    () => tables.map((one) => el("option", { value: one.id }, one.name)),
  );
  await showTable(node("table").value);
}

function showRecords() {
  const [kind, table, since, until] = ["kind", "record-table", "since", "until"].map((id) => node(id).value.trim());
  return showPages(node("record-list"), kind, { table, since, until });
}

node("table").addEventListener("change", () => trying(node("tables"), () => showTable(node("table").value)));
for (const id of ["kind", "record-table", "since", "until"])
  node(id).addEventListener("change", () => trying(node("records"), showRecords));
node("people-find").addEventListener("change", () => trying(node("people"), showPeople));
startVerify();
trying(node("log"), () => tail.start());
parts({ tables: showTables, records: showRecords, people: showPeople });
