// The layout as the players see it. Where this role makes wagers for them its areas are buttons, for the seat that is
// picked.

import { el } from "../elements.js";
import { get } from "../http.js";
import { useCurrency } from "../money.js";
import { Board } from "../table/board.js";
import { useColours } from "../table/chips.js";

/**
 * @typedef {object} Clickable panel that areas are clicked for
 * @property {number} seat
 * @property {(area: Server.LayoutArea) => void} clicked
 * @property {(area: Server.LayoutArea) => void} takenDown
 */

export class Picture {
  /** @type {Board[] | null} */
  #boards = null;
  /** @type {{ table: Server.TableView, seat: number } | null} */
  #newest = null;

  /**
   * Draw into an element; the layout is loaded once. `wagers` is the panel that areas are clicked for, or null.
   *
   * @param {HTMLElement} host
   * @param {string} table
   * @param {Clickable | null} [wagers]
   */
  constructor(host, table, wagers = null) {
    this.host = host;
    this.wagers = wagers;
    get(`/api/tables/${encodeURIComponent(table)}/layout`).then(
      (layout) => {
        useCurrency(layout.currency);
        this.#lay(layout);
      },
      () => {},
    ); // the console works without the picture
  }

  /**
   * Show a table; with a seat, its chips are drawn as that player sees them.
   *
   * @param {Server.TableView} table
   * @param {number} [seat]
   */
  show(table, seat = this.wagers?.seat ?? 0) {
    this.#newest = { table, seat };
    for (const board of this.#boards ?? []) board.update({ table, seat });
  }

  /** @param {Server.Layout} layout */
  #lay(layout) {
    useColours(layout.colours);
    const { wagers } = this;
    /** @type {import("../table/board.js").Act | null} */
    const act = wagers && {
      make: (area) => wagers.clicked(area),
      takeDown: (area) => wagers.takenDown(area),
      select: () => {},
      leave: () => {},
    };
    const isSmall = matchMedia("(max-width: 640px)").matches;
    const views = isSmall && act ? [layout.half, layout.centre] : [isSmall ? layout.half : layout.table];
    this.#boards = views.map(
      (view, place) =>
        new Board({
          view,
          chips: layout.chips,
          label: act ? ["Layout", "Centre wagers"][place] : "Layout, view only",
          act,
        }),
    );
    this.host.replaceChildren(...this.#boards.map((board) => el("div", { class: "felt" }, board.element)));
    if (this.#newest) this.show(this.#newest.table, this.#newest.seat);
  }
}
