// The outcome of a wager in one line with its arithmetic, for its player and for the crew.
import { money, numberText } from "../money.js";
import { html } from "./svg.js";

/** @type {{ [outcome: string]: (wager: Server.SettledWager) => string }} */
const ENDED = {
  lost: () => "taken",
  returned: () => "returned",
  moved: (one) => `moves to ${numberText(one.to ?? 0)}`,
};

/**
 * The arithmetic of one outcome: "Place 6, $12 at 7 to 6: $14 [clause]".
 *
 * @param {Server.SettledWager} one
 * @param {string} name
 * @param {(kind: string) => string} nameOfKind
 * @returns {string}
 */
export function settledText(one, name, nameOfKind) {
  // a wager that stays up has no cents taken in
  const what =
    `${name}${one.part ? ` (${nameOfKind(one.part)})` : ""}${one.owner === "crew" ? " for the crew" : ""}, ` +
    `${money(one.cents || (one.stays ?? 0))}`;
  const clause = one.clause ? ` [${one.clause}]` : "";
  if (one.outcome !== "won") return `${what}: ${ENDED[one.outcome](one)}${clause}`;
  const vigorish = one.vigorish ? ` less vigorish ${money(one.vigorish)}` : "";
  return `${what} at ${one.pays}${vigorish}: ${money(one.winnings)}${one.stays ? ", stays up" : ""}${clause}`;
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
