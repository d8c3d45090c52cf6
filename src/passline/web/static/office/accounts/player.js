// A player: visits to tables with their entries, cash of the gaming day, and luck over the days.

import { el, setChildren } from "../../elements.js";
import { here, historyLink, loadBook, localText } from "../book.js";
import { bandChart } from "../charts.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  dollars,
  figure,
  furthestText,
  host,
  ledger,
  linkTo,
  lookedAt,
  note,
  RARITY_HINT,
  rarity,
  shortSpan,
  spanText,
  tableOf,
  timeText,
  title,
} from "./shared.js";

const { player = "", day = "" } = asked;

async function load() {
  /** @type {[Server.RatingCourse, void]} */
  const [course] = await Promise.all([ask("ratings/course", { player, period: "day" }), loadBook()]);
  const at = day || course.ratings.at(-1)?.span || "";
  /** @type {[Server.RatingsAnswer, Pick<Server.CashAnswer, "patrons">]} */
  const [month, cash] = await Promise.all([
    ask("ratings", { period: "month", span: at.slice(0, 7) }),
    at ? ask("cash", { day: at }) : { patrons: [] },
  ]);
  /** @type {Server.Figures[]} */
  const visits = (
    await Promise.all(course.players.map((one) => ask("ratings/visits", { player: one, span: at.slice(0, 7) })))
  ).flatMap((one) => one.visits);
  const name = course.name || month.names[player] || player.split("/").slice(1).join("/");
  title(name);
  const own = new Set([player, course.player, ...course.players]);
  setChildren(
    host,
    el(
      "p",
      { class: "back" },
      el("a", { class: "which", href: linkTo("players", { day: at }) }, `Players of ${spanText(at)}`),
    ),
    luck(course.ratings),
    days(course.ratings, at),
    visited(visits, at),
    cashOf(
      cash.patrons.filter((one) => own.has(one.patron)),
      at,
      visits,
    ),
    estimates(month.ratings.filter((one) => one.is_estimated && own.has(one.patron))),
    behindText(course),
  );
}

/** @param {Server.PlayerRating[]} ratings */
function luck(ratings) {
  const items = ratings
    .filter((one) => one.rolls && one.one_in)
    .map((one) => ({
      name: shortSpan(one.span),
      expected: -(one.won ?? 0) - (one.luck ?? 0),
      actual: -(one.won ?? 0),
      low: -(one.high ?? 0),
      high: -(one.low ?? 0),
      href: linkTo("player", { player, day: one.span }),
    }));
  return items.length
    ? el(
        "section",
        { class: "panel" },
        bandChart(
          "Luck by day",
          "What the player won, beside what was to be expected. Luck alone leaves the band on at most one day in " +
            "20, whatever was staked and whenever the player left.",
          items,
          dollars,
          ["Day", "Player won", "Expected", "Band of luck"],
        ),
      )
    : null;
}

/**
 * @param {Server.PlayerRating[]} ratings
 * @param {string} at
 */
function days(ratings, at) {
  return el(
    "section",
    { class: "panel", "aria-labelledby": "days-title" },
    el("h2", { id: "days-title" }, "Gaming days"),
    ledger(
      "Ratings by day",
      [
        "Day",
        "Time",
        "Wagers",
        "Average $",
        "Wagered $",
        "Theoretical $",
        "House won $",
        "Luck $",
        "Luck alone, at most",
      ],
      ratings.map((one) => {
        const to = `${linkTo("player", { player, day: one.span })}#visits`;
        return {
          kind: one.span === at ? "is-chosen" : "",
          cells: [
            el("th", { scope: "row" }, el("a", { href: to }, spanText(one.span))),
            ...[
              timeText(one.minutes),
              one.decided?.toLocaleString("en-US") ?? "–",
              amount(one.average),
              amount(one.wagered),
              amount(one.theoretical),
              amount(one.won),
              amount(one.luck),
            ].map((said) => figure(said, to)),
            rarity(one, lookedAt(ratings), to, spanText(one.span)),
          ],
        };
      }),
      { none: "No keyed wagers on record." },
    ),
    ratings.length
      ? el(
          "p",
          { class: "below" },
          furthestText(ratings, (one) => spanText(one.span)),
        )
      : null,
    ratings.length ? el("p", { class: "hint" }, RARITY_HINT) : null,
  );
}

/**
 * @param {Server.Figures[]} visits
 * @param {string} at
 */
function visited(visits, at) {
  return el(
    "section",
    { class: "panel", id: "visits", "aria-labelledby": "visits-title" },
    el("h2", { id: "visits-title" }, `Visits in ${spanText(at.slice(0, 7))}`),
    ledger(
      "Visits",
      ["Shift", "Table", "Time", "Wagers", "Wagered $", "House won $", "Theoretical $", "Entries"],
      visits.map((one) => {
        const table = tableOf(one),
          to = linkTo("entries", {
            table,
            first: one.first,
            last: one.last,
            player: one.subject.split("@")[0],
            day: one.span.slice(0, 10),
          });
        return {
          kind: one.span.startsWith(at) ? "is-chosen" : "",
          cells: [
            el("th", { scope: "row" }, spanText(one.span)),
            el("td", {}, table),
            ...[
              timeText(Math.round(one.seconds / 60)),
              one.decided.toLocaleString("en-US"),
              amount(one.wagered),
              amount(one.won),
              amount(one.theoretical),
              `${one.first} to ${one.last}`,
            ].map((said) => figure(said, to)),
          ],
        };
      }),
      { words: 2, none: "No visit on record." },
    ),
  );
}

/**
 * Where cash is on record: at a table the entries of that visit, in the cage what the office has of the patron.
 *
 * @param {Server.CashPart} part
 * @param {string} at
 * @param {Server.Figures[]} visits
 */
function cashLink({ where, who }, at, visits) {
  const visit = visits.find((one) => one.span.startsWith(at) && `table ${tableOf(one)}` === where);
  if (visit)
    return linkTo("entries", {
      table: tableOf(visit),
      first: visit.first,
      last: visit.last,
      player: visit.subject.split("@")[0],
      day: at,
    });
  return who.startsWith("patron/")
    ? historyLink("patron", who.slice("patron/".length))
    : `/office/${here.office}/patrons`;
}

/**
 * @param {Server.PatronCash[]} patrons
 * @param {string} at
 * @param {Server.Figures[]} visits
 */
function cashOf(patrons, at, visits) {
  const all = `/office/${here.office}/patrons`,
    parts = patrons.flatMap((one) => one.parts),
    /** @param {"cents_in" | "cents_out"} key */
    sum = (/** @type {"cents_in" | "cents_out"} */ key) => patrons.reduce((total, one) => total + one[key], 0);
  return el(
    "section",
    { class: "panel", "aria-labelledby": "cash-title" },
    el("h2", { id: "cash-title" }, `Cash of ${spanText(at)}`),
    ledger(
      "Cash",
      ["When", "Where", "Cash in $", "Cash out $"],
      parts.length
        ? [
            ...parts.map((one) => ({
              cells: [
                el("td", {}, localText(one.at)),
                el("td", {}, one.where),
                figure(one.cents > 0 ? amount(one.cents) : "–", cashLink(one, at, visits), "Cash in"),
                figure(one.cents < 0 ? amount(-one.cents) : "–", cashLink(one, at, visits), "Cash out"),
              ],
            })),
            {
              kind: "sum",
              cells: [
                el("th", { scope: "row" }, "Together"),
                el("td", {}),
                figure(amount(sum("cents_in")), all, "Cash in together"),
                figure(amount(sum("cents_out")), all, "Cash out together"),
              ],
            },
            ...(patrons.some((one) => one.is_above)
              ? [
                  note(
                    4,
                    el(
                      "span",
                      { class: "tag warn" },
                      patrons.map((one) => one.report).find(Boolean) ? "A report was made" : "A report is due",
                    ),
                  ),
                ]
              : []),
          ]
        : [],
      { words: 2, none: "No cash with this name beside it." },
    ),
  );
}

/** @param {Server.PlayerRating[]} ratings */
function estimates(ratings) {
  const all = ratings.flatMap((one) => one.estimates);
  return all.length
    ? el(
        "section",
        { class: "panel", "aria-labelledby": "estimates-title" },
        el("h2", { id: "estimates-title" }, "Estimated by the crew"),
        ledger(
          "Estimates",
          ["Shift", "Table", "Time", "Average $"],
          all.map((one) => {
            const to = linkTo("entries", { table: one.table, first: one.sequence, last: one.sequence });
            return {
              cells: [
                el("th", { scope: "row" }, spanText(`${one.day} ${one.shift}`.trim())),
                el("td", {}, one.table),
                figure(timeText(one.minutes), to),
                figure(amount(one.average_cents), to),
              ],
            };
          }),
          { words: 2 },
        ),
      )
    : null;
}

trying(host, load);
