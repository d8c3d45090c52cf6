// Wagers for players, keyed or clicked: the seats, what is being typed, the layout, and the legend of codes.

import { buttonFor, el, fill, titledPanel } from "../../elements.js";
import { money, typedMoney } from "../../money.js";
import { ALL } from "../keyboard/wager_keys.js";
import { byPointer } from "../panel.js";
import { seatOf } from "./ticket.js";

const ACTS = [
  ["o", "odds; again: the next ones"],
  ["=", "same again"],
  ["+", "press"],
  ["W", "all winners stay up"],
  ["R", "same again, all"],
  ["O", "usual odds, all"],
  ["→ ←", "next seat"],
  ["Enter", "make it"],
  ["Del", "take it down"],
  ["Shift", "with a key of the table: Y dice accepted, C correct"],
];

/**
 * The key of a seat: 1 to 9, 0, ⇧1 to ⇧9, ⇧0.
 *
 * @param {number} seat
 * @returns {string}
 */
function keyOf(seat) {
  return (
    Array.from({ length: 20 }, (_, place) => /** @type {[number, boolean]} */ ([place % 10, place >= 10]))
      .filter(([digit, isShifted]) => seatOf(digit, isShifted) === seat)
      .map(([digit, isShifted]) => `${isShifted ? "⇧" : ""}${digit}`)[0] ?? ""
  );
}

/** @typedef {import("../panel.js").Panel & import("../picture.js").Clickable & { codes: HTMLElement }} WagersPanel */

/**
 * The panel above the felt; `felt` calls `clicked` and `takenDown` for areas of the layout.
 *
 * @param {import("../console.js").Console} console_
 * @param {import("../keyboard/wager_keys.js").WagerKeys} typing
 * @returns {WagersPanel}
 */
export function wagersPanel(console_, typing) {
  const { card, keys } = console_;
  const { codes, commands, ticket } = typing;
  /** @type {Server.TableView | null} */
  let table = null;
  /** @type {Server.OwnView | null} */
  let own = null;
  let drawn = 0;
  const strip = el("div", { class: "seat-strip", role: "group", "aria-label": "Seats" });
  const line = el("p", { class: "ticket", role: "status" });
  const hint = el("p", { class: "ticket-hint", role: "status" });
  const chips = el("div", { class: "ticket-chips", role: "group", "aria-label": "Amount by chips" });
  const legend = el(
    "ul",
    { class: "legend codes" },
    ...[...codes.legend, ...ACTS].map(([code, name]) => el("li", {}, el("kbd", {}, code), ` ${name}`)),
  );
  const enter = () => typing.enter();
  const isOn = () => typing.isOn;
  /** @param {number} seat */
  const nameAt = (seat) => typing.nameAt(seat);
  /** @param {() => unknown} act */
  const clicked = (act) =>
    byPointer(() => {
      if (!isOn()) enter();
      act();
    });
  const seatButton = (/** @type {Server.TableView} */ table, /** @type {number} */ seat) => {
    const there = table.seats.find((each) => each.seat === seat);
    const up = table.wagers.filter((wager) => wager.seat === seat).reduce((sum, wager) => sum + wager.cents, 0);
    const isShooter = table.shooter === seat;
    const rack = own?.racks?.[seat] === undefined ? "" : `${money(own.racks[seat])} in the rack`;
    return el(
      "button",
      {
        type: "button",
        id: `pick-${seat}`,
        class: `pick${isShooter ? " is-shooter" : ""}`,
        disabled: !there,
        "aria-pressed": String(ticket.seat === seat),
        "aria-label": there
          ? [`Seat ${seat}`, there.name, `${money(up)} up`, rack, isShooter ? "shooter" : ""].filter(Boolean).join(", ")
          : `Seat ${seat}, empty`,
        onclick: clicked(() => ticket.choose(seat)),
      },
      el("b", {}, String(seat)),
      keyOf(seat) === String(seat) ? null : el("kbd", {}, keyOf(seat)),
      el("span", { class: "who" }, there?.name ?? ""),
      el("span", { class: "up" }, up ? money(up) : ""),
    );
  };
  /** @param {Server.ChipInUse} chip */
  const chipButton = ({ cents, colour }) =>
    buttonFor(
      money(cents),
      clicked(() => ticket.add(cents)),
      { class: `chip-button is-${colour}`, "aria-label": `Add ${money(cents)}` },
    );
  const makeButton = el(
    "button",
    {
      type: "button",
      class: "act",
      onclick: clicked(() => {
        if (ticket.spot) ticket.acts.make(ticket);
      }),
    },
    "Make",
    el("kbd", {}, "Enter"),
  );
  const downButton = el(
    "button",
    {
      type: "button",
      class: "act",
      onclick: clicked(() => {
        if (ticket.spot) ticket.acts.takeDown(ticket);
      }),
    },
    "Take down",
    el("kbd", {}, "Del"),
  );
  const seatActs = [
    { key: "o", label: "Odds", does: () => ticket.odds() },
    { key: "=", label: "Same again", does: () => ticket.acts.again(ticket.seat) },
    { key: "+", label: "Press", does: () => ticket.acts.press(ticket.seat) },
  ].map(({ key, label, does }) =>
    el("button", { type: "button", class: "act", onclick: clicked(does) }, label, el("kbd", {}, key)),
  );
  const allActs = Object.entries(ALL).map(([key, label]) =>
    el(
      "button",
      { type: "button", class: "act", onclick: clicked(() => ticket.acts.all(key)) },
      label,
      el("kbd", {}, key),
    ),
  );
  const [startLabel, startKey] = [el("span", {}, ""), el("kbd", {}, "")];
  const start = el(
    "button",
    { type: "button", class: "act", onclick: byPointer(() => (isOn() ? keys.leave() : enter())) },
    startLabel,
    startKey,
  );
  const acts = el("div", { class: "acts" }, makeButton, downButton, ...seatActs);
  const element = el(
    "section",
    { class: "panel wagers", "aria-labelledby": "wagers-title" },
    el(
      "div",
      { class: "wagers-head" },
      el("h2", { id: "wagers-title" }, "Wagers"),
      el("div", { class: "acts" }, ...allActs, start),
    ),
    strip,
    el("div", { class: "ticket-row" }, line, chips, hint),
    acts,
  );

  /** What is being typed, in one line: "Seat 3 Wanda · Place 6 · $12". */
  const parts = () => {
    const { seat, spot, typed, cents, code } = ticket;
    if (!isOn()) return [typing.isThrowing ? "Dice out: key the dice" : "Press m, or tap a seat"];
    if (!seat) return ["Pick a seat"];
    const usual = spot ? commands.usual(seat, spot) : null;
    const amount = typed ? typedMoney(typed) : usual === null ? (spot ? "as usual" : "") : money(usual);
    return [
      `Seat ${seat} ${nameAt(seat) ?? ""}`,
      spot?.name ?? (code ? `${code}…` : "which area?"),
      (spot && typing.shareText(seat, spot, cents)) || amount,
    ].filter(Boolean);
  };
  /** What else o stands for at this seat. */
  const otherOdds = () => {
    const { spot } = ticket;
    if (!spot?.isOdds) return [];
    if (!spot.kind) return ["Made behind the only wager that takes odds, once the table is shown"];
    return spot.others?.length ? [el("kbd", {}, "o"), ` ${spot.others.map((other) => other.name).join(", ")}`] : [];
  };
  function show() {
    const shown = table;
    if (!shown) return;
    if (drawn !== ticket.seat) console_.picture?.show(shown); // the chips of the seat that is picked are drawn large
    drawn = ticket.seat;
    element.classList.toggle("is-on", isOn());
    startLabel.textContent = isOn() ? "Leave" : "Key wagers";
    startKey.textContent = isOn() ? "Esc" : "m";
    fill(
      strip,
      [
        shown.seats,
        shown.wagers.map((wager) => [wager.seat, wager.cents]),
        shown.shooter,
        ticket.seat,
        own?.racks,
        shown.places,
      ],
      () =>
        card.ends.map((end) =>
          el(
            "div",
            { class: "end", role: "group", "aria-label": end.name || "Seats" },
            ...[...end.seats].sort((seat, other) => seat - other).map((seat) => seatButton(shown, seat)),
          ),
        ),
    );
    const said = parts();
    fill(line, said, () =>
      said.flatMap((part, place) => [
        place ? el("span", { class: "dot" }, " · ") : null,
        el("b", { class: ticket.typed && place === 2 ? "is-typed" : "" }, part),
      ]),
    );
    fill(hint, [ticket.spot?.isOdds ? ticket.spot : ""], otherOdds);
    fill(chips, card.chips, () => [...card.chips].reverse().map(chipButton));
    makeButton.disabled = downButton.disabled = chips.hidden = !ticket.spot;
    makeButton.classList.toggle("is-next", Boolean(ticket.spot));
    for (const button of seatActs) button.disabled = !ticket.seat;
  }
  return {
    element,
    update(state) {
      table = state.table;
      own = state.own;
      show();
    },
    /** The legend of codes, to stand below the layout. */
    codes: titledPanel("codes-title", "Codes of the areas", legend),
    get seat() {
      return ticket.seat;
    },
    /** An area of the layout was clicked. */
    clicked(area) {
      if (!isOn()) enter();
      const name = codes.nameOf(area);
      if (!ticket.seat) return typing.reject(name, "Pick a seat first.");
      if (["hop", "horn_high"].includes(area.kind))
        return typing.reject(name, "Its number is picked in “A wager for a player” (l).");
      ticket.area({ kind: area.kind, number: area.number, name });
    },
    takenDown(area) {
      const { seat } = ticket;
      if (seat)
        typing.give(`Seat ${seat}: ${codes.nameOf(area)} down`, () =>
          commands.takeDown({ seat, spot: { kind: area.kind, number: area.number, name: codes.nameOf(area) } }),
        );
    },
    bindings: [{ keys: "m", says: "wagers for players", on: enter }],
  };
}
