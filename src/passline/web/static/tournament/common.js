// What the pages of a tournament share: its data, commands to it, refusals that stay until they are dismissed, and
// forms in front of the page.

import { byId, elementsOf } from "../dom.js";
import { buttonFor, el, embedded, freshId, setChildren, words } from "../elements.js";
import { get, isInDoubt, post, refusalList, refusalsIn } from "../http.js";
import { centsFrom } from "../money.js";

export { choice, row } from "./controls.js";

/** @import { Attributes, Child } from "../elements.js" */
/** @import { Field } from "../dom.js" */
/** @typedef {{ [key: string]: any }} Command */
/** @typedef {Required<Server.HeldRound>} WholeRound */

/**
 * Who opened the page, and which tournament it is about.
 *
 * @type {Server.EmbeddedTournament}
 */
export const here = embedded("tournament-data");
const path = `/api/tournaments/${encodeURIComponent(here.id)}`;
const EVERY_MS = 2000;

/**
 * The address of something of this tournament in the API.
 *
 * @param {string} [rest]
 * @returns {string}
 */
export const api = (rest = "") => `${path}${rest}`;

/**
 * Points as people write them: 2500 is "2,500".
 *
 * @param {number | null | undefined} number
 * @returns {string}
 */
export const points = (number) => (number === null || number === undefined ? "–" : number.toLocaleString("en-US"));

/**
 * A place in words: 1 is "1st".
 *
 * @param {number} number
 * @returns {string}
 */
export function place(number) {
  const ending = number % 100 > 10 && number % 100 < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th");
  return `${number}${ending}`;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** @type {Map<string, string>} */
const unanswered = new Map();

/**
 * Send a command; the same again after no answer has the same id, so that it acts once. Its lines are said on the page.
 *
 * @param {Command | null} command
 * @param {{ to?: string, role?: string }} [how]
 * @returns {Promise<any>}
 */
export async function send(command, { to = "/commands", role = "" } = {}) {
  const key = JSON.stringify([to, command]),
    isAgain = unanswered.has(key),
    id = unanswered.get(key) ?? freshId();
  try {
    const answer = await post(
      api(to),
      command ? { id, command, ...(isAgain ? { again: true } : {}), ...(role ? { role } : {}) } : {},
    );
    unanswered.delete(key);
    say(answer.lines ?? []);
    return answer;
  } catch (refused) {
    if (isInDoubt(refused)) unanswered.set(key, id);
    else unanswered.delete(key);
    throw refused;
  }
}

/**
 * Say on the page what was done.
 *
 * @param {string[]} lines
 */
export function say(lines) {
  const host = byId("said");
  const isBreach = lines.some((line) => line.startsWith("breach"));
  host.replaceChildren(
    lines.length
      ? el("div", { class: isBreach ? "said is-warning" : "said" }, ...lines.map((line) => el("p", {}, capital(line))))
      : "",
  );
}

/**
 * Show why something was refused, with the clauses; it stays until it is dismissed.
 *
 * @param {string} what
 * @param {unknown} refused
 */
export function refuse(what, refused) {
  const refusals = refusalsIn(refused);
  settle(what);
  /** @type {HTMLElement} */
  const box = el(
    "div",
    { class: "refused refusal", role: "alert", "data-what": what },
    el("div", {}, el("strong", {}, `${what}: not done`), refusalList(refusals), ...placesFor(refusals)),
    el(
      "button",
      { type: "button", onclick: () => box.remove() },
      "Dismiss",
      el("span", { class: "spoken" }, ` ${what}`),
    ),
  );
  byId("refusals").prepend(box);
  box.scrollIntoView({ block: "nearest" });
}

/**
 * Take away what was refused before, once the same was done or is refused again.
 *
 * @param {string} what
 */
function settle(what) {
  for (const box of elementsOf("[data-what]", byId("refusals"))) if (box.dataset.what === what) box.remove();
}

/**
 * Where what a first round lacks is done, and by whom, for those of these refusals that the office answers for.
 *
 * @param {Server.RefusalView[]} refusals
 */
function placesFor(refusals) {
  const all = latest?.checks?.items ?? [];
  const items = all.filter((item) => refusals.some((refusal) => item.wrong.includes(refusal.why)));
  return items.length
    ? [
        el("p", {}, "Where it is done:"),
        el("ul", { class: "places" }, ...items.map((item) => el("li", {}, ...checkPlace(item)))),
      ]
    : [];
}

/**
 * The act that mends something before a first round, as a link, and who may do it.
 *
 * @param {Server.StartCheck} item
 */
function checkPlace(item) {
  const who = item.by.length ? ` (${item.by.join(" or ")})` : "";
  return [item.path ? el("a", { href: item.path }, item.act) : item.act, who];
}

/**
 * What must hold before the first round: what is still red with where it is done, or that nobody asks for it here.
 *
 * @param {Server.StaffTournament} now
 */
export function checksPanel(now) {
  const { checks } = now;
  if (!checks?.items.length) return null;
  const red = checks.items.filter((item) => item.wrong.length);
  if (checks.is_checked && !red.length)
    return panel("checks", "Before the first round", el("p", {}, "The office has everything that it asks for."));
  /**
   * @param {Server.StartCheck} item
   * @param {string} says
   */
  const line = (item, says) =>
    el(
      "li",
      {},
      capital(says),
      el("span", { class: "clause" }, ` [${item.clause}]`),
      item.act ? el("span", { class: "hint" }, "Mended by: ", ...checkPlace(item)) : null,
    );
  return checks.is_checked
    ? panel(
        "checks",
        "Before the first round",
        el("p", {}, "The round does not start until the office has this:"),
        el("ul", { class: "checks" }, ...red.flatMap((item) => item.wrong.map((why) => line(item, why)))),
      )
    : panel(
        "checks",
        "Not checked here",
        el(
          "p",
          { class: "said is-warning" },
          "This house keeps its office elsewhere: the first round starts here even if one of these is so. Whoever " +
            "keeps the office sees to each of them before.",
        ),
        el(
          "details",
          {},
          el("summary", {}, `The ${checks.items.length} checks that are not made here`),
          el("ul", { class: "checks" }, ...checks.items.map((item) => line(item, item.says))),
        ),
      );
}

/**
 * Do something and read the tournament again; a refusal is shown at the top of the page. Resolves to whether it was
 * done.
 *
 * @param {string} what
 * @param {() => unknown} act
 * @returns {Promise<boolean>}
 */
export async function doing(what, act) {
  try {
    await act();
    settle(what);
    return true;
  } catch (refused) {
    refuse(what, refused);
    return false;
  } finally {
    await refresh();
  }
}

/**
 * A button that sends a command.
 *
 * @param {Child} text
 * @param {Command | (() => Command)} command
 * @param {{ what?: string, [name: string]: unknown }} [attributes]
 */
export function commandButton(text, command, { what = String(text), ...rest } = {}) {
  const button = buttonFor(
    text,
    async () => {
      if (button.disabled) return;
      button.disabled = true;
      await doing(what, () => send(typeof command === "function" ? command() : command));
      button.disabled = false;
    },
    { ...rest },
  );
  return button;
}

const dialog = byId("sheet", HTMLDialogElement);

/**
 * Show a form in front of the page; `make()` returns its command or throws. It closes when the command was carried out.
 *
 * @param {string} title
 * @param {Child[]} nodes
 * @param {string} button
 * @param {() => Command} make
 * @param {string} [tone]
 */
export function openForm(title, nodes, button, make, tone = "first") {
  const wrong = el("div", { class: "refused", role: "alert", hidden: true });
  const close = () => dialog.close();
  const form = el(
    "form",
    {
      class: "act-form",
      "aria-label": title,
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        if (form.dataset.busy) return;
        form.dataset.busy = "true";
        try {
          await send(make());
          close();
          await refresh();
        } catch (refused) {
          wrong.replaceChildren(refusalList(refusalsIn(refused)));
          wrong.hidden = false;
        } finally {
          delete form.dataset.busy;
        }
      },
    },
    ...nodes,
    wrong,
    el("div", { class: "ends" }, buttonFor("Go back", close), el("button", { type: "submit", class: tone }, button)),
  );
  showSheet(title, [form]);
  elementsOf("input, select, textarea", form)[0]?.focus();
}

/**
 * Show something in front of the page.
 *
 * @param {string} title
 * @param {Child[]} nodes
 */
export function showSheet(title, nodes) {
  setChildren(
    dialog,
    el(
      "div",
      { class: "sheet-head" },
      el("h2", { id: "sheet-title", tabindex: -1 }, title),
      buttonFor("✕", () => dialog.close(), { class: "plain", "aria-label": "Close" }),
    ),
    ...nodes,
  );
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export const closeSheet = () => dialog.close();

/**
 * Cents of what was typed, or an error that names the field.
 *
 * @param {HTMLInputElement} input
 * @param {string} label
 * @returns {number}
 */
export function cents(input, label) {
  const found = centsFrom(input.value);
  if (found === null)
    throw new Error(`${label}: ${input.value || "nothing"} is not an amount of money; write 25 or 12.50`);
  return found;
}

/**
 * A whole number that was typed, or an error that names the field.
 *
 * @param {HTMLInputElement} input
 * @param {string} label
 * @returns {number}
 */
export function whole(input, label) {
  const text = input.value.trim().replaceAll(",", "");
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${label}: ${text || "nothing"} is not a whole number`);
  return Number(text);
}

/**
 * How something was paid, in words.
 *
 * @param {Server.Paid} paid
 * @returns {string}
 */
export const paidWords = (paid) => (paid.how === "in_kind" ? `in kind: ${paid.item}` : words(paid.how).toLowerCase());

/**
 * A heading with something beside it.
 *
 * @param {string} id
 * @param {string} title
 * @param {...Child} nodes
 */
export function panel(id, title, ...nodes) {
  return el(
    "section",
    { class: "panel", id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    ...nodes,
  );
}

/** @type {(now: Server.StaffTournament) => unknown} */
let draw = () => {};
/** @type {Server.StaffTournament | null} */
let latest = null; // as it was read last
let isReading = false;

/** Read the tournament and draw it. */
export async function refresh() {
  if (isReading) return;
  isReading = true;
  try {
    /** @type {Server.StaffTournament} */
    const now = await get(api());
    latest = now;
    const board = now.boards.find((board) => board.event === now.current);
    byId("phase").replaceChildren(
      el(
        "span",
        { class: `tag ${board?.phase === "playing" ? "on" : ""}` },
        now.is_closed
          ? "Closed"
          : now.cancelled
            ? "Cancelled"
            : [board?.event, board?.round, board?.phase].filter(Boolean).join(", "),
      ),
    );
    await draw(now);
  } finally {
    isReading = false;
  }
}

/**
 * Draw the tournament now, and again whenever it has changed.
 *
 * @param {(now: Server.StaffTournament) => unknown} show
 * @param {HTMLElement} host
 */
export function follow(show, host) {
  draw = show;
  refresh().catch((refused) => host.replaceChildren(el("div", { class: "refused" }, refusalList(refusalsIn(refused)))));
  setInterval(() => {
    if (!document.hidden) refresh().catch(() => {});
  }, EVERY_MS);
}
