// What the chosen wager really costs, from the par sheet of the rules in force: asked for when the player opens it,
// because a sheet takes seconds to make the first time.
import { get, Refused } from "../http.js";
import { money, numberText } from "../money.js";
import { html } from "./svg.js";

const KEPT = "passline costs";

export class Costs {
  constructor({ table, live, play, panel, place, isWanted }) {
    Object.assign(this, { table, live, play, panel, place });
    this.found = null; // {pace, lines} of the rules with `rules`
    this.refused = null;
    this.area = null;
    panel.hidden = !isWanted;
    this.isOpen = isWanted && localStorage.getItem(KEPT) === "open";
    if (isWanted) this.#draw();
    if (this.isOpen)
      live.addEventListener("connection", () => {
        if (live.isOpen && !this.found) this.#ask();
      });
  }

  // Show the cost of an area's wager; null keeps the last one.
  show(area) {
    if (area) this.area = area;
    if (this.isOpen) this.#draw();
  }

  // The edge in a few words, for the card; "" while it is not known.
  edgeText(area) {
    const [line] = this.#linesOf(area);
    return line ? `${percent(line.edge)} of the wager` : "";
  }

  #linesOf(area) {
    if (!this.found || !area) return [];
    const kind = area.kind.endsWith("_odds") ? area.kind.slice(0, -5) : area.kind;
    const lines = this.found.lines.filter((one) => one.wager === kind);
    const numbered = lines.filter((one) => one.number === (numberText(this.play.numberOf(area)) || null));
    const found = numbered.length && kind === area.kind ? numbered : lines;
    // odds by themselves: with the wager they lie behind
    return kind === area.kind ? found : found.filter((one) => one.option);
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
    if (!this.area) return [html("p", { class: "muted" }, "Choose an area of the layout.")];
    const lines = this.#linesOf(this.area);
    if (!lines.length)
      return [html("p", { class: "muted" }, `The par sheet has no line for ${this.area.printed.name}.`)];
    return lines.slice(0, 2).flatMap((line) => this.#line(line));
  }

  #line(line) {
    const { rolls_an_hour: pace, rolls } = this.found.pace;
    const up = this.play.seat ? this.play.upIn(this.area).find((one) => one.kind === line.wager)?.cents : 0;
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
      html("h3", {}, this.#name(line)),
      html(
        "dl",
        { class: "facts" },
        ...facts.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]),
      ),
      html("p", { class: "muted small" }, `Exact, from the par sheet of these rules; per hour ${how}.`),
    ];
  }

  #name(line) {
    const name = this.area.kind === line.wager ? this.area.printed.name : line.wager.replaceAll("_", " ");
    return `${name}${line.option ? ` with ${line.option}` : ""}`;
  }
}

function ratio(text) {
  const [over, under = "1"] = text.split("/");
  return Number(over) / Number(under);
}

function percent(text) {
  return `${(ratio(text) * 100).toFixed(2)} %`;
}
