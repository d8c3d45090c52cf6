// The bar of a seated player: what is in the rack, and which acts are possible now. One that is not is grey and says
// why.
import { byId as at } from "../dom.js";
import { money } from "../money.js";
import { SHUT } from "./play.js";

export class Bar {
  /**
   * @param {{
   *   live: import("../live.js").Live,
   *   play: import("./play.js").Play,
   *   orders: import("./orders.js").Orders,
   * }} options
   */
  constructor({ live, play, orders }) {
    this.live = live;
    this.play = play;
    this.orders = orders;
    this.lost = ""; // the button that lost the focus when it was disabled
    /** @type {Map<string, string>} */
    this.titles = new Map();
  }

  /**
   * @param {Server.TableView} table
   * @param {Server.OwnView} own
   */
  draw(table, own) {
    const { live, play, orders } = this;
    at("rack").textContent = money(own.rack ?? 0);
    const isOpen = live.isOpen && table.status === "open" && !play.isShut;
    const shut = play.isShut
      ? SHUT
      : table.status !== "open"
        ? `The table is ${table.status}`
        : live.isOpen
          ? ""
          : "There is no connection";
    const isShooter = table.shooter === own.seat;
    const mayRoll = isShooter && table.dice === "electronic" && table.dice_are === "held";
    at("roll").hidden = !(isShooter && table.dice === "electronic");
    const [words] = at("roll").childNodes;
    words.textContent = play.isShut ? "Dice are out " : "Roll ";
    at("accept").hidden = !(table.dice_are === "offered" && table.offered_to === own.seat);
    at("decline").hidden = !(play.hasDice() && (table.dice_are === "offered" || table.dice_are === "held"));
    // without chips, this is the first thing to do
    at("buy-in").classList.toggle("first", !own.rack && !play.own().length);
    this.#enable("roll", mayRoll && isOpen, shut || "You can roll when the dice are in your hand");
    this.#enable(
      "undo",
      isOpen && (play.done.length > 0 || play.isElsewhere),
      shut || "You have done nothing here since the last roll",
    );
    this.#enable(
      "clear",
      isOpen && play.own().some((wager) => play.listed.get(`${wager.kind}:${wager.number}`)?.may_remove),
      shut || "You have nothing up that may come down now",
    );
    this.#enable(
      "repeat",
      isOpen && play.repeatable().length > 0,
      shut || "The last rolls took nothing that may be made again now",
    );
    this.#enable("odds", isOpen && play.oddsRoom().length > 0, shut || "No odds may be added now");
    for (const name of ["across", "inside"]) {
      const numbers = orders.open(name);
      at(name).hidden = !orders.has(name);
      at(name).dataset.does = numbers.length
        ? `Place ${numbers.map((number) => `${number.number} ${money(number.cents)}`).join(", ")}: ` +
          `${money(numbers.reduce((sum, number) => sum + number.cents, 0))}`
        : "";
      this.#enable(
        name,
        isOpen && numbers.length > 0,
        shut || "No number of it may be placed now, or all have a wager",
      );
    }
    at("winners").setAttribute("aria-pressed", String(orders.isOn));
    for (const name of ["accept", "decline", "dispute", "buy-in", "leave"]) this.#enable(name, !play.isShut, shut);
  }

  /**
   * Enable or disable a button. One that is disabled for a moment gets the focus back.
   *
   * @param {string} name
   * @param {boolean} isOn
   * @param {string} why
   */
  #enable(name, isOn, why) {
    const button = at(name, HTMLButtonElement);
    if (!isOn && document.activeElement === button) this.lost = name;
    if (!this.titles.has(name)) this.titles.set(name, button.title);
    button.disabled = !isOn;
    button.title = isOn ? button.dataset.does || this.titles.get(name) || "" : why;
    if (!isOn || this.lost !== name) return;
    this.lost = "";
    if (document.activeElement === document.body) button.focus();
  }
}
