// The file of compliance on the page of patrons: matters about cash, and what is written about each.

import { el, fill, setChildren, timeOf, words } from "../elements.js";
import { get, post, Refused } from "../http.js";
import { aboutText, here } from "./book.js";
import { figures } from "./lists.js";
import { trying } from "./parts.js";

const path = `/api/office/${here.office}/compliance`;
const STEPS = [
  ["note", "A finding"],
  ["close", "Close it: nothing is left to do"],
  ["report", "It was reported"],
  ["open", "Open it again"],
];

const list = el("div", {});
const panel = el(
  "section",
  { class: "panel", "aria-labelledby": "matters-title", hidden: true },
  el("h2", { id: "matters-title" }, "Compliance"),
  el("p", { class: "hint" }, "Only compliance and the examiners whom it has named can see this."),
  list,
);

/** The panel with the matters; nothing for whoever may not read them, whether there are any or not. */
export function mattersPanel() {
  if (here.subject !== "patrons" || !here.reads_compliance || !here.is_set_up) return null;
  show();
  return panel; // the same when the page is drawn again: what is being written stays
}

const show = () =>
  trying(list, async () => {
    try {
      /** @type {Server.ComplianceAnswer} */
      const found = await get(path);
      panel.hidden = false;
      fill(list, found, () => [
        table(found.matters),
        here.writes_compliance && found.matters.length ? form(found.matters) : null,
        here.writes_compliance ? examiners(found.examiners) : null,
        check(),
      ]);
    } catch (error) {
      if (!(error instanceof Refused && panel.hidden)) throw error;
    }
  });

/** @param {Server.KeptMatter[]} matters */
const table = (matters) =>
  figures(
    "Matters about cash",
    ["Gaming day", "What", "Patron", "Why", "State", "Written"],
    matters.map(({ matter, state, notes }) => [
      matter.day,
      words(matter.kind),
      words(aboutText(matter.patron)),
      el("td", { class: "wide" }, matter.why),
      state,
      el(
        "td",
        { class: "wide" },
        ...notes.map((note) => el("p", {}, timeOf(note.at, true), `, ${note.name}: ${note.text}`)),
      ),
    ]),
    "There is no matter.",
  );

/** @param {Server.KeptMatter[]} matters */
function form(matters) {
  const about = el("select", { id: "matter-about" }, ...matters.map(({ matter }) => el("option", {}, matter.id)));
  const step = el("select", { id: "matter-step" }, ...STEPS.map(([value, name]) => el("option", { value }, name)));
  const text = el("textarea", { id: "matter-text", class: "prose", rows: 3, maxlength: 4000, required: true });
  return sending(
    "Write it down",
    () => post(path, { matter: about.value, step: step.value, text: text.value }),
    labelled("About", about),
    labelled("What", step),
    labelled("What was found or done", text),
  );
}

/** @param {Server.Examiner[]} named */
function examiners(named) {
  const account = el("input", { id: "examiner-account", required: true, autocomplete: "off" });
  const may = el("input", { id: "examiner-may", type: "checkbox", checked: true });
  const who = named.map((examiner) => examiner.account).join(", ") || "nobody";
  return sending(
    "Set",
    () => post(`${path}/examiners`, { account: account.value, may_read: may.checked }),
    el("p", { class: "hint" }, `Examiners who may read this: ${who}.`),
    labelled("Account of a regulator", account),
    labelled("May read this", may),
  );
}

/** Holds the file against what the log was committed to: whether a row is missing, altered or written in since. */
function check() {
  const result = el("div", { "aria-live": "polite" });
  const look = () =>
    trying(result, async () => {
      /** @type {Server.FileCheck} */
      const found = await get(`${path}/check`);
      setChildren(result, ...checkLines(found).map((line) => el("p", {}, line)));
    });
  return el(
    "div",
    {},
    el("button", { type: "button", class: "small", onclick: look }, "Hold this file against the log"),
    result,
  );
}

/** @param {Server.FileCheck} found */
function checkLines({ commitments, first, last, rows, findings }) {
  if (!commitments)
    return ["The log is committed to this file after the first gaming day: until then it has no trace."];
  const times = commitments === 1 ? "once" : `${commitments} times`;
  const covered = `The log was committed to this file ${times}, after ${first} to ${last}: ${rows} rows.`;
  return [covered, ...(findings.length ? findings.map((finding) => `Found: ${finding}.`) : ["All are as they were."])];
}

/**
 * A form that sends something and shows the list again.
 *
 * @param {string} button
 * @param {() => Promise<unknown>} send
 * @param {...HTMLElement} fields
 */
function sending(button, send, ...fields) {
  const host = el("div", {});
  setChildren(
    host,
    el(
      "form",
      {
        class: "act-form",
        onsubmit: (event) => {
          event.preventDefault();
          trying(host, async () => {
            await send();
            await show();
          });
        },
      },
      ...fields,
      el("button", { type: "submit", class: "small" }, button),
    ),
  );
  return host;
}

/**
 * @param {string} name
 * @param {HTMLElement} field
 */
const labelled = (name, field) => el("div", {}, el("label", { for: field.id }, name), field);
