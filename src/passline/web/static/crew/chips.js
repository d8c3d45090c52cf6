// Chips that the crew moves: buy-ins, wagers for players, fills and credits.

import { buttonFor, el, fill, wagerName } from "../elements.js";
import { centsFrom, money } from "../money.js";
import {
  amountInput,
  amountOf,
  field,
  folded,
  form,
  panel,
  select,
  showOptions,
  showSeats,
  signOff,
  submit,
} from "./panel.js";
import { chipsText } from "./payouts/chips.js";

const USUAL = [100_00, 200_00, 500_00, 1000_00];

/**
 * What a seat has: "Seat 3 Cal has $475 in the rack and $25 on the layout."
 *
 * @param {import("./panel.js").State} state
 * @param {number} seat
 * @returns {string}
 */
export function hasText({ table, own }, seat) {
  const name = table.seats.find((each) => each.seat === seat)?.name;
  if (!name) return "";
  const up = table.wagers
    .filter((wager) => wager.seat === seat && wager.owner === "player")
    .reduce((sum, wager) => sum + wager.cents, 0);
  const rack = own?.racks?.[seat];
  return (
    `Seat ${seat} ${name} has ${rack === undefined ? "" : `${money(rack)} in the rack and `}${money(up)} on the ` +
    "layout."
  );
}

/**
 * Change cash for chips at a seat.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function buyInPanel(console_) {
  const seat = select([]);
  const amount = amountInput();
  const standing = el("p", { class: "standing", role: "status" });
  const usual = USUAL.map((cents) =>
    buttonFor(money(cents), () => {
      amount.value = String(cents / 100);
      showStanding();
      amount.focus();
    }),
  );
  /** @type {import("./panel.js").State | null} */
  let state = null;
  const showStanding = () => {
    if (!state?.table.seats.length) {
      standing.textContent = "Nobody is at the table.";
      return;
    }
    const cents = centsFrom(amount.value);
    const handOver = cents ? ` Hand over ${chipsText(cents, console_.card.chips, money)}.` : "";
    standing.textContent = `${hasText(state, Number(seat.value))}${handOver}`;
  };
  seat.addEventListener("change", showStanding);
  amount.addEventListener("input", showStanding);
  const element = panel(
    "Buy-in",
    "b",
    form(
      "Buy-in",
      async () => {
        const cents = amountOf(amount);
        if (cents === null) return false;
        const said = await console_.submit(`Buy-in of ${money(cents)}, seat ${seat.value}`, {
          command: "buy-in",
          seat: Number(seat.value),
          cents,
        });
        if (said) amount.value = "";
        return said;
      },
      field("Seat", seat),
      field("Cash", amount),
      submit("Change"),
    ),
    el("div", { class: "usual", role: "group", "aria-label": "Usual amounts" }, ...usual),
    standing,
  );
  return {
    element,
    update(now) {
      state = now;
      showSeats(seat, now.table);
      showStanding();
    },
    bindings: [{ keys: "b", says: "buy-in", on: () => seat.focus() }],
  };
}

/** @type {import("./panel.js").Option[]} */
const DOES = [
  ["make-wager", "Make or press"],
  ["reduce-wager", "Reduce"],
  ["remove-wager", "Take down"],
];
/** @type {import("./panel.js").Option[]} */
const CALLS = [
  ["on", "Call on"],
  ["off", "Call off"],
];

/**
 * Make, reduce, take down or call a wager for a player; for a walk-in, who has no page, the crew is the only one who
 * can.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function wagerPanel(console_) {
  const { card } = console_;
  const seat = select([]);
  const does = select([...DOES, ...(console_.can("call-wager") ? CALLS : [])]);
  const up = select([]); // the wagers of the seat, to be called
  const kind = select(
    card.wagers.map((wager) => /** @type {import("./panel.js").Option} */ ([wager.kind, wager.name])),
  );
  const number = select([]);
  const owner = select([
    ["player", "the player"],
    ["crew", "the crew (a tip)"],
  ]);
  const amount = amountInput();
  const numberField = field("Number", number);
  const amountField = field("Amount", amount);
  const [kindField, ownerField, upField] = [
    field("Wager", kind, { size: "wide" }),
    field("For", owner),
    field("Wager up", up, { size: "wide" }),
  ];
  const isCall = () => CALLS.some(([call]) => call === does.value);
  const showNumbers = () => {
    const numbers = card.wagers.find((wager) => wager.kind === kind.value)?.numbers ?? [];
    number.replaceChildren(...numbers.map((number) => el("option", { value: number.number }, number.name)));
    numberField.hidden = !numbers.length || isCall();
  };
  const showFields = () => {
    amountField.hidden = does.value === "remove-wager" || isCall();
    kindField.hidden = ownerField.hidden = isCall();
    upField.hidden = !isCall();
    showNumbers();
  };
  kind.addEventListener("change", showNumbers);
  does.addEventListener("change", showFields);
  showFields();
  const standing = el("p", { class: "hint" });
  /** @type {Server.TableView | null} */
  let table = null;
  const showStanding = () => {
    const there = table?.wagers.filter((wager) => String(wager.seat) === seat.value) ?? [];
    const wagerText = (/** @type {Server.WagerView} */ wager) =>
      `${wagerName(wager)}${wager.owner === "crew" ? " for the crew" : ""} ` +
      `${money(wager.cents)}${wager.is_off ? ", off" : wager.working === "on" ? ", on" : ""}`;
    standing.textContent = there.length ? `Up: ${there.map(wagerText).join(", ")}` : "Nothing is up at this seat.";
    showOptions(
      up,
      there.map((wager) => [[wager.kind, wager.number, wager.owner].join(), wagerText(wager)]),
    );
  };
  const callIt = () => {
    const [wager, number, whose] = up.value.split(",");
    if (!wager) return false;
    return console_.submit(
      `Called ${does.value}: seat ${seat.value}, ${up.selectedOptions[0].textContent}`,
      {
        command: "call-wager",
        seat: Number(seat.value),
        wager,
        number: Number(number),
        owner: whose,
        call: does.value,
      },
      { undo: `call it ${does.value === "on" ? "off" : "on"} again with l` },
    );
  };
  seat.addEventListener("change", showStanding);
  const element = panel(
    "A wager for a player",
    "l",
    form(
      "A wager for a player",
      async () => {
        if (isCall()) return callIt();
        const cents = does.value === "remove-wager" ? undefined : amountOf(amount);
        if (cents === null) return false;
        const command = /** @type {Server.MakeWager | Server.ReduceWager | Server.RemoveWager} */ ({
          command: does.value,
          seat: Number(seat.value),
          wager: kind.value,
          number: Number(number.value || 0),
          owner: owner.value,
          ...(cents === undefined ? {} : { cents }),
        });
        const name = kind.selectedOptions[0].textContent;
        const text = does.selectedOptions[0].textContent;
        const undo = does.value === "make-wager" ? "take it down again with l" : "";
        const said = await console_.submit(`${text}: seat ${seat.value}, ${name}`, command, { undo });
        if (said) amount.value = "";
        return said;
      },
      field("Seat", seat),
      field("Action", does, { size: "wide" }),
      kindField,
      upField,
      numberField,
      amountField,
      ownerField,
      submit("Confirm"),
    ),
    standing,
  );
  return {
    element,
    update(state) {
      table = state.table;
      showSeats(seat, table);
      showStanding();
    },
    bindings: [{ keys: "l", says: "a wager for a player, in full", on: () => seat.focus() }],
  };
}

/**
 * Move chips between the cage and the bank, signed off by somebody else.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function cagePanel(console_) {
  const bank = el("p", { class: "bank" });
  const does = select([
    ["fill", "Fill: cage to bank"],
    ["credit", "Credit: bank to cage"],
  ]);
  const amount = amountInput();
  const signed = signOff(console_, "fill");
  const element = folded(
    "Fill and credit",
    "f",
    bank,
    form(
      "Fill and credit",
      async () => {
        const cents = amountOf(amount);
        if (cents === null) return false;
        const command = does.value === "fill" ? "fill" : "credit";
        const undo = command === "fill" ? "a credit takes it back" : "a fill brings it back";
        const said = await console_.submit(
          `${command === "fill" ? "Fill" : "Credit"} of ${money(cents)}`,
          { command, cents },
          { signOff: signed.value(), undo },
        );
        if (said) amount.value = "";
        signed.clear();
        return said;
      },
      field("Movement", does, { size: "wide" }),
      field("Amount", amount),
      signed.element,
      submit("Move the chips"),
    ),
  );
  return {
    element,
    update: ({ own }) => {
      bank.textContent =
        own?.bank === undefined
          ? ""
          : `${own.owes ? `The bank owes ${money(own.owes)} and needs a fill` : `Bank ${money(own.bank)}`}, drop ` +
            `${money(own.drop ?? 0)}, tip box ${money(own.tip_box ?? 0)}`;
    },
    bindings: [{ keys: "f", says: "fill or credit", on: () => element.unfold(does) }],
  };
}

const HEADS = [
  ["Seat", ""],
  ["Player", ""],
  ["Rack", "amount"],
  ["Layout", "amount"],
  ["Wagers", ""],
];

/**
 * The players with their racks and wagers.
 *
 * @returns {import("./panel.js").Panel}
 */
export function seatsPanel() {
  const body = el("tbody", {});
  const element = panel(
    "Seats",
    "",
    el(
      "div",
      { class: "scroll", role: "region", "aria-label": "Seats, racks and layout", tabindex: 0 },
      el(
        "table",
        { class: "figures" },
        el("thead", {}, el("tr", {}, ...HEADS.map(([text, kind]) => el("th", { scope: "col", class: kind }, text)))),
        body,
      ),
    ),
  );
  /**
   * @param {Server.TableView} table
   * @param {Server.OwnView | null} own
   * @param {Server.SeatView} taken
   */
  const row = (table, own, { seat, name, state }) => {
    const up = table.wagers.filter((wager) => wager.seat === seat);
    const total = up.reduce((sum, wager) => sum + wager.cents, 0);
    const marks = [
      table.shooter === seat ? "shooter" : "",
      table.offered_to === seat && table.dice_are === "offered" ? "dice offered" : "",
      state === "seated" ? "" : state,
    ];
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, String(seat)),
      el("td", {}, name, ...marks.filter(Boolean).map((mark) => el("span", { class: "tag" }, mark))),
      el("td", { class: "amount" }, own?.racks?.[seat] === undefined ? "–" : money(own.racks[seat])),
      el("td", { class: "amount" }, money(total)),
      el(
        "td",
        { class: "small" },
        up.map((wager) => `${wagerName(wager)} ${money(wager.cents)}${wager.is_off ? " off" : ""}`).join(", ") || "–",
      ),
    );
  };
  return {
    element,
    update({ table, own }) {
      fill(body, [table.seats, table.wagers, table.shooter, table.offered_to, table.dice_are, own?.racks], () =>
        table.seats.length
          ? table.seats.map((seat) => row(table, own, seat))
          : el("tr", {}, el("td", { colspan: 5, class: "muted" }, "Nobody is at the table.")),
      );
    },
    bindings: [],
  };
}
