// The answers as they come: figures side by side, and a picture of each kind for all strategies together.

import { el, figuresTable, tableHead } from "../elements.js";
import { refusalList } from "../http.js";
import { money } from "../money.js";
import { endingsChart, fanChart, lawChart, ruinChart } from "./charts.js";
import { factCells, factRows } from "./compare.js";
import { csvOf } from "./csv.js";
import { save } from "./exports.js";
import { LETTERS } from "./played_list.js";

export class Results {
  /** @type {(Server.LabLaw | null)[]} */
  #laws = [];
  /** @type {(Server.LabFan | null)[]} */
  #fans = [];
  /** @type {Map<number, Server.RefusalView[]>} */
  #refused = new Map();
  /** @type {string[]} */
  #names = [];
  #bankroll = 0;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
  }

  /**
   * Begin anew; what was shown stays until the first answer comes.
   *
   * @param {string[]} names
   * @param {number} bankroll
   */
  begin(names, bankroll) {
    this.#names = names;
    this.#bankroll = bankroll;
    this.#laws = names.map(() => null);
    this.#fans = names.map(() => null);
    this.#refused = new Map();
  }

  /**
   * @param {number} at
   * @param {Server.LabLaw} law
   */
  law(at, law) {
    this.#laws[at] = law;
    this.#draw();
  }

  /**
   * @param {number} at
   * @param {Server.LabFan} fan
   */
  fan(at, fan) {
    this.#fans[at] = fan;
    this.#draw();
  }

  /**
   * @param {number} at
   * @param {Server.RefusalView[]} refusals
   */
  refused(at, refusals) {
    this.#refused.set(at, refusals);
    this.#draw();
  }

  summary() {
    const solved = this.#laws.filter(Boolean).length;
    return solved ? `Solved ${solved === 1 ? "one strategy" : `${solved} strategies`}.` : "";
  }

  #draw() {
    /** @type {import("./charts.js").Series[]} */
    const series = this.#laws.flatMap((law, place) =>
      law ? [{ name: law.name, letter: LETTERS[place], place, law }] : [],
    );
    const solved = series.filter(({ law }) => law.atoms.length);
    const fans = this.#fans.flatMap((fan, place) => (fan ? [{ fan, place }] : []));
    const ends = fans.flatMap(({ fan }) => fan.cents.flat());
    /** @type {[number, number]} */
    const range = [Math.min(...ends), Math.max(...ends)];
    this.host.replaceChildren(
      ...[...this.#refused].map(([at, refusals]) =>
        el(
          "div",
          { class: "refused" },
          el("p", {}, el("b", {}, `${LETTERS[at]}  ${this.#names[at]}`)),
          refusalList(refusals),
        ),
      ),
      ...series.flatMap(({ law, letter }) => [
        ...(law.why_no_law ? [el("p", { class: "panel note" }, `${letter}: ${law.why_no_law}.`)] : []),
        ...law.notes.map((note) => el("p", { class: "panel note" }, `${letter}: ${note}.`)),
      ]),
      ...(series.length ? [this.#facts(series)] : []),
      ...(solved.length
        ? [
            el(
              "div",
              { class: "lab-charts" },
              endingsChart(solved),
              lawChart(solved, this.#bankroll),
              ruinChart(solved),
            ),
            el(
              "div",
              { class: "lab-charts fans" },
              ...fans.flatMap(({ fan, place }) => {
                const one = solved.find((item) => item.place === place);
                return one ? [fanChart(one, fan, range)] : [];
              }),
            ),
          ]
        : []),
    );
  }

  /** @param {import("./charts.js").Series[]} series */
  #facts(series) {
    const laws = series.map(({ law }) => law);
    const head = tableHead(["", ...series.map(({ name, letter, place }) => seriesName(letter, name, place))], 1);
    const rows = factRows(laws, money).map(({ label, cells }) => ({
      cells: [el("th", { scope: "row" }, label), ...cells.map((cell) => el("td", { class: "amount" }, cell))],
    }));
    return el(
      "section",
      { class: "panel", "aria-labelledby": "facts-title" },
      el(
        "div",
        { class: "chart-head" },
        el("h2", { id: "facts-title" }, "Side by side"),
        el(
          "div",
          { class: "savings" },
          el(
            "button",
            {
              type: "button",
              onclick: () => save(new Blob([csvOf(factCells(laws))], { type: "text/csv" }), "side-by-side.csv"),
            },
            "CSV",
          ),
        ),
      ),
      el("p", { class: "hint" }, `A session ${laws[0].terms}. Wagers still up at the end count at face.`),
      figuresTable("Figures of the strategies", "figures facts", head, rows),
    );
  }
}

/**
 * @param {string} letter
 * @param {string} name
 * @param {number} place
 */
const seriesName = (letter, name, place) =>
  el("span", { class: `series s${place} named` }, el("span", { class: "letter" }, letter), ` ${name}`);
