// A player's own luck: beside what the exact law of their wagers leads one to expect, and how rare it is at most.
import { el } from "../elements.js";
import { money } from "../money.js";

/**
 * @typedef {object} Luck of a player under one regulation, in cents
 * @property {string} regulation
 * @property {number} rolls
 * @property {number} expected
 * @property {number} luck
 * @property {number | null} one_in
 * @property {number} low
 * @property {number} high
 * @property {number} band_one_in
 */

const TOLD_FROM = 20; // bounds on chances are told from here on; below, luck alone may well go so far

/**
 * Such as "you won $12.00 more than the law of the dice leads one to expect".
 *
 * @param {number} luck
 * @returns {string}
 */
export function luckText(luck) {
  if (!luck) return "you won just what the law of the dice leads one to expect";
  return `you won ${money(Math.abs(luck))} ${luck > 0 ? "more" : "less"} than the law of the dice leads one to expect`;
}

/**
 * How rare luck is at most, in words.
 *
 * @param {{ one_in: number | null }} luck
 * @returns {string}
 */
export function rarityText({ one_in: bound }) {
  if (!bound) return "";
  if (bound < TOLD_FROM) return "Luck alone may well go so far.";
  const often = `1 time in ${bound.toLocaleString("en-US")}`;
  return `Luck alone goes so far at most ${often}, whatever one stakes and whenever one leaves.`;
}

/**
 * @param {HTMLElement} place
 * @param {Luck[]} luck
 */
export function showLuck(place, luck) {
  const none = "Your luck is known once wagers of yours were rolled for. Practice tables do not count.";
  if (!luck?.length) return place.replaceChildren(el("p", { class: "muted" }, none));
  return place.replaceChildren(
    ...luck.map((item) =>
      el(
        "div",
        { class: "luck" },
        el(
          "p",
          {},
          el("b", { class: "number big" }, `${item.luck > 0 ? "+" : ""}${money(item.luck)}`),
          " ",
          el("span", { class: "muted" }, item.regulation),
        ),
        el("p", {}, `Over ${item.rolls.toLocaleString("en-US")} rolls ${luckText(item.luck)}. ${rarityText(item)}`),
        el(
          "p",
          { class: "muted" },
          `Expected ${money(item.expected)}, luck ${money(item.luck)}; exact, over every wager ` +
            `that stood at every roll. With wagers like these luck alone stays between ${money(item.low)} and ` +
            `${money(item.high)} ` +
            `for all but 1 player in ${item.band_one_in} at most.`,
        ),
      ),
    ),
  );
}
