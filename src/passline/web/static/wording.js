// Times and names of the log in words, and the stick's call for the dice on the table.

import { inUnits } from "./money.js";

const IS_STAMP = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;
const UNCALLED = new Set(["air", "rest"]);

// A moment on this machine's clock, the same way everywhere: "15 Nov 2026, 09:46:18", or only the time.
export function momentText(at, isLong = true) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return String(at);
  const time = moment.toLocaleTimeString("en-GB");
  return isLong ? `${moment.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" })}, ${time}` : time;
}

// "section2" is "Section 2", "maryland" is "Maryland".
export function regulationName(name) {
  const text = name.replace(/(?<=[a-z])(?=\d)/, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// A line of the log for people: timestamps in local time, regulations by name.
export function worded(line) {
  return inUnits(line).replaceAll(IS_STAMP, (at) => momentText(at)).replaceAll(/\bsection2\b/g, "Section 2");
}

// The stick's call for the dice on the table: "" while they are thrown or uncalled, null if the call that is shown is still right.
export function callNow(table, { kind, said }) {
  if (UNCALLED.has(table.dice_are)) return "";
  const call = said.map((one) => one.call).filter(Boolean).at(-1);
  if (call) return call;
  if (kind !== "table") return null;
  return table.dice_are === "called" ? "" : table.rolls?.at(-1)?.call ?? "";
}

// Whether the dice on the table are those of the last settled roll.
export function isSettled(table) { return !UNCALLED.has(table.dice_are) && table.dice_are !== "called"; }
