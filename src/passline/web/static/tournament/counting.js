// Chips counted at the end of a round, with signatures, and players who are level.

import { buttonFor, el, hintText } from "../elements.js";
import { commandButton, doing, panel, place, points, send, whole } from "./common.js";

/** @import { WholeRound } from "./common.js" */

/**
 * Counts of the tables that are done: the counter says what lies there, without seeing the record.
 *
 * @param {Server.StaffTournament} now
 * @param {WholeRound} round
 */
export function countPanel(now, round) {
  const seats = round.seats.filter((seat) => String(seat.entry) in round.points);
  if (!seats.length) return null;
  /** @param {number} entry */
  const name = (entry) => now.entries.find((each) => each.number === entry)?.name;
  return panel(
    "counts",
    "Chip counts",
    hintText(
      "The player and the dealer sign the slip of each count. One that differs from the record is kept as it is, " +
        "and looked into.",
    ),
    el(
      "ul",
      { class: "counts-list" },
      ...seats
        .sort((seat, other) => seat.table.localeCompare(other.table) || seat.seat - other.seat)
        .map((seat) => {
          const input = el("input", {
            id: `count-${seat.entry}`,
            inputmode: "numeric",
            autocomplete: "off",
            "aria-label": `Points counted for ${name(seat.entry)}`,
            placeholder: "points",
          });
          const signed = el("input", { type: "checkbox", id: `slip-${seat.entry}` });
          /** @param {SubmitEvent} event */
          const record = async (event) => {
            event.preventDefault();
            const isDone = await doing(`Count of ${name(seat.entry)}`, () => {
              if (!signed.checked) throw new Error("The player signs the slip first");
              return send({ command: "count-chips", entry: seat.entry, counted: whole(input, "Points") });
            });
            if (isDone) form.replaceChildren(el("span", { class: "tag on" }, `${input.value} counted`));
          };
          const form = el(
            "form",
            { class: "count-form", "aria-label": `Count of ${name(seat.entry)}`, onsubmit: record, novalidate: true },
            input,
            el("label", { class: "box" }, signed, "signed"),
            el("button", { type: "submit" }, "Record"),
          );
          return el(
            "li",
            {},
            el(
              "span",
              { class: "grow" },
              el("strong", {}, name(seat.entry)),
              el("span", { class: "hint" }, `${seat.table}, seat ${seat.seat}`),
            ),
            form,
          );
        }),
    ),
  );
}

/** @type {{ [way: string]: string }} */
const WAYS = { roll_off: "a roll-off", earlier_lead: "who had the lead earlier" };

/**
 * Players who are level where it matters, to be put in order as the rule sheet says.
 *
 * @param {Server.StaffTournament} now
 */
export function tiePanel(now) {
  if (!now.level.length) return null;
  const groups = now.level.map(({ how, entries }) => ({
    way: how,
    group: now.entries.filter((entry) => entries.includes(entry.number)),
  }));
  return panel(
    "ties",
    "Level",
    hintText(
      `The rule sheet parts them by ${WAYS[groups[0].way]}. Put who was first on top: drag a name, or use ` +
        "the arrow keys.",
    ),
    ...groups.map(({ way, group }) => {
      const order = orderList(group);
      const command = () => ({ command: "part-tie", how: way, entries: order.read() });
      return el(
        "div",
        { class: "level" },
        el("p", {}, el("strong", { class: "number" }, points(group[0].points ?? 0)), " points each"),
        order.node,
        el("div", { class: "buttons" }, commandButton("Record this order", command, { what: "Part the tie" })),
      );
    }),
  );
}

/**
 * Players in an order that is changed by dragging a name, by the arrow keys or by buttons: {node, read}.
 *
 * @param {Server.KnownEntry[]} group
 */
function orderList(group) {
  let order = [...group];
  /** @type {Server.KnownEntry | null} */
  let dragged = null;
  const list = el("ol", { class: "tie-order", "aria-label": "Order of players who are level" });
  /**
   * @param {Server.KnownEntry} entry
   * @param {number} to
   */
  const move = (entry, to) => {
    const rest = order.filter((other) => other !== entry);
    const place = Math.max(0, Math.min(rest.length, to));
    order = [...rest.slice(0, place), entry, ...rest.slice(place)];
    draw();
    list.querySelector(`[data-entry="${entry.number}"]`)?.querySelector("button")?.focus();
  };
  /**
   * @param {Server.KnownEntry} entry
   * @param {number} index
   */
  const item = (entry, index) => {
    /**
     * @param {string} text
     * @param {string} way
     * @param {number} to
     */
    const arrow = (text, way, to) =>
      buttonFor(text, () => move(entry, to), {
        "aria-label": `Move ${entry.name} ${way}`,
        "aria-disabled": to < 0 || to >= order.length ? "true" : null,
      });
    const node = el(
      "li",
      {
        draggable: "true",
        "data-entry": entry.number,
        ondragstart: () => {
          dragged = entry;
        },
        ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
        ondrop: (/** @type {DragEvent} */ event) => {
          event.preventDefault();
          if (dragged && dragged !== entry) move(dragged, index);
          dragged = null;
        },
        onkeydown: (event) => {
          const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
          if (!step) return;
          event.preventDefault();
          move(entry, index + step);
        },
      },
      el("span", { class: "number" }, place(index + 1)),
      el("strong", { class: "grow" }, entry.name),
      arrow("↑", "up", index - 1),
      arrow("↓", "down", index + 1),
    );
    return node;
  };
  const draw = () => list.replaceChildren(...order.map(item));
  draw();
  return { node: list, read: () => order.map((entry) => entry.number) };
}
