// What waits for the crew: wagers to confirm, calls that need a button, and the payouts of the last roll.

import { el, fill, wagerName, words } from "../elements.js";
import { money, numberText } from "../money.js";
import { cited, settledText } from "../table/settled.js";
import { isSettled } from "../wording.js";
import { act, panel } from "./panel.js";

/** Everything that waits to be confirmed or marked, and whether this role may do it. */
function waitingFor(role, table) {
  const pending = table.wagers.filter((wager) => wager.pending.length)
    .map((wager) => ({ wager, command: "confirm-wager", says: "Confirm", isMine: wager.pending.some((one) => one.split("|").includes(role)),
      note: `${wager.late ? "late, " : ""}needs the ${wager.pending.map((one) => one.replaceAll("|", " or ")).join(" and the ")}` }));
  const called = table.wagers.filter((wager) => wager.working.endsWith("?"))
    .map((wager) => ({ wager, command: "place-button", says: `Button ${wager.working.slice(0, -1).toUpperCase()}`, isMine: true,
      note: `called ${wager.working.slice(0, -1)} by its player` }));
  return [...pending, ...called];
}

/** Confirm late and pending wagers, and mark calls with ON and OFF buttons: one key each. */
export function waitingPanel(console_) {
  const { role, keys } = console_;
  const list = el("ol", { class: "waiting", "aria-live": "polite" });
  const element = panel("Waiting for the crew", "w", list);
  let items = [];
  const idOf = ({ command, wager }) => `waiting-${command}-${wager.seat}-${wager.owner}-${wager.kind}-${wager.number}`;
  const take = (item) => console_.act(`${item.says}: seat ${item.wager.seat}, ${wagerName(item.wager)}`, {
    command: item.command, seat: item.wager.seat, wager: item.wager.kind, number: item.wager.number, owner: item.wager.owner }, { about: idOf(item) });
  // A number means the line that had it when the key was pressed.
  const numbered = (key) => {
    const item = items.filter((one) => !one.isOnItsWay)[Number(key) - 1];
    if (item) take(item);
    else console_.refuse(`Line ${key}`, { refusals: [{ clause: "", why: "Nothing is waiting on that line." }] });
  };
  const enter = () => keys.enter({ name: "Confirm", bindings: [{ keys: "1-9", says: "confirm that line", on: numbered }],
    onleave: () => list.classList.remove("is-armed") });
  const row = (item, place) => el("li", {},
    act(item.isOnItsWay ? "On its way" : item.says, item.isOnItsWay ? "" : String(place + 1), () => take(item), { id: idOf(item),
      disabled: !item.isMine || item.isOnItsWay, "aria-label": `${item.says}: seat ${item.wager.seat}, ${wagerName(item.wager)}, ${money(item.wager.cents)}` }),
    el("span", {}, el("b", {}, `Seat ${item.wager.seat}`), ` ${wagerName(item.wager)} `, el("b", {}, money(item.wager.cents)),
      item.wager.owner === "crew" ? " for the crew" : "", el("span", { class: "hint" }, ` ${item.note}`)));
  return {
    element,
    update({ table }) {
      const all = waitingFor(role, table).map((item) => ({ ...item, isOnItsWay: console_.isOnItsWay(idOf(item)) }));
      items = [...all.filter((item) => !item.isOnItsWay), ...all.filter((item) => item.isOnItsWay)];
      fill(list, items, () => items.length ? items.map(row) : el("li", { class: "hint" }, "Nothing is waiting."));
      element.classList.toggle("is-urgent", items.some((item) => item.isMine));
    },
    // A dealer who keys no dice confirms by digit alone; others press w first.
    bindings: [
      { keys: "w", says: "confirm, then its number", ahead: true, on: () => { list.classList.add("is-armed"); enter(); }, when: () => items.length > 0 },
      ...(role === "dealer" && console_.card.stickperson
        ? [{ keys: "1-9", says: "confirm that line", on: numbered, when: () => items.length > 0 }] : []),
    ],
  };
}

const ORDER = [["lost", "Take"], ["won", "Pay"], ["returned", "Return"], ["moved", "Move"]];

/** What the last roll takes, pays, returns and moves, in that order, with the amounts. */
export function payoutPanel({ card }) {
  const summary = el("p", { class: "payout-sum" });
  const list = el("ol", { class: "payouts" });
  const element = panel("Take, then pay", "t", summary, list);
  element.classList.add("is-payout");
  let done = 0;
  let lines = [];
  let shown = "";
  const next = () => {
    if (done < lines.length) done += 1;
    mark();
  };
  const mark = () => [...list.children].forEach((item, place) => {
    item.classList.toggle("is-done", place < done);
    item.setAttribute("aria-current", place === done ? "step" : "false");
  });
  const nameOf = ({ kind, number = 0 }) => [card.wagers.find((one) => one.kind === kind)?.name ?? words(kind), numberText(number)].filter(Boolean).join(" ");
  const row = ([says, line]) => el("li", { class: `is-${line.outcome}` },
    el("span", { class: "says" }, says), el("b", {}, `Seat ${line.seat}`), el("span", { class: "who" }, line.name, line.owner === "crew" ? " for the crew" : ""),
    el("b", { class: "amount" }, amountOf(line)), el("span", { class: "hint" }, ...cited(settledText(line, nameOf(line), (kind) => nameOf({ kind })))));
  return {
    element,
    update({ table }) {
      const settled = table.settled ?? [];
      const [first, second] = isSettled(table) ? table.faces : [0, 0];
      const key = JSON.stringify([table.roll, settled, first, second]);
      if (key === shown) return;
      shown = key;
      done = 0;
      lines = ORDER.flatMap(([outcome, says]) => settled.filter((line) => line.outcome === outcome).map((line) => [says, line]));
      list.replaceChildren(...(lines.length ? lines.map(row) : [el("li", { class: "hint" }, "The last roll decided no wager.")]));
      const taken = sum(settled, "lost", (line) => line.cents);
      const paid = sum(settled, "won", (line) => line.winnings);
      summary.textContent = `${first ? `${first}-${second}: ` : ""}take ${money(taken)}, pay ${money(paid)}`;
      mark();
    },
    bindings: [{ keys: "t", says: "tick the next payout", on: next, when: () => done < lines.length, quiet: true }],
  };
}

function sum(lines, outcome, amount) {
  return lines.filter((line) => line.outcome === outcome).reduce((total, line) => total + amount(line), 0);
}

function amountOf(line) {
  if (line.outcome === "won") return `${money(line.winnings)} on ${money(line.cents)}`;
  return money(line.cents);
}
