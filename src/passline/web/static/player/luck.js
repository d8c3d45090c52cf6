// Luck in standard deviations against the exact law of the player's own wagers, as the house's accounts have it.
import { el } from "../elements.js";
import { money } from "../money.js";

// Such as "0.8 standard deviations above what the law of the dice leads one to expect".
export function luckText(deviations) {
  if (deviations === null || deviations === undefined) return "";
  const far = Math.abs(deviations).toFixed(1);
  if (far === "0.0") return "just as the law of the dice leads one to expect";
  return `${far} standard deviations ${deviations > 0 ? "above" : "below"} what the law of the dice leads one to expect`;
}

export function showLuck(place, luck) {
  if (!luck?.length) return place.replaceChildren(el("p", { class: "muted" }, "Your luck is known once wagers of yours were rolled for. Practice tables do not count."));
  return place.replaceChildren(...luck.map((one) => el("div", { class: "luck" },
    el("p", {}, el("b", { class: "number big" }, one.deviations === null ? "none yet" : `${one.deviations > 0 ? "+" : one.deviations < 0 ? "\u2212" : ""}${Math.abs(one.deviations).toFixed(2)} SD`), " ", el("span", { class: "muted" }, one.regulation)),
    el("p", {}, one.deviations === null ? "" : `Over ${one.rolls.toLocaleString("en-US")} rolls you were ${luckText(one.deviations)}.`),
    el("p", { class: "muted" }, `Expected ${money(one.expected)}, luck ${money(one.luck)}, one standard deviation ${money(one.deviation)}; exact, over every wager that stood at every roll.`))));
}
