// What a roll looks like on the felt: areas that won light up, and chips move between the areas, the bank and the rack.
// With reduced motion, or on a hidden page, nothing of it happens; the result beside the dice says the same.
import { signedMoney } from "../money.js";
import { trayChip } from "./chips.js";
import { isStill } from "./dice.js";
import { ownOutcomes } from "./result.js";
import { html } from "./svg.js";

const LIT_MS = 2600;
const FLIGHT_MS = 750;
const CHIPS_MAX = 12;

/** @typedef {import("./result.js").Outcome} Outcome */
/** @typedef {{ left: number, top: number, width: number, height: number }} Rect of the screen */

export class Effects {
  /**
   * `rectOf(wager)` is where a wager lies on the screen, `bank()` and `rack()` where the house's and the player's chips
   * are.
   *
   * @param {{
   *   rectOf: (wager: { kind: string, number: number }) => DOMRect | null,
   *   bank: () => Rect,
   *   rack: () => Rect,
   *   mark: (wager: Outcome, how: string, ms: number) => void,
   * }} options
   */
  constructor({ rectOf, bank, rack, mark }) {
    this.rectOf = rectOf;
    this.bank = bank;
    this.rack = rack;
    this.mark = mark;
  }

  /**
   * Show what a roll did to the wagers of an account.
   *
   * @param {Server.TableView} table
   * @param {string} account
   */
  roll(table, account) {
    if (isStill()) return;
    const outcomes = ownOutcomes(table, account);
    for (const [index, outcome] of outcomes.slice(0, CHIPS_MAX).entries()) this.#outcome(outcome, index * 60);
  }

  /**
   * @param {Outcome} item
   * @param {number} delay
   */
  #outcome(item, delay) {
    /** @param {Rect} rect */
    const at = this.rectOf(item);
    if (item.outcome === "won" || item.outcome === "lost") this.mark(item, item.outcome, LIT_MS);
    if (!at?.width) return;
    if (item.outcome === "lost") fly(item.cents, at, this.bank(), delay);
    if (item.outcome === "moved")
      fly(item.cents || (item.stays ?? 0), at, this.rectOf({ ...item, number: item.to }), delay);
    if (item.outcome === "returned") fly(item.cents, at, this.rack(), delay);
    if (item.outcome !== "won") return;
    fly(item.winnings || item.net, this.bank(), at, delay).then(() =>
      fly(item.net + (item.stays ? 0 : item.cents), at, this.rack(), 0),
    );
    rise(signedMoney(item.net), at, delay);
  }
}

/**
 * A chip of an amount on its way from one rectangle to another; resolves when it is there.
 *
 * @param {number} cents
 * @param {Rect | null} from
 * @param {Rect | null} to
 * @param {number} delay
 */
async function fly(cents, from, to, delay) {
  if (!from?.width || !to?.width || cents <= 0) return;
  const chip = html("div", { class: "flying", "aria-hidden": "true" }, trayChip(cents));
  document.body.append(chip);
  /** @param {Rect} rect */
  const at = (rect) => `translate(${rect.left + rect.width / 2 - 18}px, ${rect.top + rect.height / 2 - 18}px)`;
  const flight = chip.animate(
    [
      { transform: at(from), opacity: 1 },
      { transform: at(to), opacity: 1, offset: 0.92 },
      { transform: at(to), opacity: 0 },
    ],
    { duration: FLIGHT_MS, delay, easing: "cubic-bezier(.3,.1,.3,1)", fill: "both" },
  );
  await flight.finished.catch(() => {});
  chip.remove();
}

/**
 * An amount that rises from an area.
 *
 * @param {string} says
 * @param {Rect} at
 * @param {number} delay
 */
function rise(says, at, delay) {
  const tag = html("div", { class: "rising", "aria-hidden": "true" }, says);
  document.body.append(tag);
  /** @param {number} up */
  const place = (up) =>
    `translate(${at.left + at.width / 2}px, ${at.top + at.height / 2 - up}px) translate(-50%, -50%)`;
  tag
    .animate(
      [
        { transform: place(0), opacity: 0 },
        { transform: place(22), opacity: 1, offset: 0.2 },
        { transform: place(34), opacity: 1, offset: 0.8 },
        { transform: place(40), opacity: 0 },
      ],
      { duration: 1900, delay, fill: "both" },
    )
    .finished.catch(() => {})
    .then(() => tag.remove());
}
