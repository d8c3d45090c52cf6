// On a phone, the centre and the further wagers on numbers are in sheets over the felt.
const at = (id) => document.getElementById(id);
const TITLES = { centre: "Centre wagers", numbers: "Buy, lay, lose" };

export class Sheets {
  // `board(name)` is the board that a sheet shows.
  constructor({ board }) {
    this.board = board;
    this.shown = "";
    for (const name of Object.keys(TITLES))
      at(`open-${name}`).addEventListener("click", () => (this.shown === name ? this.close() : this.open(name)));
    at("close-sheet").addEventListener("click", () => this.close());
  }

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
    for (const name of Object.keys(TITLES))
      at(`open-${name}`).setAttribute("aria-expanded", String(name === this.shown));
  }
}
