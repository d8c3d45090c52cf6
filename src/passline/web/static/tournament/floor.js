// The floor: the round that is prepared, drawn, played and counted, and what comes after it.

import { byId, inputsOf } from "../dom.js";
import { buttonFor, el, fill, hintText } from "../elements.js";
import { momentText } from "../wording.js";
import {
  checksPanel,
  choice,
  commandButton,
  doing,
  follow,
  here,
  openForm,
  panel,
  place,
  points,
  row,
  send,
  whole,
} from "./common.js";
import { countPanel, tiePanel } from "./counting.js";
import { screenPanel } from "./screen_link.js";
import { splitPanel } from "./split.js";

/** @import { WholeRound } from "./common.js" */

const host = byId("floor");
/** @type {[phase: string, text: string][]} */
const STEPS = [
  ["prepared", "Draw"],
  ["drawn", "Seats"],
  ["playing", "Play"],
  ["ended", "Over"],
];
/** @type {Server.StaffTournament} */
let now;
let tables = "",
  isMade = false;

const STARTED = { started: "", day: "", prepared: "", promised: {}, nonces: {} };
const UNCUT = { cut_version: 0, cut_level: [], cut_through: [] };

/**
 * A round with what the server leaves out.
 *
 * @param {Server.HeldRound | undefined} round
 * @returns {WholeRound | null}
 */
const wholeRound = (round) =>
  round
    ? { phase: "prepared", seats: [], stacks: {}, ...STARTED, ...UNCUT, points: {}, house: {}, advance: [], ...round }
    : null;
/** @param {number} number */
const nameOf = (number) => now.entries.find((entry) => entry.number === number)?.name ?? `entry ${number}`;
/**
 * The board of an event, or of the first one.
 *
 * @param {string} event
 */
const boardOf = (event) => now.boards.find((board) => board.event === event) ?? now.boards[0];
/**
 * @param {number} count
 * @param {string} thing
 */
const countText = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;
const heldRound = () => wholeRound(now.rounds.at(-1));
/** @param {Server.HeldRound} round */
const roundPlan = (round) =>
  now.plan.events
    .find((event) => event.name === round.event_name)
    ?.rounds.find((planned) => planned.name === round.name);

/**
 * Who plays the next round of an event: those who signed in, or those who go on.
 *
 * @param {Server.Event} event
 * @param {WholeRound | null} before
 */
function playersOf(event, before) {
  const signed = now.entries.filter(
    (entry) => entry.event_name === event.name && (entry.status ?? "entered") === "entered" && entry.has_signed_in,
  );
  if (!before) return signed;
  return [
    ...now.entries.filter(
      (entry) =>
        entry.event_name === event.name &&
        entry.status === "in" &&
        (before.advance.includes(entry.number) || entry.is_back),
    ),
    ...signed,
  ];
}

// Between rounds.

function nextPart() {
  if (now.cancelled)
    return panel(
      "next",
      "Cancelled",
      el("p", {}, `Why: ${now.cancelled}`),
      el(
        "p",
        {},
        "What was paid is given back at the ",
        el("a", { href: `/tournaments/${here.id}/desk` }, "desk"),
        ".",
      ),
    );
  const left = now.plan.events.filter((event) => !now.concluded.includes(event.name));
  if (!left.length)
    return panel(
      "next",
      "Every event is over",
      el("p", {}, "Prizes are paid on the page ", el("a", { href: `/tournaments/${here.id}/money` }, "Money"), "."),
    );
  return el("div", { class: "stack" }, ...left.slice(0, 2).map((event, index) => nextOf(event, index)));
}

/**
 * @param {Server.Event} event
 * @param {number} index
 */
function nextOf(event, index) {
  const rounds = now.rounds.filter((round) => round.event_name === event.name),
    before = wholeRound(rounds.at(-1));
  const next = event.rounds[rounds.length];
  if (!next)
    return panel(
      `next-${index}`,
      event.name,
      el(
        "p",
        {},
        "Its last round is over. Record the counts first, and the order of players who are level, where the page " +
          "asks for it. Then award the places: prizes are fixed from then on, and paid on the page Money.",
      ),
      here.is_director
        ? el(
            "div",
            { class: "buttons" },
            commandButton(
              `Award the places of ${event.name}`,
              { command: "conclude-event", event: event.name },
              { class: "first" },
            ),
          )
        : null,
    );
  const players = playersOf(event, before),
    needed = Math.ceil(players.length / (next.seats ?? 16)) || 1;
  const names = el("input", {
    id: `tables-${index}`,
    autocomplete: "off",
    value: index
      ? ""
      : tables ||
        (before?.tables ?? []).slice(0, needed).join(", ") ||
        Array.from({ length: needed }, (_, number) => `${here.id}-${number + 1}`).join(", "),
  });
  if (!index)
    names.addEventListener("input", () => {
      tables = names.value;
    });
  const prepare = async () => {
    const list = names.value.split(/[,\s]+/).filter(Boolean);
    if (await doing(`Prepare ${next.name}`, () => send({ command: "prepare-round", event: event.name, tables: list })))
      tables = "";
  };
  return panel(
    `next-${index}`,
    `${event.name}: ${next.name}`,
    before && cutText(before) ? el("p", { class: "said" }, cutText(before)) : null,
    el(
      "dl",
      { class: "facts" },
      fact(
        "Length",
        next.rolls ? `${countText(next.rolls, "roll")} at each table` : countText(next.minutes ?? 0, "minute"),
      ),
      fact("Ready to play", String(players.length)),
      fact("Everybody begins with", stackText(event, rounds.length)),
      fact("Tables needed", `${needed}, of ${next.seats ?? 16} seats at most`),
      next.advance
        ? fact(
            "Go on",
            `${next.advance} of each table${next.wild_cards ? ` and ${countText(next.wild_cards, "wild card")}` : ""}`,
          )
        : null,
    ),
    here.is_director
      ? el(
          "form",
          {
            onsubmit: (event_) => {
              event_.preventDefault();
              prepare();
            },
          },
          row("Tables", names, "The names of the tables, with commas between them. Seats are drawn by lot at once."),
          el("div", { class: "buttons" }, el("button", { type: "submit", class: "first" }, "Draw the seats")),
        )
      : el("p", { class: "muted" }, "The director prepares the round."),
  );
}

/**
 * With what players begin a round: anew, or with what they have.
 *
 * @param {Server.Event} event
 * @param {number} index of the round
 */
function stackText(event, index) {
  const before = event.rounds[index - 1];
  if (before?.carries_points) return "the points they have";
  return `${points(event.points)} points${before ? ", anew: points of the round before do not count" : ""}`;
}

/** @param {WholeRound} round */
function cutText(round) {
  const through = round.cut_through.map(nameOf).join(", ");
  const planned = roundPlan(round),
    most = (planned?.advance ?? 0) * round.tables.length + (planned?.wild_cards ?? 0);
  if (round.cut_through.length)
    return `${round.cut_level.length} players were level for a last place. By lot go on: ${through}.`;
  return round.advance.length > most
    ? `Players were level for the last place, and the rule sheet lets all of them go on: ${round.advance.length} ` +
        `where ${most} were planned.`
    : "";
}

/**
 * @param {string} key
 * @param {string} value
 */
const fact = (key, value) => el("div", {}, el("dt", {}, key), el("dd", {}, value));

// Seats that are drawn.

/** @param {WholeRound} round */
function chipsText(round) {
  const event = now.plan.events.find((event) => event.name === round.event_name);
  const index = event?.rounds.findIndex((planned) => planned.name === round.name) ?? 0;
  return event ? stackText(event, index).replace(", anew: points of the round before do not count", "") : "points";
}

/** @param {WholeRound} round */
function seatsPart(round) {
  const seats = roundPlan(round)?.seats ?? 16;
  /** @param {Server.DrawnSeat} seat */
  const move = (seat) => {
    const table = choice(
        "to-table",
        round.tables.map((table) => [table, table]),
      ),
      number = el("input", { id: "to-seat", inputmode: "numeric", autocomplete: "off" });
    table.value = seat.table;
    openForm(
      `Move ${nameOf(seat.entry)}`,
      [
        el("p", {}, `Now at ${seat.table}, seat ${seat.seat}. Seats are 1 to ${seats}.`),
        row("Table", table),
        row("Seat", number),
      ],
      "Move",
      () => ({ command: "move-seat", entry: seat.entry, table: table.value, seat: whole(number, "Seat") }),
    );
  };
  return panel(
    "round",
    `${round.name}: seats`,
    el(
      "div",
      { class: "table-cards" },
      ...round.tables.map((table) =>
        el(
          "section",
          { class: "card", "aria-label": table },
          el("h3", {}, table),
          el(
            "ol",
            { class: "seats" },
            ...round.seats
              .filter((seat) => seat.table === table)
              .sort((seat, other) => seat.seat - other.seat)
              .map((seat) =>
                el(
                  "li",
                  {},
                  el("span", { class: "seat-number number" }, String(seat.seat)),
                  el("strong", { class: "grow" }, nameOf(seat.entry)),
                  here.is_director
                    ? el(
                        "button",
                        { type: "button", class: "plain", onclick: () => move(seat) },
                        "Move",
                        el("span", { class: "spoken" }, ` ${nameOf(seat.entry)}`),
                      )
                    : null,
                ),
              ),
          ),
        ),
      ),
    ),
    here.is_director
      ? el(
          "div",
          { class: "buttons go" },
          commandButton("Start the round", { command: "start-round" }, { class: "first large" }),
          el("span", { class: "hint" }, `Everybody gets ${chipsText(round)} in chips, and the tables open.`),
        )
      : null,
  );
}

// A round that is played.

/** @param {WholeRound} round */
function playPart(round) {
  const board = boardOf(round.event_name);
  const all = round.tables.length;
  const done = round.tables.filter((table) => table in round.house).length;
  const isPlayed = done < all;
  const progress = isPlayed ? `${done} of ${all} ${all === 1 ? "table" : "tables"} done` : "every table is done";
  return panel(
    "round",
    `${round.name}: ${progress}`,
    board.ends ? el("p", {}, "Ends at ", el("strong", {}, momentText(board.ends))) : null,
    el("div", { class: "table-cards" }, ...board.tables.map((table) => tableCard(table, round))),
    here.is_director
      ? el(
          "div",
          { class: "buttons go" },
          commandButton(
            "End the round",
            { command: "end-round" },
            { class: isPlayed ? "" : "first large", disabled: isPlayed },
          ),
          isPlayed ? el("span", { class: "hint" }, "Once every table has reported its points.") : null,
        )
      : null,
  );
}

/**
 * @param {Server.BoardTable} table
 * @param {WholeRound} round
 */
function tableCard(table, round) {
  const players = round.seats.filter((seat) => seat.table === table.table).length;
  const finish = () => openFinish(table.table),
    isTimed = !roundPlan(round)?.rolls;
  return el(
    "section",
    { class: `card ${table.is_done ? "is-done" : table.waits ? "is-waiting" : ""}`, "aria-label": table.table },
    el(
      "div",
      { class: "heading" },
      el("h3", {}, table.table),
      table.is_done
        ? el("span", { class: "tag on" }, "Done")
        : table.waits
          ? el("span", { class: "tag warn" }, "Waits")
          : null,
    ),
    table.is_done
      ? hintText(`${countText(players, "player")}; the house won ${points(round.house[table.table])} points`)
      : table.waits
        ? el("p", { class: "waits" }, table.waits)
        : el(
            "p",
            {},
            table.rolls_left >= 0
              ? [
                  el("strong", { class: "left number" }, String(table.rolls_left)),
                  ` ${table.rolls_left === 1 ? "roll" : "rolls"} left`,
                ]
              : isTimed
                ? "By the clock"
                : "The table opens",
            el("span", { class: "hint" }, `, ${countText(players, "player")}`),
          ),
    table.is_done
      ? null
      : el(
          "div",
          { class: "buttons" },
          el(
            "a",
            { class: "button", href: `/tables/${encodeURIComponent(table.table)}/crew` },
            "Console",
            el("span", { class: "spoken" }, ` of ${table.table}`),
          ),
          here.is_director
            ? el(
                "button",
                { type: "button", onclick: finish },
                "Finish now",
                el("span", { class: "spoken" }, ` at ${table.table}`),
              )
            : null,
        ),
  );
}

/** @type {{ [rule: string]: string }} */
const UNDECIDED = {
  returned: "Wagers that are up go back to their players",
  played_out: "Wagers that are up stay until they are decided",
  lost: "Wagers that are up are lost",
};

/** @param {string} table */
function openFinish(table) {
  const dialog = byId("sheet", HTMLDialogElement);
  const sure = buttonFor(
    "Finish the round there",
    async () => {
      dialog.close();
      await doing(`Finish ${table}`, () => send(null, { to: `/tables/${encodeURIComponent(table)}/finish` }));
    },
    { class: "first" },
  );
  dialog.replaceChildren(
    el("div", { class: "sheet-head" }, el("h2", { id: "sheet-title" }, `Finish ${table} now`)),
    el(
      "p",
      {},
      `${UNDECIDED[now.plan.sheet?.undecided_wagers ?? "returned"] ?? UNDECIDED.returned}, as the rule sheet says, ` +
        "and the points are recorded. This cannot be taken back.",
    ),
    el(
      "div",
      { class: "ends" },
      buttonFor("Go back", () => dialog.close()),
      sure,
    ),
  );
  dialog.showModal();
}

// Chips and their points.

function coloursPart() {
  const { colours } = now.boards[0],
    isPlaying = heldRound()?.phase === "playing";
  const rows = el("div", { class: "colour-rows" });
  /**
   * @param {string} [colour]
   * @param {string} [value]
   */
  const add = (colour = "", value = "") =>
    rows.append(
      el(
        "div",
        { class: "colour-row" },
        el("input", { "aria-label": "Colour", value: colour, autocomplete: "off", class: "colour" }),
        el("input", {
          "aria-label": `Points of ${colour || "this colour"}`,
          value,
          inputmode: "numeric",
          autocomplete: "off",
          class: "value",
        }),
      ),
    );
  for (const [colour, value] of Object.entries(colours)) add(colour, String(value));
  const read = () =>
    Object.fromEntries(
      [...rows.children]
        .map((typed) => inputsOf("input", typed))
        .filter((inputs) => inputs.some((input) => input.value.trim()))
        .map(([colour, value]) => [colour.value.trim(), whole(value, colour.value.trim() || "Points")]),
    );
  if (!Object.keys(colours).length && !here.is_director) return null;
  if (isPlaying || !here.is_director)
    return panel(
      "colours",
      "Chips, in points",
      el(
        "ul",
        { class: "chips-list" },
        ...Object.entries(colours).map(([colour, value]) =>
          el("li", {}, colour, el("strong", { class: "number" }, points(value))),
        ),
      ),
      isPlaying ? hintText("What a colour stands for changes between rounds only.") : null,
    );
  if (!rows.children.length) add();
  return panel(
    "colours",
    "Chips, in points",
    rows,
    el(
      "div",
      { class: "buttons" },
      buttonFor("Another colour", () => {
        add();
        inputsOf(".colour", rows).at(-1)?.focus();
      }),
      buttonFor("Post these values", () =>
        doing("Set the chips", () => send({ command: "set-colours", points: read() })),
      ),
    ),
    hintText("The big screen and every table show them at once."),
  );
}

/** @param {WholeRound | null} round */
function standingsPart(round) {
  const board = boardOf(round?.event_name ?? now.current);
  const isNew =
    round &&
    round.phase !== "playing" &&
    round.phase !== "ended" &&
    !now.rounds.slice(0, -1).some((each) => each.event_name === round.event_name);
  if (!board.lines.length || !round || isNew) return null; // nobody has any points yet
  return panel(
    "standings",
    "Standings",
    el(
      "ol",
      { class: "standings" },
      ...board.lines
        .slice(0, 20)
        .map((line) =>
          el(
            "li",
            { class: line.is_out ? "is-out" : "" },
            el("span", { class: "place" }, line.place ? place(line.place) : ""),
            el("span", { class: "grow" }, line.name),
            el("strong", { class: "number" }, points(line.points)),
          ),
        ),
    ),
    board.lines.some((line) => line.points === null) ? hintText("Counts are secret while the round is played.") : null,
  );
}

/** @param {WholeRound} round */
function stepsPart(round) {
  const at = STEPS.findIndex(([key]) => key === round?.phase);
  return el(
    "ol",
    { class: "floor-steps", "aria-label": "How far the round is" },
    ...STEPS.map(([, text], index) =>
      el("li", { class: index <= at ? "is-done" : "", "aria-current": index === at ? "step" : null }, text),
    ),
  );
}

follow((read) => {
  now = read;
  const round = heldRound(),
    board = boardOf(now.current);
  if (!isMade) {
    isMade = true;
    host.replaceChildren(
      el(
        "div",
        { class: "floor" },
        el(
          "div",
          { class: "stack" },
          ...["steps", "split", "ties", "checks", "now", "counts"].map((id) => el("div", { id: `part-${id}` })),
        ),
        el(
          "div",
          { class: "stack" },
          ...["standings", "colours"].map((id) => el("div", { id: `part-${id}` })),
          here.is_director ? screenPanel() : null,
        ),
      ),
    );
  }
  const isDone =
    round &&
    (round.phase === "ended" || (round.phase === "playing" && round.tables.every((table) => table in round.house)));
  const level = now.entries.map((entry) => [
    entry.number,
    entry.status,
    entry.points,
    entry.tie_break,
    entry.has_signed_in,
    entry.is_back,
  ]);
  fill(byId("part-steps"), [round?.phase], () => (round ? stepsPart(round) : null));
  fill(byId("part-split"), [now.split, now.entries.length], () => splitPanel(now));
  fill(
    byId("part-now"),
    [now.rounds, now.concluded, now.cancelled, round?.phase === "playing" ? board.tables : level, now.is_closed],
    () =>
      !round || round.phase === "ended" || now.cancelled
        ? nextPart()
        : round.phase === "prepared"
          ? panel("round", `${round.name}: the seats are being drawn`)
          : round.phase === "drawn"
            ? seatsPart(round)
            : playPart(round),
  );
  fill(byId("part-checks"), [now.checks], () => checksPanel(now));
  fill(byId("part-ties"), [isDone, now.level, now.is_closed], () =>
    isDone && here.is_director ? tiePanel(now) : null,
  );
  fill(byId("part-counts"), [round?.number, Object.keys(round?.house ?? {})], () =>
    round ? countPanel(now, round) : null,
  );
  fill(byId("part-standings"), [round?.number, round?.phase, board.lines], () => standingsPart(round));
  fill(byId("part-colours"), [board.colours, round?.phase], coloursPart);
}, host);
