// A player's own rank and seat, and the leader board of every event.

import { byId } from "../dom.js";
import { el, fill, hintText, tableHead } from "../elements.js";
import { money } from "../money.js";
import { follow, here, panel, place, points } from "./common.js";
import { addNonces } from "./nonce.js";

const own = byId("own"),
  ranks = byId("ranks");

/**
 * @param {Server.TournamentAnswer} now
 * @param {Server.OwnRank} rank
 */
function ownCard(now, rank) {
  const board = now.boards.find(({ lines }) => lines.some(({ entry }) => entry === rank.entry));
  const line = board?.lines.find(({ entry }) => entry === rank.entry);
  if (!board || !line) return null;
  const table = line.table ? `${line.table}, seat ${line.seat}` : "";
  const order = board.lines.filter((line) => !line.is_out),
    above = order[order.indexOf(line) - 1];
  /**
   * @param {number | null} number
   * @param {string} words
   * @param {string} level
   */
  const gap = (number, words, level) =>
    number === null
      ? null
      : number === 0
        ? el("p", {}, level)
        : el("p", {}, el("strong", { class: "number" }, points(number)), ` points ${words}`);
  return el(
    "section",
    { class: "panel own-rank", "aria-label": `Your rank in ${board.event}` },
    hintText(board.event),
    board.phase !== "playing" && board.lines.every((line) => !line.points)
      ? el("p", { class: "big" }, "Seats are drawn")
      : rank.points === null
        ? el("p", { class: "big" }, "Counts are secret while the round is played")
        : el(
            "p",
            { class: "big" },
            el("strong", {}, place(rank.place)),
            el("span", { class: "number" }, `${points(rank.points)} points`),
          ),
    board.lines.some((line) => line.points) &&
      el(
        "div",
        { class: "gaps" },
        gap(rank.behind, `behind ${above ? place(above.place) : ""}`, "level with the place above"),
        gap(rank.ahead, "ahead of the next", "level with the place below"),
      ),
    table
      ? el(
          "p",
          { class: "seat" },
          el("strong", {}, board.phase === "playing" ? "You play at " : "Your seat in the next round: "),
          board.phase === "playing"
            ? el("a", { href: `/tables/${encodeURIComponent(line.table ?? "")}` }, table)
            : table,
        )
      : null,
  );
}

/** @param {Server.KnownEntry} entry */
function waitingCard(entry) {
  const told =
    {
      refunded: "It is cancelled, and you have your money back.",
      withdrawn: "You have withdrawn.",
      disqualified: "This entry is disqualified.",
      eliminated: "You are out.",
    }[entry.status ?? ""] ??
    (entry.has_signed_in
      ? "You have signed in. Seats are drawn before the round."
      : "You have entered. Sign in at the desk.");
  return el(
    "section",
    { class: "panel own-rank", "aria-label": `Your entry in ${entry.event_name}` },
    hintText(`${entry.event_name}, entry ${entry.number}`),
    el("p", { class: "big" }, told),
  );
}

/**
 * @param {Server.Board} board
 * @param {Set<number>} mine
 * @param {number} index
 */
function boardPanel(board, mine, index) {
  const isSecret = board.lines.some((line) => line.points === null);
  return panel(
    `board-${index}`,
    `Standings: ${board.event}`,
    hintText(
      [
        board.round,
        board.phase,
        `${board.entries} ${board.entries === 1 ? "entry" : "entries"}`,
        `pool ${money(board.pool_cents)}`,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    board.lines.length
      ? el(
          "table",
          { class: "figures" },
          tableHead(["Place", "Player", "Table", "Points"], 3),
          el(
            "tbody",
            {},
            ...board.lines.map((line) =>
              el(
                "tr",
                { class: [mine.has(line.entry) ? "is-own" : "", line.is_out ? "is-out" : ""].join(" ") },
                el("td", {}, line.place ? place(line.place) : ""),
                el(
                  "th",
                  { scope: "row" },
                  line.name,
                  mine.has(line.entry) ? el("span", { class: "tag" }, "You") : null,
                  line.is_out ? el("span", { class: "hint" }, " out") : null,
                ),
                el("td", {}, line.table ? `${line.table}, seat ${line.seat}` : ""),
                el("td", { class: "amount" }, points(line.points)),
              ),
            ),
          ),
        )
      : el("p", { class: "muted" }, "Nobody has entered yet."),
    isSecret ? hintText("Counts are secret while the round is played.") : null,
    board.prizes.length ? el("p", {}, el("strong", {}, "Prizes: "), board.prizes.map(prizeText).join(", ")) : null,
  );
}

follow((now) => {
  addNonces(now);
  const mine = new Set(now.mine.map((entry) => entry.number)),
    ranked = new Set(now.own.map((rank) => rank.entry));
  const hasBegun = now.boards.some((board) => board.round);
  const played = now.own.filter(
    (rank) =>
      hasBegun && now.boards.some((board) => board.round && board.lines.some((line) => line.entry === rank.entry)),
  );
  fill(own, [now.own, now.mine, now.boards.map((board) => [board.phase, board.round]), now.split], () => [
    ...played.map((rank) => ownCard(now, rank)),
    ...now.mine
      .filter((entry) => !ranked.has(entry.number) || !played.some((rank) => rank.entry === entry.number))
      .map(waitingCard),
    now.split && !here.is_director
      ? el(
          "p",
          { class: "panel" },
          "A player asks to share the cash. ",
          el("a", { href: `/tournaments/${here.id}/agreement` }, "What is asked, and your answer"),
        )
      : null,
  ]);
  fill(ranks, now.boards, () =>
    now.boards
      .filter((board, index) => board.lines.length || !index)
      .map((board, index) => boardPanel(board, mine, index)),
  );
}, ranks);

/**
 * What a place wins: "1st $500 and voucher for a room".
 *
 * @param {Server.BoardPrize} prize
 */
function prizeText(prize) {
  const parts = [
    prize.cents ? money(prize.cents) : prize.basis_points ? `${prize.basis_points / 100}% of the pool` : "",
    prize.item,
    prize.voucher ? `voucher for ${prize.voucher}` : "",
  ];
  return `${place(prize.place)} ${parts.filter(Boolean).join(" and ")}`;
}
