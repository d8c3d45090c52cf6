// Charts as SVG: columns with a band, bars, and a curve on a logarithmic scale; each with its figures as a table beside
// it.

import { el, hintText } from "../elements.js";
import { svg, text } from "../table/svg.js";
import { figures } from "./lists.js";

/** @import { Child } from "../elements.js" */
/** @typedef {(value: number) => string} Format */
/** @typedef {{ name: string, href?: string }} Item of a chart */
/** @typedef {Item & { expected: number, actual: number, low: number, high: number }} BandItem */
/** @typedef {Item & { value: number | null }} BarItem */
/** @typedef {ReturnType<typeof scale>} Scale */
/** @typedef {ReturnType<typeof slots>} Slots */

const LEFT = 74,
  RIGHT = 16,
  TOP = 14,
  BOTTOM = 34,
  HEIGHT = 260,
  SIZE = 12.5;
const LABEL_WIDTH = 82; // px for a name below the axis
const STEPS = [1, 2, 2.5, 5, 10];

/**
 * What was won beside what was to be expected: of each item the band, the expectation and the actual figure.
 *
 * @param {string} title
 * @param {string} about
 * @param {BandItem[]} items
 * @param {Format} format
 * @param {string[]} heads
 */
export function bandChart(title, about, items, format, heads) {
  const rows = items.map((item) => [
    nameOf(item),
    format(item.actual),
    format(item.expected),
    `${format(item.low)} to ${format(item.high)}`,
  ]);
  return chart(
    title,
    about,
    heads,
    rows,
    (width) => {
      const y = scale(items.flatMap((item) => [item.low, item.high, item.actual, 0])),
        x = slots(items.length, width);
      const wide = Math.min(56, x.step * 0.6);
      return [
        ...axis(y, width, format),
        ...names(items, x),
        ...items.map((item, number) =>
          mark(
            item,
            `${item.name}: ${format(item.actual)}; expected ${format(item.expected)}, mostly from ` +
              `${format(item.low)} to ${format(item.high)}`,
            svg("rect", {
              class: "hit",
              x: x.at(number) - x.step / 2,
              y: TOP,
              width: x.step,
              height: HEIGHT - TOP - BOTTOM,
            }),
            svg("rect", {
              class: "band",
              x: x.at(number) - wide / 2,
              y: y.at(item.high),
              width: wide,
              height: Math.max(1, y.at(item.low) - y.at(item.high)),
            }),
            svg("line", {
              class: "expected",
              x1: x.at(number) - wide / 2,
              x2: x.at(number) + wide / 2,
              y1: y.at(item.expected),
              y2: y.at(item.expected),
            }),
            svg("circle", {
              class: item.actual < item.low || item.actual > item.high ? "actual is-out" : "actual",
              cx: x.at(number),
              cy: y.at(item.actual),
              r: 5.5,
            }),
          ),
        ),
      ];
    },
    [
      ["key-actual", heads[1]],
      ["key-expected", heads[2]],
      ["key-band", heads[3]],
    ],
  );
}

/**
 * A bar for each item; what is not known has none, and says so.
 *
 * @param {string} title
 * @param {string} about
 * @param {BarItem[]} items
 * @param {Format} format
 * @param {string[]} heads
 * @param {Format} [onAxis]
 */
export function barChart(title, about, items, format, heads, onAxis = format) {
  return chart(
    title,
    about,
    heads,
    items.map((item) => [nameOf(item), item.value === null ? "not known" : format(item.value)]),
    (width) => {
      const y = scale([...items.map((item) => item.value ?? 0), 0]),
        x = slots(items.length, width),
        wide = Math.min(72, x.step * 0.55);
      return [
        ...axis(y, width, onAxis),
        ...names(items, x),
        ...items.map((item, number) => {
          const value = item.value ?? 0,
            said = item.value === null ? "not known" : format(value);
          return mark(
            item,
            `${item.name}: ${said}`,
            svg("rect", {
              class: "hit",
              x: x.at(number) - x.step / 2,
              y: TOP,
              width: x.step,
              height: HEIGHT - TOP - BOTTOM,
            }),
            svg("rect", {
              class: "bar",
              x: x.at(number) - wide / 2,
              y: Math.min(y.at(0), y.at(value)),
              width: wide,
              height: Math.abs(y.at(value) - y.at(0)),
            }),
            text(x.at(number), value < 0 ? y.at(value) + 16 : y.at(value) - 6, said, SIZE, { kind: "said" }),
          );
        }),
      ];
    },
  );
}

/**
 * Evidence after each roll, as powers of ten, with the bound at which it alarms. `points` are [rolls, natural
 * logarithm].
 *
 * @param {string} title
 * @param {string} about
 * @param {[rolls: number, log: number, ...rest: number[]][]} points
 * @param {number} bound
 * @param {string[]} heads
 */
export function evidenceChart(title, about, points, bound, heads) {
  const tens = points.map(([rolls, log]) => [rolls, log / Math.LN10]),
    limit = Math.log10(bound),
    last = points.at(-1)?.[0] ?? 1;
  /** @param {number} power */
  const word = (power) => evidenceText(10 ** power);
  const some =
    points.length > 24
      ? points.filter((_, number) => number % Math.ceil(points.length / 24) === 0 || number === points.length - 1)
      : points;
  return chart(
    title,
    about,
    heads,
    some.map(([rolls, log]) => [rolls.toLocaleString("en-US"), evidenceText(Math.exp(log))]),
    (width) => {
      const y = scale([...tens.map(([, power]) => power), 0, limit * 1.08], true),
        x = (/** @type {number} */ rolls) => LEFT + (rolls / last) * (width - LEFT - RIGHT);
      const ticks = scale([0, last]).ticks.filter((tick) => tick <= last && Number.isInteger(tick));
      return [
        ...axis(y, width, word),
        ...ticks.map((tick) =>
          text(x(tick), HEIGHT - BOTTOM + 20, tick.toLocaleString("en-US"), SIZE, {
            kind: "name",
            anchor: tick === 0 ? "start" : "middle",
          }),
        ),
        svg("line", { class: "bound", x1: LEFT, x2: width - RIGHT, y1: y.at(limit), y2: y.at(limit) }),
        text(width - RIGHT, y.at(limit) - 6, `alarm at ${evidenceText(bound)}`, SIZE, { kind: "said", anchor: "end" }),
        svg("path", {
          class: "curve",
          d: tens
            .map(([rolls, power], number) => `${number ? "L" : "M"}${x(rolls).toFixed(1)} ${y.at(power).toFixed(1)}`)
            .join(""),
        }),
        ...some.map(([rolls, log]) =>
          mark(
            {},
            `after ${rolls} rolls: ${evidenceText(Math.exp(log))}`,
            svg("circle", { class: "hit", cx: x(rolls), cy: y.at(log / Math.LN10), r: 9 }),
          ),
        ),
      ];
    },
  );
}

/**
 * Evidence in words: 1.26, 1,000, 3.4 million, or as a power of ten.
 *
 * @param {number} value
 * @returns {string}
 */
export function evidenceText(value) {
  if (value >= 1e9 || value < 0.001) return value === 0 ? "0" : `10^${Math.round(Math.log10(value) * 10) / 10}`;
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}

/**
 * What an item is called, as a link to what is behind its figures.
 *
 * @param {Item} item
 * @returns {Child}
 */
const nameOf = ({ name, href }) => (href ? el("a", { class: "which", href }, name) : name);

/**
 * The frame of a chart: drawn as wide as its place, and again when that changes; the figures are there as a table too.
 *
 * @param {string} title
 * @param {string} about
 * @param {string[]} heads
 * @param {Child[][]} rows
 * @param {(width: number) => Node[]} draw
 * @param {[kind: string, said: string][]} [keys]
 */
function chart(title, about, heads, rows, draw, keys = []) {
  made += 1;
  const id = `chart-${made}`;
  const place = el("div", { class: "drawn" });
  const figure = el(
    "figure",
    { class: "chart", "aria-labelledby": id },
    el("figcaption", {}, el("h2", { id }, title), hintText(about)),
    keys.length
      ? el(
          "ul",
          { class: "keys", "aria-hidden": "true" },
          ...keys.map(([kind, said]) => el("li", { class: kind }, said)),
        )
      : null,
    place,
    el(
      "details",
      {},
      el("summary", {}, "These figures as a table"),
      figures(
        title,
        heads,
        rows.map(([name, ...rest]) => [name, ...rest.map((item) => el("td", { class: "amount" }, item))]),
      ),
    ),
  );
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {
    if (Math.round(contentRect.width) === width || !contentRect.width) return;
    width = Math.round(contentRect.width);
    const drawn = svg("svg", {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      width,
      height: HEIGHT,
      role: "group",
      "aria-labelledby": id,
    });
    drawn.append(svg("desc", {}, about), ...draw(width));
    place.replaceChildren(drawn);
  }).observe(place);
  return figure;
}
let made = 0;

/**
 * One item: a link where there is something behind it, with a text for whoever points at it or reads it aloud.
 *
 * @param {{ href?: string }} each
 * @param {string} said
 * @param {...SVGElement} shapes
 */
function mark(each, said, ...shapes) {
  const title = svg("title", {}, said);
  return each.href
    ? svg("a", { href: each.href, "aria-label": said }, title, ...shapes)
    : svg("g", { role: "img", "aria-label": said }, title, ...shapes);
}

/**
 * @param {number[]} values
 * @param {boolean} [isPower]
 */
function scale(values, isPower = false) {
  const low = Math.min(...values),
    high = Math.max(...values),
    range = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(range / 5));
  const step = isPower
    ? Math.max(1, Math.ceil(range / 6))
    : (STEPS.map((factor) => factor * power).find((wide) => wide >= range / 5 - 1e-9) ?? 10 * power);
  const first = Math.floor(low / step + 1e-9),
    last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, number) => (first + number) * step);
  const [bottom, top] = [ticks[0], ticks[ticks.length - 1]];
  return {
    ticks,
    at: (/** @type {number} */ value) => TOP + ((top - value) / (top - bottom || 1)) * (HEIGHT - TOP - BOTTOM),
  };
}

/**
 * @param {Scale} y
 * @param {number} width
 * @param {Format} format
 */
function axis(y, width, format) {
  return y.ticks.flatMap((tick) => [
    svg("line", {
      class: tick === 0 ? "grid is-zero" : "grid",
      x1: LEFT,
      x2: width - RIGHT,
      y1: y.at(tick),
      y2: y.at(tick),
    }),
    text(LEFT - 8, y.at(tick) + 4, format(tick), SIZE, { kind: "tick", anchor: "end" }),
  ]);
}

/**
 * @param {number} count
 * @param {number} width
 */
function slots(count, width) {
  const step = (width - LEFT - RIGHT) / Math.max(1, count);
  return { step, at: (/** @type {number} */ number) => LEFT + step * (number + 0.5) };
}

/**
 * The names below the axis, as many as there is room for.
 *
 * @param {Item[]} items
 * @param {Slots} x
 */
function names(items, x) {
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / x.step));
  return items.flatMap((item, number) =>
    number % every === 0 ? [text(x.at(number), HEIGHT - BOTTOM + 20, item.name, SIZE, { kind: "name" })] : [],
  );
}
