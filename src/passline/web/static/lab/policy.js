// Best play as rows of a picture: where each position stands, and how strong its colour is, without a page.

const THICK = 20;
const THIN = 4;
const FEW = 24;
const GAP = 10;
const SHADES = 8;

/** @typedef {{ row: Server.LabBestRow, top: number, height: number }} PlacedRow */
/** @typedef {{ label: string, top: number, height: number, rows: PlacedRow[] }} Group of positions */

/**
 * The positions in groups, one for each state of the puck; a group of few rows has thick ones.
 *
 * @param {Server.LabBestRow[]} rows
 * @returns {{ groups: Group[], height: number }}
 */
export function groupsOf(rows) {
  /** @type {Map<number, Server.LabBestRow[]>} */
  const pucks = new Map();
  for (const row of rows) pucks.set(row.puck, [...(pucks.get(row.puck) ?? []), row]);
  const thin = rows.length > FEW ? THIN : THICK;
  let top = 0;
  const groups = [...pucks].map(([puck, found]) => {
    const tall = found.length === 1 ? THICK : thin;
    const begun = top;
    const placed = found.map((row, at) => ({ row, top: begun + at * tall, height: tall }));
    const height = found.length * tall;
    top += height + GAP;
    return { label: puck ? `point ${puck}` : "come-out", top: begun, height, rows: placed };
  });
  return { groups, height: Math.max(0, top - GAP) };
}

/**
 * How strong the colour of an act is: by the share of the money that is up after it, from 0 to SHADES.
 *
 * @param {number} staked
 * @param {number} money
 */
export function shadeOf(staked, money) {
  if (staked <= 0 || money <= 0) return 0;
  return Math.min(SHADES, Math.max(1, Math.ceil((staked / money) * SHADES - 1e-9)));
}

/**
 * What is done in each position, as rows of a file.
 *
 * @param {Server.LabBest} found
 * @returns {(string | number)[][]}
 */
export function policyCells(found) {
  const cents = (/** @type {number} */ column) => found.first_cents + column * found.step_cents;
  return [
    ["position", "from_cents", "to_cents", "act", "up_after_it_cents"],
    ...found.rows.flatMap(({ position, runs }) =>
      runs.map(([first, last, act, staked]) => [position, cents(first), cents(last), found.acts[act], staked]),
    ),
  ];
}
