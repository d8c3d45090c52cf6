// The outcome of a wager in one line with its arithmetic, for its player and for the crew.
import { money, numberText } from "../money.js";
import { html } from "./svg.js";

const ENDED = { lost: () => "taken", returned: () => "returned", moved: (one) => `moves to ${numberText(one.to)}` };

// The arithmetic of one outcome: "Place 6, $12 at 7 to 6: $14 [clause]".
export function settledText(one, name, nameOfKind) {
  // a wager that stays up has no cents taken in
  const what =
    `${name}${one.part ? ` (${nameOfKind(one.part)})` : ""}${one.owner === "crew" ? " for the crew" : ""}, ` +
    `${money(one.cents || one.stays)}`;
  const clause = one.clause ? ` [${one.clause}]` : "";
  if (one.outcome !== "won") return `${what}: ${ENDED[one.outcome](one)}${clause}`;
  const vigorish = one.vigorish ? ` less vigorish ${money(one.vigorish)}` : "";
  return `${what} at ${one.pays}${vigorish}: ${money(one.winnings)}${one.stays ? ", stays up" : ""}${clause}`;
}

// Nodes for a line that ends with clauses in brackets; no clause is broken across lines.
export function cited(line) {
  const match = /^(.*?)\s*(\[[^\]]*\])$/.exec(line);
  const clauses = match?.[2].split(/(?<=, )/).map((one) => html("span", { class: "whole" }, one));
  return match ? [`${match[1]} `, html("span", { class: "clause" }, ...clauses)] : [line];
}
