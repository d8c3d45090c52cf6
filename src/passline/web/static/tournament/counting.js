// Chips counted at the end of a round, with signatures, and players who are level.

import { el, hintText } from "../elements.js";
import { choice, commandButton, doing, panel, points, send, whole } from "./common.js";

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

/**
 * Players with the same points whom nothing has parted yet.
 *
 * @param {Server.StaffTournament} now
 * @param {WholeRound} round
 * @returns {Server.KnownEntry[][]}
 */
function levels(now, round) {
  /** @type {Map<string, Server.KnownEntry[]>} */
  const groups = new Map();
  for (const each of now.entries.filter((entry) => round.entries.includes(entry.number) && entry.status === "in")) {
    const key = `${each.round}/${each.points ?? 0}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].filter(
    (group) => group.length > 1 && new Set(group.map((entry) => entry.tie_break ?? 0)).size < group.length,
  );
}

/** @type {{ [way: string]: string }} */
const WAYS = { roll_off: "a roll-off", earlier_lead: "who had the lead earlier" };

/**
 * Players who are level, to be put in order as the rule sheet says.
 *
 * @param {Server.StaffTournament} now
 * @param {WholeRound} round
 */
export function tiePanel(now, round) {
  const way = now.plan.sheet?.ties ?? "",
    groups = WAYS[way] ? levels(now, round) : [];
  if (!groups.length) return null;
  return panel(
    "ties",
    "Level",
    hintText(`The rule sheet parts them by ${WAYS[way]}. Say who was first.`),
    ...groups.map((group) => {
      const places = group.map((entry, index) =>
        choice(
          `tie-${entry.number}`,
          group.map((_, number) => [number + 1, String(number + 1)]),
          { "aria-label": `Order of ${entry.name}`, "data-start": index },
        ),
      );
      places.forEach((select, index) => {
        select.value = String(index + 1);
      });
      const command = () => ({
        command: "part-tie",
        how: way,
        entries: group
          .map((entry, index) => [Number(places[index].value), entry.number])
          .sort(([item], [other]) => item - other)
          .map(([, number]) => number),
      });
      return el(
        "div",
        { class: "level" },
        el("p", {}, el("strong", { class: "number" }, points(group[0].points ?? 0)), " points each"),
        el(
          "ul",
          { class: "counts-list" },
          ...group.map((entry, index) => el("li", {}, el("strong", { class: "grow" }, entry.name), places[index])),
        ),
        el("div", { class: "buttons" }, commandButton("Record this order", command, { what: "Part the tie" })),
      );
    }),
  );
}
