// The opening list of a table: every item green or red, with its clause and the act that mends it.

import { byId } from "../dom.js";
import { el, hintText, titledPanel, words } from "../elements.js";
import {
  actLink,
  book,
  clause,
  gate,
  groupWords,
  here,
  loadBook,
  mayDo,
  openLink,
  spokenWords,
  thingsOf,
  withNames,
} from "./book.js";
import { label } from "./fields.js";
import { flowLink } from "./flows.js";
import { trying } from "./parts.js";
import { spellOut } from "./spelled.js";

const about = `table ${here.about}: `; // the page says it on top
const host = byId("opening");

async function load() {
  const [{ items, status, left_out: leftOut }, tables] = await Promise.all([
    gate(here.gate, here.about),
    book.things.table ? thingsOf("table") : [],
  ]);
  const red = items.filter((item) => item.wrong.length),
    green = items.filter((item) => !item.wrong.length);
  const isOpen = status === "open" || status === "frozen";
  const isKnown = tables.some((thing) => thing.id === here.about);
  host.replaceChildren(
    el(
      "section",
      { class: `panel verdict ${red.length ? "is-red" : "is-green"}`, "aria-label": "Verdict" },
      el(
        "h2",
        {},
        red.length
          ? `${red.length} of ${items.length} ${red.length === 1 ? "item stands" : "items stand"} against ` +
              (isOpen ? "it, and the table is open" : "opening")
          : isOpen
            ? "The table is open, and everything holds"
            : "Everything holds: the table can be opened",
      ),
      el("progress", {
        max: items.length || 1,
        value: green.length,
        "aria-label": `${green.length} of ${items.length} green`,
      }),
      red.length || isOpen || !here.opens_tables
        ? null
        : el("p", {}, el("a", { class: "button first", href: openLink(here.about) }, "Open the table")),
      isKnown ? null : hintText("No table of this name is in the register of this office yet."),
    ),
    el("ul", { class: "gate" }, ...[...red, ...green].map(item)),
    Object.keys(leftOut).length
      ? titledPanel(
          "left-out",
          "Left out by election",
          hintText("No clause asks for these, and the house does without them."),
          el("ul", {}, ...Object.entries(leftOut).map(([key, says]) => el("li", {}, `${words(key)}: ${says}`))),
        )
      : "",
  );
  spellOut(host, here.spelled);
}

/**
 * What a green item says of itself: of something that must not have been done, that it was not.
 *
 * @param {Server.GateItem} each
 */
const greenName = (each) =>
  each.is_ban && !each.key.startsWith("not_")
    ? `No ${spokenWords(each.key).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`
    : spokenWords(each.key);

/** @param {Server.GateItem} each */
function item(each) {
  const act = book.acts[each.mend],
    isGreen = !each.wrong.length;
  const ids = act && act.thing === "table" && !act.new ? [here.about] : [];
  return el(
    "li",
    { class: isGreen ? "is-green" : "is-red" },
    el("span", { class: "mark", "aria-hidden": "true" }, isGreen ? "✓" : "✕"),
    el(
      "div",
      {},
      el("strong", {}, isGreen ? greenName(each) : spokenWords(each.key)),
      el("span", { class: "spoken" }, isGreen ? ": in order. " : ": stands against it. "),
      " ",
      clause(each.clause),
      ...each.wrong.map((why) => el("p", {}, label(withNames(why).replace(about, "")))),
    ),
    each.value
      ? el("a", { class: "button", href: `/office/${here.office}/set-up#${each.value}` }, "Set the figure")
      : null,
    !isGreen && act
      ? mayDo(act)
        ? el("a", { class: "button", href: flowLink(each.mend, ids) || actLink(each.mend, ids) }, act.name)
        : el("span", { class: "hint" }, `${act.name}: ${groupWords(act.by)}`)
      : null,
  );
}

trying(host, async () => {
  await loadBook();
  if (here.gate) await load();
  else
    host.replaceChildren(
      el("section", { class: "panel" }, el("p", {}, "This office asks for nothing before a table opens.")),
    );
});
