// One table for the regulator: its facts and limits, ledger, hands, and the par sheet of its rules.

import { byId } from "../dom.js";
import { buttonFor, el, fill, timeOf, words } from "../elements.js";
import { getFor } from "../http.js";
import { Live } from "../live.js";
import { money } from "../money.js";
import { figures } from "../office/lists.js";
import { trying } from "../office/parts.js";
import { ProofWatch } from "../table/proof.js";
import { ProofShown } from "../table/proof_shown.js";
import { regulationName } from "../wording.js";
import { showPar } from "./par.js";

/** @type {Map<string, ProofShown>} */
const followed = new Map(); // by table: the proof of its dice, checked roll by roll from when it was first looked at

/** @param {string} id */
export async function showTable(id) {
  if (!id) {
    byId("table-facts").replaceChildren(el("p", { class: "muted" }, "No table has been opened yet."));
    return;
  }
  const path = `/api/tables/${encodeURIComponent(id)}`;
  showProof(id);
  byId("par-links").replaceChildren(
    ...[
      ["rules", "Rules"],
      ["par-sheet", "Par sheet to print"],
    ].map(([page, name]) => el("a", { class: "button", href: `/tables/${encodeURIComponent(id)}/${page}` }, name)),
  );
  await Promise.all([
    getFor(byId("table-facts"), `${path}?role=spectator`).then((answer) => answer && showFacts(answer.table ?? answer)),
    getFor(byId("ledger"), `${path}/ledger`).then((answer) => answer && showLedger(answer)),
    getFor(byId("hands"), `${path}/hands`).then((answer) => answer && showHands(id, path, answer.hands, answer.next)),
    showPar(byId("par"), path),
  ]);
}

/** @param {string} id */
function showProof(id) {
  const shown = followed.get(id) ?? followProof(id);
  byId("table-proof").replaceChildren(shown.mark, shown.spoken, shown.alarm, shown.panel);
}

/**
 * Check the proof of a table's dice from now on.
 *
 * @param {string} id
 */
function followProof(id) {
  const [live, watch] = [new Live({ table: id, role: "spectator" }), new ProofWatch(id)];
  const proof = new ProofShown({
    advise: () => [
      el(
        "p",
        {},
        "Verify the log now, and have the house stop this table. Keep this page open: it shows what was wrong.",
      ),
    ],
  });
  live.addEventListener("change", () => {
    if (live.table) proof.show(live.table, watch.follow(live));
  });
  live.start();
  followed.set(id, proof);
  return proof;
}

/** @param {Server.TableView} table */
function showFacts(table) {
  const facts = [
    ["Rules", `${regulationName(table.regulation)}, ${words(table.game).toLowerCase()}`],
    ["Version of the rules", table.rules],
    ["Dice", words(table.dice)],
    ["State", words(table.status)],
    ["Posted limits", `${money(table.limits.min)} to ${money(table.limits.max)}`],
    [
      "Notice",
      table.notice
        ? el(
            "span",
            {},
            `${money(table.notice.wager_cents_min)} to ${money(table.notice.wager_cents_max)} from `,
            timeOf(table.notice.at, true),
          )
        : "none",
    ],
    ["Automated", table.automate.map(words).join(", ") || "nothing"],
    ["Players", String(table.seats.length)],
    ["Rolls", String(table.roll)],
  ];
  const limits = Object.entries(table.limits.wagers ?? {}).map(([kind, limit]) => [
    words(kind),
    money(limit.min),
    money(limit.max),
  ]);
  byId("table-facts").replaceChildren(
    figures(
      "Facts",
      ["", ""],
      facts.map(([name, value]) => [el("th", { scope: "row" }, name), value]),
    ),
    ...(limits.length
      ? [
          el(
            "details",
            {},
            el("summary", {}, "Limits by wager"),
            figures("Limits by wager", ["Wager", "Minimum", "Maximum"], limits),
          ),
        ]
      : []),
  );
}

/** @param {Server.LedgerAnswer} answer */
function showLedger(answer) {
  const balances = Object.entries(answer.balances ?? answer);
  const sum = balances.reduce((total, [, cents]) => total + cents, 0);
  byId("ledger").replaceChildren(
    figures(
      "Balances",
      ["Account", "Balance"],
      [
        ...balances.map(([account, cents]) => [account, el("td", { class: "amount" }, money(cents))]),
        [el("th", { scope: "row" }, "Sum"), el("td", { class: "amount" }, el("b", {}, money(sum)))],
      ],
    ),
    el(
      "p",
      { class: sum ? "refused" : "said" },
      sum
        ? `The ledger does not balance: the accounts sum to ${money(sum)}, not to zero.`
        : "The ledger balances: all accounts sum to zero.",
    ),
  );
}

/**
 * @param {string} id
 * @param {string} path
 * @param {Server.ListedHand[]} hands
 * @param {number} next
 */
function showHands(id, path, hands, next) {
  fill(byId("hands"), [id, hands, next], () => [
    figures(
      "Hands",
      ["Hand", "Shooter", "Rolls", "Began"],
      hands.map((hand) => [
        el("a", { href: `/tables/${encodeURIComponent(id)}/recall?hand=${hand.number}` }, String(hand.number)),
        hand.shooter ? `Seat ${hand.shooter}${hand.name ? ` ${hand.name}` : ""}` : "–",
        String(hand.rolls ?? "–"),
        hand.at ? timeOf(hand.at, true) : "–",
      ]),
      "No hand has been dealt yet.",
    ),
    next
      ? buttonFor("Older hands", () =>
          trying(byId("hands"), async () => {
            const answer = await getFor(byId("hands"), `${path}/hands?before=${next}`);
            if (answer) showHands(id, path, [...hands, ...answer.hands], answer.next);
          }),
        )
      : null,
  ]);
}
