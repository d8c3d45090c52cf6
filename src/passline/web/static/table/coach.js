// A coach for a newcomer's first hands: what may be done now and why, in at most four sentences a hand. One click ends
// it for good.
import { html } from "./svg.js";

const KEPT = "passline coach";
const SENTENCES_MAX = 4;

/** @typedef {keyof Server.CoachWords} Moment of a hand that has a sentence */

export class Coach {
  /** @type {HTMLInputElement | null} */
  box = null;
  shown = "";

  /**
   * `says` has the sentences, from the rules in force.
   *
   * @param {{
   *   place: HTMLElement,
   *   says: Server.CoachWords,
   *   live: import("../live.js").Live,
   *   play: import("./play.js").Play,
   * }} options
   */
  constructor({ place, says, live, play }) {
    this.place = place;
    this.says = says;
    this.live = live;
    this.play = play;
    this.isDismissed = localStorage.getItem(KEPT) === "dismissed";
    /** @type {number | null} */
    this.hand = null;
    /** @type {Map<Moment, string>} */
    this.told = new Map(); // what this hand has been told: sentences by moment
  }

  /** @param {Server.TableView} table */
  draw(table) {
    if (table.hand !== this.hand) {
      this.hand = table.hand;
      this.told.clear();
    }
    const { own } = this.live;
    const isSilent = !own || this.isDismissed || !this.play.seat || table.status !== "open" || this.play.isShut;
    for (const moment of isSilent ? [] : momentsOf(table, own, this.play)) {
      // no advice where aids are banned: there are no rolls shown
      const words = this.says[moment === "odds" && table.rolls ? "worth" : moment];
      if (words && !this.told.has(moment) && this.told.size < SENTENCES_MAX) this.told.set(moment, words);
    }
    const now = isSilent
      ? []
      : momentsOf(table, own, this.play)
          .map((moment) => this.told.get(moment)?.replaceAll("{point}", String(table.puck)))
          .filter(Boolean);
    this.place.hidden = !now.length;
    if (!now.length || this.shown === now.join(" ")) return;
    this.shown = now.join(" ");
    this.place.replaceChildren(
      html("p", {}, this.shown),
      html(
        "button",
        { type: "button", "aria-label": "No more hints", onclick: () => this.#dismiss(true) },
        html("span", { class: "long" }, "No more hints"),
        html("span", { class: "short" }, "\u00d7"),
      ),
    );
  }

  // The way back, among the settings.
  setting() {
    const box = html("input", { type: "checkbox", id: "coach-on" });
    box.checked = !this.isDismissed;
    box.addEventListener("change", () => this.#dismiss(!box.checked));
    this.box = box;
    return html("label", { class: "check", for: "coach-on" }, box, html("span", {}, "Hints for newcomers"));
  }

  /** @param {boolean} isDismissed */
  #dismiss(isDismissed) {
    this.isDismissed = isDismissed;
    if (isDismissed) localStorage.setItem(KEPT, "dismissed");
    else localStorage.removeItem(KEPT);
    if (this.box) this.box.checked = !isDismissed;
    this.draw(this.live.view);
  }
}

/**
 * The moments of a hand for one player: keys of the sentences.
 *
 * @param {Server.TableView} table
 * @param {Server.OwnView} own
 * @param {import("./play.js").Play} play
 * @returns {Moment[]}
 */
export function momentsOf(table, own, play) {
  const up = play.own();
  const hasLine = up.some((wager) => wager.kind === "pass" || wager.kind === "dont_pass");
  if (!own.rack && !up.length) return ["buy_in"];
  if (table.puck && !hasLine) return ["no_line"];
  if (table.puck) return up.some((wager) => wager.kind === "pass") ? ["point", "odds"] : [];
  if (!hasLine) return ["come_out"];
  if (table.dice_are === "offered" && table.offered_to === own.seat) return ["offered"];
  if (table.shooter !== own.seat || table.dice_are !== "held") return ["wait"];
  return table.dice === "physical" ? ["throw"] : ["roll"];
}
