// A player's own page: what was won and lost, luck against the exact law, every hand to replay, and the head that they
// keep.
import { byId } from "../dom.js";
import { buttonFor, copyButton, el, tableHead, timeOf } from "../elements.js";
import { get, Refused, refusalList } from "../http.js";
import { money, signedMoney } from "../money.js";
import { momentText } from "../wording.js";
import { courseGraph } from "./graph.js";
import { headText, keptHeads } from "./heads.js";
import { showLuck } from "./luck.js";
import { Replay } from "./replay.js";

const node = byId;
const replay = new Replay(node);
/** @param {Server.PlayedRoll[]} rolls */
const netOf = (rolls) =>
  rolls.reduce((sum, roll) => sum + roll.decided.reduce((all, [, , , , net]) => all + net, 0), 0);
/** @type {Server.PlayedHand[]} */
let hands = [];
let next = 0;

/** @param {() => unknown} act */
async function trying(act) {
  try {
    node("failed").replaceChildren();
    await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    node("failed").replaceChildren(el("div", { class: "refused", role: "alert" }, refusalList(error.refusals)));
  }
}

async function load(before = 0) {
  const page = await get(`/api/me/hands${before ? `?before=${before}` : ""}`);
  hands = [...hands, ...page.hands];
  next = page.next;
  if (!before) {
    showResults(page.results);
    showSummary(page.results);
    showLuck(node("luck"), page.luck);
    node("as-of").textContent = page.behind
      ? `As of entry ${page.as_of}; ${page.behind} more are being read.`
      : "Up to date.";
  }
  showHands();
  courseGraph(
    node("graph"),
    [...hands]
      .reverse()
      .flatMap((hand) => hand.rolls)
      .map((roll) => netOf([roll])),
    hands.length,
  );
}

/** @param {Server.PlayedWager[]} results */
function showSummary(results) {
  const net = results.reduce((sum, wager) => sum + wager.net, 0);
  const staked = results.reduce((sum, wager) => sum + wager.cents, 0);
  const decided = results.reduce((sum, wager) => sum + wager.decided, 0);
  const facts = [
    ["Won and lost in all", signedMoney(net)],
    ["Wagers decided", decided.toLocaleString("en-US")],
    ["Staked on them", money(staked)],
  ];
  node("summary").replaceChildren(
    ...facts.map(([name, value]) =>
      el("div", { class: "panel figure" }, el("span", { class: "muted" }, name), el("b", { class: "number" }, value)),
    ),
  );
}

/** @param {Server.PlayedWager[]} results */
function showResults(results) {
  if (!results.length)
    return node("wagers").replaceChildren(el("p", { class: "muted" }, "Nothing has been decided for you yet."));
  return node("wagers").replaceChildren(
    el(
      "div",
      { class: "scrolled", tabindex: "0", role: "region", "aria-label": "Results by wager" },
      el(
        "table",
        { class: "figures" },
        tableHead(["Wager", "Decided", "Won", "Staked", "Net"], 1),
        el(
          "tbody",
          {},
          ...results.map((wager) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, wager.name),
              ...[wager.decided, wager.won, money(wager.cents), signedMoney(wager.net)].map((value) =>
                el("td", { class: "amount" }, String(value)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

function showHands() {
  node("more").hidden = !next;
  if (!hands.length)
    return node("hands").replaceChildren(
      el("p", { class: "muted" }, "You have no hand yet. It appears here once a wager of yours is decided."),
    );
  return node("hands").replaceChildren(
    el(
      "ul",
      { class: "hands" },
      ...hands.map((hand) => {
        const net = netOf(hand.rolls);
        return el(
          "li",
          {},
          el(
            "button",
            { type: "button", onclick: () => trying(() => replay.open(hand)) },
            el(
              "span",
              {},
              `${hand.table_name}, hand ${hand.hand}`,
              el("small", { class: "muted" }, " ", timeOf(hand.at)),
            ),
            el("b", { class: `number ${net > 0 ? "up" : net < 0 ? "down" : ""}` }, signedMoney(net)),
            el("span", { class: "spoken" }, " Replay"),
          ),
        );
      }),
    ),
  );
}

function showHeads() {
  const heads = keptHeads();
  if (!heads.length)
    return node("heads").replaceChildren(
      el("p", { class: "muted" }, "This browser keeps no head yet. Sit down at a table, and it keeps one."),
    );
  return node("heads").replaceChildren(
    el(
      "ul",
      { class: "heads" },
      ...heads.map((head) => {
        const verdict = el("p", { class: "verdict", role: "status" });
        return el(
          "li",
          {},
          el(
            "p",
            {},
            el("b", {}, head.table),
            ` entry ${head.sequence.toLocaleString("en-US")}, kept ${momentText(head.at)}`,
            el("br"),
            el("code", {}, head.hash),
          ),
          el(
            "div",
            { class: "row-acts" },
            buttonFor("Check it against the log", () => check(head, verdict)),
            copyButton(() => headText(head), "Copy the head"),
          ),
          verdict,
        );
      }),
    ),
  );
}

/**
 * Compare the kept hash with the one that the log has now: here, not on the server.
 *
 * @param {import("./heads.js").KeptHead} head
 * @param {HTMLElement} verdict
 */
async function check(head, verdict) {
  try {
    const { hash } = await get(`/api/me/entries/${head.sequence}/hash`);
    const isSame = hash === head.hash;
    verdict.className = `verdict ${isSame ? "up" : "refused"}`;
    verdict.textContent = isSame
      ? "The log still has the very entry that you kept: nothing before it was changed since."
      : "NOT THE SAME: the log has another entry there now. Copy the head and give it to the regulator, who " +
        "verifies the log against it.";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    verdict.className = "verdict refused";
    verdict.textContent = `${error.refusals[0].why}. Copy the head and give it to the regulator.`;
  }
}

node("more").addEventListener("click", () => trying(() => load(next)));
showHeads();
trying(() => load());
