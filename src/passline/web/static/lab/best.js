// Best play of a menu: what is asked, its figures, and a picture of the policy, money against position.

import { el, figuresTable, hintText, tableHead } from "../elements.js";
import { money } from "../money.js";
import { svg, text } from "../table/svg.js";
import { figure } from "./charts.js";
import { groupsOf, policyCells, shadeOf } from "./policy.js";
import { scaleOf, ticksOf } from "./scales.js";

/** @typedef {{ menu: string, purpose: string, unit: string }} Wanted of best play */

const PURPOSES = {
  goal: "reach the goal before ruin",
  finish: "have at least the goal after the rolls",
  least_loss: "lose least in the rolls",
  longest: "last as many rolls as possible",
};
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 12, 6, 34];

export class BestPanel {
  /**
   * @param {HTMLElement} host
   * @param {{ ask: (wanted: Wanted) => void }} tells
   */
  constructor(host, { ask }) {
    this.menu = el("input", { id: "best-menu", value: "pass, pass_odds", maxlength: 400, spellcheck: "false" });
    this.unit = el("input", { id: "best-unit", value: "25", inputmode: "decimal", maxlength: 9 });
    this.purpose = el(
      "select",
      { id: "best-purpose" },
      ...Object.entries(PURPOSES).map(([value, said]) => el("option", { value }, said)),
    );
    this.said = el("p", { class: "muted", role: "status" });
    this.body = el("div", {});
    const form = el(
      "form",
      {
        class: "lab-fields best-form",
        onsubmit: (event) => {
          event.preventDefault();
          ask({ menu: this.menu.value, purpose: this.purpose.value, unit: this.unit.value });
        },
      },
      el("div", {}, el("label", { for: "best-menu" }, "Wagers on the menu"), this.menu),
      el("div", {}, el("label", { for: "best-unit" }, "In units of"), this.unit),
      el("div", {}, el("label", { for: "best-purpose" }, "To"), this.purpose),
      el("div", { class: "lab-buttons" }, el("button", { type: "submit" }, "Find it")),
    );
    host.replaceChildren(
      el("h2", { id: "best-title" }, "Best play"),
      hintText(
        "What no lawful play of these wagers does better, proved up to the gap that it states; bankroll, goal and " +
          "rolls are those of the session. The larger the unit, the sooner it is found. ",
        el("code", {}, "passline best"),
        " finds the same.",
      ),
      form,
      this.said,
      this.body,
    );
    host.hidden = false;
  }

  /** @param {Wanted} wanted */
  fill({ menu, purpose, unit }) {
    this.menu.value = menu;
    this.purpose.value = purpose in PURPOSES ? purpose : "goal";
    this.unit.value = unit;
  }

  /** @param {string} words */
  say(words) {
    this.said.textContent = words;
  }

  /** @param {Server.LabBest} found */
  show(found) {
    this.say(`${capital(found.purpose)}; ${found.menu}.`);
    const first = found.rows[0];
    const cents = (/** @type {number} */ column) => found.first_cents + column * found.step_cents;
    this.body.replaceChildren(
      el(
        "dl",
        { class: "best-facts" },
        ...found.facts.map(([label, value]) => el("div", {}, el("dt", {}, capital(label)), el("dd", {}, value))),
      ),
      policyChart(found),
      el(
        "details",
        {},
        el("summary", {}, first ? `What to do with the ${first.position}` : "Nothing is to be done"),
        first
          ? figuresTable(
              "What to do by money",
              "figures",
              tableHead(["With", "Do"], 2),
              first.runs.map(([from, until, act]) => ({
                cells: [
                  from === until ? money(cents(from)) : `${money(cents(from))} to ${money(cents(until))}`,
                  found.acts[act],
                ],
              })),
            )
          : "",
      ),
    );
  }
}

/** @param {Server.LabBest} found */
function policyChart(found) {
  const { groups, height } = groupsOf(found.rows);
  const cents = (/** @type {number} */ column) => found.first_cents + column * found.step_cents;
  const last = cents(found.columns);
  return figure({
    title: "The policy: money against position",
    about:
      "Each row is a position of puck and wagers, the come-out on top; the stronger the colour, the larger the share " +
      `of the money that is up.${found.is_cut ? " Some positions are left out." : ""}`,
    series: [],
    height: height + TOP + BOTTOM,
    csv: () => policyCells(found),
    draw: (width) => {
      const x = scaleOf([cents(0), last], [LEFT, width - RIGHT]);
      return [
        ...groups.flatMap(({ label, top, height, rows }) => [
          text(LEFT - 8, TOP + top + Math.min(14, height / 2 + 4), label, 12.5, { kind: "tick", anchor: "end" }),
          svg("rect", { class: "policy-ground", x: LEFT, y: TOP + top, width: width - RIGHT - LEFT, height }),
          ...rows.flatMap(({ row, top, height }) =>
            row.runs.map(([from, until, act, staked]) =>
              svg(
                "rect",
                {
                  class: `policy shade-${shadeOf(staked, (cents(from) + cents(until)) / 2)}`,
                  x: x(cents(from)),
                  y: TOP + top,
                  width: x(cents(until + 1)) - x(cents(from)),
                  height,
                },
                svg(
                  "title",
                  {},
                  `${row.position}, with ${money(cents(from))}${
                    until > from ? ` to ${money(cents(until))}` : ""
                  }: ${found.acts[act]}`,
                ),
              ),
            ),
          ),
        ]),
        ...ticksOf(cents(0), last, Math.max(2, Math.floor(width / 110))).map((tick) =>
          text(x(tick), TOP + height + 22, money(tick), 12.5, {
            kind: "tick",
            anchor: x(tick) > width - RIGHT - 24 ? "end" : "middle",
          }),
        ),
        svg("line", {
          class: "began",
          x1: x(found.bankroll_cents),
          x2: x(found.bankroll_cents),
          y1: TOP,
          y2: TOP + height,
        }),
      ];
    },
    says: [`${found.rows.length} positions, ${found.columns} amounts of money`],
  });
}

/** @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
