// The forms of a gaming day: every slip, sheet and log of its file, each to be printed alone, and the day's folder.

import { byId } from "../dom.js";
import { el, fill, hintText, titledPanel } from "../elements.js";
import { get } from "../http.js";
import { book, here, loadBook, thingName } from "./book.js";
import { label } from "./fields.js";
import { formLink } from "./form_links.js";
import { figures } from "./lists.js";
import { trying } from "./parts.js";

const host = byId("flow");
const list = el("div", { class: "stack" });
const day = el("input", { id: "forms-day", type: "date" });
const folder = el("a", { class: "button", download: "" }, "The day's folder");

/**
 * Show the forms of a gaming day, of this one if none is asked for.
 *
 * @param {string} asked
 */
async function show(asked) {
  /** @type {Server.DayFormsAnswer} */
  const found = await get(`/api/office/${here.office}/forms${asked ? `?day=${asked}` : ""}`);
  day.value = found.day;
  folder.href = `/api/office/${here.office}/folders/${found.day}`;
  fill(list, found, () => [logsPanel(found), ...sheetPanels(found)]);
}

/**
 * The logs of the day: there is always one of each kind, if only to show that nothing happened.
 *
 * @param {Server.DayFormsAnswer} found
 */
function logsPanel(found) {
  const logs = Object.entries(book.forms).filter(([, form]) => form.is_log);
  const rows = logs.map(([key, form]) => [
    form.name,
    found.forms.find((known) => known.form === key)?.about ?? "no entry",
    links([key], found.day),
  ]);
  return titledPanel("logs-title", "Logs of the day", figures("Logs of the day", ["Log", "Lines", "Print"], rows));
}

/**
 * A panel for each kind of slip and sheet that the day has.
 *
 * @param {Server.DayFormsAnswer} found
 */
function sheetPanels(found) {
  const kinds = [...new Set(found.forms.map((form) => form.form))].filter((key) => !book.forms[key]?.is_log);
  if (!kinds.length) return [el("section", { class: "panel" }, hintText("No slip and no sheet in this gaming day."))];
  return kinds.map((key) => {
    const own = found.forms.filter((form) => form.form === key);
    const rows = own.map((form) => [
      thingName(book.forms[key].thing, form.number),
      form.about,
      label(form.status),
      links(alike(key), form.number),
    ]);
    return titledPanel(`${key}-title`, own[0].title, figures(own[0].title, ["No.", "Of", "State", "Print"], rows));
  });
}

/**
 * The forms of the same thing as another: of a fill its slip and its request.
 *
 * @param {string} key
 */
function alike(key) {
  const { thing } = book.forms[key];
  return thing ? Object.keys(book.forms).filter((other) => book.forms[other].thing === thing) : [key];
}

/**
 * @param {string[]} keys
 * @param {string} number
 */
function links(keys, number) {
  const all = [...keys].sort((key, other) => book.forms[other].acts.length - book.forms[key].acts.length);
  return el(
    "td",
    {},
    el(
      "div",
      { class: "buttons" },
      ...all.map((key) => formLink(key, number, "html", all.length > 1 ? book.forms[key].name : "Print")),
      formLink(all[0], number, "pdf", "PDF"),
    ),
  );
}

trying(host, async () => {
  await loadBook();
  day.addEventListener("change", () => trying(list, () => show(day.value)));
  host.replaceChildren(
    el(
      "section",
      { class: "panel", "aria-label": "Which day" },
      el("div", { class: "filters" }, el("div", {}, el("label", { for: "forms-day" }, "Gaming day"), day)),
      here.reads_folders ? el("div", { class: "buttons" }, folder) : null,
      hintText("Each form is printed with all its copies, by any printer of the browser, or saved as a PDF."),
    ),
    list,
  );
  await show("");
});
