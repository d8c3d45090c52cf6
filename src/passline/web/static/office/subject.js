// The page of one subject: its things in searchable lists, and the acts that can be done to those selected.

import { byId } from "../dom.js";
import { buttonFor, el, hintText, setChildren, tableHead, titledPanel, words } from "../elements.js";
import { openAct } from "./act_form.js";
import {
  aboutText,
  actInAddress,
  book,
  clause,
  clauseOf,
  factList,
  groupWords,
  here,
  historyLink,
  isOfOutage,
  loadBook,
  localText,
  mayDo,
  spokenWords,
  thingName,
  thingsOf,
  unitsText,
  valueText,
} from "./book.js";
import { cashPanel } from "./cash.js";
import { label } from "./fields.js";
import { begin, flowTiles } from "./flows.js";
import { mattersPanel } from "./matters.js";
import { trying } from "./parts.js";
import { redraw } from "./sheet.js";
import { openSlips, slipBoard } from "./slips.js";

/** @import { Child } from "../elements.js" */
/** @import { Units } from "./book.js" */
/** @import { KeyedAct } from "./slip_steps.js" */

const EVERY_MS = 20_000;
const SHOWN = 6; // buttons side by side; the rest is folded
const ROWS = 100; // shown at once; the search finds the rest
const host = byId("subject");
/** @type {{ [kind: string]: Server.KnownThing[] }} */
const found = {}; // things by kind
/** @type {{ [kind: string]: Set<string> }} */
const selected = {}; // ids by kind
/** @type {{ [kind: string]: string }} */
const sought = {}; // what is typed into the search, by kind
/** @type {{ [kind: string]: string }} */
const state = {}; // the state that is shown, by kind

const acts = () => Object.entries(book.acts).filter(([, act]) => act.page === here.subject);
const kinds = () => [
  ...new Set(
    acts()
      .map(([, act]) => act.thing)
      .filter(Boolean),
  ),
];

async function load() {
  await Promise.all(
    kinds().map(async (kind) => {
      found[kind] = await thingsOf(kind);
    }),
  );
}

/** Read everything again after something was recorded. */
async function refresh() {
  await trying(host, async () => {
    await Promise.all([load(), loadBook()]);
    draw();
  });
}

function draw() {
  redraw(host, [found, book.held], sections);
}

function sections() {
  for (const kind of Object.keys(selected)) selected[kind] = new Set();
  const office = acts().filter(([, act]) => !act.thing);
  /** @param {string} kind */
  const isBusy = (kind) => isHanded(kind) && openSlips(kind, found[kind]).length > 0;
  const sorted = [...kinds()].sort((kind, other) => Number(isBusy(other)) - Number(isBusy(kind)));
  return [
    flowTiles((act) => act.page === here.subject),
    ...sorted.map(listOf),
    office.length ? titledPanel("office-acts", "About the whole house", ...actButtons(office)) : null,
    stocksPanel(),
    cashPanel(),
    mattersPanel(),
  ];
}

/**
 * Whether things of a kind are numbered slips, which go from hand to hand.
 *
 * @param {string} kind
 */
const isHanded = (kind) =>
  Boolean(book.things[kind].series) && !isOfOutage(kind) && acts().some(([, act]) => act.thing === kind && act.new);

/**
 * Buttons for acts: first what whoever opened the page does, then what is recorded from papers; the others by whom they
 * are done.
 *
 * @param {KeyedAct[]} some
 * @param {string[]} [ids]
 */
function actButtons(some, ids = []) {
  /** @param {string} wanted */
  const how = (wanted) => some.filter(([, act]) => mayDo(act) === wanted);
  /** @param {KeyedAct} keyed */
  const button = ([key, act]) => buttonFor(act.name, () => trying(host, () => begin(key, ids, refresh)));
  const own = how("self"),
    papers = how("paper"),
    others = how("");
  const more = own.length > SHOWN + 1 ? own.splice(SHOWN) : [];
  return [
    own.length ? el("div", { class: "buttons" }, ...own.map(button)) : null,
    more.length + papers.length + others.length
      ? el(
          "div",
          { class: "folds" },
          foldedList(more, `${more.length} more`, (all) => el("div", { class: "buttons" }, ...all.map(button))),
          foldedList(
            papers,
            `${papers.length} from papers of outside bodies`,
            (all) => el("div", { class: "buttons" }, ...all.map(button)),
            !own.length,
          ),
          foldedList(others, `${others.length} done by others`, (all) =>
            el(
              "ul",
              {},
              ...all.map(([, act]) => el("li", {}, act.name, el("span", { class: "hint" }, `: ${groupWords(act.by)}`))),
            ),
          ),
        )
      : null,
  ].filter(Boolean);
}

/**
 * @param {KeyedAct[]} all
 * @param {string} title
 * @param {(all: KeyedAct[]) => Child} make
 * @param {boolean} [isOpen]
 */
function foldedList(all, title, make, isOpen = false) {
  return all.length ? el("details", { class: "others", open: isOpen }, el("summary", {}, title), make(all)) : null;
}

/**
 * Acts that lead the things on come before those that only note something.
 *
 * @param {KeyedAct[]} some
 */
function leadingFirst(some) {
  return [...some].sort(([, act], [, other]) => Number(Boolean(other.to)) - Number(Boolean(act.to)));
}

/** @param {string} kind */
function listOf(kind) {
  const thing = book.things[kind],
    id = `list-${kind}`;
  selected[kind] ??= new Set();
  const chosen = selected[kind];
  const about = acts().filter(([, act]) => act.thing === kind);
  const makes = about.filter(([, act]) => act.new && !isHanded(kind)),
    does = about.filter(([, act]) => !act.new);
  const makers = el(
    "div",
    { class: "acts" },
    ...(isHanded(kind)
      ? slipBoard({ kind, things: found[kind], refresh })
      : actButtons([...makes, ...does.filter(([, act]) => found[kind].length || act.many)])),
  );
  const bar = el("div", { class: "bar", role: "status" });
  const rows = el("div", { class: "scroll", role: "region", "aria-label": `List: ${thing.name}`, tabindex: 0 });
  const count = el("span", { class: "hint" });
  const search = el("input", {
    id: `${id}-find`,
    type: "search",
    autocomplete: "off",
    value: sought[kind] ?? "",
    placeholder: "number, state or any fact",
    oninput: () => {
      sought[kind] = search.value;
      show();
    },
  });
  const filter = el(
    "select",
    {
      id: `${id}-state`,
      onchange: () => {
        state[kind] = filter.value;
        show();
      },
    },
    el("option", { value: "" }, "all"),
    ...thing.states.map((state) => el("option", { value: state }, spokenWords(state))),
  );
  filter.value = state[kind] ?? "";

  const show = () => {
    const typed = search.value.trim().toLowerCase();
    const all = found[kind] ?? [];
    const fit = all.filter(
      (thing) => (!filter.value || thing.state === filter.value) && textOf(kind, thing).includes(typed),
    );
    count.textContent =
      fit.length === all.length ? `${all.length} on record` : `${fit.length} of ${all.length} on record`;
    rows.replaceChildren(
      fit.length
        ? table(kind, fit.slice(0, ROWS), chosen, showBar)
        : all.length
          ? el("p", { class: "muted" }, "None fits.")
          : "",
      ...(fit.length > ROWS ? [hintText(`${fit.length - ROWS} more: search for them.`)] : []),
    );
    showBar();
  };
  const showBar = () => {
    const ids = [...chosen].filter((item) => found[kind].some((other) => other.id === item));
    const states = new Set(found[kind].filter((thing) => chosen.has(thing.id)).map((thing) => thing.state));
    const fit = does.filter(
      ([, act]) =>
        (ids.length < 2 || act.many) &&
        [...states].every(
          (state) => !(thing.final ?? []).includes(state) && (!act.states?.length || act.states.includes(state)),
        ),
    );
    bar.hidden = !ids.length;
    makers.hidden = Boolean(ids.length);
    setChildren(
      bar,
      ...(ids.length
        ? [
            el("strong", {}, ids.length === 1 ? thingName(kind, ids[0]) : `${ids.length} selected`),
            ...(fit.length
              ? actButtons(leadingFirst(fit), ids)
              : [el("span", { class: "hint" }, "Nothing can be done to these together here.")]),
          ]
        : []),
    );
  };
  const section = el(
    "section",
    { class: "panel list", id, "aria-labelledby": `${id}-title` },
    el(
      "div",
      { class: "heading" },
      el("h2", { id: `${id}-title` }, `${words(thing.name)} `, clause(clauseOf(thing))),
      count,
    ),
    makers,
    found[kind].length > 1 &&
      el(
        "div",
        { class: "filters" },
        el("div", { class: "grow" }, el("label", { for: `${id}-find` }, "Find"), search),
        el("div", {}, el("label", { for: `${id}-state` }, "State"), filter),
      ),
    bar,
    rows,
  );
  show();
  return section;
}

/**
 * All that the search looks at.
 *
 * @param {string} kind
 * @param {Server.KnownThing} thing
 */
function textOf(kind, thing) {
  return `${thing.id} ${thingName(kind, thing.id)} ${thing.state.replaceAll("_", " ")} ${Object.entries(thing.facts)
    .map(
      ([key, value]) =>
        `${key} ${value === null ? "" : typeof value === "object" ? JSON.stringify(value) : valueText(null, value)}`,
    )
    .join(" ")}`.toLowerCase();
}

/**
 * @param {string} kind
 * @param {Server.KnownThing[]} things
 * @param {Set<string>} chosen
 * @param {() => void} onchange
 */
function table(kind, things, chosen, onchange) {
  return el(
    "table",
    { class: "figures cards things" },
    tableHead([el("span", { class: "spoken" }, "Select"), "Which", "State", "Since", "What is known"]),
    el(
      "tbody",
      {},
      ...things.map((thing) =>
        el(
          "tr",
          {},
          el(
            "td",
            { class: "select" },
            el(
              "label",
              { class: "box" },
              el("input", {
                type: "checkbox",
                checked: chosen.has(thing.id),
                onchange: () => {
                  if (!chosen.delete(thing.id)) chosen.add(thing.id);
                  onchange();
                },
              }),
              el("span", { class: "spoken" }, `Select ${thingName(kind, thing.id)}`),
            ),
          ),
          el(
            "th",
            { scope: "row" },
            el("a", { class: "which", href: historyLink(kind, thing.id) }, thingName(kind, thing.id)),
            kind === "table" && here.gate
              ? el(
                  "a",
                  {
                    class: "button small",
                    href: `/office/${here.office}/opening-list/${encodeURIComponent(thing.id)}`,
                  },
                  "Opening list",
                )
              : null,
          ),
          el(
            "td",
            { "data-label": "State" },
            el("span", { class: `tag ${tone(kind, thing.state)}` }, spokenWords(thing.state)),
          ),
          el("td", { "data-label": "Since", class: "whole" }, localText(thing.since)),
          el("td", {}, factList(kind, thing.facts) ?? ""),
        ),
      ),
    ),
  );
}

/**
 * How a state is coloured: an incident that is open stands out, what has ended is grey.
 *
 * @param {string} kind
 * @param {string} each
 */
function tone(kind, each) {
  if ((book.things[kind].final ?? []).includes(each)) return "";
  return kind === "incident" ? (each === "open" ? "bad" : "warn") : "plain";
}

/** What is where, by denomination; the server keeps it from those who count it without seeing it. */
function stocksPanel() {
  const stocks = [
    ...new Set(
      acts()
        .flatMap(([, act]) => [act.moves?.stock ?? "", act.counts?.stock ?? ""])
        .filter(Boolean),
    ),
  ];
  /** @type {(stock: string) => [place: string, units: Units | null][]} */
  const placesOf = (stock) => [
    ...Object.entries(book.held[stock] ?? {}),
    ...(book.hidden[stock] ?? []).map((place) => /** @type {[string, null]} */ ([place, null])),
  ];
  const places = stocks.flatMap((stock) =>
    placesOf(stock).filter(([place]) => !(book.rules?.[stock]?.outside ?? []).includes(place)),
  );
  if (!places.length) return null;
  return titledPanel(
    "stock-title",
    "What is where",
    el(
      "dl",
      { class: "facts wide" },
      ...places.map(([place, units]) =>
        el(
          "div",
          {},
          el("dt", {}, place.includes("/") ? label(aboutText(place)) : words(place)),
          el(
            "dd",
            {},
            units
              ? unitsText(Object.fromEntries(Object.entries(units).filter(([, count]) => count)))
              : el("span", { class: "hint" }, "You count this: the figures are not shown."),
          ),
        ),
      ),
    ),
  );
}

function openNamed() {
  const named = actInAddress();
  if (named) trying(host, () => openAct(named.key, named.ids, refresh));
}
addEventListener("hashchange", openNamed);
setInterval(() => {
  // what others do meanwhile; never under somebody's hands
  const isIdle =
    !document.hidden && !byId("sheet", HTMLDialogElement).open && !Object.values(selected).some((item) => item.size);
  if (isIdle && !host.querySelector("input:focus")) refresh();
}, EVERY_MS);
trying(host, async () => {
  await loadBook();
  await load();
  draw();
  openNamed();
});
