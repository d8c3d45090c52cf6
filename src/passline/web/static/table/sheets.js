// On a phone, the centre and the further wagers on numbers are in sheets over the felt.
import { byId as at } from "../dom.js";

/** @typedef {"centre" | "numbers"} Sheet */

const NAMES = /** @type {Sheet[]} */ (["centre", "numbers"]);
const TITLES = { centre: "Centre wagers", numbers: "Buy, lay, lose" };

export class Sheets {
  /**
   * `board(name)` is the board that a sheet shows.
   *
   * @param {{ board: (name: Sheet) => import("./board.js").Board }} options
   */
  constructor({ board }) {
    this.board = board;
    /** @type {Sheet | ""} */
    this.shown = "";
    for (const name of NAMES)
      at(`open-${name}`).addEventListener("click", () => (this.shown === name ? this.close() : this.open(name)));
    at("close-sheet").addEventListener("click", () => this.close());
  }

  /** @param {Sheet} name */
  open(name) {
    this.shown = name;
    at("sheet-title").textContent = TITLES[name];
    at("sheet-board").replaceChildren(this.board(name).element);
    at("sheet").hidden = false;
    this.#tell();
    at("close-sheet").focus();
  }

  close() {
    if (!at("sheet").hidden && this.shown) at(`open-${this.shown}`).focus();
    at("sheet").hidden = true;
    this.shown = "";
    this.#tell();
  }

  #tell() {
    for (const name of NAMES) at(`open-${name}`).setAttribute("aria-expanded", String(name === this.shown));
  }
}
