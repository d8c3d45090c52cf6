// Take, then pay: what the last roll decided, seat by seat at each end, with the chips to hand over. It is read
// standing.

import { el, hintText, words } from "../../elements.js";
import { money, numberText } from "../../money.js";
import { cited, isFromMeter, settledText } from "../../table/settled.js";
import { isSettled } from "../../wording.js";
import { panel } from "../panel.js";
import { chipsFor, chipsText } from "./chips.js";
import { grouped } from "./groups.js";

/**
 * What the last roll takes, pays, returns and moves, in the order of the hands at the table.
 *
 * @param {import("../console.js").Console} console_
 * @returns {import("../panel.js").Panel}
 */
export function payoutPanel({ card }) {
  const summary = el("p", { class: "payout-sum" });
  const ends = el("div", { class: "payout-ends" });
  const arithmetic = el("ul", { class: "arithmetic" });
  const more = el("details", {}, el("summary", {}, "Arithmetic and clauses"), arithmetic);
  const element = panel(
    card.settlement === "pay_then_take" ? "Pay, then take" : "Take, then pay",
    "t",
    summary,
    ends,
    more,
  );
  element.classList.add("is-payout");
  let done = 0;
  /** @type {(import("./groups.js").Row & { node: HTMLElement })[]} */
  let rows = [];
  let shown = "";
  const mark = () =>
    rows.forEach(({ node }, place) => {
      node.classList.toggle("is-done", place < done);
      node.setAttribute("aria-current", place === done ? "step" : "false");
    });
  const next = () => {
    if (done < rows.length) done += 1;
    mark();
    rows[Math.min(done, rows.length - 1)]?.node.scrollIntoView({ block: "nearest" });
  };
  /** @param {{ kind: string, number?: number }} wager */
  const nameOf = ({ kind, number = 0 }) =>
    [card.wagers.find((wager) => wager.kind === kind)?.name ?? words(kind), numberText(number)]
      .filter(Boolean)
      .join(" ");
  /** @param {Server.SettledWager} line */
  const short = (line) =>
    [
      isFromMeter(line)
        ? `${nameOf(line)} from the meter`
        : `${nameOf(line)} ${money(line.cents || (line.stays ?? 0))}`,
      line.outcome === "won" ? `${isFromMeter(line) ? "" : ` at ${line.pays}`}: ${money(line.winnings)}` : "",
      line.outcome === "moved" ? ` to ${numberText(line.to ?? 0)}` : "",
      line.owner === "crew" ? ", for the crew" : "",
    ].join("");
  /** @param {number} cents */
  const discs = (cents) =>
    chipsFor(cents, card.chips).found.flatMap(({ count, colour }) =>
      Array.from({ length: Math.min(count, 8) }, () => el("i", { class: `chip-dot is-${colour}` })),
    );
  /**
   * @param {import("./groups.js").Row} row
   * @param {(line: Server.SettledWager) => boolean} late
   */
  const rowOf = (row, late) =>
    el(
      "li",
      { class: `is-${row.outcome}` },
      el("span", { class: "says" }, row.says),
      el("b", { class: "seat" }, `Seat ${row.seat}`),
      el("span", { class: "who" }, row.name),
      el("b", { class: "amount" }, money(row.cents)),
      row.outcome === "won" && row.cents
        ? el(
            "span",
            { class: "hand-over" },
            el("span", { class: "discs", "aria-hidden": "true" }, ...discs(row.cents)),
            chipsText(row.cents, card.chips, money),
          )
        : null,
      el(
        "span",
        { class: "lines" },
        row.lines.map(short).join(" · "),
        row.lines.some(late) ? el("span", { class: "tag bad" }, "past-posted") : null,
      ),
    );
  return {
    element,
    update({ table, own }) {
      const settled = table.settled ?? [];
      const marks = own?.supervision?.past_posted ?? [];
      const [first, second] = isSettled(table) ? table.faces : [0, 0];
      const key = JSON.stringify([table.roll, settled, first, second, marks]);
      if (key === shown) return;
      shown = key;
      done = 0;
      /** @param {Server.SettledWager} line */
      const late = (line) =>
        marks.some(
          (mark) =>
            mark.seat === line.seat &&
            mark.wager === line.kind &&
            mark.number === line.number &&
            mark.owner === line.owner,
        );
      const groups = grouped(settled, card).map((end) => ({
        ...end,
        rows: end.rows.map((row) => ({ ...row, node: rowOf(row, late) })),
      }));
      rows = groups.flatMap((end) => end.rows);
      ends.replaceChildren(
        ...(rows.length
          ? groups.map((end) =>
              el(
                "section",
                { class: "payout-end" },
                end.name ? el("h3", {}, end.name) : null,
                el("ol", { class: "payouts", "aria-label": end.name || "Seats" }, ...end.rows.map(({ node }) => node)),
              ),
            )
          : [hintText("The last roll decided no wager.")]),
      );
      arithmetic.replaceChildren(
        ...rows.flatMap((row) =>
          row.lines.map((line) =>
            el(
              "li",
              {},
              el("b", {}, `Seat ${line.seat} `),
              ...cited(settledText(line, nameOf(line), (kind) => nameOf({ kind }))),
            ),
          ),
        ),
      );
      more.hidden = !rows.length;
      /**
       * @param {string} outcome
       * @param {(line: Server.SettledWager) => number} amount
       */
      const sum = (outcome, amount) =>
        settled.filter((line) => line.outcome === outcome).reduce((total, line) => total + amount(line), 0);
      summary.textContent =
        `${first ? `${first}-${second}: ` : ""}take ${money(sum("lost", (line) => line.cents))}, pay ` +
        `${money(sum("won", (line) => line.winnings))}`;
      mark();
    },
    bindings: [{ keys: "t", says: "tick the next payout", on: next, when: () => done < rows.length, quiet: true }],
  };
}
