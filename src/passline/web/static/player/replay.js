// A hand replayed on the felt, entry by entry: what everybody saw, and the player's own rack.
import { Picture } from "../crew/picture.js";
import { firstOf } from "../dom.js";
import { get } from "../http.js";
import { money } from "../money.js";
import { inWords } from "../wording.js";

/** @typedef {{ sequence: number, at: string, hash: string, lines: string[], call: string }} Entry of a hand */

export class Replay {
  /** @param {(id: string) => HTMLElement} node */
  constructor(node) {
    this.node = node;
    /** @type {Entry[]} */
    this.entries = [];
    this.at = 0;
    /** @type {Picture | null} */
    this.picture = null;
    this.table = "";
    /** @type {{ [step: string]: () => number }} */
    const steps = {
      first: () => 0,
      back: () => this.at - 1,
      on: () => this.at + 1,
      last: () => this.entries.length - 1,
    };
    for (const [step, place] of Object.entries(steps))
      firstOf(`[data-step="${step}"]`).addEventListener("click", () => this.show(place()));
    node("close-replay").addEventListener("click", () => {
      node("replay").hidden = true;
    });
  }

  /** @param {Server.PlayedHand} hand */
  async open(hand) {
    const { entries } = await get(`/api/me/tables/${encodeURIComponent(hand.table)}/hands/${hand.hand}`);
    this.entries = entries;
    this.table = hand.table;
    const { node } = this;
    node("replay").hidden = false;
    node("replay-title").textContent = `${hand.table_name}, hand ${hand.hand}`;
    node("picture").replaceChildren();
    this.picture = new Picture(node("picture"), hand.table);
    const first = this.entries.findIndex((entry) => entry.sequence >= hand.first);
    await this.show(Math.max(first, 0));
    node("replay-title").focus();
  }

  /** @param {number} place */
  async show(place) {
    const { node } = this;
    this.at = Math.max(0, Math.min(this.entries.length - 1, place));
    const entry = this.entries[this.at];
    if (!entry) return;
    node("where").textContent = `${this.at + 1} of ${this.entries.length}`;
    node("replay-said").textContent = [
      entry.call ? `\u201c${entry.call}\u201d` : "",
      entry.lines.map(inWords).join(" \u00b7 "),
    ]
      .filter(Boolean)
      .join(" ");
    const seen = await get(`/api/me/tables/${encodeURIComponent(this.table)}/at/${entry.sequence}`).catch(() => null);
    if (this.entries[this.at] !== entry) return; // the player went on meanwhile
    node("own-rack").textContent = seen
      ? `Seat ${seen.own.seat}, your rack ${money(seen.own.rack)}. Entry ${entry.sequence} of the log, hash ` +
        `${entry.hash.slice(0, 16)}\u2026`
      : "You had no seat at this moment.";
    if (seen) this.picture?.show(seen.table, seen.own.seat);
  }
}
