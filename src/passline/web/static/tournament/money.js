// The money of a tournament: fees and pools, the count of fees, prizes to pay, vouchers, papers, and closing.

import { byId } from "../dom.js";
import { el, fill, hintText, tableHead, words } from "../elements.js";
import { money } from "../money.js";
import { refundPanel } from "./cancelling.js";
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
          now.cancelled
            ? "It is cancelled: there are no prizes, and everybody gets back what they paid."
            : now.concluded.length
              ? "Every prize is paid."
              : "Nothing is owed yet: the places are awarded on the page Floor after the last round.",
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
  const { fees } = now;
  const byWay = new Map();
  for (const { fee, status } of now.entries)
    if (status !== "withdrawn" && status !== "refunded" && fee.cents)
      byWay.set(fee.how, (byWay.get(fee.how) ?? 0) + fee.cents);
  const counted = el("input", {
    id: "counted",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: "such as 1,250.00",
  });
  /** @param {SubmitEvent} event */
  const count = async (event) => {
    event.preventDefault();
    const send_ = () => send({ command: "count-fees", counted: cents(counted, "Cash of entry fees, counted") });
    if (await doing("Count of the fees", send_)) counted.value = "";
  };
  /**
   * @param {string} key
   * @param {string | HTMLElement} value
   */
  const fact = (key, value) => el("div", {}, el("dt", {}, key), el("dd", { class: "number" }, value));
  return panel(
    "fees",
    "Entry fees",
    hintText("Cash of entry fees only is counted here, kept apart from the buy-ins, which are the pool."),
    el(
      "dl",
      { class: "facts" },
      ...[...byWay].filter(([how]) => how !== "cash").map(([how, value]) => fact(words(how), money(value))),
      fact("Fees paid in cash", money(fees.expected_cents)),
      fact(
        "Counted",
        fees.counted_cents === null
          ? el("span", { class: fees.expected_cents ? "tag warn" : "tag" }, "Not yet")
          : money(fees.counted_cents),
      ),
      fees.counted_cents === null ? null : fact("Difference", differenceTag(fees)),
    ),
    here.is_counter && !now.is_closed && !now.cancelled
      ? el(
          "form",
          { class: "pair-form", onsubmit: count, novalidate: true },
          row("Cash of entry fees, counted", counted, `${money(fees.expected_cents)} is expected`),
          el("button", { type: "submit" }, "Record the count"),
        )
      : null,
    isOff(fees) && !now.is_closed && !now.cancelled ? settlePart(fees) : null,
  );
}

/** @param {Server.FeesView} fees */
const isOff = (fees) => fees.counted_cents !== null && fees.counted_cents !== fees.expected_cents && !fees.is_settled;

/** @param {Server.FeesView} fees */
function differenceTag(fees) {
  const off = (fees.counted_cents ?? 0) - fees.expected_cents;
  if (!off) return el("span", { class: "tag on" }, "None");
  const text = `${money(Math.abs(off))} ${off < 0 ? "missing" : "over"}`;
  return el("span", { class: fees.is_settled ? "tag" : "tag warn" }, fees.is_settled ? `${text}, explained` : text);
}

/** @param {Server.FeesView} fees */
function settlePart(fees) {
  const reason = el("input", { id: "settle-reason", autocomplete: "off" });
  const why = fees.must_agree
    ? "The books are not closed until it is counted again and agrees, or a director who did not count says why."
    : "Count again, or look into it: it stands in the log as a breach.";
  return el(
    "div",
    { class: "said is-warning" },
    el("p", {}, `The count differs from the fees that were paid. ${why}`),
    here.is_director && fees.must_agree
      ? el(
          "form",
          {
            class: "pair-form",
            novalidate: true,
            onsubmit: (sent) => {
              sent.preventDefault();
              doing("Explain the difference", () => send({ command: "settle-fees", reason: reason.value.trim() }));
            },
          },
          row("Why it differs", reason),
          el("button", { type: "submit" }, "Record why"),
        )
      : null,
  );
}

function addPart() {
  const open = now.plan.events.filter((event) => !now.concluded.includes(event.name));
  if (!here.is_director || !open.length || now.cancelled) return null;
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
  const done = now.cancelled ? "given back" : "paid out";
  if (now.is_closed) return panel("close", "Closed", el("p", {}, `Everything is ${done}, and the books are closed.`));
  if (!here.is_director) return null;
  const left = [
    !now.cancelled && now.concluded.length < now.plan.events.length ? "places to award" : "",
    now.awards.length ? "prizes to pay" : "",
    now.vouchers.some((voucher) => (voucher.state ?? "open") === "open") ? "vouchers to return" : "",
    now.cancelled || now.fees_counted || !now.fees.expected_cents ? "" : "fees to count",
    now.fees.must_agree && isOff(now.fees) && !now.cancelled ? "a difference of fees to explain" : "",
    now.refunds.length ? "entries to give back" : "",
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
          ...["refunds", "prizes", "vouchers", "balances", "entrants", "add"].map((id) =>
            el("div", { id: `part-${id}` }),
          ),
        ),
        el("div", { class: "stack" }, ...["fees", "papers", "close"].map((id) => el("div", { id: `part-${id}` }))),
      ),
    );
  }
  fill(byId("part-refunds"), [now.cancelled, now.refunds, now.is_closed], () => refundPanel(now));
  fill(byId("part-prizes"), [now.awards, now.concluded, now.cancelled], prizesPart);
  fill(byId("part-vouchers"), [now.vouchers], vouchersPart);
  fill(byId("part-balances"), [now.balances], balancesPart);
  fill(byId("part-entrants"), [now.entries], entrantsPart);
  fill(byId("part-add"), [now.concluded, now.cancelled], addPart);
  fill(
    byId("part-fees"),
    [now.fees, now.entries.map((entry) => [entry.fee, entry.status]), now.is_closed, now.cancelled],
    feesPart,
  );
  fill(byId("part-papers"), [], papersPart);
  fill(
    byId("part-close"),
    [now.is_closed, now.concluded, now.awards, now.vouchers, now.fees, now.cancelled, now.refunds],
    closePart,
  );
}, host);
