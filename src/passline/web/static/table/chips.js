// Chips: their colours, how an amount breaks into chips, and stacks on the layout.
import { money } from "../money.js";
import { svg, TEXT_MIN, text } from "./svg.js";

/** @type {[number, string][]} */
let colours = [[100, "white"]]; // largest first

/**
 * Take over the colours of the layout's chips: {"100": "white", ...}. They are the regulation's where it fixes them.
 *
 * @param {{ [cents: string]: string }} byCents
 */
export function useColours(byCents) {
  colours = Object.entries(byCents)
    .map(([cents, colour]) => /** @type {[number, string]} */ ([Number(cents), colour]))
    .sort(([cents], [other]) => other - cents);
}

/**
 * An amount without its sign, for want of room.
 *
 * @param {number} cents
 * @returns {string}
 */
export function faceValue(cents) {
  return money(cents).replaceAll(/^\D+| pts?$/g, "");
}

/**
 * @param {number} cents
 * @returns {string}
 */
export function chipColour(cents) {
  return (colours.find(([value]) => cents >= value) ?? colours[colours.length - 1])[1];
}

/**
 * The chips of an amount, largest first. A remainder smaller than the smallest chip counts as one chip.
 *
 * @param {number} cents
 * @param {number[]} values
 * @returns {number[]}
 */
export function chipsOf(cents, values) {
  const found = [];
  for (const value of [...values].sort((a, b) => b - a)) {
    while (cents >= value && found.length < 40) {
      found.push(value);
      cents -= value;
    }
  }
  return cents > 0 ? [...found, cents] : found;
}

/**
 * A stack with its amount on top, centred on (x, y).
 *
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} cents
 * @param {number[]} values
 * @param {{ kind?: string }} [look]
 * @returns {SVGGElement}
 */
export function stack(x, y, radius, cents, values, { kind = "" } = {}) {
  const chips = chipsOf(cents, values);
  const under = chips
    .slice(1, 4)
    .reverse()
    .map((value, index, all) => disc(x, y + (all.length - index) * 2.4, radius, value));
  return svg(
    "g",
    { class: `stack ${kind}` },
    ...under,
    disc(x, y, radius, chips[0] ?? cents),
    amountOn(x, y, radius, cents, chips[0] ?? cents),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} value
 * @returns {SVGGElement}
 */
function disc(x, y, radius, value) {
  return svg(
    "g",
    { class: `chip ${chipColour(value)}` },
    svg("circle", { cx: x, cy: y, r: radius, class: "edge" }),
    svg("circle", {
      cx: x,
      cy: y,
      r: radius * 0.87,
      class: "spots",
      "stroke-width": radius * 0.26,
      "stroke-dasharray": `${radius * 0.45} ${radius * 0.461}`,
    }),
    svg("circle", { cx: x, cy: y, r: radius * 0.73, class: "top" }),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} cents
 * @param {number} value
 * @returns {SVGTextElement}
 */
function amountOn(x, y, radius, cents, value) {
  const shown = faceValue(cents);
  const size = radius * (shown.length <= 2 ? 0.86 : shown.length === 3 ? 0.7 : 0.56);
  return text(x, y + Math.max(size, TEXT_MIN) * 0.36, shown, size, {
    kind: `value ${chipColour(value)}`,
    fit: radius * 2,
  });
}

/**
 * A button on chips: ON, OFF, BUY or LAY. A question mark means that the dealer has not placed it yet.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} word
 * @returns {SVGGElement}
 */
export function button(x, y, word) {
  const width = 6 + word.length * 7.8;
  return svg(
    "g",
    { class: `marker ${word.toLowerCase().replace("?", " asked")}` },
    svg("rect", { x: x - width / 2, y: y - 6.8, width, height: 13.6, rx: 6.8 }),
    text(x, y + 4, word, 11.2, { fit: width - 4 }),
  );
}

/**
 * Another player's wager: initials and amount in the colour of the seat.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} initials
 * @param {number} cents
 * @param {number} seat
 * @param {{ isOff?: boolean }} [look]
 * @returns {SVGGElement}
 */
export function pill(x, y, initials, cents, seat, { isOff = false } = {}) {
  const shown = `${initials} ${faceValue(cents)}`;
  const width = pillWidth(initials, cents);
  return svg(
    "g",
    { class: `pill seat-${seat}${isOff ? " is-off" : ""}` },
    svg("rect", { x, y: y - 7, width, height: 14, rx: 7 }),
    text(x + width / 2, y + 4, shown, 11.2, { fit: width - 4 }),
  );
}

/**
 * @param {string} initials
 * @param {number} cents
 * @returns {number}
 */
export function pillWidth(initials, cents) {
  return 8 + (initials.length + 1 + faceValue(cents).length) * 6;
}

/**
 * A chip of the tray.
 *
 * @param {number} cents
 * @returns {SVGSVGElement}
 */
export function trayChip(cents) {
  return svg(
    "svg",
    { viewBox: "0 0 48 48", "aria-hidden": "true", class: "tray-chip" },
    disc(24, 24, 22, cents),
    amountOn(24, 24, 22, cents, cents),
  );
}
