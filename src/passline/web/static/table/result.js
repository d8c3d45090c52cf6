// What the last roll did to the player's own wagers, beside the dice: the net, and each wager in a few words.
import { money, numberText, signedMoney } from "../money.js";
import { html } from "./svg.js";

/** @typedef {Server.SettledWager & { net: number, to: number }} Outcome of a wager for its player */

/** @type {{ [outcome: string]: string }} */
const WORDS = { won: "won", lost: "lost", returned: "returned", moved: "moved" };

/**
 * The outcomes of a roll for one account, newest table view; several parts of one wager count as one outcome.
 *
 * @param {Server.TableView} table
 * @param {string} account
 * @returns {Outcome[]}
 */
export function ownOutcomes(table, account) {
  if (!account) return [];
  /** @type {Map<string, Outcome>} */
  const found = new Map();
  for (const wager of table.settled.filter((each) => each.account === account)) {
    const key = [wager.owner, wager.kind, wager.number].join();
    const so = found.get(key) ?? { ...wager, net: 0, to: 0 };
    const net = so.net + (wager.outcome === "lost" ? -wager.cents : (wager.winnings ?? 0));
    found.set(key, { ...so, net, to: wager.to ?? so.to, outcome: net > 0 ? "won" : net < 0 ? "lost" : wager.outcome });
  }
  return [...found.values()];
}

/**
 * The net of a roll; a wager for the crew is not the player's own money any more.
 *
 * @param {Outcome[]} outcomes
 * @returns {number}
 */
export function netOf(outcomes) {
  return outcomes.reduce((sum, outcome) => sum + (outcome.owner === "crew" ? 0 : outcome.net), 0);
}

/**
 * The headline of a result: "You won $14".
 *
 * @param {number} net
 * @param {Outcome[]} outcomes
 * @returns {string}
 */
export function headline(net, outcomes) {
  if (!outcomes.length) return "";
  if (net) return `You ${net > 0 ? "won" : "lost"} ${money(Math.abs(net))}`;
  return outcomes.some((outcome) => outcome.net) ? "You are even on this roll" : "";
}

/**
 * Show it in the element beside the dice. Nothing is said of a roll that decided nothing for the player.
 *
 * @param {HTMLElement} place
 * @param {Server.TableView} table
 * @param {{ account: string, nameOfWager: (wager: Outcome) => string }} options
 */
export function showResult(place, table, { account, nameOfWager }) {
  const outcomes = ownOutcomes(table, account);
  const net = netOf(outcomes);
  const say = headline(net, outcomes);
  const none = account && table.roll && table.settled ? "Nothing of yours was decided" : "";
  place.dataset.net = net > 0 ? "up" : net < 0 ? "down" : "even";
  place.replaceChildren(
    html("p", { class: "headline" }, say || (outcomes.length ? "" : none)),
    html(
      "ul",
      {},
      ...outcomes.map((outcome) =>
        html(
          "li",
          { class: outcome.outcome },
          html(
            "b",
            {},
            outcome.outcome === "moved"
              ? `\u2192 ${numberText(outcome.to)}`
              : outcome.outcome === "returned"
                ? "="
                : signedMoney(outcome.net),
          ),
          " ",
          nameOfWager(outcome),
          outcome.owner === "crew" ? " (crew)" : "",
          html("span", { class: "spoken" }, ` ${WORDS[outcome.outcome]}`),
        ),
      ),
    ),
  );
}
