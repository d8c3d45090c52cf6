// Figures in rows, the same on every page of the office: a table with a caption, or a word that there is nothing.

import { el, timeOf, words } from "../elements.js";
import { money } from "../money.js";

/** A table of rows: `figures("Checkpoints", ["At", "Entry"], [[node, "12"], ...])`. */
export function figures(label, heads, rows, none = "Nothing yet.") {
  if (!rows.length) return el("p", { class: "muted" }, none);
  return el("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, el("table", { class: "figures" },
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => cell instanceof HTMLTableCellElement ? cell : el("td", {}, cell)))))));
}

/** A value of a record in words: times, amounts and lists are printed as such. */
export function valueText(key, value) {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) return timeOf(value, true);
  if (typeof value === "number" && /cents|^(bank|drop|tips|win|handle)$/.test(key)) return money(value);
  if (Array.isArray(value)) return value.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", ") || "–";
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${words(name)}: ${typeof one === "object" ? JSON.stringify(one) : one}`).join("; ");
  return String(value);
}

/** Records of one kind, each with its own fields, as the log has them. */
export function recordTable(label, records) {
  const heads = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((key) => records.some((record) => record[key] !== "" && record[key] !== null));
  return figures(label, heads.map(words), records.map((record) => heads.map((key) => valueText(key, record[key]))), "Nothing on record.");
}
