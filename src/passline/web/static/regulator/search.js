// The search of the log: every field is a lookup in the log's projection, and the address keeps what was searched for.

import { clauseTags, withClauses } from "../clauses.js";
import { el, timeOf, words } from "../elements.js";
import { get } from "../http.js";
import { centsFrom } from "../money.js";
import { trying } from "../office/parts.js";
import { worded } from "../wording.js";

const PAGE = 50;
const TYPING_MS = 250;
const DAY_MS = 86_400_000;
const NAMED = ["player", "table", "hand", "clause", "event", "text", "since", "until"];
const node = (id) => document.getElementById(id);
const form = node("search");
let run = 0; // counts the searches: an answer to an earlier one is dropped
let next = 0;
let shown = 0;
let typing = 0;

/** What is asked for, as the page's own address has it: days as they were chosen, the amount as it was typed. */
function asked() {
  const given = NAMED.map((id) => [id, node(id).value.trim()]);
  const amount = node("amount").value.trim();
  return new URLSearchParams([...given, [node("amount-how").value, amount]].filter(([, value]) => value));
}

/** The day after a day, both as dates. */
function dayAfter(day) {
  return new Date(Date.parse(`${day}T12:00Z`) + DAY_MS).toISOString().slice(0, "2026-11-15".length);
}

/** The same, as the server takes it: gaming days of the house, the last one left out. */
function query() {
  const sent = asked();
  if (sent.has("until")) sent.set("until", dayAfter(sent.get("until")));
  for (const key of ["amount", "least"])
    if (sent.has(key)) {
      const cents = centsFrom(sent.get(key));
      if (cents === null) throw new Error(`Amount: ${sent.get(key)} is not an amount of money; write 25 or 12.50`);
      sent.set(key, cents);
    }
  return sent;
}

async function search() {
  const mine = ++run;
  const address = asked();
  history.replaceState(null, "", address.size ? `?${address}` : location.pathname);
  node("found").textContent = "Searching …";
  await page(mine, 0);
}

async function page(mine, before) {
  const begun = performance.now();
  const sent = query();
  if (!sent.size) sent.set("before", (await get("/api/log/head")).sequence + 1); // the newest of all
  if (before) sent.set("before", before);
  sent.set("limit", PAGE);
  const answer = await get(`/api/log?${sent}`);
  if (mine !== run) return;
  if (!before) {
    shown = 0;
    node("entries").replaceChildren();
  }
  shown += answer.entries.length;
  next = answer.next;
  node("entries").append(...answer.entries.map(item));
  if (!shown)
    node("entries").replaceChildren(
      el("li", { class: "none" }, next ? "No entry matches so far." : "No entry matches."),
    );
  node("older").hidden = !next;
  const behind = answer.behind ? `; ${answer.behind.toLocaleString("en-US")} newer entries are still being read` : "";
  node("found").textContent =
    `${shown.toLocaleString("en-US")} ${shown === 1 ? "entry" : "entries"}${next ? " so far" : ""}, in ` +
    `${Math.round(performance.now() - begun)} ms${behind}`;
}

function item(entry) {
  const table = entry.stream.startsWith("table/") ? entry.stream.slice("table/".length) : "";
  const lines = entry.lines?.length
    ? entry.lines.map(worded)
    : (entry.events ?? []).map((event) => words(String(event.event).split("/")[0]));
  const cited = lines.join(" ");
  const others = (entry.clauses ?? []).filter((one) => !cited.includes(one));
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

/** The words of a kind of event: "wager-made" is "Wager made". */
const option = (value, text) => el("option", { value }, text);

async function begin() {
  const [{ tables }, { events }] = await Promise.all([get("/api/tables"), get("/api/log/event-kinds")]);
  node("table").append(...tables.map((one) => option(one.id, one.name)));
  node("event").append(...events.map((one) => option(one, words(one))));
  const given = new URLSearchParams(location.search);
  for (const id of NAMED) if (given.has(id)) node(id).value = given.get(id);
  for (const how of ["amount", "least"])
    if (given.has(how)) {
      node("amount-how").value = how;
      node("amount").value = given.get(how);
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
node("older").addEventListener("click", () => trying(host, () => page(run, next)));
trying(host, begin);
