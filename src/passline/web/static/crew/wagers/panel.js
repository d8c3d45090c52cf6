// Wagers for players, keyed or clicked: the seats, what is being typed, the layout, and the legend of codes.

import { el, fill } from "../../elements.js";
import { get } from "../../http.js";
import { money } from "../../money.js";
import { Codes } from "./codes.js";
import { WagerCommands } from "./commands.js";
import { Memory } from "./memory.js";
import { seatOf, Ticket } from "./ticket.js";

const ALL = { W: "All stay up", R: "All same again", O: "All odds" };
const ACTS = [["o", "odds"], ["=", "same again"], ["+", "press"], ["W", "all winners stay up"], ["R", "same again, all"], ["O", "usual odds, all"],
  ["→ ←", "next seat"], ["Enter", "make it"], ["Del", "take it down"]];
const SAY_MS = 4000;

/** The key of a seat: 1 to 9, 0, ⇧1 to ⇧9, ⇧0. */
function keyOf(seat) {
  return Array.from({ length: 20 }, (_, place) => [place % 10, place >= 10]).filter(([digit, isShifted]) => seatOf(digit, isShifted) === seat)
    .map(([digit, isShifted]) => `${isShifted ? "⇧" : ""}${digit}`)[0] ?? "";
}

/** The panel above the felt; `felt` calls `clicked` and `takenDown` for areas of the layout. */
export function wagersPanel(console_) {
  const { card, keys } = console_;
  const codes = new Codes(card);
  const memory = new Memory(codes);
  let table = null;
  let own = null;
  let timer = 0;
  let drawn = 0;
  const areasOf = async (seat) => (await get(`/api/tables/${encodeURIComponent(console_.table)}/areas?seat=${seat}`)).areas;
  const commands = new WagerCommands({ codes, memory, table: () => table, areasOf });
  const strip = el("div", { class: "seat-strip", role: "group", "aria-label": "Seats" });
  const line = el("p", { class: "ticket", role: "status" });
  const hint = el("p", { class: "ticket-hint", role: "status" });
  const chips = el("div", { class: "ticket-chips", role: "group", "aria-label": "Amount by chips" });
  const legend = el("ul", { class: "legend codes" }, ...[...codes.legend, ...ACTS].map(([code, name]) => el("li", {}, el("kbd", {}, code), ` ${name}`)));
  const mode = { name: "Wagers", bindings: [], take: (event) => takes(event), back: () => ticket.back(), onleave: () => show(),
    halt: () => ticket.halt() };

  const say = (text) => {
    hint.textContent = text;
    clearTimeout(timer);
    timer = setTimeout(() => { hint.textContent = ""; }, SAY_MS);
  };
  const give = (says, command, undo = "") => {
    hint.textContent = "";
    console_.act(says, command, { undo });
    return true;
  };
  const nameAt = (seat) => table?.seats.find((one) => one.seat === seat)?.name;
  const ticket = new Ticket(codes, {
    changed: () => show(),
    say,
    pick: (seat) => {
      if (nameAt(seat)) ticket.choose(seat);
      else say(`Nobody is at seat ${seat}.`);
      return true;
    },
    next: (step) => {
      const order = card.ends.flatMap((end, place) => (place ? [...end.seats].reverse() : end.seats)).filter(nameAt);
      if (order.length) ticket.choose(order[(order.indexOf(ticket.seat) + step + order.length + (ticket.seat ? 0 : step < 0 ? 1 : 0)) % order.length]);
      return true;
    },
    make: (made) => {
      const { seat, spot, cents } = made;
      const amount = cents ?? commands.usual(seat, spot);
      give(`Seat ${seat}: ${spot.name}${amount ? ` ${money(amount)}` : ""}`, () => commands.typed({ seat, spot, cents }), "take it down again: seat, area, Del");
      made.done();
    },
    takeDown: (made) => {
      const { seat, spot } = made;
      give(`Seat ${seat}: ${spot.name} down`, () => commands.takeDown({ seat, spot }));
      made.done();
    },
    odds: (seat) => give(`Seat ${seat}: odds`, () => commands.odds(seat), "take them down again: seat, po, Del"),
    again: (seat) => give(`Seat ${seat}: same again`, () => commands.again(seat)),
    press: (seat) => give(`Seat ${seat}: press`, () => commands.press(seat)),
    all: (letter) => (ALL[letter] ? give(ALL[letter], () => commands.all(letter)) : false),
  });

  /** Space announces the throw from here too, and the mode comes back when the shooter has the dice again. */
  let isComingBack = false;
  const takes = (event) => {
    if (event.key !== " ") return ticket.take(event);
    if (!console_.keysDice) return false;
    isComingBack = true;
    keys.leave();
    give("Dice out", { command: "dice-out" });
    return true;
  };
  const enter = () => { keys.enter(mode); show(); };
  const isOn = () => keys.mode === mode.name;

  const byPointer = (event, act) => { // a pointer leaves no focus behind, so that Enter still makes the wager
    if (event.detail) event.currentTarget.blur();
    if (!isOn()) enter();
    act();
  };
  const seatButton = (seat) => {
    const there = table.seats.find((one) => one.seat === seat);
    const up = table.wagers.filter((one) => one.seat === seat).reduce((sum, one) => sum + one.cents, 0);
    return el("button", { type: "button", id: `pick-${seat}`, class: `pick${table.shooter === seat ? " is-shooter" : ""}`, disabled: !there, "aria-pressed": String(ticket.seat === seat),
      "aria-label": there ? `Seat ${seat}, ${there.name}, ${money(up)} up${own?.racks?.[seat] === undefined ? "" : `, ${money(own.racks[seat])} in the rack`}${table.shooter === seat ? ", shooter" : ""}` : `Seat ${seat}, empty`,
      onclick: (event) => byPointer(event, () => ticket.choose(seat)) },
      el("b", {}, String(seat)), keyOf(seat) === String(seat) ? null : el("kbd", {}, keyOf(seat)), el("span", { class: "who" }, there?.name ?? ""), el("span", { class: "up" }, up ? money(up) : ""));
  };
  const chipButton = ({ cents, colour }) => el("button", { type: "button", class: `chip-button is-${colour}`, "aria-label": `Add ${money(cents)}`, onclick: (event) => byPointer(event, () => ticket.add(cents)) }, money(cents));
  const makeButton = el("button", { type: "button", class: "act", onclick: (event) => byPointer(event, () => { if (ticket.spot) ticket.acts.make(ticket); }) }, "Make", el("kbd", {}, "Enter"));
  const downButton = el("button", { type: "button", class: "act", onclick: (event) => byPointer(event, () => { if (ticket.spot) ticket.acts.takeDown(ticket); }) }, "Take down", el("kbd", {}, "Del"));
  const seatActs = [["o", "Odds", () => ticket.acts.odds(ticket.seat)], ["=", "Same again", () => ticket.acts.again(ticket.seat)], ["+", "Press", () => ticket.acts.press(ticket.seat)]]
    .map(([key, label, act]) => el("button", { type: "button", class: "act", onclick: (event) => byPointer(event, act) }, label, el("kbd", {}, key)));
  const allActs = Object.entries(ALL).map(([key, label]) => el("button", { type: "button", class: "act", onclick: (event) => byPointer(event, () => ticket.acts.all(key)) }, label, el("kbd", {}, key)));
  const start = el("button", { type: "button", class: "act", onclick: () => (isOn() ? keys.leave() : enter()) }, el("span", {}, ""), el("kbd", {}, ""));
  const acts = el("div", { class: "acts" }, makeButton, downButton, ...seatActs);
  const element = el("section", { class: "panel wagers", "aria-labelledby": "wagers-title" },
    el("div", { class: "wagers-head" }, el("h2", { id: "wagers-title" }, "Wagers"), el("div", { class: "acts" }, ...allActs, start)),
    strip, el("div", { class: "ticket-row" }, line, chips, hint), acts);

  /** What is being typed, in one line: "Seat 3 Wanda · Place 6 · $12". */
  const parts = () => {
    if (!ticket.seat) return [isOn() ? "Pick a seat" : "Press m, or tap a seat"];
    const amount = ticket.typed ? `$${ticket.typed}` : ticket.spot ? money(commands.usual(ticket.seat, ticket.spot) ?? 0) : "";
    const isOdds = ticket.spot && commands.usual(ticket.seat, ticket.spot) === null && !ticket.typed;
    return [`Seat ${ticket.seat} ${nameAt(ticket.seat) ?? ""}`, ticket.spot?.name ?? (ticket.code ? `${ticket.code}…` : "which area?"), isOdds ? "as usual" : amount].filter(Boolean);
  };
  function show() {
    if (!table) return;
    if (ticket.seat && !nameAt(ticket.seat)) ticket.choose(0);
    if (drawn !== ticket.seat) console_.picture?.show(table); // the chips of the seat that is picked are drawn large
    drawn = ticket.seat;
    element.classList.toggle("is-on", isOn());
    start.firstChild.textContent = isOn() ? "Leave" : "Key wagers";
    start.lastChild.textContent = isOn() ? "Esc" : "m";
    fill(strip, [table.seats, table.wagers.map((one) => [one.seat, one.cents]), table.shooter, ticket.seat, own?.racks, table.places], () => card.ends.map((end) =>
      el("div", { class: "end", role: "group", "aria-label": end.name || "Seats" }, ...[...end.seats].sort((one, other) => one - other).map(seatButton))));
    const said = parts();
    fill(line, said, () => said.flatMap((part, place) => [place ? el("span", { class: "dot" }, " · ") : null, el("b", { class: ticket.typed && place === 2 ? "is-typed" : "" }, part)]));
    fill(chips, card.chips, () => [...card.chips].reverse().map(chipButton));
    makeButton.disabled = downButton.disabled = chips.hidden = !ticket.spot;
    makeButton.classList.toggle("is-next", Boolean(ticket.spot));
    for (const button of seatActs) button.disabled = !ticket.seat;
  }
  return {
    element,
    update(state) {
      ({ table, own } = state);
      memory.follow(table);
      if (isComingBack && !console_.isAhead && table.dice_are === "held") {
        isComingBack = false;
        if (!keys.mode && !console_.refusals.isShown) enter();
      }
      show();
    },
    /** The legend of codes, to stand below the layout. */
    codes: el("section", { class: "panel", "aria-labelledby": "codes-title" }, el("h2", { id: "codes-title" }, "Codes of the areas"), legend),
    get seat() { return ticket.seat; },
    /** An area of the layout was clicked. */
    clicked(area) {
      if (!isOn()) enter();
      if (!ticket.seat) return say("Pick a seat first.");
      if (["hop", "horn_high"].includes(area.kind)) return say("Its number is picked in “A wager for a player” (l).");
      ticket.area({ kind: area.kind, number: area.number, name: codes.nameOf(area) });
    },
    takenDown(area) {
      const { seat } = ticket;
      if (seat) give(`Seat ${seat}: ${codes.nameOf(area)} down`, () => commands.takeDown({ seat, spot: area }));
    },
    bindings: [{ keys: "m", says: "wagers for players", on: enter }],
  };
}
