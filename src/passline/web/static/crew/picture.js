// The table as the players see it, for viewing only.

import { el } from "../elements.js";
import { get } from "../http.js";
import { Board } from "../table/board.js";
import { useColours } from "../table/chips.js";

export class Picture {
  #boards = null;
  #newest = null;

  /** Draw into an element; the layout is loaded once. */
  constructor(host, table) {
    this.host = host;
    get(`/api/tables/${encodeURIComponent(table)}/layout`).then((layout) => this.#lay(layout), () => {}); // the console works without the picture
  }

  /** Show a table; with a seat, its chips are drawn as that player sees them. */
  show(table, seat = 0) {
    this.#newest = { table, seat };
    for (const board of this.#boards ?? []) board.update({ table, seat });
  }

  #lay(layout) {
    useColours(layout.colours);
    const view = matchMedia("(max-width: 640px)").matches ? layout.half : layout.table;
    this.#boards = [new Board({ view, chips: layout.chips, label: "Layout, view only" })];
    this.host.replaceChildren(...this.#boards.map((board) => el("div", { class: "felt" }, board.element)));
    if (this.#newest) this.show(this.#newest.table, this.#newest.seat);
  }
}
