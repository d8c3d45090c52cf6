// What each table has by its ledger for the open shift; a bank that the reader counts is not told.

import { el, hintText, words } from "../elements.js";
import { get } from "../http.js";
import { money } from "../money.js";
import { figures } from "./lists.js";

/** @typedef {"bank_before" | "fills" | "drop" | "win" | "bank" | "layout" | "tips"} Figure of a table */

/** @type {[key: Figure, head: string][]} */
const FIGURES = [
  ["bank_before", "Bank before"],
  ["fills", "Fills less credits"],
  ["drop", "Drop"],
  ["win", "Won by play"],
  ["bank", "Bank now"],
  ["layout", "On the layout"],
  ["tips", "Tips"],
];
/**
 * @param {number} cents
 * @param {boolean} [isTotal]
 */
const amount = (cents, isTotal = false) =>
  el("td", { class: "amount" }, isTotal ? el("b", {}, money(cents)) : money(cents));

/**
 * Show the totals of the open shift, of all tables or of one.
 *
 * @param {HTMLElement} host
 * @param {string} [table]
 */
export async function showShift(host, table = "") {
  /** @type {{ shift: number, tables: Server.ShiftTotals[] }} */
  const { shift, tables } = await get("/api/shift");
  const told = tables.filter((each) => !table || each.table === table);
  const known = told.filter((table) => table.bank !== undefined);
  /** @param {Server.ShiftTotals} table */
  const why = (table) =>
    table.is_blind ? "counted blind: not shown to those who count it" : "not covered: no wagers are keyed in";
  /** @param {Server.ShiftTotals} table */
  const row = (table) => [
    el("th", { scope: "row" }, table.name),
    words(table.status),
    String(table.players),
    String(table.rolls),
    ...(table.bank === undefined
      ? [el("td", { colspan: FIGURES.length, class: "muted" }, why(table))]
      : FIGURES.map(([key]) => amount(table[key] ?? 0))),
  ];
  const sum = [
    el("th", { scope: "row" }, known.length === told.length ? "All tables" : "Those that are told"),
    "",
    String(told.reduce((all, table) => all + table.players, 0)),
    "",
    ...FIGURES.map(([key]) =>
      amount(
        known.reduce((all, table) => all + (table[key] ?? 0), 0),
        true,
      ),
    ),
  ];
  host.classList.add("shift-totals");
  host.replaceChildren(
    hintText(
      `Shift ${shift}, since the last one was closed. Drop is the cash taken in; won by play is what the bank ` +
        "gained from wagers.",
    ),
    figures(
      "Totals of the shift",
      ["Table", "State", "Players", "Rolls", ...FIGURES.map(([, head]) => head)],
      [...told.map(row), ...(told.length > 1 && known.length ? [sum] : [])],
      "No table has been opened yet.",
    ),
  );
}
