// The drop: the boxes of a shift are picked or scanned, each with the empty one that takes its place; whoever watches
// signs once for all.

import { byId } from "../dom.js";
import { buttonFor, el, freshId, hintText, words } from "../elements.js";
import { refusalList, refusalsIn } from "../http.js";
import {
  book,
  clause,
  clauseOf,
  counts,
  groupWords,
  here,
  loadBook,
  mayDo,
  send,
  thingsOf,
  withNames,
} from "./book.js";
import { fieldControl, label, oneOf, readAll } from "./fields.js";
import { flowPanel, flowTitle, incidentList, scanField, showStep, steps } from "./flow.js";
import { exchangeOf, flowOf } from "./flows.js";
import { trying } from "./parts.js";

/** @import { Act } from "./book.js" */
/** @import { Child } from "../elements.js" */
/** @typedef {{ key: string, act: Act, taken: string, put: string }} Exchange of boxes */
/** @typedef {Exchange & { on: Server.KnownThing[], empty: Server.KnownThing[], now: Server.CountsAnswer }} Round */
/** @typedef {ReturnType<typeof row>} Row */
/** @typedef {{ name?: string, pin: string } | undefined} Signed */
/** @typedef {Exchange & { part: string, picked: Row[], fields: { [key: string]: any }, signed: Signed }} Drop */

const host = byId("flow");
const STEPS = ["Pick the boxes and sign", "Dropped"];

/** @param {...Child} nodes */
const show = (...nodes) => showStep(host, nodes);

async function load() {
  await loadBook();
  const all = Object.keys(book.acts).filter((key) => flowOf(key) === "drop-round");
  const key = all.find((item) => mayDo(book.acts[item]) === "self");
  if (!key) {
    show(
      el(
        "section",
        { class: "panel" },
        el(
          "p",
          {},
          all.length ? `The ${groupWords(book.acts[all[0]].by)} drops the boxes.` : "This office has no drop boxes.",
        ),
      ),
    );
    return;
  }
  const act = book.acts[key],
    { taken = "", put = "" } = exchangeOf(act) ?? {};
  const [boxes, places, now] = await Promise.all([
    thingsOf(act.fields[taken].of?.[0] ?? ""),
    thingsOf(act.thing),
    counts(),
  ]);
  const on = boxes.filter(
    (thing) =>
      act.fields[taken].states?.includes(thing.state) && places.some((other) => other.id === thing.facts[act.thing]),
  );
  const empty = boxes.filter((thing) => act.fields[put].states?.includes(thing.state));
  draw({ key, act, taken, put, on, empty, now });
}

/**
 * The round: a row for each table with a box, and whoever watches.
 *
 * @param {Round} round
 */
function draw({ key, act, taken, put, on, empty, now }) {
  const rows = on.map((box) => row(act, put, box, empty, () => changed()));
  const rest = Object.fromEntries(
    Object.entries(act.fields)
      .filter(([name]) => name !== taken && name !== put)
      .map(([name, field]) => [
        name,
        fieldControl(name, field, {
          act,
          known: {},
          subjects: [],
          ...(field.of_shifts ? { given: now.ending } : {}),
        }),
      ]),
  );
  const asked = Object.values(rest).filter((item) => !item.field.optional);
  const [part, sign] = Object.entries(act.signs)[0] ?? ["", null];
  const watcher = sign ? signer(sign) : null;
  const { scan, row: scanRow } = scanField((name) => {
    const off = rows.find((row) => row.box.id === name);
    if (off) {
      off.pick();
      return `${off.table}: ${name} comes off${off.read() ? `, ${off.read()} goes on` : ". Now scan the empty box"}.`;
    }
    const waiting =
      rows
        .filter((row) => row.isPicked())
        .reverse()
        .find((row) => !row.read()) ?? rows.filter((row) => row.isPicked()).at(-1);
    if (!empty.some((thing) => thing.id === name)) return `${name} is neither on a table nor empty and ready.`;
    if (!waiting) return `${name} is an empty box. Scan first the one that comes off.`;
    waiting.put(name);
    return `${waiting.table}: ${name} goes on.`;
  });
  const wrong = el("div", { class: "refused", role: "alert", hidden: true });
  const submit = el("button", { type: "submit", class: "first large" }, "Drop");
  const changed = () => {
    const picked = rows.filter((row) => row.isPicked()).length;
    submit.textContent = picked === 1 ? "Drop 1 box" : `Drop ${picked} boxes`;
    for (const row of rows)
      row.bar(rows.filter((other) => other !== row && other.isPicked()).map((other) => other.read()));
  };
  const form = el(
    "form",
    {
      class: "act-form",
      "aria-label": act.name,
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        if (form.dataset.busy) return;
        form.dataset.busy = "true";
        try {
          const picked = rows.filter((row) => row.isPicked());
          const faults = [
            ...(picked.length ? [] : [{ clause: "", why: "Pick the boxes that come off." }]),
            ...rows.flatMap((row) => row.faults(clauseOf(act.fields[put]))),
            ...(watcher?.faults() ?? []),
          ];
          /** @type {{ [key: string]: any }} */
          const fields = await readAll(rest).catch((refused) => {
            faults.push(...refusalsIn(refused));
            return {};
          });
          for (const item of asked)
            if (fields[item.key] === undefined) {
              item.fault([{ why: `is missing: ${item.field.name}`, clause: clauseOf(item.field) }]);
              faults.push({ clause: clauseOf(item.field), why: `${label(item.field.name)} is missing` });
            } else item.fault([]);
          wrong.hidden = !faults.length;
          wrong.replaceChildren(...(faults.length ? [refusalList(faults)] : []));
          if (!faults.length) await drop({ key, act, taken, put, part, picked, fields, signed: watcher?.read() });
        } finally {
          delete form.dataset.busy;
        }
      },
    },
    scanRow,
    rows.length
      ? el("ul", { class: "round", "aria-label": "Tables with a box" }, ...rows.map((row) => row.node))
      : el("p", { class: "muted" }, "No table has a box on it."),
    el("div", { class: "beside" }, ...asked.map((item) => item.node), watcher?.node),
    wrong,
    el("div", { class: "ends" }, el("a", { class: "button", href: `/office/${here.office}` }, "Back"), submit),
  );
  show(
    flowPanel(act, "", STEPS, 0, [
      hintText("It is recorded as it happens. What is off schedule opens an incident."),
      form,
    ]),
  );
  changed();
  scan.focus();
}

/**
 * One table: whether its box comes off, and the empty box that goes on.
 *
 * @param {Act} act
 * @param {string} put
 * @param {Server.KnownThing} box
 * @param {Server.KnownThing[]} empty
 * @param {() => void} onchange
 */
function row(act, put, box, empty, onchange) {
  const table = box.facts[act.thing];
  const tick = el("input", {
    type: "checkbox",
    "aria-label": `Take ${box.id} off ${table}`,
    onchange: () => show(true),
  });
  const own = empty.filter((thing) => thing.facts.number === table),
    fit = own.length ? own : empty;
  const next = el(
    "select",
    {
      "aria-label": `${label(act.fields[put].name)}: ${table}`,
      onchange: () => {
        tick.checked = true;
        show();
      },
    },
    el("option", { value: "" }, fit.length ? "Which empty box?" : "No box is ready"),
    ...fit.map((thing) => el("option", { value: thing.id }, thing.id)),
  );
  const fault = el("p", { class: "field-fault", hidden: true });
  const node = el(
    "li",
    { class: "round-row" },
    el(
      "label",
      { class: "pick" },
      tick,
      el(
        "span",
        {},
        el("strong", {}, table),
        el("span", { class: "hint" }, ` ${words(book.things[act.fields[put].of?.[0] ?? ""].name)} ${box.id}`),
      ),
    ),
    el("span", { class: "arrow", "aria-hidden": "true" }, "→"),
    next,
    fault,
  );
  /** @param {boolean} [isTicked] */
  const show = (isTicked = false) => {
    const free = [...next.options].filter((option) => option.value && !option.disabled);
    if (isTicked && tick.checked && !next.value && free.length === 1) next.value = free[0].value;
    node.classList.toggle("is-picked", tick.checked);
    fault.hidden = true;
    onchange();
  };
  return {
    node,
    table,
    box,
    read: () => next.value,
    isPicked: () => tick.checked,
    pick: () => {
      tick.checked = true;
      show(true);
    },
    put: (/** @type {string} */ name) => {
      next.value = name;
      show();
    },
    bar: (/** @type {string[]} */ used) => {
      for (const option of next.options) option.disabled = Boolean(option.value) && used.includes(option.value);
    },
    faults: (/** @type {string} */ cited) => {
      const is = tick.checked && !next.value;
      fault.hidden = !is;
      fault.replaceChildren(...(is ? [el("span", {}, "Say which empty box goes on ", clause(cited))] : []));
      return is ? [{ clause: cited === "practice" ? "" : cited, why: `${table}: say which empty box goes on` }] : [];
    },
  };
}

/**
 * Whoever watches, with name and PIN.
 *
 * @param {Server.Signature} sign
 */
function signer(sign) {
  const fit = book.people.filter(
    (person) => person.account !== here.account && person.groups.some((group) => sign.by.includes(group)),
  );
  const clear = () => {
    fault.hidden = true;
  };
  const who = oneOf({ id: "watcher", options: fit.map((person) => [person.account, person.name]), onchange: clear });
  const pin = el("input", {
    id: "watcher-pin",
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    oninput: clear,
  });
  const fault = el("p", { class: "field-fault", hidden: true });
  const node = el(
    "fieldset",
    { class: "row field" },
    el("legend", {}, label(sign.name), " ", clause(clauseOf(sign))),
    fit.length ? who.nodes : el("p", { class: "said is-warning" }, `Nobody else is ${groupWords(sign.by)}.`),
    el("div", { class: "row" }, el("label", { for: "watcher-pin" }, "PIN"), pin),
    fault,
  );
  return {
    node,
    read: () => ({ name: fit.find((person) => person.account === who.read())?.name, pin: pin.value }),
    faults: () => {
      const lacking = !who.read() ? "Say who watches" : !pin.value ? "The PIN of whoever watches is missing" : "";
      fault.hidden = !lacking;
      fault.replaceChildren(lacking ? el("span", {}, lacking, " ", clause(clauseOf(sign))) : "");
      return lacking ? [{ clause: clauseOf(sign) === "practice" ? "" : clauseOf(sign), why: lacking }] : [];
    },
  };
}

/**
 * Record one drop after the other. What is refused can be tried again; what was done stays done.
 *
 * @param {Drop} asked
 */
async function drop({ key, act, taken, put, part, picked, fields, signed }) {
  const list = el("ul", { class: "entries", "aria-label": "What was dropped" });
  const more = el("div", { class: "buttons" });
  show(
    el(
      "section",
      { class: "panel flow", "aria-labelledby": "flow-title" },
      flowTitle(act, ""),
      steps(STEPS, 1),
      list,
      more,
    ),
  );
  let failed = 0;
  for (const item of picked) {
    const command = {
      command: "do-act",
      act: key,
      things: [item.table],
      fields: { ...fields, [taken]: item.box.id, [put]: item.read() },
      ...(signed ? { signs: part } : {}),
    };
    const line = el(
      "li",
      {},
      el("div", { class: "heading" }, el("strong", {}, item.table), el("span", { class: "tag" }, "Sending …")),
    );
    list.append(line);
    try {
      const answer = await send(command, { id: freshId(), ...(signed ? { sign_off: signed } : {}) });
      line.replaceChildren(
        el("div", { class: "heading" }, el("strong", {}, item.table), el("span", { class: "tag on" }, "Dropped")),
        el("p", {}, `${item.box.id} came off, ${item.read()} is on.`),
        incidentList(answer) ?? "",
      );
    } catch (refused) {
      failed += 1;
      line.className = "is-bad";
      line.replaceChildren(
        el("div", { class: "heading" }, el("strong", {}, item.table), el("span", { class: "tag bad" }, "Not recorded")),
        el(
          "div",
          { class: "refused", role: "alert" },
          refusalList(
            refusalsIn(refused).map((fault) => ({
              ...fault,
              why: withNames(fault.why),
            })),
          ),
        ),
      );
    }
  }
  more.append(
    buttonFor(failed ? "Go through the round again" : "Another round", () => trying(host, load), {
      class: failed ? "first large" : "large",
    }),
    el(
      "a",
      { class: `button large${failed ? "" : " first"}`, href: `/office/${here.office}/count-room` },
      "To the count room",
    ),
  );
}

trying(host, load);
