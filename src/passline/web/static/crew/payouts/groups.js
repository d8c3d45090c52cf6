// The wagers that a roll decided, by end of the table and seat, in the order in which dealers take and pay: losers
// first, then each player from base to stick, the line before the field, the come, the numbers and the centre.

const RANKS = [
  "pass",
  "dont_pass",
  "pass_odds",
  "dont_pass_odds",
  "field",
  "come",
  "dont_come",
  "come_odds",
  "dont_come_odds",
];
/**
 * @typedef {object} Row of a seat in a round of taking and paying
 * @property {string} says
 * @property {string} outcome
 * @property {number} seat
 * @property {string} name
 * @property {number} cents
 * @property {Server.SettledWager[]} lines
 */

/** @type {{ [settlement: string]: string[] }} */
const ROUNDS = { take_then_pay: ["lost", "won"], pay_then_take: ["won", "lost"] };
/** @type {{ [outcome: string]: string }} */
const SAYS = { lost: "Take", won: "Pay", returned: "Return", moved: "Move" };

/** @param {Server.SettledWager} line */
const amountOf = (line) => (line.outcome === "won" ? line.winnings : line.cents);

/**
 * The rank of a wager in the order of payment; what is in the centre comes last.
 *
 * @param {Server.SettledWager} line
 * @param {Server.CrewCard} card
 * @returns {number}
 */
function rankOf(line, card) {
  const wager = card.wagers.find((wager) => wager.kind === line.kind);
  const place = RANKS.indexOf(line.kind);
  return (wager?.centre ? 200 : 0) + (place < 0 ? 100 : place);
}

/**
 * `[{name, rows: [{says, outcome, seat, name, cents, lines}]}]`: a row for each seat and each round. An end where
 * nothing was decided is left out; a seat of no end (a player who has left it) comes with the first.
 *
 * @param {Server.SettledWager[]} settled
 * @param {Server.CrewCard} card
 * @returns {{ name: string, rows: Row[] }[]}
 */
export function grouped(settled, card) {
  const rounds = [...(ROUNDS[card.settlement] ?? ROUNDS.take_then_pay), "returned", "moved"];
  const known = new Set(card.ends.flatMap((end) => end.seats));
  const strangers = [...new Set(settled.map((line) => line.seat))].filter((seat) => !known.has(seat));
  return card.ends
    .map((end, place) => {
      const seats = place ? end.seats : [...end.seats, ...strangers];
      const rows = rounds.flatMap((outcome) =>
        seats.flatMap((seat) => {
          const lines = settled
            .filter((line) => line.seat === seat && line.outcome === outcome)
            .sort((wager, other) => rankOf(wager, card) - rankOf(other, card) || wager.number - other.number);
          if (!lines.length) return [];
          return [
            {
              says: SAYS[outcome],
              outcome,
              seat,
              name: lines[0].name,
              cents: lines.reduce((sum, line) => sum + amountOf(line), 0),
              lines,
            },
          ];
        }),
      );
      return { name: end.name, rows };
    })
    .filter((end) => end.rows.length);
}
