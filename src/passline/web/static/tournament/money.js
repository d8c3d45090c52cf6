// The money of a tournament: fees and pools, the count of fees, prizes to pay, vouchers, papers, and closing.

import { byId } from "../dom.js";
import { el, fill, hintText, tableHead, words } from "../elements.js";
import { money } from "../money.js";
import {
  api,
  cents,
  choice,
  commandButton,
  doing,
  follow,
  here,
  paidWords,
  panel,
  place,
  row,
  send,
} from "./common.js";

const host = byId("money");
/** @type {[key: string, name: string][]} */
const PAPERS = [
  ["rules", "Rule sheet"],
  ["entrants", "Form of entrants"],
  ["prizes", "Form of prizes"],
  ["tax", "Fees by month"],
  ["log", "Log of entries"],
  ["sign-in", "Sign-in sheet"],
  ["standings", "Standings"],
  ["money", "Accounts"],
  ["chips", "Notice of chips"],
];
const HOLDS = ["fees", "vouchers", "paid"];
/** @type {Server.StaffTournament} */
let now;
let isMade = false;

/** @param {number} entry */
const nameOf = (entry) => now.entries.find((each) => each.number === entry)?.name ?? `entry ${entry}`;
/**
 * @param {string} key
 * @returns {string}
 */
const accountWords = (key) =>
  ({
    fees: "Entry fees, kept apart",
    vouchers: "Vouchers not used yet",
    paid: "Paid to winners",
    cash: "Cash",
    in_kind: "Things at their value",
    complimentary: "Complimentary entries",
    house: "Added by the house",
  })[key] ?? `Pool${key === "pool/all" ? "" : ` of ${key.replace("pool/", "")}`}`;

function balancesPart() {
  const all = Object.entries(now.balances).filter(([, value]) => value);
  const holds = all.filter(([key]) => HOLDS.includes(key) || key.startsWith("pool/")),
    from = all.filter(([key]) => !HOLDS.includes(key) && !key.startsWith("pool/"));
  /**
   * @param {string} title
   * @param {[key: string, cents: number][]} rows
   * @param {number} sign
   */
  const table = (title, rows, sign) =>
    el(
      "table",
      { class: "figures" },
      tableHead([title, "Amount"], 1),
      el(
        "tbody",
        {},
        ...rows.map(([key, value]) =>
          el("tr", {}, el("td", {}, accountWords(key)), el("td", { class: "amount" }, money(sign * value))),
        ),
        el(
          "tr",
          { class: "sum" },
          el("th", { scope: "row" }, "Together"),
          el("td", { class: "amount" }, money(sign * rows.reduce((sum, [, value]) => sum + value, 0))),
        ),
      ),
    );
  return panel(
    "balances",
    "Balances",
    el("div", { class: "columns" }, table("Came from", from, -1), table("Is now", holds, 1)),
    hintText("Both sides are always the same: every cent that came in is a fee, in a pool, in a voucher, or paid out."),
  );
}

function prizesPart() {
  const list = now.awards;
  /** @param {Server.Award} award */
  const what = (award) =>
    [
      (award.pool_cents ?? 0) + (award.house_cents ?? 0)
        ? money((award.pool_cents ?? 0) + (award.house_cents ?? 0))
        : "",
      award.item,
      award.voucher ? `a voucher for ${award.voucher}` : "",
    ]
      .filter(Boolean)
      .join(" and ");
  return panel(
    "prizes",
    "Prizes to pay",
    list.length
      ? el(
          "ul",
          { class: "counts-list" },
          ...list.map((award) =>
            el(
              "li",
              {},
              el("span", { class: "place" }, place(award.place)),
              el(
                "span",
                { class: "grow" },
                el("strong", {}, nameOf(award.entry)),
                el("span", { class: "hint" }, what(award)),
              ),
              here.is_cash
                ? commandButton(
                    ["Pay", el("span", { class: "spoken" }, ` ${nameOf(award.entry)}`)],
                    { command: "pay-prize", entry: award.entry },
                    { class: "first", what: `Pay ${nameOf(award.entry)}` },
                  )
                : null,
            ),
          ),
        )
      : el(
          "p",
          { class: "muted" },
          now.concluded.length ? "Every prize is paid." : "Prizes are awarded when an event is concluded.",
        ),
  );
}

function vouchersPart() {
  if (!now.vouchers.length) return null;
  return panel(
    "vouchers",
    "Vouchers",
    el(
      "ul",
      { class: "counts-list" },
      ...now.vouchers.map((voucher) =>
        el(
          "li",
          {},
          el("span", { class: "seat-number number" }, String(voucher.number)),
          el(
            "span",
            { class: "grow" },
            el("strong", {}, nameOf(voucher.entry)),
            el("span", { class: "hint" }, `${voucher.event_name}, ${money(voucher.fee_cents + voucher.buy_in_cents)}`),
          ),
          (voucher.state ?? "open") === "open" && here.is_cash
            ? commandButton(
                ["Return to the pool", el("span", { class: "spoken" }, ` voucher ${voucher.number}`)],
                { command: "return-voucher", number: voucher.number },
                { what: `Return voucher ${voucher.number}` },
              )
            : el("span", { class: "tag" }, words(voucher.state ?? "open")),
        ),
      ),
    ),
  );
}

function feesPart() {
  const fees = now.entries.filter((entry) => entry.status !== "withdrawn" && entry.fee.cents);
  const byWay = new Map();
  for (const { fee } of fees) byWay.set(fee.how, (byWay.get(fee.how) ?? 0) + fee.cents);
  const counted = el("input", {
    id: "counted",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: "such as 1,250.00",
  });
  /** @param {SubmitEvent} event */
  const count = async (event) => {
    event.preventDefault();
    if (await doing("Count of the fees", () => send({ command: "count-fees", counted: cents(counted, "Counted") })))
      counted.value = "";
  };
  return panel(
    "fees",
    "Entry fees",
    hintText("Cash of fees is kept apart from the pool until it is counted."),
    byWay.size
      ? el(
          "dl",
          { class: "facts" },
          ...[...byWay]
            .filter(([how]) => how !== "cash")
            .map(([how, value]) =>
              el("div", {}, el("dt", {}, words(how)), el("dd", { class: "number" }, money(value))),
            ),
          el(
            "div",
            {},
            el("dt", {}, "Cash"),
            el(
              "dd",
              {},
              now.fees_counted
                ? el("span", { class: "tag on" }, "Counted")
                : el("span", { class: "tag warn" }, "To be counted"),
            ),
          ),
        )
      : null,
    here.is_counter && !now.is_closed
      ? el(
          "form",
          { class: "pair-form", onsubmit: count, novalidate: true },
          row("Cash counted", counted),
          el("button", { type: "submit" }, "Record the count"),
        )
      : null,
    here.is_director && now.fees_counted && !now.is_closed ? settlePart() : null,
  );
}

function settlePart() {
  const reason = el("input", { id: "settle-reason", autocomplete: "off" });
  return el(
    "details",
    {},
    el("summary", {}, "The count differs from what was paid"),
    el(
      "form",
      {
        class: "pair-form",
        novalidate: true,
        onsubmit: (sent) => {
          sent.preventDefault();
          doing("Settle the difference", () => send({ command: "settle-fees", reason: reason.value.trim() }));
        },
      },
      row("Why", reason, "by somebody who did not count"),
      el("button", { type: "submit" }, "Settle the difference"),
    ),
  );
}

function addPart() {
  const open = now.plan.events.filter((event) => !now.concluded.includes(event.name));
  if (!here.is_director || !open.length) return null;
  const event = choice(
      "add-event",
      open.map((event) => [event.name, event.name]),
    ),
    amount = el("input", { id: "add-cents", inputmode: "decimal", autocomplete: "off" });
  return el(
    "details",
    { class: "panel" },
    el("summary", {}, "Add money of the house to a pool"),
    el(
      "form",
      {
        novalidate: true,
        onsubmit: (sent) => {
          sent.preventDefault();
          doing("Add money", () => send({ command: "add-money", event: event.value, cents: cents(amount, "Amount") }));
        },
      },
      row("Event", event),
      row("Amount", amount),
      el("button", { type: "submit" }, "Add"),
    ),
  );
}

function entrantsPart() {
  const list = now.entries.filter((entry) => entry.status !== "withdrawn");
  if (!list.length) return null;
  return el(
    "details",
    { class: "panel" },
    el("summary", {}, `What the ${list.length} entries paid`),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Entries" },
      el(
        "table",
        { class: "figures" },
        tableHead(["Entry", "Player", "Fee", "Buy-in", "Chips bought"]),
        el(
          "tbody",
          {},
          ...list.map((entry) =>
            el(
              "tr",
              {},
              el("td", { class: "number" }, String(entry.number)),
              el("td", {}, entry.name),
              el("td", {}, `${money(entry.fee.cents)} ${paidWords(entry.fee)}`),
              el("td", {}, `${money(entry.buy_in.cents)} ${paidWords(entry.buy_in)}`),
              el(
                "td",
                {},
                Object.entries(entry.bought ?? {})
                  .map(([kind, times]) => `${times} ${kind === "rebuy" ? "re-buy" : "add-on"}`)
                  .join(", ") || "–",
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

function papersPart() {
  return panel(
    "papers",
    "Papers",
    el(
      "ul",
      { class: "counts-list papers" },
      ...PAPERS.map(([key, name]) =>
        el(
          "li",
          {},
          el("strong", { class: "grow" }, name),
          ...(key === "rules" ? ["pdf"] : ["pdf", "xlsx"]).map((form) =>
            el(
              "a",
              {
                class: "button small",
                target: form === "pdf" ? "_blank" : null,
                href: api(`/papers/${key}?form=${form}`),
              },
              form === "pdf" ? "PDF" : "Excel",
              el("span", { class: "spoken" }, ` of ${name}`),
            ),
          ),
        ),
      ),
    ),
  );
}

function closePart() {
  if (now.is_closed) return panel("close", "Closed", el("p", {}, "Everything is paid out, and the books are closed."));
  if (!here.is_director) return null;
  const left = [
    now.concluded.length < now.plan.events.length ? "events to conclude" : "",
    now.awards.length ? "prizes to pay" : "",
    now.vouchers.some((voucher) => (voucher.state ?? "open") === "open") ? "vouchers to return" : "",
    now.fees_counted ? "" : "fees to count",
  ].filter(Boolean);
  return panel(
    "close",
    "Close the books",
    hintText(left.length ? `There are still ${left.join(", ")}.` : "Nothing is left to pay."),
    el(
      "div",
      { class: "buttons" },
      commandButton("Close the tournament", { command: "close-tournament" }, { class: left.length ? "" : "first" }),
    ),
  );
}

follow((read) => {
  now = read;
  if (!isMade) {
    isMade = true;
    host.replaceChildren(
      el(
        "div",
        { class: "floor" },
        el(
          "div",
          { class: "stack" },
          ...["prizes", "vouchers", "balances", "entrants", "add"].map((id) => el("div", { id: `part-${id}` })),
        ),
        el("div", { class: "stack" }, ...["fees", "papers", "close"].map((id) => el("div", { id: `part-${id}` }))),
      ),
    );
  }
  fill(byId("part-prizes"), [now.awards, now.concluded], prizesPart);
  fill(byId("part-vouchers"), [now.vouchers], vouchersPart);
  fill(byId("part-balances"), [now.balances], balancesPart);
  fill(byId("part-entrants"), [now.entries], entrantsPart);
  fill(byId("part-add"), [now.concluded], addPart);
  fill(
    byId("part-fees"),
    [now.fees_counted, now.entries.map((entry) => [entry.fee, entry.status]), now.is_closed],
    feesPart,
  );
  fill(byId("part-papers"), [], papersPart);
  fill(byId("part-close"), [now.is_closed, now.concluded, now.awards, now.vouchers, now.fees_counted], closePart);
}, host);
