// The regulator's page, read-only. The log updates itself; the other parts load when opened.

import { byId, fieldById } from "../dom.js";
import { el, fill, words } from "../elements.js";
import { get, getFor } from "../http.js";
import { figures, showPages } from "../office/lists.js";
import { parts, trying } from "../office/parts.js";
import { LogTail } from "./log.js";
import { followNow } from "./now.js";
import { showTable } from "./tables.js";
import { showHead, startVerify } from "./verify.js";

const tail = new LogTail(showHead, (act) => trying(byId("log"), act));

async function showPeople() {
  /** @type {Server.PeopleAnswer | null} */
  const found = await getFor(
    byId("people-list"),
    `/api/people?name=${encodeURIComponent(fieldById("people-find").value.trim())}`,
  );
  if (!found) return;
  const { people, count } = found;
  byId("people-count").textContent = `${people.length} shown of ${count}`;
  fill(byId("people-list"), people, () =>
    figures(
      "People",
      ["Name", "Account", "Roles", "State"],
      people.map((person) => [
        person.name,
        el("code", {}, person.account),
        person.roles.map(words).join(", "),
        person.is_disabled ? "Disabled" : "Active",
      ]),
    ),
  );
}

async function showTables() {
  /** @type {Server.TablesAnswer} */
  const { tables } = await get("/api/tables");
  fill(
    byId("table"),
    tables.map((table) => [table.id, table.name]),
    () => tables.map((table) => el("option", { value: table.id }, table.name)),
  );
  await showTable(fieldById("table").value);
}

function showRecords() {
  const [kind, table, since, until] = ["kind", "record-table", "since", "until"].map((id) =>
    fieldById(id).value.trim(),
  );
  return showPages(byId("record-list"), kind, { table, since, until });
}

byId("table").addEventListener("change", () => trying(byId("tables"), () => showTable(fieldById("table").value)));
for (const id of ["kind", "record-table", "since", "until"])
  byId(id).addEventListener("change", () => trying(byId("records"), showRecords));
byId("people-find").addEventListener("change", () => trying(byId("people"), showPeople));
startVerify();
followNow(byId("now"));
trying(byId("log"), () => tail.start());
parts({ tables: showTables, records: showRecords, people: showPeople });
