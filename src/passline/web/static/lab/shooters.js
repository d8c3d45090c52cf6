// A session on given dice, shooter by shooter: the felt before each roll, what was done, why, and what it paid.

import { buttonFor, el } from "../elements.js";
import { money, useCurrency } from "../money.js";
import { Board } from "../table/board.js";
import { useColours } from "../table/chips.js";
import { LETTERS } from "./played_list.js";

/** @typedef {{ strategy: number, seed: number, roll: number }} Shown of a session */

const SEAT = 2;
const ENDINGS = { ruin: "ruined", goal: "at the goal", limit: "played to the end", stop: "left at a stop" };

export class Shooters {
  /** @type {Board | null} */
  #board = null;
  /** @type {Server.LabHands | null} */
  #told = null;
  #at = 0;

  /**
   * @param {HTMLElement} host
   * @param {{ ask: (shown: Shown) => void, moved: (shown: Shown) => void }} tells
   */
  constructor(host, { ask, moved }) {
    this.moved = moved;
    this.strategy = el("select", { id: "shooter-strategy" });
    this.seed = el("input", { id: "seed", inputmode: "numeric", autocomplete: "off", maxlength: 15, value: "7" });
    this.said = el("p", { class: "muted", role: "status" });
    this.felt = el("div", { class: "picture" });
    this.hands = el("div", { class: "hand-list", role: "group", "aria-label": "Shooters" });
    this.story = el("div", { class: "story", "aria-live": "polite" });
    this.where = el("output", {});
    /** @type {[string, string, () => number][]} */
    const steps = [
      ["First", "First roll", () => 0],
      ["Back", "Roll before", () => this.#at - 1],
      ["Next", "Next roll", () => this.#at + 1],
      ["Last", "Last roll", () => this.#rolls.length - 1],
    ];
    this.steps = steps.map(([word, label, to]) => buttonFor(word, () => this.show(to()), { "aria-label": label }));
    this.body = el(
      "div",
      { class: "shooter-body", hidden: true },
      this.hands,
      el("div", { class: "steps" }, this.steps[0], this.steps[1], this.where, this.steps[2], this.steps[3]),
      el("div", { class: "shooter-look" }, this.felt, this.story),
    );
    const form = el(
      "form",
      {
        class: "lab-fields shooter-form",
        onsubmit: (event) => {
          event.preventDefault();
          ask({ strategy: Number(this.strategy.value), seed: Number(this.seed.value) || 0, roll: 0 });
        },
      },
      el("div", {}, el("label", { for: "shooter-strategy" }, "Strategy"), this.strategy),
      el("div", {}, el("label", { for: "seed" }, "Seed of the dice"), this.seed),
      el(
        "div",
        { class: "lab-buttons" },
        el("button", { type: "submit" }, "Play"),
        buttonFor("Other dice", () => {
          this.seed.value = String(Math.floor(Math.random() * 1e6));
          form.requestSubmit();
        }),
      ),
    );
    host.replaceChildren(
      el("h2", { id: "shooters-title" }, "Shooter by shooter"),
      el(
        "p",
        { class: "hint" },
        "One session on the dice of a seed, as the rules deal it: the same that ",
        el("code", {}, "passline replay"),
        " plays.",
      ),
      form,
      this.said,
      this.body,
    );
    host.hidden = false;
  }

  /** @param {string[]} names */
  choose(names) {
    const chosen = Math.min(Number(this.strategy.value) || 0, names.length - 1);
    this.strategy.replaceChildren(
      ...names.map((name, at) => el("option", { value: at, selected: at === chosen }, `${LETTERS[at]}  ${name}`)),
    );
  }

  /** @param {string} words */
  say(words) {
    this.said.textContent = words;
  }

  /**
   * @param {Server.LabHands} told
   * @param {Shown} shown
   */
  open(told, shown) {
    this.#told = told;
    this.strategy.value = String(shown.strategy);
    this.seed.value = String(shown.seed);
    this.body.hidden = false;
    useCurrency(told.layout.currency);
    useColours(told.layout.colours);
    const isSmall = matchMedia("(max-width: 640px)").matches;
    this.#board = new Board({
      view: isSmall ? told.layout.half : told.layout.table,
      chips: told.layout.chips,
      label: "Layout, view only",
    });
    this.felt.replaceChildren(el("div", { class: "felt" }, this.#board.element));
    const rolls = this.#rolls;
    const last = rolls.at(-1);
    const ending = ENDINGS[/** @type {keyof typeof ENDINGS} */ (told.ending)] ?? "and it goes on";
    const hands = told.hands.length === 1 ? "1 shooter" : `${told.hands.length} shooters`;
    this.say(
      last
        ? `${told.name}: ${rolls.length} rolls, ${hands}, ${money(last.equity_cents)} at the end, ${ending}.`
        : `${told.name}: no dice were thrown, ${ending}.`,
    );
    let first = 0;
    this.hands.replaceChildren(
      ...told.hands.map((hand) => {
        const from = first;
        first += hand.rolls.length;
        const net = (hand.rolls.at(-1)?.equity_cents ?? hand.began_cents) - hand.began_cents;
        const sign = net > 0 ? "+" : net < 0 ? "\u2212" : "";
        return buttonFor(
          [
            el("span", {}, `Shooter ${hand.number}`),
            el("b", { class: `number ${net > 0 ? "up" : net < 0 ? "down" : ""}` }, `${sign}${money(Math.abs(net))}`),
            el("small", { class: "muted" }, `${hand.rolls.length} ${hand.rolls.length === 1 ? "roll" : "rolls"}`),
          ],
          () => this.show(from),
          { "data-from": from, "data-until": first },
        );
      }),
    );
    if (rolls.length) this.show(shown.roll);
  }

  /** @returns {Server.LabRoll[]} */
  get #rolls() {
    return this.#told?.hands.flatMap((hand) => hand.rolls) ?? [];
  }

  /** @param {number} to */
  show(to) {
    const rolls = this.#rolls;
    this.#at = Math.max(0, Math.min(rolls.length - 1, to));
    const roll = rolls[this.#at];
    const limits = this.#told?.limits;
    if (!roll || !limits) return;
    this.where.textContent = `Roll ${roll.roll} of ${rolls.length}`;
    for (const [at, button] of this.steps.entries())
      button.disabled = at < 2 ? this.#at === 0 : this.#at === rolls.length - 1;
    for (const button of this.hands.querySelectorAll("button")) {
      const isHere = this.#at >= Number(button.dataset.from) && this.#at < Number(button.dataset.until);
      button.setAttribute("aria-pressed", String(isHere));
      if (isHere) button.parentElement?.scrollTo({ left: button.offsetLeft - 40 });
    }
    const table = { wagers: roll.up, puck: roll.puck, seats: [], markers: [], points: null, dice_are: "held" };
    const shown = /** @type {any} */ ({ ...table, limits: { min: limits[0], max: limits[1] } });
    this.#board?.update({ table: /** @type {Server.TableView} */ (shown), seat: SEAT });
    this.story.replaceChildren(...storyOf(roll));
    this.moved({ strategy: Number(this.strategy.value), seed: this.#told?.seed ?? 0, roll: this.#at });
  }
}

/**
 * What happened at a roll, in words.
 *
 * @param {Server.LabRoll} roll
 */
function storyOf(roll) {
  /** @param {string} title @param {string[]} lines @param {string} none */
  const part = (title, lines, none) => [
    el("h4", {}, title),
    lines.length
      ? el("ul", {}, ...lines.map((line) => el("li", {}, plainLine(line))))
      : el("p", { class: "muted" }, none),
  ];
  const said = roll.wishes.filter(({ said }) => said.length);
  const unsaid = roll.wishes.filter(({ said }) => !said.length);
  return [
    el("h3", {}, roll.title),
    ...part("Before the dice", roll.acts, roll.is_sitting_out ? "Sits this shooter out." : "Nothing is done."),
    ...part("The dice", roll.decided, "Nothing is decided."),
    el("p", {}, "Worth now: ", el("b", { class: "number" }, money(roll.equity_cents))),
    el(
      "details",
      {},
      el("summary", {}, "Why"),
      el("ul", { class: "wishes" }, ...[...said, ...unsaid].map((wish) => el("li", {}, wishText(wish)))),
    ),
  ];
}

/** @param {string} line */
const plainLine = (line) =>
  line
    .replace(/^The player's rack: /, "Rack: ")
    .replace(/^The player (on this roll: )?/, (_, sum) => (sum ? "On this roll: " : ""));

/** @param {Server.ToldWish} wish */
function wishText({ wish, does, wager, number, said, when, values, why_not }) {
  const known = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  const what = said.join("; ") || `no ${does} ${wager} ${number}`.trim();
  const because = why_not ? `: ${why_not}` : "";
  const condition = when && when !== "1" ? ` when ${when}` : "";
  return `wish[${wish}] ${what}${because}${condition}${known.length ? ` (${known.join(", ")})` : ""}`;
}
