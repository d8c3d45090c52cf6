// The outcome of a wager in one line with its arithmetic, for its player and for the crew.
import { money, numberText } from "../money.js";
import { html } from "./svg.js";

/** @type {{ [outcome: string]: (wager: Server.SettledWager) => string }} */
const ENDED = {
  lost: () => "taken",
  returned: () => "returned",
  moved: (wager) => `moves to ${numberText(wager.to ?? 0)}`,
};

/** @param {Server.SettledWager} wager */
const forWhom = (wager) => (wager.owner === "crew" ? " for the crew" : "");

/**
 * Whether a line is what the meter of a progressive pays, beside the line of its wager.
 *
 * @param {Server.SettledWager} wager
 * @returns {boolean}
 */
export const isFromMeter = (wager) => wager.pays === "meter";

/**
 * The arithmetic of one outcome: "Place 6, $12 at 7 to 6: $14 [clause]".
 *
 * @param {Server.SettledWager} wager
 * @param {string} name
 * @param {(kind: string) => string} nameOfKind
 * @returns {string}
 */
export function settledText(wager, name, nameOfKind) {
  // a wager that stays up has no cents taken in
  const what =
    `${name}${wager.part ? ` (${nameOfKind(wager.part)})` : ""}${forWhom(wager)}, ` +
    `${money(wager.cents || (wager.stays ?? 0))}`;
  const clause = wager.clause ? ` [${wager.clause}]` : "";
  if (wager.outcome !== "won") return `${what}: ${ENDED[wager.outcome](wager)}${clause}`;
  if (isFromMeter(wager)) return `${name}${forWhom(wager)}, from the meter: ${money(wager.winnings)}${clause}`;
  const vigorish = wager.vigorish ? ` less vigorish ${money(wager.vigorish)}` : "";
  return `${what} at ${wager.pays}${vigorish}: ${money(wager.winnings)}${wager.stays ? ", stays up" : ""}${clause}`;
}

/**
 * Nodes for a line that ends with clauses in brackets; no clause is broken across lines.
 *
 * @param {string} line
 * @returns {(string | HTMLElement)[]}
 */
export function cited(line) {
  const match = /^(.*?)\s*(\[[^\]]*\])$/.exec(line);
  if (!match) return [line];
  const clauses = match[2].split(/(?<=, )/).map((clause) => html("span", { class: "whole" }, clause));
  return [`${match[1]} `, html("span", { class: "clause" }, ...clauses)];
}
