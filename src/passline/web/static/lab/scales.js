// The arithmetic of pictures: ticks, bins, and quantiles, without a page.

/** @typedef {[cents: number, chance: number, ruin: number, goal: number, stop: number]} Atom of a law */

const STEPS = [1, 2, 2.5, 5, 10];

/**
 * A round number of which at most `count` make up a span.
 *
 * @param {number} span
 * @param {number} count
 */
export function roundStep(span, count) {
  const least = span / count || 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least * (1 - 1e-9)) ?? 10) * power;
}

/**
 * Round values from low to high, at most about `count` of them.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @returns {number[]}
 */
export function ticksOf(low, high, count) {
  const step = roundStep(high - low, count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step);
}

/**
 * Where a value lies between two ends of a picture.
 *
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
export const scaleOf = (from, to) => (/** @type {number} */ value) =>
  to[0] + ((value - from[0]) / (from[1] - from[0] || 1)) * (to[1] - to[0]);

/**
 * The range of amounts that is worth drawing: outside it each law has at most a thousandth on either side.
 *
 * @param {Atom[][]} laws
 * @returns {[number, number]}
 */
export function rangeOf(laws) {
  const lows = laws.map((atoms) => quantileOf(atoms, 0.001));
  const highs = laws.map((atoms) => quantileOf(atoms, 0.999));
  const low = Math.min(...lows);
  return [low, Math.max(...highs, low + 100)];
}

/**
 * The least amount that at least so large a share of the sessions end with or below.
 *
 * @param {Atom[]} atoms
 * @param {number} share
 */
export function quantileOf(atoms, share) {
  let below = 0;
  for (const [cents, chance] of atoms) {
    below += chance;
    if (below >= share) return cents;
  }
  return atoms.at(-1)?.[0] ?? 0;
}

/**
 * The chances of sessions that neither were ruined nor ended at the goal or a stop, in bins that all laws share.
 *
 * @param {Atom[][]} laws
 * @param {number} count
 * @returns {{ edges: number[], heights: number[][], width: number }}
 */
export function binsOf(laws, count) {
  const [low, high] = rangeOf(laws);
  const width = Math.max(100, roundStep(high - low, count));
  const first = Math.floor(low / width);
  const cells = Math.floor(high / width) - first + 1;
  const edges = Array.from({ length: cells + 1 }, (_, at) => (first + at) * width);
  const heights = laws.map((atoms) => {
    const bins = new Array(cells).fill(0);
    for (const [cents, chance, ruin, goal, stop] of atoms) {
      const cell = Math.floor(cents / width) - first;
      if (cell >= 0 && cell < cells) bins[cell] += Math.max(0, chance - ruin - goal - stop);
    }
    return bins;
  });
  return { edges, heights, width };
}

/**
 * A line of steps over bins, as the path of a picture.
 *
 * @param {number[]} edges
 * @param {number[]} heights
 * @param {(cents: number) => number} x
 * @param {(share: number) => number} y
 */
export function stepsPath(edges, heights, x, y) {
  const points = heights.flatMap((height, at) => [
    [edges[at], height],
    [edges[at + 1], height],
  ]);
  return pathOf([[edges[0], 0], ...points, [edges[edges.length - 1], 0]], x, y);
}

/**
 * A line through points.
 *
 * @param {number[][]} points
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 */
export const pathOf = (points, x, y) =>
  points.map(([at, value], place) => `${place ? "L" : "M"}${round(x(at))} ${round(y(value))}`).join("");

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/**
 * A chance in words: 0.4231 -> "42.3 %", 0.00012 -> "0.012 %", tiny ones as a power.
 *
 * @param {number} chance
 */
export function percentText(chance) {
  const percent = chance * 100;
  if (!percent) return "0 %";
  if (Math.abs(percent) < 1e-4) return `${percent.toExponential(1)} %`;
  const places = Math.abs(percent) >= 10 ? 1 : Math.abs(percent) >= 0.1 ? 2 : 4;
  return `${percent.toFixed(places)} %`;
}
