// Players: how long and for how much each played, what that was worth to the house, and how lucky each was.

import { el, hintText, setChildren } from "../../elements.js";
import { loadBook, thingName } from "../book.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  behindText,
  countWithLuck,
  dayAsked,
  dayPicker,
  figure,
  furthestText,
  host,
  ledger,
  linkTo,
  periodAsked,
  periodChoice,
  RARITY_HINT,
  RATING_HEADS,
  rarity,
  spanOf,
  spanText,
  theoreticalText,
  timeText,
  workbookLink,
} from "./shared.js";

/** @import { Query } from "./shared.js" */

const period = periodAsked();

async function load() {
  const [day] = await Promise.all([dayAsked(), loadBook()]);
  /** @type {Server.RatingsAnswer} */
  const found = await ask("ratings", { period, span: spanOf(day, period) });
  /** @param {Query} change */
  const address = (change) => linkTo("players", { day, period: period === "day" ? "" : period, ...change });
  setChildren(
    host,
    el(
      "div",
      { class: "asked" },
      dayPicker(day, (other) => address({ day: other })),
      periodChoice(period, (other) => address({ period: other })),
    ),
    el(
      "section",
      { class: "panel", "aria-labelledby": "players-title" },
      el(
        "div",
        { class: "heading" },
        el("h2", { id: "players-title" }, spanText(found.span)),
        workbookLink("ratings", { period, span: found.span }),
      ),
      ledger(
        "Players",
        ["Player", ...RATING_HEADS],
        found.ratings.map((rating) => row(rating, found.names, day, countWithLuck(found.ratings))),
        { none: "Nobody played." },
      ),
      found.ratings.some((rating) => rating.one_in)
        ? el(
            "p",
            { class: "below" },
            furthestText(found.ratings, (rating) => playerText(rating.patron, found.names)),
          )
        : null,
      hintText(
        "Luck is the player's own: above zero the player won more than was to be expected. An estimated rating " +
          "is what somebody of the crew wrote down where no wagers were keyed in. Where they named how the patron " +
          "played, its theoretical win is what the rolls of those minutes cost at that mix, by its exact law; the " +
          "range is that of the estimate. Otherwise what it was worth nobody knows.",
      ),
      hintText(RARITY_HINT),
      behindText(found),
    ),
  );
}

/**
 * Whoever played, by name.
 *
 * @param {string} player
 * @param {{ [player: string]: string }} names
 */
function playerText(player, names) {
  const [kind, ...rest] = player.split("/");
  return names[player] ?? (kind === "account" ? thingName("person", rest.join("/")) : rest.join("/"));
}

/**
 * @param {Server.PlayerRating} rating
 * @param {{ [player: string]: string }} names
 * @param {string} day
 * @param {number} many
 */
function row(rating, names, day, many) {
  const name = playerText(rating.patron, names),
    to = linkTo("player", { player: rating.patron, day });
  /**
   * @param {string} said
   * @param {string} what
   */
  const put = (said, what) => figure(said, to, `${what}, ${name}`);
  return {
    cells: [
      el(
        "th",
        { scope: "row" },
        el("a", { href: to }, name),
        rating.players.length > 1 ? el("span", { class: "tag" }, `${rating.players.length} linked`) : null,
        rating.is_estimated ? el("span", { class: "tag warn" }, "estimated") : null,
      ),
      put(timeText(rating.minutes), "Time"),
      put(rating.decided === null ? "–" : rating.decided.toLocaleString("en-US"), "Wagers"),
      put(amount(rating.average), "Average wager"),
      put(amount(rating.wagered), "Wagered"),
      put(theoreticalText(rating), "Theoretical"),
      put(amount(rating.won), "House won"),
      put(amount(rating.luck), "Luck"),
      rarity(rating, many, to, name),
    ],
  };
}

trying(host, load);
