// The par sheet of a table: every wager that it deals, with its exact edge.

import { el, words } from "../elements.js";
import { getFor, refusalsIn } from "../http.js";
import { money } from "../money.js";
import { figures } from "../office/lists.js";

/** @import { Child } from "../elements.js" */

/**
 * Show the par sheet of a table in an element.
 *
 * @param {HTMLElement} host
 * @param {string} path
 */
export async function showPar(host, path) {
  host.replaceChildren(el("p", { class: "muted" }, "Computing the exact edges …"));
  try {
    const sheet = await getFor(host, `${path}/par-sheet`);
    if (sheet) host.replaceChildren(...parSheet(Array.isArray(sheet) ? sheet : sheet.lines));
  } catch (refused) {
    host.replaceChildren(el("p", { class: "refused" }, refusalsIn(refused)[0].why));
  }
}

/**
 * Every wager with its exact edge, as `passline odds --json` prints it: a fraction and a percentage.
 *
 * @param {any[]} lines
 */
function parSheet(lines) {
  const rows = lines.map((line) => [
    el(
      "th",
      { scope: "row" },
      [words(line.wager), line.number ?? "", line.option ? `(${line.option})` : ""].filter(Boolean).join(" "),
    ),
    el("td", { class: "wide" }, line.pays),
    amount(money(line.stake)),
    amount(el("span", {}, percent(line.edge), el("span", { class: "hint" }, ` ${line.edge}`))),
    amount(percent(line.win)),
    amount(percent(line.lose)),
    amount(percent(line.push)),
    amount(decimal(line.rolls)),
    amount(Number(line.sd).toFixed(4)),
  ]);
  return [
    figures(
      "Par sheet",
      ["Wager", "Pays", "Stake", "Edge", "Wins", "Loses", "Pushes", "Rolls", "Standard deviation"],
      rows,
      "No wager.",
    ),
  ];
}

/** @param {Child} value */
function amount(value) {
  return el("td", { class: "amount" }, value);
}

/** @param {string} fraction */
function ratio(fraction) {
  const [over, under] = String(fraction).split("/").map(Number);
  return over / (under || 1);
}

/** @param {string} fraction */
function percent(fraction) {
  return `${(ratio(fraction) * 100).toFixed(3)} %`;
}

/** @param {string} fraction */
function decimal(fraction) {
  return ratio(fraction).toFixed(3);
}
