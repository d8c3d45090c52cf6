// The house steps that are not automated, and the order to pass the dice.

import { el } from "../elements.js";
import { act, choiceKeys, choices, folded, panel } from "./panel.js";

/**
 * @typedef {object} Step of the house
 * @property {"offer" | "call" | "settle" | "pass"} step
 * @property {string} key
 * @property {string} says
 * @property {string[]} at where the dice are when it is due
 * @property {(at: { card: Server.CrewCard, table: Server.TableView }) => Server.TableCommand} command
 */

/** @type {Step[]} */
const STEPS = [
  {
    step: "offer",
    key: "o",
    says: "Offer the dice",
    at: ["cup"],
    command: ({ card }) => ({ command: "offer-dice", dice: card.offer.dice }),
  },
  {
    step: "call",
    key: "a",
    says: "Call the roll",
    at: ["rest"],
    command: ({ table }) => ({ command: "call-roll", total: table.faces[0] + table.faces[1] }),
  },
  { step: "settle", key: "s", says: "Settle", at: ["called"], command: () => ({ command: "settle" }) },
  { step: "pass", key: "p", says: "Pass the dice", at: ["centre"], command: () => ({ command: "pass-dice" }) },
];

/**
 * Offer, call, settle, pass: each step of this role, highlighted when it is due.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function stepsPanel(console_) {
  const { card, role } = console_;
  const mine = STEPS.filter(({ step }) => card[step].by.includes(role));
  /**
   * made at its turn, from the table as it is then
   *
   * @param {Step} step
   */
  const doing = (step) => console_.act(step.says, () => step.command({ card, table: console_.live.view }));
  const buttons = mine.map((step) => act(step.says, step.key, () => doing(step), { title: card[step.step].clause }));
  const element = panel("Steps", "", el("div", { class: "acts" }, ...buttons));
  return {
    element,
    update({ table }) {
      mine.forEach((step, place) => {
        const isNow = step.at.includes(table.dice_are);
        buttons[place].hidden = table.automate.includes(step.step) && !isNow;
        buttons[place].disabled = (!isNow || table.is_disputed) && !console_.isAhead;
        buttons[place].classList.toggle("is-next", isNow);
      });
      element.hidden = buttons.every((button) => button.hidden);
      element.classList.toggle(
        "is-now",
        buttons.some((button) => !button.hidden && !button.disabled),
      );
    },
    bindings: mine.map((step, place) => ({
      keys: step.key,
      says: step.says.toLowerCase(),
      on: () => doing(step),
      when: () => !buttons[place].disabled && !buttons[place].hidden,
      ahead: true,
    })),
  };
}

/**
 * Order the dice passed, for one of the reasons of the regulation.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function orderPanel(console_) {
  const { card, keys } = console_;
  /** @param {Server.Reason} reason */
  const order = (reason) => {
    keys.leave();
    console_.act(`Dice ordered passed: ${reason.name}`, { command: "order-dice-passed", reason: reason.key });
  };
  const list = choices("Reasons to order the dice passed", card.order.reasons, order);
  const element = folded("Order the dice passed", "g", list);
  const enter = () => {
    element.unfold();
    list.classList.add("is-armed");
    keys.enter({
      name: "Order the dice passed",
      bindings: choiceKeys(card.order.reasons, order),
      onleave: () => list.classList.remove("is-armed"),
    });
  };
  return {
    element,
    update({ table }) {
      const can = Boolean(table.shooter) && ["accepted", "held", "centre"].includes(table.dice_are);
      for (const button of list.querySelectorAll("button")) button.disabled = !can && !console_.isAhead;
      element.classList.toggle("is-idle", !can);
    },
    bindings: [{ keys: "g", says: "order the dice passed", on: enter }],
  };
}
