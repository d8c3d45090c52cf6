// The desk: entries and how they are paid, the sign-in sheet, the waiting list, chips bought, withdrawals and
// disqualification.

import { byId, fieldById } from "../dom.js";
import { buttonFor, el, fill, hintText, words } from "../elements.js";
import { get } from "../http.js";
import { money } from "../money.js";
import { cancelPanel, refundPanel } from "./cancelling.js";
import {
  api,
  checksPanel,
  choice,
  closeSheet,
  commandButton,
  doing,
  follow,
  here,
  openForm,
  paidWords,
  panel,
  points,
  row,
  send,
  showSheet,
} from "./common.js";

/** @typedef {ReturnType<typeof withDefaults>} Entry */
/** @typedef {Omit<Server.StaffTournament, "entries"> & { entries: Entry[] }} Tournament */

const host = byId("desk");
const LIVE = ["entered", "in"];
/** @type {Tournament} */
let now;

/** @param {string} name */
const eventNamed = (name) => now.plan.events.find((event) => event.name === name) ?? now.plan.events[0];

// The form of an entry. It is made once, so that nothing typed is lost when the page is read again.

function entryForm() {
  const name = el("input", { id: "name", autocomplete: "off", required: true, maxlength: 80 });
  const account = el("input", {
    id: "account",
    autocomplete: "off",
    list: "accounts",
    placeholder: "Name of the account, if the player has one",
  });
  const known = el("datalist", { id: "accounts" });
  const isOwnScreen = now.plan.dice === "electronic";
  const form = el(
    "form",
    { id: "entry-form", "aria-label": "New entry", novalidate: true, onsubmit: enter },
    now.plan.events.length > 1
      ? row(
          "Event",
          choice(
            "event",
            now.plan.events.map((event) => [event.name, event.name]),
            { onchange: showPrices },
          ),
        )
      : null,
    row("Player", name),
    el(
      "div",
      { class: "row" },
      el("label", { for: "account" }, isOwnScreen ? "Account" : "Account (optional)"),
      account,
      known,
      isOwnScreen
        ? hintText("The dice are electronic: without an account this player can neither wager nor roll.")
        : null,
    ),
    el("div", { class: "pair" }, row("Entry fee", choice("fee", [])), row("Buy-in", choice("buy_in", []))),
    el(
      "div",
      { class: "row", id: "voucher-row", hidden: true },
      el("label", { for: "voucher" }, "Voucher"),
      choice("voucher", []),
    ),
    el(
      "label",
      { class: "box light" },
      el("input", { type: "checkbox", id: "other" }),
      "This player is in another casino's event of this tournament now",
    ),
    el(
      "label",
      { class: "box light" },
      el("input", { type: "checkbox", id: "somebody-else" }),
      "The name is like another's; I have looked, and it is somebody else",
    ),
    el(
      "div",
      { class: "take" },
      el("p", { id: "total", class: "number" }),
      el(
        "div",
        { class: "buttons" },
        buttonFor("Waiting list", wait, { id: "wait" }),
        el("button", { type: "submit", class: "first" }, "Enter"),
      ),
    ),
  );
  account.addEventListener("input", () => find(account, known, name));
  form.addEventListener("change", showTotal);
  return form;
}

/** @type {Map<string, string>} */
const accounts = new Map();

/**
 * Find accounts while a name is typed.
 *
 * @param {HTMLInputElement} account
 * @param {HTMLElement} known
 * @param {HTMLInputElement} name
 */
async function find(account, known, name) {
  const sought = account.value.trim();
  if (accounts.has(sought)) {
    if (!name.value) name.value = sought;
    return;
  }
  if (sought.length < 2) return;
  /** @type {{ accounts: { account: string, name: string }[] }} */
  const { accounts: found } = await get(api(`/accounts?name=${encodeURIComponent(sought)}`)).catch(() => ({
    accounts: [],
  }));
  for (const item of found) accounts.set(item.name, item.account);
  known.replaceChildren(...found.map((item) => el("option", { value: item.name })));
}

const chosenEvent = () => eventNamed(now.plan.events.length > 1 ? fieldById("event").value : "");

/** The ways in which the fee and the buy-in of the chosen event may be paid. */
function showPrices() {
  const event = chosenEvent();
  /**
   * @param {number} cents
   * @param {Server.InKind[]} kinds
   */
  const ways = (cents, kinds) => [
    ["cash", `Cash, ${money(cents)}`],
    ...kinds.map((kind) => [`in_kind:${kind.item}`, `In kind: ${kind.item}`]),
    ["complimentary", "Complimentary"],
  ];
  /** @type {[id: string, cents: number, kinds: Server.InKind[]][]} */
  const prices = [
    ["fee", event.fee_cents ?? 0, event.fee_in_kind ?? []],
    ["buy_in", event.buy_in_cents ?? 0, event.buy_in_in_kind ?? []],
  ];
  for (const [id, cents, kinds] of prices) {
    const options = [...(event.is_by_voucher ? [] : ways(cents, kinds)), ["voucher", "Voucher"]];
    byId(id).replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
  }
  showTotal();
}

function showTotal() {
  const event = chosenEvent(),
    isVoucher = [fieldById("fee").value, fieldById("buy_in").value].includes("voucher");
  byId("voucher-row").hidden = !isVoucher;
  const open = now.vouchers.filter(
    (voucher) => (voucher.state ?? "open") === "open" && voucher.event_name === event.name,
  );
  fill(byId("voucher"), open, () =>
    open.length
      ? open.map((voucher) =>
          el("option", { value: voucher.number }, `No. ${voucher.number}, ${nameOf(voucher.entry)}`),
        )
      : [el("option", { value: 0 }, "None is open for this event")],
  );
  const cash = isVoucher
    ? 0
    : Number(fieldById("fee").value === "cash") * (event.fee_cents ?? 0) +
      Number(fieldById("buy_in").value === "cash") * (event.buy_in_cents ?? 0);
  byId("total").replaceChildren("To take in cash ", el("strong", {}, money(cash)));
}

/** @param {number} entry */
const nameOf = (entry) => now.entries.find((each) => each.number === entry)?.name ?? `entry ${entry}`;

/** Look for the account that was typed, where its name was typed faster than accounts are found. */
async function findTyped() {
  const typed = fieldById("account").value.trim();
  if (!typed || accounts.has(typed)) return;
  /** @type {{ accounts: { account: string, name: string }[] }} */
  const { accounts: found } = await get(api(`/accounts?name=${encodeURIComponent(typed)}`));
  for (const item of found) {
    accounts.set(item.name, item.account);
    if (item.name.toLowerCase() === typed.toLowerCase()) fieldById("account").value = item.name;
  }
}

function readEntry() {
  const [fee, ...feeItem] = fieldById("fee").value.split(":"),
    [buyIn, ...buyInItem] = fieldById("buy_in").value.split(":");
  const typed = fieldById("account").value.trim();
  if (typed && !accounts.has(typed))
    throw new Error(`There is no account ${typed}: choose one from the list, or leave it empty`);
  return {
    event: chosenEvent().name,
    name: fieldById("name").value.trim() || typed,
    account: accounts.get(typed) ?? "",
    fee,
    buy_in: buyIn,
    fee_item: feeItem.join(":"),
    buy_in_item: buyInItem.join(":"),
    voucher: byId("voucher-row").hidden ? 0 : Number(fieldById("voucher").value),
    has_other_entry: byId("other", HTMLInputElement).checked,
    is_somebody_else: byId("somebody-else", HTMLInputElement).checked,
  };
}

/** @param {SubmitEvent} event */
async function enter(event) {
  event.preventDefault();
  await doing(`Enter ${fieldById("name").value || "a player"}`, async () => {
    await findTyped();
    return sendEntry({ command: "enter-player", ...readEntry() });
  });
}

async function wait() {
  await doing(`Waiting list: ${fieldById("name").value || "a player"}`, async () => {
    await findTyped();
    const { event, name, account } = readEntry();
    return sendEntry({ command: "wait-for-place", event, name, account });
  });
}

/**
 * Send what the form says and empty it at once, so that the next player can be typed; what is refused comes back,
 * unless the next name is there already.
 *
 * @param {Parameters<typeof send>[0]} command
 */
async function sendEntry(command) {
  const typed = ["name", "account", "fee", "buy_in"].map((id) => /** @type {const} */ ([id, fieldById(id).value]));
  const ticked = ["other", "somebody-else"].map((id) => byId(id, HTMLInputElement)).filter((box) => box.checked);
  clear();
  try {
    await send(command);
  } catch (refused) {
    if (!fieldById("name").value) {
      for (const [id, value] of typed) fieldById(id).value = value;
      for (const box of ticked) box.checked = true;
      showTotal();
    }
    throw refused;
  }
}

function clear() {
  for (const id of ["name", "account"]) fieldById(id).value = "";
  for (const id of ["other", "somebody-else"]) byId(id, HTMLInputElement).checked = false;
  byId("fee", HTMLSelectElement).selectedIndex = byId("buy_in", HTMLSelectElement).selectedIndex = 0;
  showTotal();
  byId("name").focus();
}

// The sign-in sheet.

function sheetPanel() {
  const input = el("input", {
    id: "find",
    type: "search",
    autocomplete: "off",
    placeholder: "Name or number; Enter signs in the only one shown",
    "aria-label": "Find a player",
  });
  input.addEventListener("input", drawSheet);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const open = foundEntries().filter((item) => !item.has_signed_in && LIVE.includes(item.status));
    if (open.length === 1) {
      signIn(open[0]);
      input.value = "";
    }
  });
  return panel(
    "sheet-panel",
    "Sign-in sheet",
    el(
      "div",
      { class: "heading" },
      el("p", { id: "signed", class: "hint" }),
      el("a", { class: "which", id: "sheet-paper", target: "_blank", href: api("/papers/sign-in") }, "Print it"),
    ),
    input,
    el("div", { id: "entries", class: "sheet-list" }),
  );
}

function foundEntries() {
  const sought = fieldById("find").value.trim().toLowerCase();
  return now.entries.filter(
    (entry) => !sought || entry.name.toLowerCase().includes(sought) || String(entry.number) === sought,
  );
}

/** @param {Entry} item */
const signIn = (item) => doing(`Sign in ${item.name}`, () => send({ command: "sign-in-player", entry: item.number }));

/**
 * Sign in whoever was ticked; the keyboard goes on to the next who has not signed.
 *
 * @param {Entry} each
 * @param {HTMLInputElement} box
 */
async function tick(each, box) {
  const next = [...byId("entries").querySelectorAll("input:enabled")].find(
    (other) => other.id !== box.id && other.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_PRECEDING,
  )?.id;
  box.disabled = true;
  if (await signIn(each)) document.getElementById(next ?? "find")?.focus();
  else {
    box.checked = box.disabled = false;
    box.focus();
  }
}

/** @param {Server.KnownEntry} entry */
const withDefaults = (entry) => ({
  ...entry,
  status: entry.status ?? "entered",
  points: entry.points ?? 0,
  has_signed_in: Boolean(entry.has_signed_in),
  bought: entry.bought ?? {},
  waiting: entry.waiting ?? 0,
});

function drawSheet() {
  const list = foundEntries(),
    many = now.plan.events.length > 1;
  const live = now.entries.filter((entry) => LIVE.includes(entry.status));
  byId("signed").textContent = `${live.filter((item) => item.has_signed_in).length} of ${live.length} signed in`;
  fill(byId("entries"), [list, many], () =>
    list.length
      ? el(
          "ul",
          { class: "sign-in" },
          ...list.map((item) => {
            const isLive = LIVE.includes(item.status);
            /** @type {HTMLInputElement} */
            const box = el("input", {
              type: "checkbox",
              id: `in-${item.number}`,
              disabled: item.has_signed_in || !isLive,
              onchange: () => tick(item, box),
            });
            box.checked = item.has_signed_in;
            const more = [
              many ? item.event_name : "",
              `fee ${paidWords(item.fee)}`,
              `buy-in ${paidWords(item.buy_in)}`,
              item.waiting ? `${points(item.waiting)} points for the next game` : "",
            ]
              .filter(Boolean)
              .join(" · ");
            return el(
              "li",
              { class: isLive ? "" : "is-out" },
              el(
                "label",
                { class: "box" },
                box,
                el("span", { class: "seat-number number" }, String(item.number)),
                el("span", { class: "grow" }, el("strong", {}, item.name), el("span", { class: "hint" }, more)),
              ),
              isLive
                ? null
                : el("span", { class: `tag ${item.status === "disqualified" ? "bad" : ""}` }, words(item.status)),
              el(
                "button",
                { type: "button", id: `more-${item.number}`, onclick: () => openEntry(item) },
                "More",
                el("span", { class: "spoken" }, ` of ${item.name}`),
              ),
            );
          }),
        )
      : el("p", { class: "muted" }, now.entries.length ? "Nobody of that name." : "Nobody has entered yet."),
  );
}

/**
 * What else can be done to an entry.
 *
 * @param {Entry} each
 */
function openEntry(each) {
  const event = eventNamed(each.event_name);
  /** @type {[kind: string, text: string, offer: Server.Rebuy | Server.AddOn][]} */
  const sells = [];
  if (event.rebuy) sells.push(["rebuy", "Re-buy", event.rebuy]);
  if (event.add_on) sells.push(["add_on", "Add-on", event.add_on]);
  const paid = choice("how", [
    ["cash", "in cash"],
    ["complimentary", "complimentary"],
  ]);
  /** @param {string} what */
  const reason = (what) => el("input", { id: "reason", autocomplete: "off", maxlength: 400, placeholder: what });
  showSheet(
    `${each.name}, entry ${each.number}`,
    [
      el(
        "dl",
        { class: "facts" },
        ...[
          ["Event", each.event_name],
          ["State", words(each.status)],
          ["Points", points(each.points)],
          ["Fee", `${money(each.fee.cents)}, ${paidWords(each.fee)}`],
          ["Buy-in", `${money(each.buy_in.cents)}, ${paidWords(each.buy_in)}`],
        ].map(([key, value]) => el("div", {}, el("dt", {}, key), el("dd", {}, value))),
      ),
      sells.length
        ? el(
            "section",
            { class: "part" },
            el("h3", {}, "Chips, played from the next game on"),
            row("Paid", paid),
            el(
              "div",
              { class: "buttons" },
              ...sells.map(([kind, text, offer]) =>
                buttonFor(`${text}: ${points(offer.points)} points for ${money(offer.cents)}`, async () => {
                  closeSheet();
                  await doing(`${text} for ${each.name}`, () =>
                    send({ command: "buy-chips", entry: each.number, kind, how: paid.value }),
                  );
                }),
              ),
            ),
          )
        : null,
      el(
        "section",
        { class: "part" },
        el("h3", {}, "Leave the tournament"),
        el(
          "div",
          { class: "buttons" },
          buttonFor("Withdraw", () => {
            const why = reason("such as: called away");
            openForm(
              `Withdraw ${each.name}`,
              [el("p", {}, "Before the first round only: what was paid goes back."), row("Why", why)],
              "Withdraw",
              () => ({ command: "withdraw-entry", entry: each.number, reason: why.value }),
            );
          }),
          here.is_director
            ? buttonFor(
                "Disqualify",
                () => {
                  const why = reason("what happened"),
                    cause = choice(
                      "cause",
                      here.causes.map((key) => [key, words(key)]),
                    );
                  openForm(
                    `Disqualify ${each.name}`,
                    [
                      el("p", {}, "A disqualified player wins nothing."),
                      row("Cause", cause),
                      row("What happened", why),
                    ],
                    "Disqualify",
                    () => ({ command: "disqualify", entry: each.number, cause: cause.value, reason: why.value }),
                    "bad",
                  );
                },
                { class: "bad" },
              )
            : null,
        ),
      ),
    ].filter(Boolean),
  );
}

function drawWaiting() {
  fill(byId("waiting"), now.waiting, () =>
    now.waiting.length
      ? el(
          "ol",
          { class: "waiting" },
          ...now.waiting.map(([event, name, account]) =>
            el(
              "li",
              {},
              el(
                "span",
                { class: "grow" },
                el("strong", {}, name),
                now.plan.events.length > 1 ? el("span", { class: "hint" }, ` ${event}`) : null,
              ),
              commandButton(
                "Take off",
                { command: "wait-for-place", event, name, account, is_over: true },
                { what: `Take ${name} off the waiting list` },
              ),
            ),
          ),
        )
      : el("p", { class: "muted" }, "Nobody waits."),
  );
}

follow((read) => {
  const isFirst = !now;
  now = { ...read, entries: read.entries.map(withDefaults) };
  if (isFirst) {
    host.replaceChildren(
      el(
        "div",
        { class: "desk" },
        el(
          "div",
          { class: "stack" },
          el("div", { id: "part-cancelled" }),
          panel("entry", "New entry", entryForm()),
          el("div", { id: "part-checks" }),
          panel("waiting-panel", "Waiting list", el("div", { id: "waiting" })),
          el("div", { id: "part-cancel" }),
        ),
        sheetPanel(),
      ),
    );
    showPrices();
    byId("name").focus();
  } else if (!host.contains(document.activeElement) || document.activeElement?.id !== "voucher") showTotal();
  byId("entry").hidden = byId("waiting-panel").hidden = Boolean(now.cancelled);
  fill(byId("part-checks"), [now.checks], () => checksPanel(read));
  fill(byId("part-cancelled"), [now.cancelled, now.refunds, now.is_closed], () => refundPanel(read));
  fill(byId("part-cancel"), [now.cancelled, now.concluded, now.is_closed], () => cancelPanel(read));
  drawSheet();
  drawWaiting();
}, host);
