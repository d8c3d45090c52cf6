// The regulator's page, read-only. The log updates itself; the other parts load when opened.

import { el, fill, words } from "../elements.js";
import { get } from "../http.js";
import { figures, recordTable } from "../office/lists.js";
import { parts, trying } from "../office/parts.js";
import { LogTail } from "./log.js";
import { showTable } from "./tables.js";
import { showHead, startVerify } from "./verify.js";

const node = (id) => document.getElementById(id);
const tail = new LogTail(showHead);

async function showPeople() {
  const { people } = await get("/api/people");
  tail.names = Object.fromEntries(people.map((one) => [one.account, one.name]));
  fill(node("people-list"), people, () => figures("People", ["Name", "Account", "Roles", "State"], people.map((one) => [one.name, el("code", {}, one.account), one.roles.map(words).join(", "), one.is_disabled ? "Disabled" : "Active"])));
}

async function showTables() {
  const { tables } = await get("/api/tables");
  fill(node("table"), tables.map((one) => [one.id, one.name]), () => tables.map((one) => el("option", { value: one.id }, one.name)));
  await showTable(node("table").value);
}

async function showRecords() {
  const { records } = await get(`/api/records?kind=${node("kind").value}`);
  fill(node("record-list"), [node("kind").value, records], () => recordTable(node("kind").value, records));
}

node("table").addEventListener("change", () => trying(node("tables"), () => showTable(node("table").value)));
node("kind").addEventListener("change", () => trying(node("records"), showRecords));
startVerify();
trying(node("log"), () => tail.start());
showPeople().catch(() => {}); // without names the log shows accounts
parts({ tables: showTables, records: showRecords, people: showPeople });
