// Counting a tray, the cage or the reserve: what is there by denomination, counted by two people who do not see each
// other's figures.

import { byId } from "../dom.js";
import { buttonFor, el, hintText, titledPanel } from "../elements.js";
import {
  aboutText,
  actInAddress,
  actLink,
  book,
  clause,
  counts,
  groupWords,
  here,
  historyLink,
  loadBook,
  mayDo,
  outcome,
  thingName,
  thingsOf,
  today,
  withNames,
} from "./book.js";
import { fieldControl, label, readAll } from "./fields.js";
import { countingOf, flowPanel, incidentList, showStep, signedMoney, signInPlace, unitsTable } from "./flow.js";
import { flowOf } from "./flows.js";
import { trying } from "./parts.js";
import { commandForm } from "./sheet.js";
import { signatureForm } from "./sign.js";

/** @import { Child } from "../elements.js" */
/** @import { Act, Units } from "./book.js" */
/** @import { FieldControls } from "./fields.js" */

const host = byId("flow");
const STEPS = ["First count", "Second count", "Result"];
/** @type {Pick<Server.CountsAnswer, "counts" | "shift" | "ending">} */
let now = { counts: [], shift: "", ending: "" };
let rounds = 0; // counts of the same thing that differed

/** @param {...Child} nodes */
const show = (...nodes) => showStep(host, nodes);

async function choose() {
  rounds = 0;
  history.replaceState(null, "", location.pathname);
  await loadBook();
  const [told, { sign }] = await Promise.all([counts(), today()]);
  now = told;
  const waiting = sign.filter((entry) => entry.counts && flowOf(entry.act) === "count");
  const things = [...new Set(now.counts.map((count) => count.thing))].sort(
    (item, other) => Number(!item) - Number(!other) || item.localeCompare(other),
  );
  const doers = Object.entries(book.acts).filter(([key, act]) => flowOf(key) === "count" && !mayDo(act));
  show(
    waiting.length
      ? titledPanel("again-title", "To be counted again", el("ul", { class: "choices" }, ...waiting.map(waits)))
      : null,
    ...things.map((thing) =>
      place(
        thing,
        now.counts.filter((count) => count.thing === thing),
      ),
    ),
    !things.length && !waiting.length
      ? el("section", { class: "panel" }, el("p", {}, "There is nothing here for you to count now."))
      : null,
    doers.length
      ? el(
          "details",
          { class: "others" },
          el("summary", {}, `${doers.length} counts done by others`),
          el(
            "ul",
            {},
            ...doers.map(([, act]) => el("li", {}, act.name, el("span", { class: "hint" }, `: ${groupWords(act.by)}`))),
          ),
        )
      : null,
  );
}

/**
 * A place with its counts: a large button for each that can be done now, and what stands against the others.
 *
 * @param {string} thing
 * @param {Server.Countable[]} all
 */
function place(thing, all) {
  const title = thing ? label(aboutText(`${book.acts[all[0].act].thing}/${thing}`)) : "Places of the house";
  return el(
    "section",
    { class: "panel", "aria-label": title },
    el(
      "div",
      { class: "heading" },
      el("h2", {}, title),
      thing ? el("a", { class: "which", href: historyLink(book.acts[all[0].act].thing, thing) }, "History") : null,
    ),
    el(
      "ul",
      { class: "choices" },
      ...all.map((count) => {
        const act = book.acts[count.act],
          can = !count.wrong.length && !count.waits;
        return el(
          "li",
          {},
          buttonFor(act.name, () => trying(host, () => first(count.act, thing)), {
            class: can ? "first choice" : "choice",
            disabled: !can,
          }),
          hintText(
            count.waits
              ? `No. ${count.waits} waits to be counted again.`
              : count.wrong.length
                ? count.wrong.map((wrong) => [
                    label(withNames(wrong.why).replace(/^[^:]*: /, "")),
                    " ",
                    clause(wrong.clause),
                  ])
                : count.last
                  ? `Last on ${count.last}, by ${count.last_by.join(" and ")}`
                  : "Not counted yet",
          ),
        );
      }),
    ),
  );
}

/**
 * A count of somebody else that waits for a second one.
 *
 * @param {Server.ToSign} entry
 */
function waits(entry) {
  const act = book.acts[entry.act];
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: "first choice", onclick: () => again(entry) },
      act.name,
      entry.things.length ? `: ${thingName(act.thing, entry.things[0])}` : "",
    ),
    hintText(
      `No. ${entry.number}, counted first by ${entry.by} at ${entry.at}. ${label(entry.wants)}: ` +
        `${groupWords(entry.roles)} `,
      clause(entry.clause),
    ),
  );
}

/**
 * The first count: the tray, and what else the act asks for.
 *
 * @param {string} key
 * @param {string} id
 */
async function first(key, id) {
  const act = book.acts[key],
    subjects = act.thing ? (await thingsOf(act.thing)).filter((thing) => thing.id === id) : [];
  /** @type {FieldControls} */
  const controls = {},
    shift = countingOf(act).is_result ? now.ending : now.shift;
  for (const [name, field] of Object.entries(act.fields))
    controls[name] = fieldControl(name, field, {
      act,
      known: {},
      subjects,
      ...(field.of_shifts ? { given: shift } : {}),
    });
  const tray = controls[countingOf(act).field],
    rest = Object.values(controls).filter((control) => control !== tray);
  const asked = rest.filter((item) => !item.field.optional),
    spare = rest.filter((item) => item.field.optional);
  const form = commandForm({
    label: act.name,
    button: "I have counted",
    controls,
    cancel: "Back",
    oncancel: () => trying(host, choose),
    nodes: [
      el("div", { class: "tray" }, tray.node),
      asked.length ? el("div", { class: "beside" }, ...asked.map((item) => item.node)) : null,
      el(
        "details",
        { class: "earlier" },
        el("summary", {}, "Another gaming day, or counted earlier"),
        ...spare.map((item) => item.node),
        el("p", {}, el("a", { class: "button", href: actLink(key, id ? [id] : []) }, "Enter it in the full form")),
      ),
    ],
    make: async () => [{ command: "do-act", act: key, things: id ? [id] : [], fields: await readAll(controls) }],
    ondone: (answer) => second(key, id, answer),
  });
  show(
    frame(act, id, 0, [
      hintText(
        "Enter what lies there. What the book says is not shown before both have counted.",
        rounds ? ` This is round ${rounds + 1}: the counts before differed, and are kept.` : "",
      ),
      form,
    ]),
  );
  tray.focus();
}

/**
 * The second count, in place: the first one's figures are gone from the page.
 *
 * @param {string} key
 * @param {string} id
 * @param {Server.OfficeReceipt} answer
 */
function second(key, id, answer) {
  const act = book.acts[key],
    { done, completed } = outcome(answer);
  if (completed || !done) {
    result(act, id, done ?? null, answer);
    return;
  }
  signInPlace({
    done,
    act,
    show: (form) =>
      show(frame(act, id, 1, [el("p", { class: "handover" }, "Hand over: now somebody else counts."), form])),
    ondone: (signed) => result(act, id, done, signed),
    onlater: () => trying(host, choose),
  });
}

/**
 * A second count of what somebody else has counted, on another tablet or at another hour.
 *
 * @param {Server.ToSign} entry
 */
function again(entry) {
  const act = book.acts[entry.act],
    [id = ""] = entry.things;
  const { form, focus } = signatureForm(entry, (signed) => result(act, id, null, signed), {
    cancel: "Back",
    oncancel: () => trying(host, choose),
    button: "I have counted: sign",
  });
  show(frame(act, id, 1, [form]));
  focus();
}

/**
 * What came of it: the variance, or that the two differ and it is counted again.
 *
 * @param {Act} act
 * @param {string} id
 * @param {Server.ActDone | null} done
 * @param {Server.OfficeReceipt} answer
 */
function result(act, id, done, answer) {
  const { completed, voided, signed } = outcome(answer);
  const key = Object.keys(book.acts).find((other) => book.acts[other] === act) ?? "";
  if (voided && !signed) {
    trying(host, choose); // it was taken back before anybody counted again
    return;
  }
  if (voided) {
    rounds += 1;
    const isMine = mayDo(act) === "self";
    show(
      frame(act, id, 2, [
        el(
          "div",
          { class: "said is-warning", role: "alert" },
          el("p", {}, el("strong", {}, "The two counts differ.")),
          el("p", {}, "Both are kept. Count again: neither of you is shown the other's figures."),
        ),
        el(
          "div",
          { class: "buttons" },
          isMine ? buttonFor("Count again", () => trying(host, () => first(key, id)), { class: "first large" }) : null,
          buttonFor("Back to all counts", () => trying(host, choose), { class: "large" }),
        ),
      ]),
    );
    return;
  }
  if (!completed) {
    trying(host, choose);
    return;
  } // another signature is still to come
  const units = done?.fields[countingOf(act).field] ?? signed?.fields?.[countingOf(act).field] ?? {};
  const variance = completed.variances?.[0],
    settled = change(completed, act);
  const expected = variance ? { ...units, ...variance.expected } : countingOf(act).is_result ? null : units;
  show(
    frame(act, id, 2, [
      el(
        "div",
        { class: variance ? "said is-warning" : "said", role: "status" },
        el(
          "p",
          {},
          el(
            "strong",
            {},
            variance
              ? label(variance.what)
              : countingOf(act).is_result
                ? "Both counted the same."
                : "Both counted the same, and so says the book.",
          ),
        ),
        rounds ? el("p", {}, `Counted ${rounds + 1} times: the earlier counts are kept in the history.`) : null,
      ),
      unitsTable(units, expected),
      settled === null
        ? null
        : el(
            "p",
            { class: "settled" },
            `${settled ? signedMoney(settled) : "No difference"} against what the opener, fills and credits make.`,
          ),
      incidentList(answer, Boolean(variance)),
      el(
        "div",
        { class: "buttons" },
        buttonFor("Count something else", () => trying(host, choose), { class: "first large" }),
        id
          ? el(
              "a",
              { class: "button large", href: historyLink(act.thing, id) },
              `History of ${thingName(act.thing, id)}`,
            )
          : null,
        id && here.gate && act.thing === "table"
          ? el(
              "a",
              { class: "button large", href: `/office/${here.office}/opening-list/${encodeURIComponent(id)}` },
              "Opening list",
            )
          : null,
      ),
    ]),
  );
}

/**
 * By how much a result differs from what the book had: null where the count is no result.
 *
 * @param {Server.ActCompleted} completed
 * @param {Act} act
 * @returns {number | null}
 */
function change(completed, act) {
  if (!countingOf(act).is_result) return null;
  /** @param {Units} units */
  const worth = (units) => Object.entries(units).reduce((sum, [cents, count]) => sum + Number(cents) * count, 0);
  return (completed.moves ?? []).reduce(
    (sum, move) =>
      sum +
      (move.source === countingOf(act).against
        ? worth(move.units)
        : move.target === countingOf(act).against
          ? -worth(move.units)
          : 0),
    0,
  );
}

/**
 * @param {Act} act
 * @param {string} id
 * @param {number} step
 * @param {Child[]} nodes
 */
const frame = (act, id, step, nodes) => flowPanel(act, id, STEPS, step, nodes);

trying(host, async () => {
  const named = location.hash ? await loadBook().then(actInAddress) : null;
  if (
    !named ||
    flowOf(named.key) !== "count" ||
    mayDo(book.acts[named.key]) !== "self" ||
    (book.acts[named.key].thing && !named.ids[0])
  ) {
    await choose();
    return;
  }
  now = await counts();
  const wanted = now.counts.find((count) => count.act === named.key && count.thing === (named.ids[0] ?? ""));
  if (wanted && !wanted.wrong.length && !wanted.waits) await first(named.key, named.ids[0] ?? "");
  else await choose();
});
