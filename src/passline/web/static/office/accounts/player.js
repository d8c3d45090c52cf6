// A player: visits to tables with their entries, cash of the gaming day, and luck over the days.

import { el, hintText, setChildren, titledPanel } from "../../elements.js";
import { currencySign } from "../../money.js";
import { here, historyLink, loadBook, localText } from "../book.js";
import { bandChart } from "../charts.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  countWithLuck,
  dayAsked,
  dollars,
  figure,
  furthestText,
  host,
  ledger,
  linkTo,
  note,
  RARITY_HINT,
  RATING_HEADS,
  rarity,
  shortSpan,
  spanText,
  tableOf,
  theoreticalText,
  timeText,
  title,
} from "./shared.js";

const { player = "", day = "" } = asked;

async function load() {
  /** @type {[Server.RatingCourse, void]} */
  const [course] = await Promise.all([ask("ratings/course", { player, period: "day" }), loadBook()]);
  const at = day || course.ratings.at(-1)?.span || (await dayAsked());
  /** @type {[Server.RatingsAnswer, Pick<Server.CashAnswer, "patrons">]} */
  const [month, cash] = await Promise.all([
    ask("ratings", { period: "month", span: at.slice(0, 7) }),
    at ? ask("cash", { day: at }) : { patrons: [] },
  ]);
  /** @type {Server.Figures[]} */
  const visits = (
    await Promise.all(course.players.map((player) => ask("ratings/visits", { player: player, span: at.slice(0, 7) })))
  ).flatMap((item) => item.visits);
  const name = course.name || month.names[player] || player.split("/").slice(1).join("/");
  title(name);
  const own = new Set([player, course.player, ...course.players]);
  setChildren(
    host,
    el(
      "p",
      { class: "back" },
      el("a", { class: "which", href: linkTo("players", { day: at }) }, `Players of ${spanText(at)}`),
      course.player.startsWith("patron/") && at ? statementLink(course.player.slice("patron/".length), at) : null,
    ),
    luck(course.ratings),
    days(course.ratings, at),
    visitsPanel(visits, at),
    cashOf(
      cash.patrons.filter((patron) => own.has(patron.patron)),
      at,
      visits,
    ),
    estimates(month.ratings.filter((rating) => rating.is_estimated && own.has(rating.patron))),
    behindText(course),
  );
}

/**
 * What can be given out: the player's own wins and losses of a year.
 *
 * @param {string} patron
 * @param {string} at
 */
function statementLink(patron, at) {
  const year = at.slice(0, 4),
    query = new URLSearchParams({ patron, year, format: "pdf" });
  return el("a", { class: "which", href: `/api/office/${here.office}/statement?${query}` }, `Player statement ${year}`);
}

/** @param {Server.PlayerRating[]} ratings */
function luck(ratings) {
  const items = ratings
    .filter((rating) => rating.rolls && rating.one_in)
    .map((rating) => ({
      name: shortSpan(rating.span),
      expected: -(rating.won ?? 0) - (rating.luck ?? 0),
      actual: -(rating.won ?? 0),
      low: -(rating.high ?? 0),
      high: -(rating.low ?? 0),
      href: linkTo("player", { player, day: rating.span }),
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
  return titledPanel(
    "days-title",
    "Gaming days",
    ledger(
      "Ratings by day",
      ["Day", ...RATING_HEADS],
      ratings.map((rating) => {
        const to = `${linkTo("player", { player, day: rating.span })}#visits`;
        return {
          kind: rating.span === at ? "is-chosen" : "",
          cells: [
            el("th", { scope: "row" }, el("a", { href: to }, spanText(rating.span))),
            ...[
              timeText(rating.minutes),
              rating.decided?.toLocaleString("en-US") ?? "–",
              amount(rating.average),
              amount(rating.wagered),
              amount(rating.theoretical),
              amount(rating.won),
              amount(rating.luck),
            ].map((said) => figure(said, to)),
            rarity(rating, countWithLuck(ratings), to, spanText(rating.span)),
          ],
        };
      }),
      { none: "No keyed wagers on record." },
    ),
    ratings.length
      ? el(
          "p",
          { class: "below" },
          furthestText(ratings, (rating) => spanText(rating.span)),
        )
      : null,
    ratings.length ? hintText(RARITY_HINT) : null,
  );
}

/**
 * @param {Server.Figures[]} visits
 * @param {string} at
 */
function visitsPanel(visits, at) {
  return el(
    "section",
    { class: "panel", id: "visits", "aria-labelledby": "visits-title" },
    el("h2", { id: "visits-title" }, `Visits in ${spanText(at.slice(0, 7))}`),
    ledger(
      "Visits",
      [
        "Shift",
        "Table",
        "Time",
        "Wagers",
        `Wagered ${currencySign()}`,
        `House won ${currencySign()}`,
        `Theoretical ${currencySign()}`,
        "Entries",
      ],
      visits.map((account) => {
        const table = tableOf(account),
          to = linkTo("entries", {
            table,
            first: account.first,
            last: account.last,
            player: account.subject.split("@")[0],
            day: account.span.slice(0, 10),
          });
        return {
          kind: account.span.startsWith(at) ? "is-chosen" : "",
          cells: [
            el("th", { scope: "row" }, spanText(account.span)),
            el("td", {}, table),
            ...[
              timeText(Math.round(account.seconds / 60)),
              account.decided.toLocaleString("en-US"),
              amount(account.wagered),
              amount(account.won),
              amount(account.theoretical),
              `${account.first} to ${account.last}`,
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
  const visit = visits.find((account) => account.span.startsWith(at) && `table ${tableOf(account)}` === where);
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
    parts = patrons.flatMap((patron) => patron.parts),
    /** @param {"cents_in" | "cents_out"} key */
    sum = (/** @type {"cents_in" | "cents_out"} */ key) => patrons.reduce((total, patron) => total + patron[key], 0);
  return titledPanel(
    "cash-title",
    `Cash of ${spanText(at)}`,
    ledger(
      "Cash",
      ["When", "Where", `Cash in ${currencySign()}`, `Cash out ${currencySign()}`],
      parts.length
        ? [
            ...parts.map((part) => ({
              cells: [
                el("td", {}, localText(part.at)),
                el("td", {}, part.where),
                figure(part.cents > 0 ? amount(part.cents) : "–", cashLink(part, at, visits), "Cash in"),
                figure(part.cents < 0 ? amount(-part.cents) : "–", cashLink(part, at, visits), "Cash out"),
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
            ...(patrons.some((patron) => patron.is_above)
              ? [
                  note(
                    4,
                    el(
                      "span",
                      { class: "tag warn" },
                      patrons.map((patron) => patron.report).find(Boolean) ? "A report was made" : "A report is due",
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

/**
 * How somebody played, by a name or by parts of groups of wagers.
 *
 * @param {Server.Estimate} estimate
 */
function mixText({ style, parts }) {
  const said = Object.entries(parts ?? {}).map(([group, part]) => `${part} ${group}`);
  return style || said.join(", ") || "–";
}

/** @param {Server.PlayerRating[]} ratings */
function estimates(ratings) {
  const all = ratings.flatMap((rating) => rating.estimates);
  return all.length
    ? titledPanel(
        "estimates-title",
        "Estimated by the crew",
        ledger(
          "Estimates",
          ["Shift", "Table", "Played", "Time", `Average ${currencySign()}`, "Rolls", `Theoretical ${currencySign()}`],
          all.map((estimate) => {
            const entry = { table: estimate.table, first: estimate.sequence, last: estimate.sequence },
              to = estimate.rating ? historyLink("rating", estimate.rating) : linkTo("entries", entry);
            return {
              cells: [
                el("th", { scope: "row" }, spanText(`${estimate.day} ${estimate.shift}`.trim())),
                el("td", {}, estimate.table),
                el("td", {}, mixText(estimate)),
                figure(timeText(estimate.minutes), to),
                figure(amount(estimate.average_cents), to),
                figure(estimate.play ? `${estimate.play.rolls}` : "–", to),
                figure(estimate.play ? theoreticalText(estimate.play) : "–", to),
              ],
            };
          }),
          { words: 3 },
        ),
      )
    : null;
}

trying(host, load);
