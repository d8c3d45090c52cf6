// What waits for the crew: wagers to confirm, and calls that need a button.

import { el, fill, wagerName } from "../elements.js";
import { Refused } from "../http.js";
import { money } from "../money.js";
import { act, panel } from "./panel.js";

/**
 * @typedef {object} Waiting for the crew
 * @property {Server.WagerView} wager
 * @property {"confirm-wager" | "place-button"} command
 * @property {string} says
 * @property {boolean} isMine
 * @property {boolean} [isBad]
 * @property {string} note
 * @property {boolean} [isOnItsWay]
 */

/**
 * Everything that waits to be confirmed or marked, and whether this role may do it.
 *
 * @param {string} role
 * @param {Server.TableView} table
 * @param {Server.WagerPastPosted[]} marks
 * @returns {Waiting[]}
 */
function waitingFor(role, table, marks) {
  /** @param {Server.WagerView} wager */
  const isPastPosted = (wager) =>
    marks.some(
      (mark) =>
        mark.seat === wager.seat &&
        mark.owner === wager.owner &&
        mark.wager === wager.kind &&
        mark.number === wager.number,
    );
  /** @type {Waiting[]} */
  const pending = table.wagers
    .filter((wager) => wager.pending.length)
    .map((wager) => ({
      wager,
      command: "confirm-wager",
      says: "Confirm",
      isMine: wager.pending.some((order) => order.split("|").includes(role)),
      isBad: isPastPosted(wager),
      note:
        `${wager.late ? "late, " : ""}needs the ` +
        `${wager.pending.map((order) => order.replaceAll("|", " or ")).join(" and the ")}`,
    }));
  /** @type {Waiting[]} */
  const called = table.wagers
    .filter((wager) => wager.working.endsWith("?"))
    .map((wager) => ({
      wager,
      command: "place-button",
      says: `Button ${wager.working.slice(0, -1).toUpperCase()}`,
      isMine: true,
      note: `called ${wager.working.slice(0, -1)} by its player`,
    }));
  return [...pending, ...called];
}

/**
 * Confirm late and pending wagers, and mark calls with ON and OFF buttons: one key each.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function waitingPanel(console_) {
  const { role, keys } = console_;
  const list = el("ol", { class: "waiting", "aria-live": "polite" });
  const element = panel("Waiting for the crew", "w", list);
  /** @type {Waiting[]} */
  let items = [];
  /** @param {Waiting} item */
  const idOf = ({ command, wager }) => `waiting-${command}-${wager.seat}-${wager.owner}-${wager.kind}-${wager.number}`;
  /** @param {Waiting} item */
  const take = (item) =>
    console_.act(
      `${item.says}: seat ${item.wager.seat}, ${wagerName(item.wager)}`,
      {
        command: item.command,
        seat: item.wager.seat,
        wager: item.wager.kind,
        number: item.wager.number,
        owner: item.wager.owner,
      },
      { about: idOf(item) },
    );
  /**
   * A number means the line that had it when the key was pressed.
   *
   * @param {string} key
   */
  const numbered = (key) => {
    const item = items.filter((item) => !item.isOnItsWay)[Number(key) - 1];
    if (item) take(item);
    else console_.refuse(`Line ${key}`, new Refused([{ clause: "", why: "Nothing is waiting on that line." }]));
  };
  const enter = () =>
    keys.enter({
      name: "Confirm",
      bindings: [{ keys: "1-9", says: "confirm that line", on: numbered }],
      onleave: () => list.classList.remove("is-armed"),
    });
  /** @param {Server.WagerPastPosted} item */
  const lateRow = (item) =>
    el(
      "li",
      { class: "past-posted" },
      el(
        "span",
        {},
        el("b", {}, `Seat ${item.seat}`),
        ` ${wagerName({ kind: item.wager, number: item.number })} `,
        el("b", {}, money(item.cents)),
        item.owner === "crew" ? " for the crew" : "",
        el("span", { class: "tag bad" }, "past-posted"),
        el("span", { class: "hint" }, " came after dice out", el("span", { class: "clause" }, ` ${item.clause}`)),
      ),
    );
  /**
   * @param {Waiting} item
   * @param {number} place
   */
  const row = (item, place) =>
    el(
      "li",
      {},
      act(item.isOnItsWay ? "On its way" : item.says, item.isOnItsWay ? "" : String(place + 1), () => take(item), {
        id: idOf(item),
        disabled: !item.isMine || item.isOnItsWay,
        "aria-label": `${item.says}: seat ${item.wager.seat}, ${wagerName(item.wager)}, ${money(item.wager.cents)}`,
      }),
      el(
        "span",
        {},
        el("b", {}, `Seat ${item.wager.seat}`),
        ` ${wagerName(item.wager)} `,
        el("b", {}, money(item.wager.cents)),
        item.wager.owner === "crew" ? " for the crew" : "",
        item.isBad ? el("span", { class: "tag bad" }, "past-posted") : null,
        el("span", { class: "hint" }, ` ${item.note}`),
      ),
    );
  return {
    element,
    update({ table, own }) {
      const late = own?.supervision?.past_posted ?? [];
      const all = waitingFor(role, table, late).map((item) => ({
        ...item,
        isOnItsWay: console_.isOnItsWay(idOf(item)),
      }));
      items = [...all.filter((item) => !item.isOnItsWay), ...all.filter((item) => item.isOnItsWay)];
      const told = late.filter(
        (each) =>
          !items.some(
            (item) =>
              item.isBad &&
              item.wager.seat === each.seat &&
              item.wager.kind === each.wager &&
              item.wager.number === each.number,
          ),
      );
      fill(list, [items, told], () =>
        items.length || told.length
          ? [...items.map(row), ...told.map(lateRow)]
          : el("li", { class: "hint" }, "Nothing is waiting."),
      );
      element.classList.toggle("is-urgent", items.some((item) => item.isMine) || told.length > 0);
    },
    // A dealer who keys no dice confirms by digit alone; others press w first.
    bindings: [
      {
        keys: "w",
        says: "confirm, then its number",
        ahead: true,
        on: () => {
          list.classList.add("is-armed");
          enter();
        },
        when: () => items.length > 0,
      },
      ...(role === "dealer" && console_.card.stickperson
        ? [{ keys: "1-9", says: "confirm that line", on: numbered, when: () => items.length > 0 }]
        : []),
    ],
  };
}
