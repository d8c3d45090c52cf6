// The soft count: box by box, notes, chips and tickets; once more by another of the team, and by the cage that takes
// the money.

import { byId } from "../dom.js";
import { buttonFor, el, hintText, tableHead, titledPanel, words } from "../elements.js";
import { money } from "../money.js";
import { openAct } from "./act_form.js";
import {
  actInAddress,
  book,
  clause,
  counts,
  groupWords,
  historyLink,
  loadBook,
  localText,
  mayDo,
  outcome,
  thingsOf,
  today,
} from "./book.js";
import { fieldControl, label, readAll } from "./fields.js";
import { flowPanel, incidentList, scanField, showStep, signInPlace } from "./flow.js";
import { flowOf } from "./flows.js";
import { trying } from "./parts.js";
import { commandForm } from "./sheet.js";
import { signatureForm } from "./sign.js";

/** @import { Act } from "./book.js" */
/** @import { Child } from "../elements.js" */
/** @import { FieldControl, FieldControls } from "./fields.js" */
/** @typedef {{ [field: string]: number }} Sums of a box, in cents */
/** @typedef {[key: string, name: string, isDrop: boolean]} MoneyField */

const host = byId("flow");
/** @type {{ id: string, sums: Sums }[]} */
const counted = []; // what was counted while this page is open: {id, sums}
/** @type {FieldControl | null} */
let team = null; // chosen once for all boxes
/** @type {Pick<Server.CountsAnswer, "shift" | "ending">} */
let now = { shift: "", ending: "" };

/** @param {...Child} nodes */
const show = (...nodes) => showStep(host, nodes);
const keys = () => Object.keys(book.acts).filter((key) => flowOf(key) === "count-room");

/** @type {() => Promise<void>} */
async function choose() {
  await loadBook();
  const key = keys()[0],
    act = book.acts[key];
  if (!act) {
    show(el("section", { class: "panel" }, el("p", {}, "This office counts no boxes.")));
    return;
  }
  const [all, { sign }, told] = await Promise.all([thingsOf(act.thing), today(), counts()]);
  now = told;
  const boxes = all.filter((thing) => act.states.includes(thing.state)),
    waiting = sign.filter((entry) => entry.act === key);
  const matching = Object.keys(book.acts).find(
    (name) => book.acts[name].counts?.listed && book.acts[name].thing === act.thing,
  );
  const can = mayDo(act) === "self",
    open = boxes.filter((thing) => !waiting.some((other) => other.things.includes(thing.id)));
  const { scan, row } = scanField((name) => {
    const box = open.find((thing) => thing.id === name);
    if (box) trying(host, () => count(key, box));
    return box ? "" : `${name} does not wait to be counted.`;
  });
  show(
    el(
      "section",
      { class: "panel flow", "aria-labelledby": "flow-title" },
      el(
        "h2",
        { id: "flow-title", tabindex: -1 },
        `${words(book.things[act.thing].name)}: ${open.length} to be counted`,
      ),
      can && open.length ? row : null,
      !can ? hintText(`The ${groupWords(act.by)} counts them.`) : null,
      open.length
        ? el(
            "ul",
            { class: "choices boxes" },
            ...open.map((thing) =>
              el(
                "li",
                {},
                el(
                  "button",
                  {
                    type: "button",
                    class: "choice",
                    disabled: !can,
                    onclick: () => trying(host, () => count(key, thing)),
                  },
                  el("strong", {}, thing.id),
                  el(
                    "span",
                    { class: "hint" },
                    [thing.facts.table ? `from ${thing.facts.table}` : "", `dropped ${localText(thing.since)}`]
                      .filter(Boolean)
                      .join(", "),
                  ),
                ),
                matching && mayDo(book.acts[matching]) === "self"
                  ? el(
                      "button",
                      {
                        type: "button",
                        class: "plain",
                        onclick: () => trying(host, () => openAct(matching, [thing.id], () => trying(host, choose))),
                      },
                      "Match its slips",
                    )
                  : null,
              ),
            ),
          )
        : el("p", { class: "muted" }, "No box waits."),
    ),
    waiting.length
      ? titledPanel(
          "again-title",
          "To be counted again or signed",
          el(
            "ul",
            { class: "choices" },
            ...waiting.map((entry) =>
              el(
                "li",
                {},
                buttonFor(`${entry.things.join(", ")}: ${entry.wants}`, () => again(entry), { class: "choice" }),
                hintText(
                  `No. ${entry.number}, counted first by ${entry.by} at ${entry.at}: ${groupWords(entry.roles)} `,
                  clause(entry.clause),
                ),
              ),
            ),
          ),
        )
      : null,
    counted.length ? totals(act) : null,
  );
  if (can && open.length) scan.focus();
}

/**
 * What was counted on this page, added up.
 *
 * @param {Act} act
 */
function totals(act) {
  /**
   * @param {Act} act
   * @returns {string[]}
   */
  const parts = sumsOf(act),
    cell = (/** @type {number} */ cents) => el("td", { class: "amount" }, money(cents));
  /** @param {Sums} sums */
  const total = (sums) => parts.filter(([, , isDrop]) => isDrop).reduce((all, [name]) => all + (sums[name] ?? 0), 0);
  return titledPanel(
    "totals-title",
    "Counted and signed",
    el(
      "div",
      { class: "scroll", role: "region", "aria-label": "Counted and signed", tabindex: 0 },
      el(
        "table",
        { class: "figures counted" },
        tableHead([words(book.things[act.thing].name), ...parts.map(([, name]) => name), "Drop"], 1),
        el(
          "tbody",
          {},
          ...counted.map(({ id, sums }) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, el("a", { class: "which", href: historyLink(act.thing, id) }, id)),
              ...parts.map(([name]) => cell(sums[name] ?? 0)),
              cell(total(sums)),
            ),
          ),
        ),
        el(
          "tfoot",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "row" }, "All"),
            ...parts.map(([name]) => cell(counted.reduce((all, item) => all + (item.sums[name] ?? 0), 0))),
            cell(counted.reduce((all, item) => all + total(item.sums), 0)),
          ),
        ),
      ),
    ),
  );
}

/**
 * The fields of a count that are money: [key, short name, whether it is drop].
 *
 * @param {Act} act
 * @returns {MoneyField[]}
 */
function sumsOf(act) {
  return Object.entries(act.fields)
    .filter(([, field]) => ["units", "cents"].includes(field.type))
    .map(([key, field]) => [key, words(key), !/\bno drop\b/.test(field.name)]);
}

/**
 * @param {any} value
 * @returns {number}
 */
const worth = (value) =>
  typeof value === "number"
    ? value
    : Object.entries(value ?? {}).reduce((sum, [cents, number]) => sum + Number(cents) * number, 0);

/**
 * One box: everything in it, with the total as it runs.
 *
 * @param {string} key
 * @param {Server.KnownThing} box
 */
async function count(key, box) {
  const act = book.acts[key],
    controls = /** @type {FieldControls} */ ({}),
    sums = /** @type {Sums} */ ({});
  const total = el("output", { class: "total grand" });
  const parts = sumsOf(act);
  const add = () => {
    total.textContent =
      "In the box " +
      `${money(parts.filter(([, , isDrop]) => isDrop).reduce((all, [name]) => all + (sums[name] ?? 0), 0))}`;
  };
  for (const [name, field] of Object.entries(act.fields)) {
    if (field.type === "people" && team) {
      controls[name] = team;
      continue;
    }
    controls[name] = fieldControl(name, field, {
      act,
      known: {},
      subjects: [box],
      onchange: (sum) => {
        sums[name] = sum;
        add();
      },
      ...(field.of_shifts ? { given: now.ending } : {}),
    });
    if (field.type === "people") team = controls[name];
    if (field.type === "cents")
      controls[name].node.addEventListener("input", () => {
        try {
          sums[name] = controls[name].read() || 0;
        } catch {
          sums[name] = 0;
        }
        add();
      });
  }
  const all = Object.values(controls),
    trays = all.filter((item) => item.field.type === "units"),
    rest = all.filter((item) => item.field.type !== "units");
  const people = rest.filter((item) => item.field.type === "people"),
    others = rest.filter((item) => !people.includes(item));
  const form = commandForm({
    label: act.name,
    button: "I have counted",
    controls,
    cancel: "Back",
    oncancel: () => trying(host, choose),
    nodes: [
      ...people.map((person) => person.node),
      el("div", { class: "trays" }, ...trays.map((tray) => el("div", { class: "tray" }, tray.node))),
      el("div", { class: "beside" }, ...others.map((other) => other.node)),
    ],
    more: [total],
    make: async () => [{ command: "do-act", act: key, things: [box.id], fields: await readAll(controls) }],
    ondone: (answer) => sign(key, box, answer),
  });
  show(frame(act, box.id, 0, [form]));
  add();
  (people[0]?.read().length ? trays[0] : (people[0] ?? trays[0])).focus();
}

/**
 * The signatures in place, one after the other; each of them counts all of it again.
 *
 * @param {string} key
 * @param {Server.KnownThing} box
 * @param {Server.OfficeReceipt} answer
 */
function sign(key, box, answer) {
  const act = book.acts[key],
    { done, completed } = outcome(answer);
  const notes = incidentList(answer);
  const sums = Object.fromEntries(sumsOf(act).map(([name]) => [name, worth(done?.fields[name])]));
  if (completed || !done) {
    finish(act, box.id, sums, answer);
    return;
  }
  signInPlace({
    done,
    act,
    show: (form, place) =>
      show(
        frame(
          act,
          box.id,
          1 + place,
          [place ? null : notes, el("p", { class: "handover" }, "Hand over: now somebody else counts."), form].filter(
            Boolean,
          ),
        ),
      ),
    ondone: (answer) => {
      const { voided, signed } = outcome(answer);
      if (voided && !signed)
        trying(host, choose); // it was taken back
      else if (voided) differ(key, box);
      else finish(act, box.id, sums, answer);
    },
    onlater: () => trying(host, choose),
  });
}

/**
 * A signature under what was counted elsewhere.
 *
 * @param {Server.ToSign} entry
 */
function again(entry) {
  const act = book.acts[entry.act];
  const { form, focus } = signatureForm(
    entry,
    (signed) =>
      trying(host, async () => {
        await choose();
        if (outcome(signed).voided && outcome(signed).signed)
          host.prepend(
            el(
              "div",
              { class: "said is-warning", role: "alert" },
              el("p", {}, "The two counts differ. Both are kept, and the box is counted again."),
            ),
          );
      }),
    { cancel: "Back", oncancel: () => trying(host, choose), button: entry.counts ? "I have counted: sign" : "Sign" },
  );
  show(frame(act, entry.things[0], 1 + Math.max(0, Object.keys(act.signs).indexOf(entry.part)), [form]));
  focus();
}

/**
 * @param {string} key
 * @param {Server.KnownThing} box
 */
function differ(key, box) {
  show(
    frame(book.acts[key], box.id, 0, [
      el(
        "div",
        { class: "said is-warning", role: "alert" },
        el("p", {}, el("strong", {}, "The two counts differ.")),
        el("p", {}, "Both are kept. The box is counted again."),
      ),
      el(
        "div",
        { class: "buttons" },
        buttonFor("Count again", () => trying(host, () => count(key, box)), { class: "first large" }),
        buttonFor("Back to all boxes", () => trying(host, choose), { class: "large" }),
      ),
    ]),
  );
}

/**
 * @param {Act} act
 * @param {string} id
 * @param {Sums} sums
 * @param {Server.OfficeReceipt} answer
 */
function finish(act, id, sums, answer) {
  counted.push({ id, sums });
  const all = parts(act);
  show(
    frame(
      act,
      id,
      all.length - 1,
      [
        el("div", { class: "said", role: "status" }, el("p", {}, el("strong", {}, `${id} is counted and signed.`))),
        incidentList(answer),
        el(
          "div",
          { class: "buttons" },
          buttonFor("Next box", () => trying(host, choose), { class: "first large" }),
        ),
      ].filter(Boolean),
    ),
    totals(act),
  );
}

/** @param {Act} act */
const parts = (act) => ["Count", ...Object.values(act.signs).map((signature) => label(signature.name)), "Done"];
/**
 * @param {Act} act
 * @param {string} id
 * @param {number} step
 * @param {Child[]} nodes
 */
const frame = (act, id, step, nodes) => flowPanel(act, id, parts(act), step, nodes);

trying(host, async () => {
  await choose();
  const wanted = location.hash ? actInAddress() : null;
  if (!wanted?.ids.length || !keys().includes(wanted.key) || mayDo(book.acts[wanted.key]) !== "self") return;
  const box = (await thingsOf(book.acts[wanted.key].thing)).find(
    (thing) => thing.id === wanted.ids[0] && book.acts[wanted.key].states.includes(thing.state),
  );
  if (box) await count(wanted.key, box);
});
