// Recall any hand, entry by entry, with the table as it was after each.

import { Picture } from "../crew/picture.js";
import { byId, elementsOf, fieldById } from "../dom.js";
import { el, fill, timeOf, wagerName, words } from "../elements.js";
import { get, getFor } from "../http.js";
import { money } from "../money.js";
import { figures } from "../office/lists.js";
import { trying } from "../office/parts.js";
import { inWords } from "../wording.js";

const table = byId("recall").dataset.table ?? "";
const path = `/api/tables/${encodeURIComponent(table)}`;
const picture = new Picture(byId("picture"), table);
/** @type {Server.WordedEntry[]} */
let entries = [];
let at = 0;

async function start() {
  const sequence = Number(location.hash.slice(1));
  const asked = Number(new URLSearchParams(location.search).get("hand"));
  const from = sequence ? `?entry=${sequence}` : asked ? `?before=${asked + 1}` : "";
  const [newest, older] = await Promise.all([get(`${path}/hands`), from ? get(`${path}/hands${from}`) : { hands: [] }]);
  const hands = new Map([...newest.hands, ...older.hands].map((hand) => [hand.number, hand]));
  byId("hand").replaceChildren(
    ...[...hands.values()].map((hand) =>
      el(
        "option",
        { value: hand.number },
        `${hand.number}${hand.name ? ` by ${hand.name}` : ""}, ${hand.rolls ?? 0} rolls`,
      ),
    ),
  );
  const home = older.hands[0]?.number;
  if (home) fieldById("hand").value = home;
  if (fieldById("hand").value) await showHand(sequence);
  else byId("where").textContent = "No hand has been dealt yet.";
}

/** @param {number} [sequence] */
async function showHand(sequence = 0) {
  const read = [];
  for (let after = 0; ; ) {
    const page = await getFor(byId("steps"), `${path}/hands/${fieldById("hand").value}?after=${after}`);
    if (!page) return;
    read.push(...page.entries);
    after = page.next;
    if (!after) break;
  }
  entries = read;
  const place = entries.findLastIndex((entry) => entry.sequence <= sequence);
  await show(Math.max(place, 0));
}

/** @param {number} place */
async function show(place) {
  at = Math.max(0, Math.min(entries.length - 1, place));
  const entry = entries[at];
  if (!entry) return;
  fill(byId("steps"), entries, () =>
    entries.map((entry, index) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", onclick: () => go(index) },
          el("b", {}, String(entry.sequence)),
          timeOf(entry.at),
          el(
            "span",
            { class: "lines" },
            entry.call ? el("b", {}, `“${entry.call}” `) : null,
            entry.lines.map(inWords).join(" · "),
          ),
        ),
      ),
    ),
  );
  for (const [index, item] of [...byId("steps").children].entries()) {
    item.setAttribute("aria-current", index === at ? "step" : "false");
  }
  byId("steps").children[at]?.scrollIntoView({ block: "nearest" });
  byId("where").textContent = `Entry ${entry.sequence}, ${at + 1} of ${entries.length}`;
  history.replaceState(null, "", `#${entry.sequence}`);
  /** @type {Server.TableThen} */
  const { table: seen } = await get(`${path}/at/${entry.sequence}`);
  if (entries[at] !== entry) return; // the user went on meanwhile
  picture.show(seen);
  const [first, second] = seen.faces;
  byId("facts").textContent = [
    seen.puck ? `Puck ON ${seen.puck}` : "Puck OFF",
    seen.shooter ? `shooter at seat ${seen.shooter}` : "no shooter",
    `dice ${words(seen.dice_are).toLowerCase()}`,
    first ? `${first}-${second}` : "",
  ]
    .filter(Boolean)
    .join(", ");
  byId("wagers").replaceChildren(
    figures(
      "Wagers on the layout",
      ["Seat", "Wager", "Amount", ""],
      seen.wagers.map((wager) => [String(wager.seat), wagerName(wager), money(wager.cents), wager.is_off ? "off" : ""]),
      "Nothing is on the layout.",
    ),
  );
}

/** @param {number} place */
function go(place) {
  return trying(byId("failed"), () => show(place));
}

/** @type {{ [step: string]: () => number }} */
const STEPS = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => entries.length - 1 };
/** @type {{ [key: string]: string }} */
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };
for (const button of elementsOf("[data-step]"))
  button.addEventListener("click", () => go(STEPS[button.dataset.step ?? "first"]()));
document.addEventListener("keydown", (event) => {
  if (
    !KEYS[event.key] ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    (event.target instanceof Element && /^(INPUT|SELECT)$/.test(event.target.tagName))
  )
    return;
  event.preventDefault();
  go(STEPS[KEYS[event.key]]());
});
byId("hand").addEventListener("change", () => trying(byId("failed"), showHand));
byId("pick").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", () => trying(byId("failed"), start)); // another link to this table
trying(byId("failed"), start);
