// The cashier's window: the drawer in one's hands, what is done from it for patrons, and its counts.

import { byId } from "../dom.js";
import { buttonFor, el, hintText, titledPanel, words } from "../elements.js";
import { money } from "../money.js";
import { openAct } from "./act_form.js";
import { book, here, historyLink, loadBook, localText, mayDo, thingsOf, today } from "./book.js";
import { isDoneFromDrawer } from "./flows.js";
import { trying } from "./parts.js";
import { redraw } from "./sheet.js";
import { openSignature } from "./sign.js";

/** @import { Act } from "./book.js" */

const host = byId("flow");
const KIND = "drawer";
const refresh = () => trying(host, load);

/** @typedef {[key: string, act: Act]} Named */

async function load() {
  await loadBook();
  const [drawers, now] = await Promise.all([book.things[KIND] ? thingsOf(KIND) : [], today()]);
  const holders = book.things[KIND]?.held_by ?? "";
  const own = drawers.find(
    (/** @type {Server.KnownThing} */ drawer) =>
      drawer.state === "open" && drawer.facts[holders]?.includes(here.account),
  );
  redraw(host, [drawers, now.sign], () =>
    own ? drawerPanels(own, now.sign) : [withoutDrawer(drawers), signPanel(now.sign)],
  );
}

/**
 * What somebody without a drawer does first: open one.
 *
 * @param {Server.KnownThing[]} drawers
 */
function withoutDrawer(drawers) {
  const takes = mine().filter(([, act]) => act.thing === KIND && act.takes);
  const free = takes.flatMap(([key, act]) =>
    drawers.filter((drawer) => act.states.includes(drawer.state)).map((drawer) => ({ key, act, drawer })),
  );
  return titledPanel(
    "drawer-title",
    "No drawer is in your hands",
    hintText(
      free.length
        ? "Count one with a second person, each blind to the other: it is yours until you hand it over or close it."
        : "A drawer is entered by accounting, gets its money from the vault, and is then opened here.",
    ),
    el(
      "div",
      { class: "buttons" },
      ...free.map(({ key, act, drawer }) => button(key, `${act.name}: ${drawer.id}`, [drawer.id])),
    ),
  );
}

/**
 * The drawer in somebody's hands, and all that is done from it and to it.
 *
 * @param {Server.KnownThing} drawer
 * @param {Server.ToSign[]} sign
 */
function drawerPanels(drawer, sign) {
  const about = mine().filter(([, act]) => act.thing === KIND && act.states.includes("open") && !act.takes);
  const counts = about.filter(([, act]) => act.counts);
  const others = about.filter(([, act]) => !act.counts);
  return [
    el(
      "section",
      { class: "panel", "aria-labelledby": "drawer-title" },
      el(
        "div",
        { class: "heading" },
        el("h2", { id: "drawer-title" }, `${words(book.things[KIND].name)} ${drawer.id}`),
        el("span", { class: "tag on" }, "in your hands"),
        el("a", { class: "hint", href: historyLink(KIND, drawer.id) }, "What was done with it"),
      ),
      el("p", {}, `Opened ${localText(drawer.since)}, with ${money(Number(drawer.facts.imprest ?? 0))} to begin with.`),
    ),
    part(
      "window-title",
      "At the window",
      mine().filter(([, act]) => isDoneFromDrawer(act)),
      drawer,
      [],
    ),
    part("count-title", "Count and close", counts, drawer, [drawer.id]),
    others.length ? part("vault-title", "Vault and other drawers", others, drawer, [drawer.id]) : null,
    signPanel(sign),
  ];
}

/**
 * A panel of acts, each a button that opens its form.
 *
 * @param {string} id
 * @param {string} title
 * @param {Named[]} acts
 * @param {Server.KnownThing} drawer
 * @param {string[]} ids
 */
function part(id, title, acts, drawer, ids) {
  return titledPanel(
    id,
    title,
    acts.length
      ? el("div", { class: "buttons begin" }, ...acts.map(([key, act]) => button(key, act.name, ids, drawer.id)))
      : hintText("Nothing that you may do."),
  );
}

/**
 * @param {string} key
 * @param {string} text
 * @param {string[]} ids
 * @param {string} [drawer]
 */
const button = (key, text, ids, drawer) =>
  buttonFor(text, () =>
    trying(host, () => openAct(key, ids, refresh, drawer ? { [drawerField(book.acts[key])]: drawer } : {})),
  );

/**
 * The field of an act that names the drawer it is done from; "" if it has none.
 *
 * @param {Act} act
 */
const drawerField = (act) =>
  Object.keys(act.fields).find((name) => act.fields[name].own && act.fields[name].of?.[0] === KIND) ?? "";

/** What waits at the window for a signature of whoever opened it. @param {Server.ToSign[]} sign */
function signPanel(sign) {
  const own = sign.filter(
    (act) => act.roles.some((role) => here.groups.includes(role)) && !act.hands.includes(here.account),
  );
  return own.length
    ? titledPanel(
        "sign-title",
        "To sign",
        el(
          "ul",
          { class: "entries" },
          ...own.map((act) =>
            el(
              "li",
              {},
              el("p", {}, `${act.name} ${act.things.join(", ")}: ${act.wants}`),
              buttonFor("Sign", () => trying(host, () => openSignature(act, refresh))),
            ),
          ),
        ),
      )
    : null;
}

/** @returns {Named[]} */
const mine = () => Object.entries(book.acts).filter(([, act]) => mayDo(act) === "self");

refresh();
