// The form of players who ask to share the cash, and each one's own signature. No page leads here before one of them
// has used it.

import { byId } from "../dom.js";
import { el, fill } from "../elements.js";
import { get } from "../http.js";
import { money } from "../money.js";
import { api, cents, commandButton, doing, follow, here, panel, row, send } from "./common.js";

const host = byId("agreement");

/**
 * @param {Server.SplitAnswer} read
 * @param {number} entry
 */
function form(read, entry) {
  /** @type {[entry: number, name: string, input: HTMLInputElement][]} */
  const fields = read.left.map((player) => [
    player.entry,
    player.name,
    el("input", { id: `share-${player.entry}`, inputmode: "decimal", autocomplete: "off" }),
  ]);
  /** @param {SubmitEvent} event */
  const propose = (event) => {
    event.preventDefault();
    doing("Agreement", () =>
      send(
        {
          command: "propose-split",
          event: read.event,
          entry,
          shares: Object.fromEntries(fields.map(([number, name, input]) => [number, cents(input, name)])),
        },
        { role: here.is_staff ? "" : "player" },
      ),
    );
  };
  return panel(
    "propose",
    read.event,
    el(
      "p",
      {},
      `You play for ${money(read.cash_cents)} in cash. Every player left must sign; anybody may refuse, and then ` +
        "play decides.",
    ),
    el(
      "form",
      { onsubmit: propose, novalidate: true },
      ...fields.map(([, name, input]) => row(name, input)),
      el("div", { class: "buttons" }, el("button", { type: "submit" }, "Ask the others")),
    ),
  );
}

/**
 * @param {Server.SplitAnswer} read
 * @param {Server.Split} split
 */
function signedPanel(read, { shares, agreed = [], confirmed = [] }) {
  return panel(
    "signed",
    read.event,
    el(
      "ul",
      { class: "counts-list" },
      ...read.left.map((player) =>
        el(
          "li",
          {},
          el(
            "span",
            { class: "grow" },
            el("strong", {}, player.name),
            el("span", { class: "hint number" }, money(shares[player.entry])),
          ),
          el(
            "span",
            { class: `tag ${agreed.includes(player.entry) ? "on" : "warn"}` },
            agreed.includes(player.entry) ? "Signed" : "Has not signed",
          ),
          confirmed.includes(player.entry) ? el("span", { class: "tag on" }, "Confirmed") : null,
          player.is_own && !agreed.includes(player.entry)
            ? commandButton("Sign", { command: "agree-split", entry: player.entry }, { class: "first" })
            : null,
        ),
      ),
    ),
    el(
      "div",
      { class: "buttons" },
      commandButton(
        "I do not want it",
        { command: "stop-split", reason: "a player does not want it" },
        { class: "bad", what: "Call it off" },
      ),
    ),
  );
}

follow(async () => {
  /** @type {Server.SplitAnswer} */
  const read = await get(api("/split"));
  const own = read.left.find((player) => player.is_own) ?? read.left[0];
  fill(host, read, () =>
    !read.left.length
      ? el("p", { class: "muted" }, "Nobody plays now.")
      : read.split
        ? signedPanel(read, read.split)
        : form(read, own.entry),
  );
}, host);
