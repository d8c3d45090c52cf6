// The hands of a table in a shift, or of several: won, theoretical win and luck of each, and its entries of the log.

import { el, hintText, setChildren, titledPanel, words } from "../../elements.js";
import { currencySign } from "../../money.js";
import { facility, loadBook } from "../book.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  countWithLuck,
  crewText,
  figure,
  furthestText,
  host,
  ledger,
  linkTo,
  RARITY_HINT,
  rarity,
  spanText,
  tableOf,
  title,
} from "./shared.js";

/** @import { Query } from "./shared.js" */

const HEADS = [
  "Hand",
  "Shift",
  "Rolls",
  `Wagered ${currencySign()}`,
  `Won ${currencySign()}`,
  `Theoretical ${currencySign()}`,
  `Luck ${currencySign()}`,
  "Luck alone, at most",
  "Entries",
];

async function load() {
  await loadBook();
  const { day = "", table = "", shift = "", crew = "", dice = "" } = asked;
  const shifts = shift ? [shift] : facility().shifts.map((shift) => shift.name);
  /** @type {(name: string, query: Query) => Promise<Server.PlayedAnswer>} */
  const askPlayed = ask;
  const tables = table
    ? [table]
    : (await askPlayed("accounts/table", { span: day })).accounts.map((account) => account.subject);
  const answers = await Promise.all(
    tables.flatMap((table) =>
      shifts.map((each) => askPlayed("accounts/hands", { table: table, span: `${day} ${each}` })),
    ),
  );
  const hands = answers
    .flatMap((answer) => answer.accounts)
    .filter(
      (account) =>
        (!crew || (crew === "none" ? !account.crew : account.crew === crew)) && (!dice || account.dice === dice),
    );
  const about = [
    table,
    shift && `${shift} shift`,
    crew && `crew ${crewText(crew === "none" ? "" : crew)}`,
    dice && `dice ${dice}`,
  ]
    .filter(Boolean)
    .join(", ");
  title(`Hands${about ? `: ${about}` : ""}`);
  const many = countWithLuck(hands);
  setChildren(
    host,
    el("p", { class: "back" }, el("a", { class: "which", href: linkTo("", { day }) }, `Accounts of ${spanText(day)}`)),
    titledPanel(
      "hands-title",
      spanText(shift ? `${day} ${shift}` : day),
      ledger(
        "Hands",
        HEADS,
        hands.map((account) => row(account, many)),
        { words: 2, none: "No hand was played." },
      ),
      hands.length ? el("p", { class: "below" }, furthestText(hands, handName)) : null,
      hands.length ? hintText(RARITY_HINT) : null,
      hands.some((account) => account.unkeyed)
        ? hintText("Where a hand has no figures its wagers were not keyed in: nobody knows more of it than its rolls.")
        : null,
      behindText(answers[0] ?? {}),
    ),
  );
}

/** @param {Server.Figures} account */
const handName = (account) => `${tableOf(account)} hand ${account.subject.split("/").at(-1)}`;

/**
 * @param {Server.Figures} account
 * @param {number} many
 */
function row(account, many) {
  const number = account.subject.split("/").at(-1),
    table = tableOf(account),
    name = `${table}, hand ${number}`,
    isKnown = account.rolls > 0;
  const to = linkTo("entries", { table, first: account.first, last: account.last, hand: number, day: asked.day });
  /**
   * @param {string} said
   * @param {string} what
   */
  const put = (said, what) => figure(said, to, `${what}, ${name}`);
  return {
    cells: [
      el(
        "th",
        { scope: "row" },
        el("a", { href: to }, `${table} hand ${number}`),
        account.corrections ? el("span", { class: "tag warn" }, "corrected") : null,
      ),
      el("td", {}, words(account.span.split(" ").slice(1).join(" "))),
      put(String(account.rolls + account.unkeyed + account.points), "Rolls"),
      put(isKnown ? amount(account.wagered) : "–", "Wagered"),
      put(isKnown ? amount(account.won) : "–", "Won"),
      put(isKnown ? amount(account.theoretical) : "–", "Theoretical win"),
      put(isKnown ? amount(account.luck) : "–", "Luck"),
      rarity(isKnown ? account : null, many, to, name),
      put(`${account.first} to ${account.last}`, "Entries"),
    ],
  };
}

trying(host, load);
