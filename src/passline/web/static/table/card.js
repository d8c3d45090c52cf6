// What is shown for one area: its card on hover or focus, a refusal, and the bar of the chosen wager.
import { refusalList } from "../http.js";
import { money } from "../money.js";
import { correctedFor, SHUT, upText } from "./play.js";
import { html } from "./svg.js";

const GAP = 10;
const NOTHING = "you have nothing up here";
const PAYS_MAX = 26; // longer texts are on the card

/**
 * @typedef {object} Parts of the page that cards use
 * @property {HTMLElement} card
 * @property {HTMLElement} refused
 * @property {HTMLElement} chosen
 * @property {HTMLElement} sit
 * @property {import("./play.js").Play} play
 * @property {Server.Layout["calls"]} calls
 * @property {import("./costs.js").Costs} costs
 */

export class Cards {
  /** @param {Parts} options */
  constructor({ card, refused, chosen, sit, play, calls, costs }) {
    this.card = card;
    this.refused = refused;
    this.chosen = chosen;
    this.sit = sit;
    this.play = play;
    this.calls = calls;
    this.costs = costs;
    /** @type {Server.LayoutArea | null} */
    this.area = null;
    this.floating = refused.parentElement;
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.dismiss();
    });
    document.addEventListener(
      "click",
      (event) => {
        if (event.target instanceof Node && !refused.contains(event.target)) this.dismiss();
      },
      true,
    );
  }

  /**
   * Show the card beside an area: its name, limits, unit, what is up, what it pays, and why it is closed.
   *
   * @param {Server.LayoutArea} area
   * @param {DOMRect | null} rect
   * @param {Server.Limits} limits
   */
  show(area, rect, limits) {
    const state = this.play?.stateOf(area);
    const own = limits.wagers[area.kind] ?? limits;
    /** @param {number} cents */
    const takes = (cents) => (state && !area.printed.picks.length ? this.play.takes(area, cents) : money(cents));
    const rows = [
      ["Pays", state?.pays || area.printed.pays],
      ["Up", this.play?.seat ? upText(this.play.upIn(area)) : ""],
      ["Minimum", state?.standing ? money(state.min) : takes(state?.min ?? own.min)],
      ["Maximum", state?.max === null ? "no limit" : money(state?.max ?? own.max)],
      ["Unit", state?.unit ? money(state.unit) : ""],
      ["Vigorish", state?.vigorish?.says ?? area.printed.vigorish],
      ["A chip here", area.printed.vigorish && state ? takes(this.play.chip) : ""],
      ["House edge", this.costs?.edgeText(area) ?? ""],
    ];
    const pays = area.printed.lines.length > 1 ? [html("p", { class: "lines" }, area.printed.lines.join("  "))] : [];
    this.card.replaceChildren(
      html("strong", {}, area.printed.name),
      html("span", { class: "title" }, area.printed.title),
      html(
        "dl",
        {},
        ...rows.filter(([, value]) => value).flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]),
      ),
      ...pays,
      ...this.#verdict(state),
    );
    this.card.hidden = false;
    beside(this.card, rect);
  }

  hide() {
    this.card.hidden = true;
  }

  /**
   * Show a refusal with every clause, beside its area or in the bar, never over the felt; and a correct amount if the
   * amount was wrong.
   *
   * @param {Server.LayoutArea | null} area
   * @param {DOMRect | null} rect
   * @param {Server.RefusalView[]} refusals
   * @param {Server.TableCommand} [command]
   */
  refuse(area, rect, refusals, command) {
    this.hide();
    const instead = area && command?.command === "make-wager" ? this.#corrected(area, command) : null;
    const close = html("button", { type: "button", class: "plain", onclick: () => this.dismiss() }, "Close");
    this.refused.replaceChildren(refusalList(refusals), html("p", { class: "ends" }, instead || "", close));
    this.refused.classList.add("shown");
    this.refused.classList.toggle("bubble", Boolean(rect));
    const bar = this.play.seat ? this.chosen.parentElement : this.sit;
    (rect ? this.floating : bar)?.append(this.refused);
    if (rect) beside(this.refused, rect);
  }

  /**
   * A button that makes the wager for the next correct amount, if there is one.
   *
   * @param {Server.LayoutArea} area
   * @param {Server.MakeWager} command
   * @returns {HTMLElement | null}
   */
  #corrected(area, { number, cents }) {
    const better = correctedFor(this.play.listed.get(`${area.kind}:${number}`), cents);
    if (!better) return null;
    const make = () => {
      this.dismiss();
      this.play.make(area, better, number);
    };
    return html("button", { type: "button", onclick: make }, `Wager ${this.play.takes(area, better, number)}`);
  }

  dismiss() {
    if (!this.refused.classList.contains("shown")) return this.hide();
    this.refused.classList.remove("shown");
    this.refused.replaceChildren();
    return this.hide();
  }

  /**
   * Choose a wager: the bar shows its buttons. Null: none is chosen.
   *
   * @param {Server.LayoutArea | null} area
   */
  choose(area) {
    this.area = area;
    this.refresh();
  }

  refresh() {
    const { area, play } = this;
    const bar = this.chosen.parentElement;
    bar?.classList.toggle("has-chosen", Boolean(area && play.seat));
    this.costs?.show(area);
    if (!area || !play.seat) {
      this.chosen.replaceChildren(html("p", { class: "muted" }, "Choose a chip, then an area of the layout."));
      return;
    }
    const focused = document.activeElement?.getAttribute("data-act");
    const up = play.upIn(area);
    const acts = this.#acts(area, up);
    const reasons = [...new Set(acts.filter((act) => act.why && act.why !== NOTHING).map((act) => act.why))];
    const pays =
      area.printed.pays.length < PAYS_MAX
        ? `pays ${play.stateOf(area)?.pays || area.printed.pays}` +
          (area.printed.vigorish && `, vigorish ${area.printed.vigorish}`)
        : "";
    this.chosen.replaceChildren(
      html(
        "p",
        { class: "what" },
        html("b", {}, area.printed.name),
        " ",
        html("span", { class: "number" }, upText(up)),
        " ",
        html("span", { class: "muted" }, play.isShut ? SHUT : reasons.length ? reasons.join("; ") : pays),
      ),
      html(
        "div",
        { class: "acts", role: "group", "aria-label": area.printed.name },
        ...acts.map((act) =>
          html(
            "button",
            {
              type: "button",
              "data-act": act.name,
              title: act.why || null,
              "aria-disabled": act.why ? "true" : null,
              onclick: () =>
                act.why
                  ? this.refuse(null, null, [{ clause: "", why: `${area.printed.name}: ${act.why}` }])
                  : act.does(),
            },
            act.label,
          ),
        ),
        html(
          "button",
          {
            type: "button",
            class: "close",
            "data-act": "close",
            "aria-label": `Close ${area.printed.name}`,
            onclick: () => this.choose(null),
          },
          "\u00d7",
        ),
      ),
    );
    const again = focused ? this.chosen.querySelector(`[data-act="${focused}"]`) : null;
    if (again instanceof HTMLElement) again.focus();
  }

  /**
   * What can be done with the chosen wager: each act with its label, and why it cannot be done now, if so.
   *
   * @param {Server.LayoutArea} area
   * @param {Server.WagerView[]} up
   * @returns {{ name: string, label: string, does: () => unknown, why: string }[]}
   */
  #acts(area, up) {
    const { play } = this;
    const state = play.stateOf(area);
    /**
     * @param {string} why
     * @param {string | undefined} clause
     */
    const cited = (why, clause) => (why && clause ? `${why} [${clause}]` : why);
    const shut = play.isShut ? SHUT : "";
    const closed =
      shut ||
      (area.printed.picks.length
        ? "pick it on the layout"
        : state?.state === "open"
          ? ""
          : cited(state?.why ?? "not now", state?.clause));
    const unit = play.unitOf(area);
    const isUp = up.some((wager) => wager.kind === area.kind);
    const pressed = isUp && play.pressed(area);
    const standing = up[0] && play.listed.get(`${up[0].kind}:${up[0].number}`);
    const odds = play.oddsFor(area);
    return [
      {
        name: "unit",
        label: unit ? `Add ${play.takes(area, unit)}` : "Add",
        does: () => play.make(area, unit),
        why: closed,
      },
      {
        name: "press",
        label: pressed && area.printed.vigorish ? `Press ${play.takes(area, pressed.cents, pressed.number)}` : "Press",
        does: () => play.press(area),
        why: shut || (isUp ? closed : NOTHING),
      },
      ...(odds
        ? [
            {
              name: "odds",
              label: odds.cents ? `Odds ${money(odds.cents)}` : "Odds",
              does: () => odds.area && play.make(odds.area, odds.cents, odds.number),
              why: shut || (odds.cents ? "" : cited(odds.why ?? "", odds.clause)),
            },
          ]
        : []),
      {
        name: "call",
        label: up[0]?.is_off ? "Call on" : "Call off",
        does: () => play.call(area),
        why: shut || (up.length ? this.#call(up[0]).why : NOTHING),
      },
      {
        name: "down",
        label: "Take down",
        does: () => play.takeDown(area),
        why: shut || (up.length ? cited(standing?.stays ?? "", standing?.stays_clause) : NOTHING),
      },
    ];
  }

  /**
   * Why the wager may not be called on or off, by the rules that come with the layout.
   *
   * @param {Server.WagerView | undefined} wager
   * @returns {{ why: string }}
   */
  #call(wager) {
    if (!wager) return { why: "" };
    const wanted = wager.is_off ? "on" : "off";
    const called = wager.working.replace("?", "");
    const rule = this.calls[`${wager.kind}:${wager.number}`] ?? this.calls[`${wager.kind}:0`];
    if (rule?.may.includes(wanted) || (called && called !== wanted)) return { why: "" }; // a call can be reversed
    return { why: `may not be called ${wanted}${rule?.clause ? ` [${rule.clause}]` : ""}` };
  }

  /**
   * @param {Server.Area | null} state
   * @returns {HTMLElement[]}
   */
  #verdict(state) {
    if (!state) return [];
    if (state.state === "open") return [html("p", { class: "may" }, "You may wager here")];
    return [
      html(
        "p",
        { class: "may-not" },
        state.why,
        state.clause ? html("span", { class: "clause" }, ` [${state.clause}]`) : "",
      ),
    ];
  }
}

/**
 * Position an element beside a rectangle, inside the window: to the left or right of a narrow one, above or below a
 * wide one.
 *
 * @param {HTMLElement} element
 * @param {DOMRect | null} rect
 */
function beside(element, rect) {
  if (!rect) return;
  const { offsetWidth: width, offsetHeight: height } = element;
  const isWide = rect.width > innerWidth / 4;
  const right = rect.right + GAP + width <= innerWidth - 8 ? rect.right + GAP : rect.left - GAP - width;
  const above = rect.top - height - GAP;
  const left = isWide ? rect.left + rect.width / 2 - width / 2 : right;
  const top = isWide ? (above >= 8 ? above : rect.bottom + GAP) : rect.top + rect.height / 2 - height / 3;
  element.style.left = `${Math.max(Math.min(left, innerWidth - width - 8), 8)}px`;
  element.style.top = `${Math.max(Math.min(top, innerHeight - height - 8), 8)}px`;
}
