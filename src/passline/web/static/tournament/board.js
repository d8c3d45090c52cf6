// The big screen of the room. It reads the tournament every second and changes only what is different.

import { byId } from "../dom.js";
import { el, embedded, fill } from "../elements.js";
import { get, Refused } from "../http.js";
import { money } from "../money.js";

/** @type {{ id: string, board: string }} */
const { id, board: address } = embedded("tournament-data");
const EVERY_MS = 1000,
  PAGE_MS = 9000,
  COLUMN = 10,
  FEW = 6,
  TABLES = 12,
  LOST_AFTER = 3,
  GONE = 404;
/** @param {number} number */
const points = (number) => number.toLocaleString("en-US");
const OVER = "over",
  DONE = "concluded",
  CANCELLED = "cancelled",
  SEATED = "seats are drawn",
  PLAYING = "playing";
/** @type {Server.ScreenAnswer | null} */
let now = null;
let offset = 0,
  failures = 0;

/**
 * @param {string} name
 * @param {string} value
 */
function text(name, value) {
  if (byId(name).textContent !== value) byId(name).textContent = value;
}

/** @param {number} number */
function place(number) {
  const ending = number % 100 > 10 && number % 100 < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th");
  return `${number}${ending}`;
}

/**
 * A table as the room calls it: what the program proposes is the tournament's id and a number.
 *
 * @param {string} table
 */
const tableName = (table) => (table.startsWith(`${id}-`) ? `Table ${table.slice(id.length + 1)}` : table);

/** @param {number} number */
const pad = (number) => String(number).padStart(2, "0");

/**
 * The minutes that are left, on the server's clock.
 *
 * @param {string} ends
 */
function clockText(ends) {
  const left = Math.max(0, Math.ceil((Date.parse(ends) - (Date.now() + offset)) / 1000));
  return `${Math.floor(left / 60)}:${pad(left % 60)}`;
}

/**
 * What stands in the largest letters: [what it is, itself].
 *
 * @param {Server.Board} board
 * @returns {[title: string, big: string]}
 */
function bigOf(board) {
  const length = board.rolls
    ? `${board.rolls} ${board.rolls === 1 ? "roll" : "rolls"}`
    : board.minutes
      ? `${board.minutes} minutes`
      : "";
  if (board.phase === DONE)
    return [
      "Winner",
      board.lines
        .filter((line) => line.place === 1)
        .map((line) => line.name)
        .join(", "),
    ];
  if (board.phase === CANCELLED) return ["The tournament is", "Cancelled"];
  if (board.phase === PLAYING && board.ends) return ["Time left", clockText(board.ends)];
  if (board.phase === PLAYING) {
    const left = board.tables
      .filter((table) => !table.is_done && table.rolls_left >= 0)
      .map((table) => table.rolls_left);
    if (!board.tables.some((table) => !table.is_done)) return ["Every table is done", "0"];
    return [
      board.tables.length > 1 ? "Rolls left, at most" : "Rolls left",
      left.length ? String(Math.max(...left)) : "–",
    ];
  }
  if (board.phase === SEATED) return [`Next: ${board.round}`, length];
  if (board.phase === OVER) return [board.round, "Over"];
  return ["Entries", String(board.entries)];
}

/**
 * Tables with the rolls they still have, those with most first.
 *
 * @param {Server.Board} board
 * @returns {[name: string, left: string][]}
 */
function tablesOf(board) {
  if (board.phase !== PLAYING || board.tables.length < 2) return [];
  const sorted = [...board.tables].sort(
    (table, other) => Number(table.is_done) - Number(other.is_done) || other.rolls_left - table.rolls_left,
  );
  const shown = sorted.slice(0, TABLES),
    rest = sorted.length - shown.length;
  /** @type {[name: string, left: string][]} */
  const left = shown.map((table) => [
    tableName(table.table),
    table.is_done ? "done" : table.waits ? "waits" : table.rolls_left >= 0 ? String(table.rolls_left) : "",
  ]);
  return rest ? [...left, [`and ${rest} more`, ""]] : left;
}

/** @param {Server.BoardLine} line */
const seatText = (line) => `${tableName(line.table ?? "")} · ${line.seat ?? ""}`;

/**
 * What is listed: the seats of the next round by name, or the leader board.
 *
 * @param {Server.Board} board
 * @returns {[title: string, rows: { place: string, name: string, value: string, is_out: boolean }[]]}
 */
function listOf(board) {
  if (board.phase === SEATED) {
    const seats = board.lines
      .filter((line) => line.table)
      .sort((line, other) => line.name.localeCompare(other.name, "en", { numeric: true }));
    return ["Seats", seats.map((line) => ({ place: "", name: line.name, value: seatText(line), is_out: false }))];
  }
  const lines = board.lines.filter((line) => board.phase !== PLAYING || line.table);
  const isSecret = lines.some((line) => line.points === null || line.points === undefined);
  return [
    isSecret ? "Players: counts are secret until the round ends" : board.round ? "Leader board" : "Entered",
    lines.map((line) => ({
      place: line.place && board.round ? String(line.place) : "",
      name: line.name,
      value: isSecret || !board.round ? (line.table ? seatText(line) : "") : points(line.points ?? 0),
      is_out: Boolean(line.is_out),
    })),
  ];
}

/** @param {Server.Board} board */
function show(board) {
  text("where", [board.event, board.round].filter(Boolean).join(" · "));
  fill(byId("small"), tablesOf(board), () =>
    tablesOf(board).map(([name, left]) => el("p", {}, el("span", {}, name), el("strong", {}, left))),
  );
  showList(board);
  text("prizes-title", board.pool_cents ? `Prizes · pool ${money(board.pool_cents)}` : "Prizes");
  const prizes = board.prizes.map((prize) => [
    place(prize.place),
    prize.cents ? money(prize.cents) : prize.basis_points ? `${prize.basis_points / 100}% of the pool` : "",
    [prize.item, prize.voucher ? `voucher: ${prize.voucher}` : ""].filter(Boolean).join(", "),
  ]);
  fill(byId("prizes"), [prizes, board.pool_cents], () =>
    prizes
      .slice(0, 5)
      .map(([which, cash, thing]) =>
        el(
          "p",
          {},
          el("span", { class: "which" }, which),
          el("strong", {}, cash || thing),
          cash && thing ? el("span", { class: "thing" }, thing) : null,
        ),
      ),
  );
  const colours = Object.entries(board.colours);
  byId("colours").hidden = !colours.length;
  fill(byId("chips"), colours, () =>
    colours.map(([colour, value]) =>
      el(
        "p",
        {},
        el("i", { class: `chip chip-${colour.toLowerCase().replaceAll(/[^a-z]/g, "")}`, "aria-hidden": "true" }),
        el("span", {}, colour),
        el("strong", {}, points(value)),
      ),
    ),
  );
  showClock(board);
}

/** @param {Server.Board} board */
function showClock(board) {
  const [title, big] = bigOf(board);
  text("clock-title", title);
  text("big", big);
  fit(
    [
      big.replaceAll(/\d/g, "0"),
      title,
      byId("small").childElementCount,
      innerWidth,
      innerHeight,
      board.prizes.length,
      Object.keys(board.colours).length,
    ].join(),
  );
}

/**
 * Make the largest letters as large as their place allows; only when what they must fit has changed.
 *
 * @param {string} key
 */
function fit(key) {
  const big = byId("big"),
    box = byId("big-box");
  if (big.dataset.fits === key) return;
  big.dataset.fits = key;
  big.style.fontSize = "33vh";
  const scale = Math.min(1, (box.clientWidth * 0.96) / big.scrollWidth, box.clientHeight / big.offsetHeight);
  big.style.fontSize = `${Math.max(33 * scale, 5)}vh`;
}

/** @param {Server.Board} board */
function showList(board) {
  const [title, rows] = listOf(board),
    columns = rows.length > COLUMN ? 2 : 1,
    size = COLUMN * columns;
  const pages = Math.max(1, Math.ceil(rows.length / size)),
    page = Math.floor(Date.now() / PAGE_MS) % pages;
  const shown = rows.slice(page * size, (page + 1) * size),
    height = Math.ceil(shown.length / columns); // of a column: both are as long
  text(
    "leaders-title",
    pages > 1 ? `${title} · ${page * size + 1} to ${page * size + shown.length} of ${rows.length}` : title,
  );
  fill(byId("rows"), [columns, shown], () =>
    Array.from({ length: columns }, (_, column) =>
      el(
        "ol",
        {},
        ...shown
          .slice(column * height, (column + 1) * height)
          .map((item) =>
            el(
              "li",
              { class: item.is_out ? "is-out" : item.place === "1" ? "is-first" : "" },
              el("span", { class: "place" }, item.place),
              el("span", { class: "name" }, item.name),
              el("strong", {}, item.value),
            ),
          ),
      ),
    ),
  );
  byId("rows").dataset.columns = rows.length <= FEW ? "few" : String(columns);
  fitNames([columns, shown.map((item) => [item.name, item.value]), innerWidth, innerHeight]);
}

/**
 * Make the lines of the list as small as its longest name needs; only when what they must fit has changed.
 *
 * @param {unknown} shown
 */
function fitNames(shown) {
  const rows = byId("rows"),
    key = JSON.stringify(shown);
  if (rows.dataset.fits === key) return;
  rows.dataset.fits = key;
  const isCut = () => [...rows.querySelectorAll(".name")].some((name) => name.scrollWidth > name.clientWidth);
  for (const size of SIZES) {
    rows.style.setProperty("--fit", String(size));
    if (!isCut()) return;
  }
}
const SIZES = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.52];

/** The board of the event that goes on, once it was read. */
const currentBoard = () => now?.boards.find((board) => board.event === now?.current);

async function read() {
  try {
    /** @type {Server.ScreenAnswer} */
    const answer = await get(address);
    now = answer;
    offset = Date.parse(answer.now) - Date.now();
    failures = 0;
    const board = currentBoard();
    if (board) show(board);
  } catch (error) {
    if (error instanceof Refused && error.status === GONE) return location.reload(); // it says that the link was ended
    failures += 1;
  }
  byId("lost").hidden = failures < LOST_AFTER;
  setTimeout(read, EVERY_MS);
}

read();
setInterval(() => {
  const board = currentBoard();
  if (board) showClock(board);
}, 250);
