// Times and names of the log in words, and the stick's call for the dice on the table.

import { metaContent } from "./dom.js";
import { inUnits } from "./money.js";

const IS_STAMP = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;
const UNCALLED = new Set(["air", "rest"]);

// The time zone that the page gives all times in: the house's own, never the browser's.
export function houseZone() {
  return metaContent("house-zone") || "UTC";
}

/**
 * A moment on the house's clock, the same way everywhere: "15 Nov 2026, 09:46:18 MST", or only the time.
 *
 * @param {string | number | Date} at
 * @param {boolean} [isLong]
 * @returns {string}
 */
export function momentText(at, isLong = true) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return String(at);
  const timeZone = houseZone();
  const time = moment.toLocaleTimeString("en-GB", { timeZone });
  if (!isLong) return time;
  const day = moment.toLocaleDateString("en-GB", { timeZone, day: "numeric", month: "short", year: "numeric" });
  return `${day}, ${time} ${zoneName(moment, timeZone)}`;
}

/**
 * How people call a time zone at a moment: "MST", "UTC".
 *
 * @param {Date} moment
 * @param {string} timeZone
 * @returns {string}
 */
function zoneName(moment, timeZone) {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" }).formatToParts(moment);
  return parts.find((part) => part.type === "timeZoneName")?.value ?? timeZone;
}

/**
 * "section2" is "Section 2", "maryland" is "Maryland".
 *
 * @param {string} name
 * @returns {string}
 */
export function regulationName(name) {
  const text = name.replace(/(?<=[a-z])(?=\d)/, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const isRegulation = (/** @type {string} */ word) => metaContent("regulations").split(" ").includes(word);

/**
 * A line of the log for people: timestamps on the house's clock, regulations by name.
 *
 * @param {string} line
 * @returns {string}
 */
export function inWords(line) {
  return inUnits(line)
    .replaceAll(IS_STAMP, (at) => momentText(at))
    .replaceAll(/\b[a-z]+\d+\b/g, (word) => (isRegulation(word) ? regulationName(word) : word));
}

/**
 * The stick's call for the dice on the table: "" while they are thrown or uncalled, null if the call that is shown is
 * still right.
 *
 * @param {Server.TableView} table
 * @param {import("./live.js").Change} change
 * @returns {string | null}
 */
export function callNow(table, { kind, said }) {
  if (UNCALLED.has(table.dice_are)) return "";
  const call = said
    .map((message) => message.call)
    .filter(Boolean)
    .at(-1);
  if (call) return call;
  if (kind !== "table") return null;
  return table.dice_are === "called" ? "" : (table.rolls?.at(-1)?.call ?? "");
}

/**
 * Whether the dice on the table are those of the last settled roll.
 *
 * @param {Server.TableView} table
 * @returns {boolean}
 */
export function isSettled(table) {
  return !UNCALLED.has(table.dice_are) && table.dice_are !== "called";
}
