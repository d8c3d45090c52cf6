// The big screen of the room. It reads the tournament every second and changes only what is different.

import { el, embedded, fill } from "../elements.js";
import { get } from "../http.js";
import { money } from "../money.js";

const { id } = embedded("tournament-data");
const EVERY_MS = 1000,
  PAGE_MS = 9000,
  COLUMN = 10,
  FEW = 6,
  TABLES = 12,
  LOST_AFTER = 3;
const $ = (name) => document.getElementById(name);
const points = (number) => number.toLocaleString("en-US");
const OVER = "over",
  DONE = "concluded",
  SEATED = "seats are drawn",
  PLAYING = "playing";
let now = null,
  offset = 0,
  failures = 0;

function text(name, value) {
  if ($(name).textContent !== value) $(name).textContent = value;
}

function place(number) {
  const ending = number % 100 > 10 && number % 100 < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th");
  return `${number}${ending}`;
}

const pad = (number) => String(number).padStart(2, "0");

/** The minutes that are left, on the server's clock. */
function clockText(ends) {
  const left = Math.max(0, Math.ceil((Date.parse(ends) - (Date.now() + offset)) / 1000));
  return `${Math.floor(left / 60)}:${pad(left % 60)}`;
}

/** What stands in the largest letters: [what it is, itself]. */
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
        .filter((one) => one.place === 1)
        .map((one) => one.name)
        .join(", "),
    ];
  if (board.phase === PLAYING && board.ends) return ["Time left", clockText(board.ends)];
  if (board.phase === PLAYING) {
    const left = board.tables.filter((one) => !one.is_done && one.rolls_left >= 0).map((one) => one.rolls_left);
    if (!board.tables.some((one) => !one.is_done)) return ["Every table is done", "0"];
    return [
      board.tables.length > 1 ? "Rolls left, at most" : "Rolls left",
      left.length ? String(Math.max(...left)) : "–",
    ];
  }
  if (board.phase === SEATED) return [`Next: ${board.round}`, length];
  if (board.phase === OVER) return [board.round, "Over"];
  return ["Entries", String(board.entries)];
}

/** Tables with the rolls they still have, those with most first. */
function tablesOf(board) {
  if (board.phase !== PLAYING || board.tables.length < 2) return [];
  const sorted = [...board.tables].sort(
    (one, other) => Number(one.is_done) - Number(other.is_done) || other.rolls_left - one.rolls_left,
  );
  const shown = sorted.slice(0, TABLES),
    rest = sorted.length - shown.length;
  return [
    ...shown.map((one) => [
      one.table,
      one.is_done ? "done" : one.waits ? "waits" : one.rolls_left >= 0 ? String(one.rolls_left) : "",
    ]),
    ...(rest ? [[`and ${rest} more`, ""]] : []),
  ];
}

/** What is listed: the seats of the next round by name, or the leader board. */
function listOf(board) {
  if (board.phase === SEATED) {
    const seats = board.lines
      .filter((one) => one.table)
      .sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
    return [
      "Seats",
      seats.map((one) => ({ place: "", name: one.name, value: `${one.table} · ${one.seat}`, is_out: false })),
    ];
  }
  const lines = board.lines.filter((one) => board.phase !== PLAYING || one.table);
  const isSecret = lines.some((one) => one.points === null || one.points === undefined);
  return [
    isSecret ? "Players: counts are secret until the round ends" : board.round ? "Leader board" : "Entered",
    lines.map((one) => ({
      place: one.place && board.round ? String(one.place) : "",
      name: one.name,
      value: isSecret || !board.round ? (one.table ? `${one.table} · ${one.seat ?? ""}` : "") : points(one.points),
      is_out: Boolean(one.is_out),
    })),
  ];
}

function show() {
  const board = now.boards.find((one) => one.event === now.current);
  text("where", [board.event, board.round].filter(Boolean).join(" · "));
  fill($("small"), tablesOf(board), () =>
    tablesOf(board).map(([name, left]) => el("p", {}, el("span", {}, name), el("strong", {}, left))),
  );
  showList(board);
  text("prizes-title", board.pool_cents ? `Prizes · pool ${money(board.pool_cents)}` : "Prizes");
  const prizes = board.prizes.map((one) => [
    place(one.place),
    one.cents ? money(one.cents) : "",
    [one.item, one.voucher ? `voucher: ${one.voucher}` : ""].filter(Boolean).join(", "),
  ]);
  fill($("prizes"), [prizes, board.pool_cents], () =>
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
  $("colours").hidden = !colours.length;
  fill($("chips"), colours, () =>
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
  showClock();
}

function showClock() {
  const board = now.boards.find((one) => one.event === now.current),
    [title, big] = bigOf(board);
  text("clock-title", title);
  text("big", big);
  fit(
    [
      big.replaceAll(/\d/g, "0"),
      title,
      $("small").childElementCount,
      innerWidth,
      innerHeight,
      board.prizes.length,
      Object.keys(board.colours).length,
    ].join(),
  );
}

/** Make the largest letters as large as their place allows; only when what they must fit has changed. */
function fit(key) {
  const big = $("big"),
    box = $("big-box");
  if (big.dataset.fits === key) return;
  big.dataset.fits = key;
  big.style.fontSize = "33vh";
  const scale = Math.min(1, (box.clientWidth * 0.96) / big.scrollWidth, box.clientHeight / big.offsetHeight);
  big.style.fontSize = `${Math.max(33 * scale, 5)}vh`;
}

function showList(board) {
  const [title, rows] = listOf(board),
    columns = rows.length > COLUMN ? 2 : 1,
    size = COLUMN * columns;
  const pages = Math.max(1, Math.ceil(rows.length / size)),
    page = Math.floor(Date.now() / PAGE_MS) % pages;
  const shown = rows.slice(page * size, (page + 1) * size);
  text(
    "leaders-title",
    pages > 1 ? `${title} · ${page * size + 1} to ${page * size + shown.length} of ${rows.length}` : title,
  );
  fill($("rows"), [columns, shown], () =>
    Array.from({ length: columns }, (_, column) =>
      el(
        "ol",
        {},
        ...shown
          .slice(column * COLUMN, (column + 1) * COLUMN)
          .map((one) =>
            el(
              "li",
              { class: one.is_out ? "is-out" : one.place === "1" ? "is-first" : "" },
              el("span", { class: "place" }, one.place),
              el("span", { class: "name" }, one.name),
              el("strong", {}, one.value),
            ),
          ),
      ),
    ),
  );
  $("rows").dataset.columns = rows.length <= FEW ? "few" : String(columns);
}

async function read() {
  try {
    now = await get(`/api/tournaments/${encodeURIComponent(id)}`);
    offset = Date.parse(now.now) - Date.now();
    failures = 0;
    show();
  } catch {
    failures += 1;
  }
  $("lost").hidden = failures < LOST_AFTER;
  setTimeout(read, EVERY_MS);
}

read();
setInterval(() => {
  if (now) showClock();
}, 250);
