// Dialogs of a player: choose a seat, buy in, cash out, dispute, pick a wager.
import { post, Refused, refusalList } from "../http.js";
import { centsFrom, money } from "../money.js";
import { SHUT } from "./play.js";
import { html } from "./svg.js";

/** @typedef {import("./play.js").Play} Play */

const PLAY_MONEY_CENTS = 1000_00;

/**
 * Offer a seat to somebody who has none.
 *
 * @param {HTMLElement} place
 * @param {{
 *   table: Server.TableView,
 *   play: Play,
 *   isLoggedIn: boolean,
 *   hasAccount: boolean,
 *   isDemo: boolean,
 *   sitting: () => void,
 * }} options
 */
export function showSit(place, { table, play, isLoggedIn, hasAccount, isDemo, sitting }) {
  if (table.status === "closed") return place.replaceChildren(html("p", {}, "This table is closed."));
  if (isDemo) return place.replaceChildren(...demo(table, sitting));
  if (!isLoggedIn && hasAccount) {
    return place.replaceChildren(
      html(
        "p",
        {},
        "You are watching. Your account does not have the player role; the owner gives roles under People.",
      ),
    );
  }
  if (!isLoggedIn) {
    return place.replaceChildren(
      html("p", {}, "You are watching. Log in to play."),
      html("a", { class: "button first", href: `/log-in?next=${encodeURIComponent(location.pathname)}` }, "Log in"),
    );
  }
  const taken = new Map(table.seats.map((seat) => [seat.seat, seat.name]));
  const seats = Array.from({ length: table.places }, (_, index) => index + 1);
  return place.replaceChildren(
    html("p", { class: "muted" }, "Choose a free seat."),
    html(
      "div",
      { class: "seats", role: "group", "aria-label": "Seats" },
      ...seats.map((seat) =>
        html(
          "button",
          {
            type: "button",
            disabled: taken.has(seat) || Boolean(table.closing),
            "aria-label": taken.has(seat) ? `Seat ${seat}, ${taken.get(seat)}` : `Take seat ${seat}`,
            title: table.closing ? SHUT : (taken.get(seat) ?? "free"),
            onclick: () => {
              sitting();
              return play.do({ command: "take-seat", seat });
            },
          },
          String(seat),
        ),
      ),
    ),
  );
}

/**
 * @param {Server.TableView} table
 * @param {() => void} sitting
 * @returns {HTMLElement[]}
 */
function demo(table, sitting) {
  const problem = html("p", { class: "refused", role: "alert", hidden: true });
  const button = html(
    "button",
    {
      type: "button",
      class: "first",
      id: "demo-sit",
      disabled: Boolean(table.closing),
      title: table.closing ? SHUT : "",
      onclick: async () => {
        button.disabled = true;
        try {
          await post("/api/demo/sit", { table: table.id });
          sitting();
          location.reload();
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          problem.replaceChildren(refusalList(error.refusals));
          problem.hidden = false;
          button.disabled = false;
        }
      },
    },
    `Sit down with ${money(PLAY_MONEY_CENTS)} of play money`,
  );
  return [html("p", {}, "You are watching. Take a seat: you need no account."), button, problem];
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {{ table: Server.TableView, play: Play }} options
 */
export function askBuyIn(dialog, { table, play }) {
  if (table.buy_in === "dealer") {
    return tell(
      dialog,
      "Buy in",
      "Put your cash on the table between rolls. The dealer changes it for chips, which then show in your rack.",
    );
  }
  const amount = html("input", {
    id: "amount",
    name: "amount",
    inputmode: "decimal",
    autocomplete: "off",
    value: "200",
    required: true,
  });
  const quick = [100, 200, 500, 1000].map((dollars) =>
    html(
      "button",
      {
        type: "button",
        onclick: () => {
          amount.value = String(dollars);
        },
      },
      money(dollars * 100),
    ),
  );
  return ask(
    dialog,
    "Buy in",
    [
      html("div", { class: "row" }, html("label", { for: "amount" }, "Amount in dollars"), amount),
      html("div", { class: "quick" }, ...quick),
    ],
    "Buy in",
    async () => {
      const cents = centsFrom(amount.value);
      if (!cents)
        return [{ clause: "", why: `${amount.value} is not an amount; write dollars, such as 200 or 200.50` }];
      return (await play.do({ command: "buy-in", cents })) ? [] : null;
    },
  );
}

/**
 * Say what leaving will do. Nobody can leave while a wager is up that may not come down.
 *
 * @param {HTMLDialogElement} dialog
 * @param {{ own: Server.OwnView, play: Play, nameOfWager: (wager: Server.WagerView) => string }} options
 */
export function askLeave(dialog, { own, play, nameOfWager }) {
  const up = play.own();
  const stays = up.filter((wager) => !play.listed.get(`${wager.kind}:${wager.number}`)?.may_remove);
  const comes = up.length - stays.length;
  /** @param {Server.WagerView[]} wagers */
  const list = (wagers) => wagers.map((wager) => `${nameOfWager(wager)} ${money(wager.cents)}`).join(", ");
  if (stays.length) {
    const words = `You cannot leave yet: ${list(stays)} must first be decided.`;
    if (!comes) return tell(dialog, "Cash out and leave", words);
    return ask(
      dialog,
      "Cash out and leave",
      [html("p", {}, `${words} The rest may come down now: ${list(up.filter((wager) => !stays.includes(wager)))}.`)],
      "Take the rest down",
      async () => {
        await play.clear();
        return [];
      },
    );
  }
  const parts = [
    `Your rack is ${money(own.rack ?? 0)}.`,
    up.length ? `First your wagers come down: ${list(up)}.` : "",
    play.hasDice() ? "The dice go to the next player." : "",
  ];
  return ask(
    dialog,
    "Cash out and leave",
    [html("p", {}, parts.filter(Boolean).join(" "))],
    up.length ? "Leave" : `Leave with ${money(own.rack ?? 0)}`,
    async () => ((await play.leave()) ? [] : null),
  );
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {{ own: Server.OwnView | null, play: Play }} options
 */
export function askDispute(dialog, { own, play }) {
  const reason = html("textarea", { id: "reason", rows: "3", maxlength: "400", required: true });
  return ask(
    dialog,
    "Dispute",
    [
      html("p", {}, "The table stops until a supervisor decides. What every player's screen showed is recorded."),
      html("div", { class: "row" }, html("label", { for: "reason" }, "What is wrong"), reason),
    ],
    "Stop the table",
    async () => {
      if (!reason.value.trim()) return [{ clause: "", why: "Say what is wrong, so that it can be decided" }];
      return (await play.do({ command: "freeze-table", reason: reason.value.trim(), seat: own?.seat ?? 0 }))
        ? []
        : null;
    },
  );
}

/**
 * Ask which wager of an area that stands for several.
 *
 * @param {HTMLDialogElement} dialog
 * @param {Server.LayoutArea} area
 * @param {{ play: Play, chip: () => number }} options
 */
export function askPick(dialog, area, { play, chip }) {
  const buttons = area.printed.picks.map((pick) => {
    const state = play.listed.get(`${area.kind}:${pick.number}`);
    return html(
      "button",
      {
        type: "button",
        class: "pick",
        title: state?.why ?? "",
        onclick: () => {
          dialog.close();
          play.make(area, chip(), pick.number);
        },
      },
      html("b", {}, pick.name),
      html("span", { class: "odds-text" }, area.kind === "hop" ? pick.pays : ""),
    );
  });
  const cents = html(
    "p",
    { class: "muted" },
    `With the chosen chip, ${money(chip())}. `,
    area.kind === "hop" ? "One roll: exactly these two dice." : "Four parts, and one more on the high number.",
  );
  show(
    dialog,
    area.printed.label === "HOPS" ? "Hops: pick two dice" : "Horn high: pick the high number",
    [cents, html("div", { class: "picks" }, ...buttons)],
    [html("button", { type: "button", onclick: () => dialog.close() }, "Close")],
  );
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 * @param {string} words
 */
function tell(dialog, title, words) {
  show(
    dialog,
    title,
    [html("p", {}, words)],
    [html("button", { type: "button", class: "first", onclick: () => dialog.close() }, "Close")],
  );
}

/**
 * Ask a question with one action. `act` returns refusals to show here, [] when done, null if they are shown elsewhere.
 *
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 * @param {HTMLElement[]} body
 * @param {string} label
 * @param {() => Promise<Server.RefusalView[] | null>} act
 */
function ask(dialog, title, body, label, act) {
  const problem = html("div", { class: "refused", role: "alert", hidden: true });
  const form = html(
    "form",
    { method: "dialog" },
    ...body,
    problem,
    html(
      "div",
      { class: "ends" },
      html("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      html("button", { type: "submit", class: "first" }, label),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const refusals = await act();
    if (refusals?.length) {
      problem.replaceChildren(refusalList(refusals));
      problem.hidden = false;
    } else dialog.close();
  });
  show(dialog, title, [form], []);
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 * @param {HTMLElement[]} body
 * @param {HTMLElement[]} ends
 */
function show(dialog, title, body, ends) {
  dialog.replaceChildren(
    html("h2", { id: "dialog-title" }, title),
    ...body,
    ...(ends.length ? [html("div", { class: "ends" }, ...ends)] : []),
  );
  dialog.showModal();
}
