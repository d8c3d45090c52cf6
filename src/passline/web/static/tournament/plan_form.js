// The guided form of a plan: one event with its rounds and prizes, amounts as money. What it does not ask for stays as
// the example of the regulation has it; what the sheet says of rounds is made from the rounds by the server.

import { buttonFor, el } from "../elements.js";
import { centsFrom, currencySign } from "../money.js";
import { choice, row } from "./controls.js";

/** @import { Attributes } from "../elements.js" */
/** @import { Option } from "./controls.js" */
/** @typedef {{ [key: string]: any }} PlanData */
/** @typedef {(string | number)[]} Path */
/**
 * How a kind of field is shown and read: null is not a value.
 *
 * @typedef {{ attributes: Attributes, show: (value: any) => string, read: (text: string) => any }} Kind
 */

const CENTS = 100; // in a dollar, and basis points in a percent
/** @type {{ [kind: string]: Kind }} */
const KINDS = {
  text: { attributes: {}, show: String, read: (text) => text },
  day: { attributes: { type: "date" }, show: String, read: (text) => text },
  count: { attributes: { inputmode: "numeric" }, show: String, read: wholeFrom },
  money: { attributes: { inputmode: "decimal" }, show: (cents) => dollars(cents), read: centsFrom },
  percent: {
    attributes: { inputmode: "decimal" },
    show: (points) => String(points / CENTS),
    read: (text) => (/^\d{1,3}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * CENTS) : null),
  },
};
const TIES = /** @type {Option[]} */ ([
  ["shared", "They share the cash of their places"],
  ["roll_off", "They play on, roll by roll"],
  ["earlier_lead", "Who had the points first is ahead"],
]);
const CUT_TIES = /** @type {Option[]} */ ([
  ["by_lot", "A lot decides who goes on"],
  ["roll_off", "They play on, roll by roll"],
  ["earlier_lead", "Who had the points first goes on"],
  ["all_go_on", "All of them go on, more than planned"],
]);
const STACKS = /** @type {Option[]} */ ([
  ["", "Everybody anew, with equal points"],
  ["carries", "Everybody with the points they have"],
]);
const UNDECIDED = /** @type {Option[]} */ ([
  ["returned", "Count as chips of their player"],
  ["played_out", "Are played out"],
  ["lost", "Are lost"],
]);
const COUNTS = /** @type {Option[]} */ ([
  ["open", "Everybody sees them"],
  ["secret", "Secret until the round is over"],
]);
const DICE = /** @type {Option[]} */ ([
  ["physical", "Physical, dealt by a crew"],
  ["electronic", "Electronic, without a crew"],
]);
const STEPS = ["button", "call", "choose", "confirm", "offer", "pass", "settle"];

/** @param {string} text */
function wholeFrom(text) {
  return /^\d{1,9}$/.test(text.replaceAll(",", "")) ? Number(text.replaceAll(",", "")) : null;
}

/** @param {number} cents */
const dollars = (cents) => (cents / CENTS).toLocaleString("en-US", { minimumFractionDigits: cents % CENTS ? 2 : 0 });

/**
 * An example as the form begins with it: its first event alone, without vouchers and things as prizes.
 *
 * @param {PlanData} example
 * @returns {PlanData}
 */
export function simplePlan(example) {
  const { colours: _colours, automate: _automate, ...rest } = example;
  const [event] = example.events;
  const { rebuy: _rebuy, add_on: _addOn, fee_in_kind: _kind, reentries_max: _more, ...plain } = event;
  const places = plainShares(event.places.length).map((share, index) => ({
    place: index + 1,
    prize: { basis_points: share },
  }));
  return {
    ...rest,
    pools: "one",
    splits: false,
    are_chips_printed: true,
    sheet: { ...example.sheet, ties: "shared", cut_ties: "by_lot" },
    events: [{ ...plain, places }],
  };
}

/**
 * Shares of the pool for so many places, in basis points: half, then half of what is left, the rest to the last.
 *
 * @param {number} count
 */
function plainShares(count) {
  const known = { 1: [10_000], 2: [7000, 3000], 3: [5000, 3000, 2000], 4: [4500, 2800, 1700, 1000] };
  return known[/** @type {1} */ (Math.min(count, 4))];
}

/**
 * The id of a plan from its name: "Cup of twelve" is "cup-of-twelve".
 *
 * @param {string} name
 */
export const idOf = (name) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);

/** @type {(data: PlanData, path: Path) => any} */
const valueAt = (data, path) => path.reduce((part, key) => part?.[key], data);

/**
 * @param {PlanData} data
 * @param {Path} path
 * @param {unknown} value
 */
function setAt(data, path, value) {
  const last = path[path.length - 1];
  const host = path.slice(0, -1).reduce((part, key) => {
    part[key] ??= {};
    return part[key];
  }, data);
  host[last] = value;
}

/**
 * The form of a plan, which is changed as people type; `onchange` is called then. `names` gets what the form calls each
 * key, so that a breach can be said in its words.
 *
 * @param {PlanData} data
 * @param {Map<string, string>} names
 * @param {() => void} onchange
 */
export function planForm(data, names, onchange) {
  const form = el("div", { class: "guided" });
  names.set("events", "Entering and prizes");
  const draw = () => form.replaceChildren(...sections());
  /** @param {Path} path */
  const keyOf = (path) =>
    path
      .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
      .join("")
      .slice(1);
  /**
   * @param {string} label
   * @param {Path} path
   * @param {string} kind
   * @param {string} [hint]
   */
  const field = (label, path, kind, hint = "") => {
    const { attributes, show, read } = KINDS[kind];
    names.set(keyOf(path), label);
    const value = valueAt(data, path);
    const input = el("input", {
      id: `plan-${keyOf(path).replaceAll(/[^a-z0-9_]+/gi, "-")}`,
      autocomplete: "off",
      ...attributes,
      value: value === undefined ? "" : show(value),
      oninput: () => {
        const found = read(input.value.trim());
        input.setAttribute("aria-invalid", String(found === null));
        if (found === null) return;
        setAt(data, path, found);
        if (path[0] === "name") data.id = idOf(found);
        if (path[0] === "casino") data.licensees = [found];
        onchange();
      },
    });
    return row(label, input, hint);
  };
  /**
   * @param {string} label
   * @param {Path} path
   * @param {Option[]} options
   * @param {(value: string) => void} [then]
   */
  const pick = (label, path, options, then) => {
    names.set(keyOf(path), label);
    const select = choice(`plan-${keyOf(path).replaceAll(/[^a-z0-9_]+/gi, "-")}`, options, {
      onchange: () => {
        setAt(data, path, select.value);
        then?.(select.value);
        onchange();
      },
    });
    select.value = valueAt(data, path) ?? options[0][0];
    return row(label, select);
  };
  /**
   * @param {string} label
   * @param {Path} path
   */
  const flag = (label, path) => {
    names.set(keyOf(path), label);
    const box = el("input", {
      type: "checkbox",
      checked: Boolean(valueAt(data, path)),
      onchange: () => {
        setAt(data, path, box.checked);
        onchange();
      },
    });
    return el("div", { class: "row wide" }, el("label", { class: "box light" }, box, label));
  };
  /**
   * @param {string} title
   * @param {...HTMLElement} nodes
   */
  const part = (title, ...nodes) => el("fieldset", {}, el("legend", {}, title), ...nodes);
  /** @param {...HTMLElement} nodes */
  const cells = (...nodes) => el("div", { class: "cells" }, ...nodes);
  /** @param {() => void} change */
  const changed = (change) => {
    change();
    draw();
    onchange();
  };

  /** @param {number} index */
  const roundLine = (index) => {
    const { rounds } = data.events[0];
    const at = /** @type {Path} */ (["events", 0, "rounds", index]);
    const isLast = index === rounds.length - 1;
    const unit = rounds[index].minutes ? "minutes" : "rolls";
    const ends = choice(
      `plan-round-${index}-ends`,
      [
        ["rolls", "rolls"],
        ["minutes", "minutes"],
      ],
      {
        onchange: () =>
          changed(() => {
            const length = rounds[index][unit];
            delete rounds[index][unit];
            rounds[index][ends.value] = length;
          }),
      },
    );
    ends.value = unit;
    return el(
      "div",
      { class: "line", role: "group", "aria-label": `Round ${index + 1}` },
      field("Name", [...at, "name"], "text"),
      field("Length", [...at, unit], "count"),
      row("in", ends),
      field("Seats at a table", [...at, "seats"], "count"),
      ...(isLast
        ? []
        : [
            field("Best of a table go on", [...at, "advance"], "count"),
            field("and best others", [...at, "wild_cards"], "count"),
            stacks(index),
          ]),
      ...(rounds.length > 1
        ? [
            buttonFor("Remove", () =>
              changed(() => {
                rounds.splice(index, 1);
                delete rounds[rounds.length - 1].advance;
                delete rounds[rounds.length - 1].wild_cards;
              }),
            ),
          ]
        : []),
    );
  };
  /** @param {number} index */
  const stacks = (index) => {
    const planned = data.events[0].rounds[index];
    const select = choice(`plan-round-${index}-stacks`, STACKS, {
      onchange: () => {
        if (select.value) planned.carries_points = true;
        else delete planned.carries_points;
        onchange();
      },
    });
    select.value = planned.carries_points ? "carries" : "";
    return row("The next round begins", select);
  };
  const addRound = () =>
    changed(() => {
      const { rounds } = data.events[0];
      const last = rounds[rounds.length - 1];
      const before = { ...last, name: `Round ${rounds.length}`, advance: Math.max(1, Math.floor(last.seats / 2)) };
      rounds.splice(rounds.length - 1, 0, before);
    });
  /** @param {number} index */
  const placeLine = (index) => {
    const { places } = data.events[0];
    return el(
      "div",
      { class: "line", role: "group", "aria-label": `Place ${index + 1}` },
      field(`Place ${index + 1}: % of the pool`, ["events", 0, "places", index, "prize", "basis_points"], "percent"),
      ...(places.length > 1 && index === places.length - 1
        ? [buttonFor("Remove", () => changed(() => spread(places.slice(0, -1))))]
        : []),
    );
  };
  /** @param {PlanData[]} places */
  const spread = (places) => {
    const shares = plainShares(places.length);
    data.events[0].places = places.map((place, index) => ({
      ...place,
      place: index + 1,
      prize: { ...place.prize, basis_points: shares[index] ?? 0 },
    }));
  };

  const sections = () => {
    const [event] = data.events;
    const { sheet = {} } = data;
    return [
      part(
        "The tournament",
        cells(
          long(field("Name of the tournament", ["name"], "text")),
          long(field("Casino", ["casino"], "text")),
          long(field("Where it is held", ["premises", "place"], "text")),
          long(field("Who may enter", ["criteria"], "text")),
          flag("The premises are licensed", ["premises", "is_licensed"]),
          flag("Security, surveillance and internal controls are met there", ["premises", "meets_security"]),
          pick("Dice", ["dice"], DICE, (value) => {
            if (value === "electronic") data.automate = STEPS;
            else delete data.automate;
          }),
        ),
      ),
      part(
        "When",
        cells(
          field("First day", ["events", 0, "first_day"], "day"),
          field("Last day", ["events", 0, "last_day"], "day"),
          field("Begins at", ["events", 0, "starts"], "text"),
          field("Ends at", ["events", 0, "ends"], "text"),
        ),
      ),
      part(
        "Entering",
        cells(
          field(`Entry fee, in ${currencySign()}`, ["events", 0, "fee_cents"], "money", "Kept by the house"),
          field(
            `Buy-in, in ${currencySign()}`,
            ["events", 0, "buy_in_cents"],
            "money",
            "All of it goes to the winners",
          ),
          field("Points for it", ["events", 0, "points"], "count"),
          field("Entries, at most", ["events", 0, "entries_max"], "count"),
        ),
      ),
      part(
        "Rounds",
        ...event.rounds.map((/** @type {unknown} */ _round, /** @type {number} */ index) => roundLine(index)),
        el("div", { class: "buttons row" }, buttonFor("Add a round before the last", addRound)),
      ),
      part(
        "Prizes",
        ...event.places.map((/** @type {unknown} */ _place, /** @type {number} */ index) => placeLine(index)),
        el(
          "div",
          { class: "buttons row" },
          event.places.length < 4
            ? buttonFor("Add a place", () => changed(() => spread([...event.places, { prize: {} }])))
            : null,
        ),
      ),
      part(
        "On the rule sheet",
        cells(
          pick("Level for the last place that goes on", ["sheet", "cut_ties"], CUT_TIES),
          pick("Level for a prize", ["sheet", "ties"], TIES),
          pick("Wagers up when a round ends", ["sheet", "undecided_wagers"], UNDECIDED),
          pick("Counts of chips", ["sheet", "counts"], COUNTS),
          field("Seconds to wager", ["sheet", "wagering_seconds"], "count"),
          wide(field("Order of wagering", ["sheet", "wagering_order"], "text")),
          ...("cash_handling" in sheet ? [wide(field("How cash is handled", ["sheet", "cash_handling"], "text"))] : []),
          ...("lapse_of_rounds" in sheet
            ? [wide(field("Between the rounds", ["sheet", "lapse_of_rounds"], "text"))]
            : []),
        ),
      ),
    ];
  };
  draw();
  return form;
}

/**
 * A field for a text longer than most.
 *
 * @param {HTMLElement} node
 */
function long(node) {
  node.classList.add("long");
  return node;
}

/** @param {HTMLElement} node */
function wide(node) {
  node.classList.add("wide");
  return node;
}
