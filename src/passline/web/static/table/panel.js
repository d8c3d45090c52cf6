// The panels beside the layout: puck, shooter, last roll with its arithmetic, rolls, histogram, players, log.
import { byId } from "../dom.js";
import { money } from "../money.js";
import { momentText } from "../wording.js";
import { die } from "./dice.js";
import { SHUT } from "./play.js";
import { cited, settledText } from "./settled.js";
import { html, svg, text } from "./svg.js";

/**
 * @typedef {object} Named whose table it is, and how wagers are named
 * @property {string} account
 * @property {(wager: { kind: string, number: number }) => string} nameOfWager as the layout does
 * @property {(kind: string) => string} nameOfKind as the rules do
 */

const LOG_LINES = 60;
/** @type {{ [id: string]: HTMLElement }} */
const AT = Object.fromEntries(
  [
    "limits",
    "limit-list",
    "notice",
    "frozen",
    "call",
    "puck",
    "shooter",
    "out",
    "settled",
    "history-panel",
    "history",
    "histogram",
    "players",
    "log",
  ].map((id) => [id, byId(id)]),
);

/**
 * `nameOfWager` names a wager as the layout does, `nameOfKind` as the rules do.
 *
 * @param {Server.TableView} table
 * @param {Named & { seat: number, charges: [title: string, says: string][] }} options
 */
export function showPanels(table, { seat, account, nameOfWager, nameOfKind, charges }) {
  showLimits(table, nameOfKind, charges);
  showBanners(table);
  AT.puck.replaceChildren(
    html("span", { class: `puck-tag ${table.puck ? "on" : ""}` }, table.puck ? "ON" : "OFF"),
    puckText(table),
  );
  AT.shooter.textContent = shooterText(table, seat);
  AT.out.textContent = table.closing ? SHUT : "";
  showSettled(table, { account, nameOfWager, nameOfKind });
  showRolls(table);
  showPlayers(table, seat);
}

/**
 * @param {Server.TableView} table
 * @returns {string}
 */
export function puckText(table) {
  if (table.puck) return ` The point is ${table.puck}`;
  return table.phase === "clearing" ? " Come wagers are being cleared" : " Come-out roll";
}

/**
 * @param {Server.TableView} table
 * @param {number} seat
 * @param {number} own
 * @returns {string}
 */
function nameOf(table, seat, own) {
  if (seat && seat === own) return "You";
  return table.seats.find((each) => each.seat === seat)?.name ?? `Seat ${seat}`;
}

/**
 * @param {Server.TableView} table
 * @param {number} own
 * @returns {string}
 */
function shooterText(table, own) {
  const { dice_are: dice } = table;
  if (dice === "offered" && table.offered_to)
    return `The dice are offered to ${nameOf(table, table.offered_to, own).replace("You", "you")}`;
  if (!table.shooter) return "Nobody has the dice";
  const isYou = table.shooter === own;
  const name = nameOf(table, table.shooter, own);
  if (dice === "air") return isYou ? "Your dice are in the air" : `${name}'s dice are in the air`;
  return isYou ? "You have the dice" : `${name} has the dice`;
}

/**
 * The limits are always posted where everybody sees them: AZ-III.D.2, AZ-II.G.4-b, MD-3.C.
 *
 * @param {Server.TableView} table
 * @param {(kind: string) => string} nameOfKind
 * @param {[title: string, says: string][]} charges
 */
function showLimits(table, nameOfKind, charges) {
  const { limits } = table;
  if (table.points && !table.points.has_limits) {
    AT.limits.replaceChildren(html("span", {}, "No wager limit"));
    byId("all-limits").hidden = true;
    return;
  }
  AT.limits.replaceChildren(
    html("span", {}, "Minimum ", html("b", {}, money(limits.min))),
    " ",
    html("span", {}, "Maximum ", html("b", {}, money(limits.max))),
  );
  /** @type {Map<string, string[]>} */
  const grouped = new Map();
  for (const [kind, item] of Object.entries(limits.wagers)) {
    const range = `${money(item.min)} to ${money(item.max)}`;
    grouped.set(range, [...(grouped.get(range) ?? []), nameOfKind(kind)]);
  }
  AT["limit-list"].replaceChildren(
    html(
      "dl",
      {},
      html("dt", {}, `${money(limits.min)} to ${money(limits.max)}`),
      html("dd", {}, "every wager not named below"),
      ...[...grouped].flatMap(([range, kinds]) => [html("dt", {}, range), html("dd", {}, kinds.join(", "))]),
      ...charges.flatMap(([title, says]) => [html("dt", {}, `Vigorish, ${title}`), html("dd", {}, says)]),
    ),
  );
}

/** @param {Server.TableView} table */
function showBanners(table) {
  const { notice, frozen } = table;
  AT.notice.hidden = !notice;
  if (notice) {
    AT.notice.textContent =
      `Notice: from ${momentText(notice.at)} on the limits are ${money(notice.wager_cents_min)} to ` +
      `${money(notice.wager_cents_max)}. Standing wagers keep theirs.`;
  }
  AT.frozen.hidden = table.status === "open" && !table.stopped;
  if (table.stopped) AT.frozen.textContent = `No wager can be made now: ${table.stopped}.`;
  if (table.status === "frozen")
    AT.frozen.textContent =
      `The table is stopped over a dispute: ${frozen?.reason ?? ""}. What every player saw is on record. No wager ` +
      "can be made until it is decided.";
  if (table.status === "closed") AT.frozen.textContent = "This table is closed.";
}

/**
 * Lines such as "Place 6, $12 at 7 to 6: $14 [clause]", the player's own first, in the order taken and paid.
 *
 * @param {Server.TableView} table
 * @param {Named} options
 */
function showSettled(table, { account, nameOfWager, nameOfKind }) {
  if (!table.settled.length) {
    AT.settled.replaceChildren(html("p", { class: "muted" }, table.roll ? "Nothing was decided." : "No roll yet."));
    return;
  }
  /**
   * The seat may have a new player by now, so compare accounts.
   *
   * @param {Server.SettledWager} wager
   */
  const isMine = (wager) => Boolean(account) && wager.account === account;
  const mine = table.settled.filter(isMine);
  const others = table.settled.filter((wager) => !isMine(wager));
  const net = mine.reduce((sum, wager) => sum + (wager.outcome === "lost" ? -wager.cents : wager.winnings), 0);
  /** @param {Server.SettledWager[]} lines */
  const list = (lines) =>
    html(
      "ul",
      { class: "settled" },
      ...lines.map((wager) =>
        html(
          "li",
          { class: wager.outcome },
          isMine(wager) ? "" : html("b", {}, `${wager.name || `Seat ${wager.seat}`}: `),
          ...cited(settledText(wager, nameOfWager(wager), nameOfKind)),
        ),
      ),
    );
  AT.settled.replaceChildren(
    ...(mine.length
      ? [html("p", { class: `net ${net < 0 ? "down" : "up"}` }, `You: ${net > 0 ? "+" : ""}${money(net)}`), list(mine)]
      : []),
    ...(others.length
      ? [html("details", { open: !mine.length }, html("summary", {}, `Other players (${others.length})`), list(others))]
      : []),
  );
}

/** @param {Server.TableView} table */
function showRolls(table) {
  AT["history-panel"].hidden = !table.rolls;
  if (!table.rolls) return;
  AT.history.replaceChildren(
    ...[...table.rolls].reverse().map((roll) => {
      const total = roll.first + roll.second;
      const kind = total === 7 ? (roll.point ? "out" : "seven") : roll.point === total ? "made" : "";
      return html(
        "li",
        { class: kind, title: roll.call },
        svg(
          "svg",
          { viewBox: "0 0 34 16", "aria-hidden": "true" },
          die(1, 1, 14, roll.first),
          die(18, 1, 14, roll.second),
        ),
        html("b", {}, String(total)),
        html("span", { class: "spoken" }, ` ${roll.call}`),
      );
    }),
  );
  const isRolled = table.rolls.length > 0;
  if (!isRolled) AT.history.replaceChildren(html("li", { class: "nothing" }, "No roll yet."));
  AT.histogram.replaceChildren(...(table.histogram && isRolled ? [histogram(table.histogram)] : []));
}

/**
 * @param {number[]} counts
 * @returns {SVGSVGElement}
 */
function histogram(counts) {
  const most = Math.max(...counts, 1);
  const spoken = counts.map((count, index) => `${index + 2}: ${count}`).join(", ");
  return svg(
    "svg",
    { viewBox: "0 0 264 84", class: "histogram", role: "img", "aria-label": `How often each total came: ${spoken}` },
    ...counts.flatMap((count, index) => {
      const height = (count / most) * 50;
      const x = index * 24;
      return [
        svg("rect", {
          x: x + 3,
          y: 66 - height,
          width: 18,
          height: Math.max(height, 1),
          rx: 2,
          class: index === 5 ? "seven" : "",
        }),
        text(x + 12, 62 - height, count ? String(count) : "", 10),
        text(x + 12, 80, String(index + 2), 11, { kind: "total" }),
      ];
    }),
  );
}

/**
 * @param {Server.TableView} table
 * @param {number} own
 */
function showPlayers(table, own) {
  AT.players.replaceChildren(
    ...table.seats.map((seat) =>
      html(
        "li",
        {},
        html("span", { class: `swatch seat-${(seat.seat - 1) % 10}`, "aria-hidden": "true" }),
        html("span", { class: "seat-number" }, `${seat.seat}`),
        html("span", {}, seat.seat === own ? `${seat.name} (you)` : seat.name),
        seat.seat === table.shooter ? html("span", { class: "tag on" }, "shooter") : "",
        seat.state === "standing" ? html("span", { class: "tag" }, "standing") : "",
      ),
    ),
  );
  if (!table.seats.length) AT.players.replaceChildren(html("li", { class: "muted" }, "Nobody is at the table."));
}

/**
 * Show the stickperson's call until the dice are out again. Null means no change.
 *
 * @param {string | null} call
 */
export function sayCall(call) {
  if (call !== null && AT.call.textContent !== call) AT.call.textContent = call;
}

/** @param {Server.Said[]} said */
export function addToLog(said) {
  const lines = said.flatMap((message) => message.lines).map((line) => html("li", {}, ...cited(line)));
  AT.log.prepend(...lines.reverse());
  while (AT.log.children.length > LOG_LINES) AT.log.lastChild?.remove();
}
