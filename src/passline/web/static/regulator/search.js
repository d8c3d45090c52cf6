// The search of the log: every field is a lookup in the log's projection, and the address keeps what was searched for.

import { clauseTags, withClauses } from "../clauses.js";
import { byId, fieldById } from "../dom.js";
import { el, timeOf, words } from "../elements.js";
import { get } from "../http.js";
import { centsFrom } from "../money.js";
import { trying } from "../office/parts.js";
import { inWords } from "../wording.js";

const PAGE = 50;
const TYPING_MS = 250;
const DAY_MS = 86_400_000;
const NAMED = ["player", "table", "hand", "clause", "event", "text", "since", "until"];
const form = byId("search");
let run = 0; // counts the searches: an answer to an earlier one is dropped
let next = 0;
let shown = 0;
let typing = 0;

/** What is asked for, as the page's own address has it: days as they were chosen, the amount as it was typed. */
function askedQuery() {
  const given = NAMED.map((id) => [id, fieldById(id).value.trim()]);
  const amount = fieldById("amount").value.trim();
  return new URLSearchParams([...given, [fieldById("amount-how").value, amount]].filter(([, value]) => value));
}

/**
 * The day after a day, both as dates.
 *
 * @param {string} day
 */
function dayAfter(day) {
  return new Date(Date.parse(`${day}T12:00Z`) + DAY_MS).toISOString().slice(0, "2026-11-15".length);
}

/** The same, as the server takes it: gaming days of the house, the last one left out. */
function query() {
  const sent = askedQuery();
  const until = sent.get("until");
  if (until) sent.set("until", dayAfter(until));
  for (const key of ["amount", "least"])
    for (const typed of sent.getAll(key)) {
      const cents = centsFrom(typed);
      if (cents === null) throw new Error(`Amount: ${typed} is not an amount of money; write 25 or 12.50`);
      sent.set(key, String(cents));
    }
  return sent;
}

async function search() {
  const mine = ++run;
  const address = askedQuery();
  history.replaceState(null, "", address.size ? `?${address}` : location.pathname);
  byId("found").textContent = "Searching …";
  await page(mine, 0);
}

/**
 * @param {number} mine
 * @param {number} before
 */
async function page(mine, before) {
  const begun = performance.now();
  const sent = query();
  if (!sent.size) sent.set("before", String((await get("/api/log/head")).sequence + 1)); // the newest of all
  if (before) sent.set("before", String(before));
  sent.set("limit", String(PAGE));
  const answer = await get(`/api/log?${sent}`);
  if (mine !== run) return;
  if (!before) {
    shown = 0;
    byId("entries").replaceChildren();
  }
  shown += answer.entries.length;
  next = answer.next;
  byId("entries").append(...answer.entries.map(item));
  if (!shown)
    byId("entries").replaceChildren(
      el("li", { class: "none" }, next ? "No entry matches so far." : "No entry matches."),
    );
  byId("older").hidden = !next;
  const behind = answer.behind ? `; ${answer.behind.toLocaleString("en-US")} newer entries are still being read` : "";
  byId("found").textContent =
    `${shown.toLocaleString("en-US")} ${shown === 1 ? "entry" : "entries"}${next ? " so far" : ""}, in ` +
    `${Math.round(performance.now() - begun)} ms${behind}`;
}

/** @param {Server.LogEntry} entry */
function item(entry) {
  const table = entry.stream.startsWith("table/") ? entry.stream.slice("table/".length) : "";
  const lines = entry.lines?.length
    ? entry.lines.map(inWords)
    : (entry.events ?? []).map((event) => words(String(event.event).split("/")[0]));
  const cited = lines.join(" ");
  const others = (entry.clauses ?? []).filter((clause) => !cited.includes(clause));
  const raw = el("pre", { tabindex: 0 });
  return el(
    "li",
    { id: `entry-${entry.sequence}` },
    el(
      "div",
      { class: "where" },
      el("b", {}, `Entry ${entry.sequence.toLocaleString("en-US")}`),
      timeOf(entry.at, true),
      table
        ? el(
            "a",
            { href: `/tables/${encodeURIComponent(table)}/recall#${entry.sequence}` },
            `${table}${entry.hand ? `, hand ${entry.hand}` : ""}`,
          )
        : el("span", {}, entry.stream),
      el("span", {}, `${entry.name} `, el("span", { class: "hint" }, entry.role)),
      entry.signed_by ? el("span", { class: "tag warn" }, `signed by ${entry.signer}`) : null,
    ),
    el("ul", { class: "lines" }, ...lines.map((line) => el("li", {}, ...withClauses(line)))),
    others.length ? el("p", { class: "cited" }, ...clauseTags(others.join(", "))) : null,
    el(
      "details",
      {
        ontoggle: () => {
          raw.textContent ||= JSON.stringify(entry, null, 1);
        },
      },
      el("summary", {}, "As written"),
      raw,
    ),
  );
}

/**
 * The words of a kind of event: "wager-made" is "Wager made".
 *
 * @param {string} value
 * @param {string} text
 */
const option = (value, text) => el("option", { value }, text);

async function begin() {
  /** @type {[Server.TablesAnswer, Server.EventKinds]} */
  const [{ tables }, { events }] = await Promise.all([get("/api/tables"), get("/api/log/event-kinds")]);
  byId("table").append(...tables.map((table) => option(table.id, table.name)));
  byId("event").append(...events.map((event) => option(event, words(event))));
  const given = new URLSearchParams(location.search);
  for (const id of NAMED) fieldById(id).value = given.get(id) ?? fieldById(id).value;
  for (const how of ["amount", "least"])
    if (given.has(how)) {
      fieldById("amount-how").value = how;
      fieldById("amount").value = given.get(how) ?? "";
    }
  await search();
}

const host = form;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typing);
  trying(host, search);
});
form.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => trying(host, search), TYPING_MS);
});
form.addEventListener("reset", () => setTimeout(() => trying(host, search)));
byId("older").addEventListener("click", () => trying(host, () => page(run, next)));
trying(host, begin);
