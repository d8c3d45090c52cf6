// The figures of strategies side by side, as rows of words.

import { percentText } from "./scales.js";

/** @typedef {{ label: string, cells: string[], best?: number[] }} Row */

/**
 * @param {Server.LabLaw[]} laws
 * @param {(cents: number) => string} money
 * @returns {Row[]}
 */
export function factRows(laws, money) {
  /** @param {number | null | undefined} share */
  const percent = (share) => (share === null || share === undefined ? "not known" : percentText(share));
  /** @param {number | null | undefined} cents */
  const amount = (cents) => (cents === null || cents === undefined ? "not known" : money(Math.round(cents)));
  const shares = [5, 25, 50, 75, 95];
  /** @type {[string, (law: Server.LabLaw) => string][]} */
  const rows = [
    ["Ruin", (law) => percent(law.ruin)],
    ["Goal reached", (law) => percent(law.goal)],
    ["Left at a stop", (law) => percent(law.stop)],
    ["Ahead at the end", (law) => percent(law.ahead)],
    ["Mean", (law) => amount(law.mean_cents)],
    ["Standard deviation", (law) => amount(law.sd_cents)],
    ...shares.map(
      (share) =>
        /** @type {[string, (law: Server.LabLaw) => string]} */ ([
          share === 50 ? "Median" : `${share} % end at or below`,
          (law) => amount(law.quantiles.find(([of]) => of === share)?.[1]),
        ]),
    ),
    ["Expected loss", (law) => amount(law.cost.loss_cents)],
    ["Loss per hour", (law) => amount(law.cost.loss_cents_per_hour)],
    ["Edge on action", (law) => percent(law.cost.edge_on_action)],
    ["Edge on wagers without odds", (law) => percent(law.cost.edge_on_initial)],
    ["Average up", (law) => amount(law.cost.average_wager_cents)],
    ["Mean rolls", (law) => (law.mean_rolls === null ? "not known" : law.mean_rolls.toFixed(1))],
    ["States", (law) => law.states.map(([, count]) => count.toLocaleString("en-US")).join(" + ")],
    ["Error of a chance", (law) => (law.error === null ? "no law" : `at most ${law.error.toExponential(1)}`)],
  ];
  /** @type {Record<string, boolean>} */
  const isAsked = {
    "Goal reached": laws.some((law) => law.goal !== null),
    "Left at a stop": laws.some((law) => law.stop !== null),
  };
  return rows.filter(([label]) => isAsked[label] ?? true).map(([label, cell]) => ({ label, cells: laws.map(cell) }));
}

/**
 * The same figures unrounded, for a file.
 *
 * @param {Server.LabLaw[]} laws
 * @returns {(string | number | null)[][]}
 */
export function factCells(laws) {
  /** @type {[string, (law: Server.LabLaw) => string | number | null][]} */
  const rows = [
    ["session", (law) => law.terms],
    ["policy", (law) => law.policy],
    ["ruin", (law) => law.ruin],
    ["goal", (law) => law.goal],
    ["stop", (law) => law.stop],
    ["ahead", (law) => law.ahead],
    ["mean_cents", (law) => law.mean_cents],
    ["sd_cents", (law) => law.sd_cents],
    ["expected_loss_cents", (law) => law.cost.loss_cents],
    ["loss_cents_per_hour", (law) => law.cost.loss_cents_per_hour],
    ["rolls_per_hour", (law) => law.cost.pace],
    ["edge_on_action", (law) => law.cost.edge_on_action],
    ["edge_on_initial", (law) => law.cost.edge_on_initial],
    ["average_wager_cents", (law) => law.cost.average_wager_cents],
    ["mean_rolls", (law) => law.mean_rolls],
    ["mean_rolls_to_ruin", (law) => law.mean_rolls_to_ruin],
    ["error", (law) => law.error],
  ];
  const shares = laws.find((law) => law.quantiles.length)?.quantiles.map(([share]) => share) ?? [];
  return [
    ["figure", ...laws.map((law) => law.name)],
    ...rows.map(([label, cell]) => [label, ...laws.map(cell)]),
    ...shares.map((share) => [
      `quantile_${share}_cents`,
      ...laws.map((law) => law.quantiles.find(([of]) => of === share)?.[1] ?? null),
    ]),
  ];
}
