// The pictures of the laboratory, drawn as wide as their place: laws, endings, ruin roll by roll, fans of quantiles.

import { el } from "../elements.js";
import { money } from "../money.js";
import { svg, text } from "../table/svg.js";
import { savings } from "./exports.js";
import { binsOf, pathOf, percentText, scaleOf, stepsPath, ticksOf } from "./scales.js";

/** @typedef {{ name: string, letter: string, place: number, law: Server.LabLaw }} Series of a chart */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Frame of a picture, in its units */

const SIZE = 12.5;
const HEIGHT = 290;
const BINS = 48;

/**
 * How the bankrolls of sessions that were neither ruined nor ended at their goal or a stop are spread.
 *
 * @param {Series[]} series
 * @param {number} bankroll
 */
export function lawChart(series, bankroll) {
  const {
    edges,
    heights,
    width: bin,
  } = binsOf(
    series.map(({ law }) => law.atoms),
    BINS,
  );
  const top = Math.max(...heights.flat(), 1e-9) * 1.06;
  return figure({
    title: "Final bankroll",
    about:
      `Of sessions that played to their end, per ${money(bin)}; dotted: what they began with, ` +
      "dashed: the mean of all.",
    series,
    csv: () => [
      ["strategy", "bankroll_cents", "chance", "of_it_ruined", "of_it_at_goal", "of_it_stopped"],
      ...series.flatMap(({ name, law }) => law.atoms.map((atom) => [name, ...atom])),
    ],
    draw: (width) => {
      const frame = frameOf(width);
      const x = scaleOf([edges[0], edges[edges.length - 1]], [frame.left, frame.right]);
      const y = scaleOf([0, top], [frame.bottom, frame.top]);
      return [
        ...grid(frame, y, ticksOf(0, top, 5), percentText),
        ...across(frame, x, ticksOf(edges[0], edges[edges.length - 1], tickCount(width)), money),
        upright(frame, x(bankroll), "began"),
        ...series.flatMap(({ place }, at) => {
          const path = stepsPath(edges, heights[at], x, y);
          return [
            svg("path", { class: `series s${place} ground`, d: `${path}Z` }),
            svg("path", { class: `series s${place} line`, d: path }),
          ];
        }),
        ...series.map(({ place, law }) => upright(frame, x(clamp(law.mean_cents, edges)), `mean series s${place}`)),
      ];
    },
    says: series.map(
      ({ name, law }) =>
        `${name}: mean ${money(Math.round(law.mean_cents))}, deviation ${money(Math.round(law.sd_cents))}`,
    ),
  });
}

/**
 * How the sessions of each strategy end.
 *
 * @param {Series[]} series
 */
export function endingsChart(series) {
  const parts = series.map(({ law }) => {
    const [ruin, goal, stop] = [law.ruin ?? 0, law.goal ?? 0, law.stop ?? 0];
    return { ruin, goal, stop, limit: Math.max(0, 1 - ruin - goal - stop) };
  });
  /** @type {["ruin" | "stop" | "limit" | "goal", string][]} */
  const kinds = [
    ["ruin", "ruined"],
    ["stop", "stopped"],
    ["limit", "played to the end"],
    ["goal", "at the goal"],
  ];
  const shown = kinds.filter(([kind]) => parts.some((part) => part[kind] > 0));
  const row = 46;
  return figure({
    title: "How sessions end",
    about: "The share of the sessions that end in ruin, at a stop, at their end, or at the goal.",
    series: [],
    height: series.length * row + 8,
    keys: shown.map(([kind, said]) => [`ending-${kind}`, said]),
    csv: () => [
      ["strategy", "ruin", "stopped", "played_to_the_end", "goal"],
      ...series.map(({ name }, at) => [name, parts[at].ruin, parts[at].stop, parts[at].limit, parts[at].goal]),
    ],
    draw: (width) =>
      series.flatMap(({ letter, name }, at) => {
        const top = at * row + 20;
        let left = 1;
        const bars = shown.map(([kind]) => {
          const wide = parts[at][kind] * (width - 2);
          const said = percentText(parts[at][kind]);
          const bar = [
            svg("rect", { class: `ending-${kind}`, x: left, y: top, width: Math.max(wide, 0), height: 22 }),
            wide > said.length * 8 ? text(left + wide / 2, top + 15.5, said, SIZE, { kind: `on-${kind}` }) : null,
          ];
          left += wide;
          return bar;
        });
        return [text(1, top - 6, `${letter}  ${name}`, SIZE, { kind: "name", anchor: "start" }), ...bars.flat()];
      }),
    says: series.map(
      ({ name }, at) => `${name}: ${shown.map(([kind, said]) => `${percentText(parts[at][kind])} ${said}`).join(", ")}`,
    ),
  });
}

/**
 * The chance to be ruined by each roll and, dashed, to have reached the goal.
 *
 * @param {Series[]} series
 */
export function ruinChart(series) {
  const last = Math.max(...series.map(({ law }) => law.by_roll.at(-1)?.[0] ?? 0), 1);
  const hasGoal = series.some(({ law }) => law.goal !== null);
  const top = Math.max(...series.map(({ law }) => Math.max(law.ruin ?? 0, law.goal ?? 0)), 1e-6) * 1.06;
  return figure({
    title: "Ruin, roll by roll",
    about: `The chance to be ruined by then${hasGoal ? "; dashed: to be at the goal by then" : ""}.`,
    series,
    csv: () => [
      ["strategy", "rolls", "ruined_by_then", "at_goal_by_then", "at_limit_by_then", "stopped_by_then"],
      ...series.flatMap(({ name, law }) => law.by_roll.map((row) => [name, ...row])),
    ],
    draw: (width) => {
      const frame = frameOf(width);
      const x = scaleOf([0, last], [frame.left, frame.right]);
      const y = scaleOf([0, top], [frame.bottom, frame.top]);
      return [
        ...grid(frame, y, ticksOf(0, top, 5), percentText),
        ...across(frame, x, ticksOf(0, last, tickCount(width)), rollsText, "rolls"),
        ...series.flatMap(({ place, law }) => {
          const ruin = law.by_roll.map(([roll, chance]) => [roll, chance]);
          const goal = law.by_roll.map(([roll, , chance]) => [roll, chance]);
          return [
            svg("path", { class: `series s${place} line`, d: pathOf(ruin, x, y) }),
            hasGoal && svg("path", { class: `series s${place} line dashed`, d: pathOf(goal, x, y) }),
          ];
        }),
      ];
    },
    says: series.map(
      ({ name, law }) =>
        `${name}: ruined ${percentText(law.ruin ?? 0)}` +
        `${hasGoal ? `, at the goal ${percentText(law.goal ?? 0)}` : ""} in the end`,
    ),
  });
}

/**
 * The bankroll on the way: half of the sessions are in the darker band after so many rolls, nine of ten in the lighter.
 *
 * @param {Series} one
 * @param {Server.LabFan} fan
 * @param {[number, number]} range of amounts, the same for all fans
 */
export function fanChart({ name, letter, place }, fan, range) {
  const last = Math.max(fan.rolls.at(-1) ?? 1, 1);
  /** @param {number} share */
  const course = (share) => fan.rolls.map((roll, at) => [roll, fan.cents[at][fan.shares.indexOf(share)]]);
  /** @param {number} low @param {number} high */
  const band = (low, high) => [...course(low), ...course(high).reverse()];
  return figure({
    title: `On the way: ${letter} ${name}`,
    about: `After so many rolls half of the sessions are in the inner band, nine of ten in the outer${
      fan.is_cut ? "; later rolls took too long" : ""
    }.`,
    series: [],
    height: 230,
    csv: () => [
      ["rolls", ...fan.shares.map((share) => `quantile_${share}_cents`), "mean_cents"],
      ...fan.rolls.map((roll, at) => [roll, ...fan.cents[at], fan.mean_cents[at]]),
    ],
    draw: (width) => {
      const frame = frameOf(width, 230);
      const x = scaleOf([0, last], [frame.left, frame.right]);
      const y = scaleOf(range, [frame.bottom, frame.top]);
      const middle = fan.cents.at(-1)?.[fan.shares.indexOf(50)] ?? 0;
      return [
        ...grid(frame, y, ticksOf(...range, 5), money),
        ...across(frame, x, ticksOf(0, last, tickCount(width)), rollsText, "rolls"),
        svg("path", { class: `series s${place} outer`, d: `${pathOf(band(5, 95), x, y)}Z` }),
        svg("path", { class: `series s${place} inner`, d: `${pathOf(band(25, 75), x, y)}Z` }),
        svg("path", { class: `series s${place} line`, d: pathOf(course(50), x, y) }),
        text(frame.right, y(middle) - 6, `median ${money(middle)}`, SIZE, { kind: "said", anchor: "end" }),
      ];
    },
    says: [
      `${name} after ${last} rolls: half of the sessions from ${fan.shares
        .filter((share) => share === 25 || share === 75)
        .map((share) => money(fan.cents.at(-1)?.[fan.shares.indexOf(share)] ?? 0))
        .join(" to ")}`,
    ],
  });
}

/**
 * The frame of a picture: its title, its key, what it says in words, and buttons that save it.
 *
 * @param {{
 *   title: string, about: string, series: Series[], height?: number, keys?: [string, string][],
 *   csv: () => (string | number | null)[][], draw: (width: number) => (Node | false | null)[], says: string[],
 * }} options
 */
export function figure({ title, about, series, height = HEIGHT, keys, csv, draw, says }) {
  made += 1;
  const id = `lab-chart-${made}`;
  const place = el("div", { class: "drawn" });
  const shownKeys = keys ?? series.map(({ place, letter, name }) => [`series s${place}`, `${letter} ${name}`]);
  /** @param {number} width */
  const picture = (width) =>
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": `${id} ${id}-says` },
      ...draw(width),
    );
  let drawn = 0;
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (width === drawn || !width) return;
    drawn = width;
    place.replaceChildren(picture(width));
  }).observe(place);
  return el(
    "figure",
    { class: "panel lab-chart" },
    el(
      "figcaption",
      {},
      el("div", { class: "chart-head" }, el("h3", { id }, title), savings(title, place, csv, shownKeys)),
      el("p", { class: "hint" }, about),
      shownKeys.length > 0 &&
        el(
          "ul",
          { class: "keys", "aria-hidden": "true" },
          ...shownKeys.map(([kind, said]) => el("li", { class: kind }, said)),
        ),
    ),
    place,
    el("p", { class: "spoken", id: `${id}-says` }, `${about} ${says.join(". ")}.`),
  );
}
let made = 0;

/**
 * @param {number} width
 * @param {number} [height]
 * @returns {Frame}
 */
const frameOf = (width, height = HEIGHT) => ({ left: 62, right: width - 12, top: 10, bottom: height - 36 });

/** @param {number} width */
const tickCount = (width) => Math.max(2, Math.floor(width / 110));

/** @param {number} rolls */
const rollsText = (rolls) => rolls.toLocaleString("en-US");

/**
 * @param {Frame} frame
 * @param {(value: number) => number} y
 * @param {number[]} ticks
 * @param {(value: number) => string} format
 */
const grid = (frame, y, ticks, format) =>
  ticks.flatMap((tick) => [
    svg("line", { class: "grid", x1: frame.left, x2: frame.right, y1: y(tick), y2: y(tick) }),
    text(frame.left - 8, y(tick) + 4, format(tick), SIZE, { kind: "tick", anchor: "end" }),
  ]);

/**
 * @param {Frame} frame
 * @param {(value: number) => number} x
 * @param {number[]} ticks
 * @param {(value: number) => string} format
 * @param {string} [unit]
 */
const across = (frame, x, ticks, format, unit = "") =>
  ticks.flatMap((tick, at) => [
    svg("line", { class: "grid", x1: x(tick), x2: x(tick), y1: frame.bottom, y2: frame.bottom + 5 }),
    text(x(tick), frame.bottom + 20, at === ticks.length - 1 && unit ? `${format(tick)} ${unit}` : format(tick), SIZE, {
      kind: "tick",
      anchor: x(tick) > frame.right - 24 ? "end" : "middle",
    }),
  ]);

/**
 * @param {Frame} frame
 * @param {number} x
 * @param {string} kind
 */
const upright = (frame, x, kind) => svg("line", { class: kind, x1: x, x2: x, y1: frame.top, y2: frame.bottom });

/**
 * @param {number} value
 * @param {number[]} edges
 */
const clamp = (value, edges) => Math.min(Math.max(value, edges[0]), edges[edges.length - 1]);
