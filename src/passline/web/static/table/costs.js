// What the chosen wager really costs, from the par sheet of the rules in force: asked for when the player opens it,
// because a sheet takes seconds to make the first time.
import { get, Refused } from "../http.js";
import { money, numberText } from "../money.js";
import { html } from "./svg.js";

const KEPT = "passline costs";

/**
 * @typedef {object} ParLine of a par sheet; chances are exact, such as "7/495"
 * @property {string} wager
 * @property {string | null} number
 * @property {string | null} option
 * @property {number} stake
 * @property {string} edge
 * @property {string} edge_per_roll
 * @property {string} win
 * @property {string} lose
 * @property {string} push
 * @property {string} rolls
 * @property {string} variance
 * @property {string} sd
 */

/** @typedef {{ rolls_an_hour: number, rolls: number }} Pace of a table, and of how many rolls it is known */

export class Costs {
  /**
   * @param {{
   *   table: string,
   *   live: import("../live.js").Live,
   *   play: import("./play.js").Play,
   *   panel: HTMLElement,
   *   place: HTMLElement,
   *   isWanted: boolean,
   * }} options
   */
  constructor({ table, live, play, panel, place, isWanted }) {
    this.table = table;
    this.live = live;
    this.play = play;
    this.panel = panel;
    this.place = place;
    /** @type {{ pace: Pace, lines: ParLine[] } | null} */
    this.found = null; // {pace, lines} of the rules with `rules`
    /** @type {Server.RefusalView | null} */
    this.refused = null;
    /** @type {Server.LayoutArea | null} */
    this.area = null;
    panel.hidden = !isWanted;
    this.isOpen = isWanted && localStorage.getItem(KEPT) === "open";
    if (isWanted) this.#draw();
    if (this.isOpen)
      live.on("connection", () => {
        if (live.isOpen && !this.found) this.#ask();
      });
  }

  /**
   * Show the cost of an area's wager; null keeps the last one.
   *
   * @param {Server.LayoutArea | null} area
   */
  show(area) {
    if (area) this.area = area;
    if (this.isOpen) this.#draw();
  }

  /**
   * The edge in a few words, for the card; "" while it is not known.
   *
   * @param {Server.LayoutArea} area
   * @returns {string}
   */
  edgeText(area) {
    const [line] = this.#linesOf(area);
    return line ? `${percent(line.edge)} of the wager` : "";
  }

  /**
   * @param {Server.LayoutArea} area
   * @returns {ParLine[]}
   */
  #linesOf(area) {
    if (!this.found || !area) return [];
    const kind = area.kind.endsWith("_odds") ? area.kind.slice(0, -5) : area.kind;
    const lines = this.found.lines.filter((line) => line.wager === kind);
    const numbered = lines.filter((line) => line.number === (numberText(this.play.numberOf(area)) || null));
    const found = numbered.length && kind === area.kind ? numbered : lines;
    // odds by themselves: with the wager they lie behind
    return kind === area.kind ? found : found.filter((item) => item.option);
  }

  async #ask() {
    try {
      this.found = await get(`/api/tables/${encodeURIComponent(this.table)}/costs`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused = error.refusals[0];
    }
    this.#draw();
  }

  #open() {
    this.isOpen = true;
    localStorage.setItem(KEPT, "open");
    this.#draw();
    this.#ask();
  }

  #close() {
    this.isOpen = false;
    localStorage.removeItem(KEPT);
    this.#draw();
  }

  #draw() {
    if (!this.isOpen) {
      this.place.replaceChildren(
        html(
          "button",
          { type: "button", id: "cost-open", onclick: () => this.#open() },
          "Show the exact edge and cost",
        ),
      );
      return;
    }
    const close = html("button", { type: "button", class: "plain", onclick: () => this.#close() }, "Hide");
    this.place.replaceChildren(...this.#body(), close);
  }

  /** @returns {HTMLElement[]} */
  #body() {
    if (this.refused)
      return [
        html(
          "p",
          { class: "muted" },
          `${this.refused.why} `,
          html("span", { class: "clause" }, this.refused.clause ? `[${this.refused.clause}]` : ""),
        ),
      ];
    if (!this.found)
      return [
        html("p", { class: "muted", role: "status" }, "The par sheet of these rules is being made: some seconds."),
      ];
    const { found, area } = this;
    if (!area) return [html("p", { class: "muted" }, "Choose an area of the layout.")];
    const lines = this.#linesOf(area);
    if (!lines.length) return [html("p", { class: "muted" }, `The par sheet has no line for ${area.printed.name}.`)];
    return lines.slice(0, 2).flatMap((line) => this.#line(line, area, found.pace));
  }

  /**
   * @param {ParLine} line
   * @param {Server.LayoutArea} area
   * @param {Pace} pace
   * @returns {HTMLElement[]}
   */
  #line(line, area, { rolls_an_hour: pace, rolls }) {
    const up = this.play.seat ? this.play.upIn(area).find((wager) => wager.kind === line.wager)?.cents : 0;
    const stake = up || Math.max(this.play.chip, line.stake);
    const push = ratio(line.push);
    const hourly = ratio(line.edge_per_roll) * stake * pace;
    const facts = [
      ["House edge", `${percent(line.edge)} (${line.edge})`],
      ["Wins", percent(line.win)],
      ["Loses", percent(line.lose)],
      ...(push ? [["Neither", percent(line.push)]] : []),
      ["Decided in", `${ratio(line.rolls).toFixed(1)} rolls on average`],
      [
        "Variance",
        `${ratio(line.variance).toFixed(3)}: \u00b1${money(Math.round(Number(line.sd) * stake))} on ${money(stake)}`,
      ],
      [
        "Costs",
        line.option?.startsWith("odds")
          ? "the same an hour as without odds"
          : `${money(Math.round(hourly))} an hour if it is always up`,
      ],
    ];
    const how = rolls
      ? `at the ${pace} rolls an hour of this table's last ${rolls}`
      : `at ${pace} rolls an hour, which is usual: too few were dealt here to measure`;
    return [
      html("h3", {}, this.#name(line, area)),
      html(
        "dl",
        { class: "facts" },
        ...facts.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]),
      ),
      html("p", { class: "muted small" }, `Exact, from the par sheet of these rules; per hour ${how}.`),
    ];
  }

  /**
   * @param {ParLine} line
   * @param {Server.LayoutArea} area
   * @returns {string}
   */
  #name(line, area) {
    const name = area.kind === line.wager ? area.printed.name : line.wager.replaceAll("_", " ");
    return `${name}${line.option ? ` with ${line.option}` : ""}`;
  }
}

/**
 * @param {string} text
 * @returns {number}
 */
function ratio(text) {
  const [over, under = "1"] = text.split("/");
  return Number(over) / Number(under);
}

/**
 * @param {string} text
 * @returns {string}
 */
function percent(text) {
  return `${(ratio(text) * 100).toFixed(2)} %`;
}
