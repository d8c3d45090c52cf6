// Standards: what each asks of a system, and how this office holds it, with the sheets to print or to send.

import { byId } from "../dom.js";
import { el, fill, hintText, titledPanel } from "../elements.js";
import { get } from "../http.js";
import { here } from "./book.js";
import { figures } from "./lists.js";
import { trying } from "./parts.js";

const host = byId("flow");
const choice = el("select", { id: "standard" });
const files = el("div", { class: "buttons" });
const items = el("div", { class: "stack" });
const base = `/api/office/${here.office}/standards`;

/** @param {string} key */
async function show(key) {
  /** @type {Server.StandardAnswer} */
  const found = await get(`${base}/${key}`);
  const sheets = [
    ["pdf", "PDF"],
    ["html", "Print"],
    ["xlsx", "Workbook"],
    ["txt", "Text"],
  ];
  files.replaceChildren(
    ...sheets.map(([kind, label]) => el("a", { class: "button", href: `${base}/${key}.${kind}` }, label)),
  );
  fill(items, found, () => [hintText(found.about), summary(found), ...areas(found), uncovered(found)]);
}

/** @param {Server.StandardAnswer} found */
function summary(found) {
  const statuses = [...new Set(found.items.map((item) => item.status))];
  const rows = statuses.map((status) => [status, String(found.items.filter((item) => item.status === status).length)]);
  return titledPanel("summary-title", found.name, figures(found.name, ["Stands", "Items"], rows));
}

/**
 * A panel for each area, with what shows each item here.
 *
 * @param {Server.StandardAnswer} found
 */
function areas(found) {
  const covered = found.items.filter((item) => item.status !== "not covered");
  return [...new Set(covered.map((item) => item.area))].map((area) => {
    const title = area[0].toUpperCase() + area.slice(1);
    const rows = covered
      .filter((item) => item.area === area)
      .map((item) => [wide(item.says, item.why), item.status, wide(...item.evidence), wide(...item.held_by)]);
    return titledPanel(
      `${area.replaceAll(" ", "-")}-title`,
      title,
      figures(title, ["Asked", "Here", "Evidence", "Held by"], rows),
    );
  });
}

/** @param {Server.StandardAnswer} found */
function uncovered(found) {
  const rows = found.items.filter((item) => item.status === "not covered").map((item) => [item.says, wide(item.why)]);
  const table = figures("Not covered", ["Asked", "Why not"], rows, "Every item is covered.");
  return titledPanel("uncovered-title", "Not covered, because", table);
}

/** @param {string[]} lines */
function wide(...lines) {
  return el("td", { class: "wide" }, ...lines.filter(Boolean).map((line) => el("div", {}, line)));
}

trying(host, async () => {
  /** @type {Server.StandardsAnswer} */
  const { standards } = await get(base);
  choice.replaceChildren(...standards.map((known) => el("option", { value: known.standard }, known.name)));
  choice.addEventListener("change", () => trying(items, () => show(choice.value)));
  host.replaceChildren(
    el(
      "section",
      { class: "panel", "aria-label": "Which standard" },
      el("div", { class: "filters" }, el("div", {}, el("label", { for: "standard" }, "Standard"), choice)),
      files,
      hintText("What the program covers, each with what shows it in this office: the newest acts and the settings."),
    ),
    items,
  );
  choice.value = standards.some((known) => known.standard === "table_systems") ? "table_systems" : choice.value;
  await show(choice.value);
});
