// One table for the regulator: its facts and limits, ledger, hands, and the par sheet of its rules.

import { el, fill, timeOf, words } from "../elements.js";
import { getFor } from "../http.js";
import { Live } from "../live.js";
import { money } from "../money.js";
import { figures } from "../office/lists.js";
import { trying } from "../office/parts.js";
import { ProofWatch } from "../table/proof.js";
import { ProofShown } from "../table/proof_shown.js";
import { regulationName } from "../wording.js";
import { showPar } from "./par.js";

const node = (id) => document.getElementById(id);
const followed = new Map(); // by table: the proof of its dice, checked roll by roll from when it was first looked at

export async function showTable(id) {
  if (!id) {
    node("table-facts").replaceChildren(el("p", { class: "muted" }, "No table has been opened yet."));
    return;
  }
  const path = `/api/tables/${encodeURIComponent(id)}`;
  showProof(id);
  node("par-links").replaceChildren(
    ...[
      ["rules", "Rules"],
      ["par-sheet", "Par sheet to print"],
    ].map(([page, name]) => el("a", { class: "button", href: `/tables/${encodeURIComponent(id)}/${page}` }, name)),
  );
  await Promise.all([
    getFor(node("table-facts"), `${path}?role=spectator`).then((answer) => answer && showFacts(answer.table ?? answer)),
    getFor(node("ledger"), `${path}/ledger`).then((answer) => answer && showLedger(answer)),
    getFor(node("hands"), `${path}/hands`).then((answer) => answer && showHands(id, path, answer.hands, answer.next)),
    showPar(node("par"), path),
  ]);
}

function showProof(id) {
  if (!followed.has(id)) {
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
    live.addEventListener("change", () => proof.show(live.table, watch.follow(live)));
    live.start();
    followed.set(id, proof);
  }
  const { mark, spoken, panel, alarm } = followed.get(id);
  node("table-proof").replaceChildren(mark, spoken, alarm, panel);
}

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
  node("table-facts").replaceChildren(
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

function showLedger(answer) {
  const balances = Object.entries(answer.balances ?? answer);
  const sum = balances.reduce((total, [, cents]) => total + cents, 0);
  node("ledger").replaceChildren(
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

function showHands(id, path, hands, next) {
  fill(node("hands"), [id, hands, next], () => [
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
      ? el(
          "button",
          {
            type: "button",
            onclick: () =>
              trying(node("hands"), async () => {
                const answer = await getFor(node("hands"), `${path}/hands?before=${next}`);
                if (answer) showHands(id, path, [...hands, ...answer.hands], answer.next);
              }),
          },
          "Older hands",
        )
      : null,
  ]);
}
