// One control for each field of an act, by its type. A fault is said at the field with its clause.

import { submitOf } from "../dom.js";
import { amountField, el, hintText } from "../elements.js";
import { attach, get, Refused, refusalsIn } from "../http.js";
import { centsFrom, money } from "../money.js";
import { sha256, toHex } from "../sha256.js";
import { book, clause, clauseOf, facility, formNumber, here, patronName, thingName, withNames } from "./book.js";
import { linesControl } from "./lines.js";
import { houseControl, sheetControl } from "./papers.js";
import { scanner, TIMES_EXAMPLE } from "./scanner.js";
import { unitsControl } from "./units.js";

/** @import { Act } from "./book.js" */
/** @import { Attributes, Child } from "../elements.js" */
/** @import { Current } from "./papers.js" */
/** @typedef {[value: string, text: string, hint?: string]} Option */
/** @typedef {{ why: string, clause?: string }} Fault */
/**
 * What a kind of field is filled in with.
 *
 * @typedef {object} Control
 * @property {Child[]} nodes
 * @property {() => any} read
 * @property {HTMLElement} [input]
 * @property {boolean} [isBox]
 * @property {boolean} [isGroup]
 * @property {(ids: string[]) => void} [follow]
 * @property {(faults: Fault[]) => Fault[]} [mark]
 * @property {string} [missing] what is said where nothing is given
 */
/**
 * What a field of an act needs to know of the act.
 *
 * @typedef {object} Around
 * @property {Act} act
 * @property {{ [kind: string]: Server.KnownThing[] }} known
 * @property {Server.KnownThing[]} subjects
 * @property {Current} [current]
 * @property {any} [given] what it is filled in with at first
 * @property {string} [needed] what it is needed for, though it may be left out now
 * @property {(sum: number) => void} [onchange]
 */
/**
 * What a control is made from.
 *
 * @typedef {Around & { id: string, key: string, field: Server.Field, label: string, describedby: string }} Making
 */
/** @typedef {ReturnType<typeof fieldControl>} FieldControl */
/** @typedef {{ [key: string]: FieldControl }} FieldControls */

const FEW = 8; // so many choices are buttons, more are a list
let made = 0;

/**
 * A field with its label, control and faults: {key, node, read, fault, focus, follow}. `around` has the act, its things
 * and what is known.
 *
 * @param {string} key
 * @param {Server.Field} field
 * @param {Around} around
 */
export function fieldControl(key, field, around) {
  made += 1;
  const id = `field-${made}-${key}`;
  const control = (CONTROLS[field.type] ?? textControl)({
    id,
    key,
    field,
    label: label(spoken(field)),
    describedby: `${id}-wrong`,
    ...around,
  });
  const wrong = el("p", { class: "field-fault", id: `${id}-wrong`, hidden: true });
  const name = [
    label(spoken(field)),
    field.optional
      ? el("span", { class: around.needed ? "hint needed" : "hint" }, ` ${neededText(key, around)}`)
      : null,
    field.type === "no" ? el("span", { class: "hint" }, " opens an incident") : null,
    " ",
    clause(clauseOf(field)),
  ];
  const node = control.isBox
    ? el("div", { class: "row field" }, el("label", { class: "box" }, ...control.nodes, el("span", {}, ...name)), wrong)
    : control.isGroup
      ? el("fieldset", { class: "row field" }, el("legend", {}, ...name), ...control.nodes, wrong)
      : el(
          "div",
          { class: "row field" },
          el("label", { for: control.input?.id ?? id }, ...name),
          ...control.nodes,
          wrong,
        );
  return {
    key,
    node,
    field,
    read: control.read,
    follow: control.follow ?? (() => {}),
    focus: () => (control.input ?? node.querySelector("input, select, textarea"))?.focus(),
    /** @param {Fault[]} all */
    fault: (all) => {
      const faults = control.mark?.(all) ?? all;
      wrong.hidden = !faults.length;
      wrong.replaceChildren(
        ...faults.map((fault) =>
          el(
            "span",
            {},
            fault.why === `is missing: ${field.name}` ? (control.missing ?? "Missing") : label(withNames(fault.why)),
            " ",
            clause(fault.clause),
          ),
        ),
      );
      node.classList.toggle("is-wrong", faults.length > 0);
    },
  };
}

/**
 * Whether a field that may be left out is needed later, and is on record already.
 *
 * @param {string} key
 * @param {Around} around
 */
const neededText = (key, { needed, subjects }) =>
  !needed ? "optional" : subjects.some((thing) => thing.facts?.[key]) ? "on record; a new one replaces it" : needed;

/** @type {(value: unknown) => boolean} */
const isEmpty = (value) => value === "" || value === null || (typeof value === "object" && !Object.keys(value).length);

/**
 * What stands in controls, by their keys, without what is empty or not asked for. Every fault is thrown at once, with
 * its field.
 *
 * @param {FieldControls} controls
 * @returns {Promise<{ [key: string]: any }>}
 */
export async function readAll(controls) {
  const faults = [],
    fields = /** @type {{ [key: string]: any }} */ ({});
  for (const [name, item] of Object.entries(controls)) {
    if (item.node.hidden) continue;
    try {
      const value = await item.read();
      if (!isEmpty(value)) fields[name] = value;
    } catch (wrong) {
      faults.push(
        ...refusalsIn(wrong).map((fault) => ({
          ...fault,
          why: `${name}: ${fault.why}`,
        })),
      );
    }
  }
  if (faults.length) throw new Refused(faults);
  return fields;
}

/**
 * What a field is called on a page: amounts are entered in dollars here, and sent in cents.
 *
 * @param {Server.Field} field
 * @returns {string}
 */
const spoken = ({ name, type }) => (["cents", "shares"].includes(type) ? name.replace(/,? in cents\b/, "") : name);

/**
 * A text with a capital.
 *
 * @param {string} text
 * @returns {string}
 */
export const label = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * @param {Attributes} attributes
 * @param {(input: HTMLInputElement) => any} [read]
 * @returns {(making: Making) => Control}
 */
function simple(attributes, read = (input) => input.value.trim()) {
  return ({ id, describedby }) => {
    const input = el("input", { id, autocomplete: "off", "aria-describedby": describedby, ...attributes });
    return { nodes: [input], input, read: () => read(input) };
  };
}

/**
 * @param {Making} making
 * @returns {Control}
 */
function textControl({ id, describedby }) {
  const input = el("textarea", {
    id,
    class: "prose line",
    rows: 1,
    maxlength: 4000,
    "aria-describedby": describedby,
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey) return; // a scanner ends with Enter
      event.preventDefault();
      const all = [...(input.form?.elements ?? [])].filter(
        (field) => field instanceof HTMLElement && field.offsetParent,
      );
      const next = all[all.indexOf(input) + 1];
      if (next instanceof HTMLElement) next.focus();
    },
  });
  return { nodes: [input], input, read: () => input.value.trim() };
}

/**
 * @param {Making} making
 * @returns {Control}
 */
function box({ id, describedby }) {
  const input = el("input", { id, type: "checkbox", "aria-describedby": describedby });
  return { nodes: [input], input, isBox: true, read: () => input.checked };
}

/**
 * @param {Making} making
 * @returns {Control}
 */
function numberControl({ id, field, describedby }) {
  const input = el("input", { id, inputmode: "numeric", autocomplete: "off", "aria-describedby": describedby });
  const bounds = [field.min, field.max].every((item) => item !== undefined)
    ? `${field.min} to ${field.max}`
    : field.min !== undefined
      ? `at least ${field.min}`
      : field.max !== undefined
        ? `at most ${field.max}`
        : "";
  const hint = [bounds, field.unit].filter(Boolean).join(" ");
  return {
    nodes: [input, hint ? el("span", { class: "hint" }, hint) : null],
    input,
    read: () => wholeNumber(input.value),
  };
}

/**
 * A whole number as it was typed; "" if nothing was.
 *
 * @param {string} text
 * @returns {number | ""}
 */
function wholeNumber(text) {
  const typed = text.trim().replaceAll(",", "");
  if (typed && !/^\d{1,10}$/.test(typed)) throw new Error(`${text} is not a whole number`);
  return typed ? Number(typed) : "";
}

/**
 * @param {HTMLInputElement} input
 * @returns {number | ""}
 */
function amount(input) {
  if (!input.value.trim()) return "";
  const cents = centsFrom(input.value);
  if (cents === null) throw new Error(`${input.value} is not an amount of money; write 25 or 12.50`);
  return cents;
}

/**
 * One of several: buttons if there are few, else a list. `options` are [value, text, hint].
 *
 * @param {{
 *   id: string,
 *   options: Option[],
 *   describedby?: string | null,
 *   onchange?: () => void,
 *   optional?: boolean,
 *   first?: string,
 * }} asked
 * @returns {Control}
 */
export function oneOf({ id, options, describedby = null, onchange = () => {}, optional = false, first = "" }) {
  if (options.length > FEW) {
    const input = el(
      "select",
      { id, "aria-describedby": describedby, onchange },
      el("option", { value: "" }, ""),
      ...options.map(([value, text]) => el("option", { value }, text)),
    );
    input.value = first;
    return { nodes: [input], input, read: () => input.value };
  }
  const only = options.length === 1 && !optional ? options[0][0] : first;
  const inputs = options.map(([value]) =>
    el("input", { type: "radio", name: id, value, checked: value === only, onchange }),
  );
  const nodes = [
    el(
      "div",
      { class: "pills", id, "aria-describedby": describedby },
      ...options.map(([, text, hint], place) =>
        el("label", {}, inputs[place], el("span", {}, text, hint ? el("small", {}, ` ${hint}`) : null)),
      ),
    ),
  ];
  return {
    nodes: options.length ? nodes : [hintText("There is none to choose yet.")],
    input: inputs[0],
    isGroup: true,
    read: () => inputs.find((input) => input.checked)?.value ?? "",
  };
}

/**
 * Several of some: boxes.
 *
 * @param {{ options: Option[], describedby?: string | null, onchange?: () => void, chosen?: string[] }} asked
 * @returns {Control}
 */
export function someOf({ options, describedby = null, onchange = () => {}, chosen = [] }) {
  const inputs = options.map(([value]) =>
    el("input", { type: "checkbox", value, onchange, checked: chosen.includes(value) }),
  );
  return {
    nodes: [
      el(
        "div",
        { class: "pills many", "aria-describedby": describedby },
        ...options.map(([, text], place) => el("label", {}, inputs[place], el("span", {}, text))),
      ),
      options.length ? null : hintText("There is none to choose yet."),
    ],
    input: inputs[0],
    isGroup: true,
    read: () => inputs.filter((input) => input.checked).map((input) => input.value),
  };
}

/**
 * The people whom a field can name.
 *
 * @param {Server.Field} field
 * @returns {Option[]}
 */
function eligible(field) {
  const never = new Set(field.never ?? []);
  return book.people
    .filter(
      (person) =>
        (!field.of?.length || person.groups.some((group) => field.of?.includes(group))) &&
        !person.groups.some((group) => never.has(group)),
    )
    .map((person) => [person.account, person.name]);
}

/**
 * @param {Server.Field} field
 * @returns {string[]}
 */
function choices(field) {
  if (field.of_areas) return facility().areas;
  if (field.of_shifts) return facility().shifts.map((shift) => shift.name);
  if (field.of_forms) return Object.keys(book.forms).filter((key) => book.forms[key].manual);
  return field.of ?? [];
}

/**
 * The kind of things, the list or the paper that a field is of.
 *
 * @param {Server.Field} field
 */
const kindOf = (field) => field.of?.[0] ?? "";

/**
 * The things that a field can name: those in the states it asks for.
 *
 * @param {Server.Field} field
 * @param {Around["known"]} known
 * @returns {Server.KnownThing[]}
 */
function fitting(field, known) {
  return (known[kindOf(field)] ?? []).filter((thing) => !field.states?.length || field.states.includes(thing.state));
}

/**
 * Why a typed name is none of the things that fit; "" if it is: unknown, or in another state.
 *
 * @param {string} typed
 * @param {Server.KnownThing[]} fit
 * @param {Server.KnownThing[]} known
 * @returns {string}
 */
export function notFitting(typed, fit, known) {
  if (fit.some((thing) => thing.id === typed)) return "";
  const found = known.find((thing) => thing.id === typed);
  return found ? `is ${found.state.replaceAll("_", " ")}, which does not do here` : "not on record";
}

/**
 * The name of the patron who a thing is, or whose it is; "" if it is nobody's.
 *
 * @param {Server.KnownThing | undefined} thing
 * @returns {string}
 */
export const patronOf = (thing) =>
  thing ? patronName(thing.kind === "patron" ? thing.id : String(thing.facts?.patron ?? "")) : "";

/**
 * @param {Making} making
 * @returns {Control}
 */
function thingControl({ id, field, known, label: name, describedby, given }) {
  const kind = kindOf(field),
    fit = fitting(field, known).filter((thing) => !given || thing.id === given);
  if (fit.length <= FEW || kind === "person")
    return oneOf({
      id,
      describedby,
      optional: field.optional,
      options: fit.map((thing) => [thing.id, thingName(kind, thing.id), patronOf(thing)]),
    });
  const control = scanner({
    id,
    label: name,
    describedby,
    isSingle: true,
    known: fit.map((thing) => thing.id),
    check: (typed) => notFitting(typed, fit, known[kindOf(field)] ?? []),
    beside: (typed) => patronOf(fit.find((thing) => thing.id === typed)),
  });
  return { ...control, read: () => control.read()[0] ?? "" };
}

/**
 * @param {Making} making
 * @returns {Control}
 */
function thingsControl({ id, field, known, label: name, describedby }) {
  const fit = fitting(field, known);
  if (fit.length <= FEW || kindOf(field) === "person")
    return someOf({ options: fit.map((thing) => [thing.id, thingName(kindOf(field), thing.id)]), describedby });
  return scanner({
    id,
    label: name,
    describedby,
    known: fit.map((thing) => thing.id),
    check: (typed) => notFitting(typed, fit, known[kindOf(field)] ?? []),
  });
}

/**
 * @param {Making} making
 * @returns {Control}
 */
function perThing({ id, field, label: name }) {
  const host = el("div", { class: "per-thing" });
  const typed = new Map();
  /** @type {HTMLInputElement[]} */
  let inputs = [];
  /** @param {string[]} ids */
  const follow = (ids) => {
    inputs = ids.map((each, place) => {
      /** @type {HTMLInputElement} */
      const input = el("input", {
        id: `${id}-${place}`,
        inputmode: "numeric",
        autocomplete: "off",
        enterkeyhint: "next",
        "aria-label": `${name}: ${each}`,
        value: typed.get(each) ?? "",
        oninput: () => {
          typed.set(each, input.value);
        },
        onkeydown: (event) => {
          if (event.key === "Enter" && inputs[place + 1]) {
            event.preventDefault();
            inputs[place + 1].focus();
          }
        },
      });
      return input;
    });
    host.replaceChildren(
      ...ids.map((id, place) => el("div", {}, el("span", { "aria-hidden": "true" }, id), inputs[place])),
      ids.length ? "" : hintText("First say which."),
    );
  };
  follow([]);
  const bounds = field.min !== undefined && field.max !== undefined ? `${field.min} to ${field.max} ` : "";
  return {
    nodes: [host, el("span", { class: "hint" }, `${bounds}${field.unit ?? ""}`)],
    isGroup: true,
    follow,
    get input() {
      return inputs[0];
    },
    read: () =>
      Object.fromEntries(
        [...typed]
          .filter(
            ([item, text]) =>
              text.trim() && inputs.some((input) => input.getAttribute("aria-label") === `${name}: ${item}`),
          )
          .map(([item, text]) => [item, wholeNumber(text)]),
      ),
  };
}

/**
 * @param {Making} making
 * @returns {Control}
 */
function checklist({ field, subjects }) {
  const facts = subjects.map((thing) => thing.facts ?? {});
  const items = Object.entries(book.checklists[kindOf(field)]?.items ?? {}).filter(
    ([, item]) =>
      !(item.unless && facts.some((fact) => fact[item.unless ?? ""])) &&
      !(item.only && facts.length && !facts.some((fact) => fact[item.only ?? ""])),
  );
  const inputs = items.map(([key]) => el("input", { type: "checkbox", value: key }));
  const rows = el(
    "ul",
    { class: "checklist" },
    ...items.map(([, item], place) =>
      el("li", {}, el("label", {}, inputs[place], el("span", {}, label(item.says)), clause(clauseOf(item)))),
    ),
  );
  /**
   * @param {Fault[]} faults
   * @returns {Fault[]}
   */
  const mark = (faults) => {
    // what was not seen is marked where it stands
    const keys = faults.map((fault) => /^([a-z0-9_]+): /.exec(fault.why)?.[1]);
    for (const input of inputs) input.closest("li")?.classList.toggle("is-wrong", keys.includes(input.value));
    const rest = faults.filter((_, place) => !inputs.some((input) => input.value === keys[place]));
    return faults.length > rest.length ? [{ why: `${faults.length - rest.length} not seen` }, ...rest] : rest;
  };
  return {
    nodes: [rows],
    mark,
    isGroup: true,
    input: inputs[0],
    read: () => Object.fromEntries(inputs.map((input) => [input.value, input.checked])),
  };
}

/**
 * @param {Making} making
 * @returns {Control}
 */
function shares({ id, field, subjects }) {
  /** @type {[account: string, input: HTMLInputElement, name: string][]} */
  const rows = eligible(field).map(([account, name], place) => [
    account,
    el("input", {
      id: `${id}-${place}`,
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": `Share of ${name}`,
      oninput: () => show(),
    }),
    name,
  ]);
  const asked = subjects.map((thing) => thing.facts?.[field.total ?? ""]).find((item) => item !== undefined);
  const total = el("output", { class: "total" });
  const show = () => {
    const sum = rows.reduce((all, [, input]) => all + (centsFrom(input.value) ?? 0), 0);
    total.textContent = asked === undefined ? `Total ${money(sum)}` : `${money(sum)} of ${money(asked)}`;
  };
  show();
  return {
    nodes: [
      el(
        "div",
        { class: "per-thing" },
        ...rows.map(([, input, name]) =>
          el("div", {}, el("span", { "aria-hidden": "true" }, name), amountField(input)),
        ),
      ),
      total,
    ],
    isGroup: true,
    input: rows[0]?.[1],
    read: () =>
      Object.fromEntries(rows.map(([account, input]) => [account, amount(input)]).filter(([, cents]) => cents)),
  };
}

/**
 * Keep a form from being sent while a file of it is on its way; returns what lets it go.
 *
 * @param {HTMLFormElement | null} form
 * @returns {() => void}
 */
function holdBack(form) {
  const submit = form && submitOf(form);
  if (!form || !submit) return () => {};
  const many = () => Number(form.dataset.attaching ?? 0);
  form.dataset.attaching = String(many() + 1);
  submit.disabled = true;
  return () => {
    form.dataset.attaching = String(many() - 1);
    submit.disabled = many() > 0;
  };
}

/**
 * What a document has served before, in words; "" if nothing.
 *
 * @param {string} digest
 * @returns {Promise<string>}
 */
async function usedBy(digest) {
  /** @type {{ served: string[] }} */
  const { served } = await get(`/api/office/${here.office}/served/${digest}`);
  return served.join("; ");
}

/**
 * A document: the file stays on this machine, its SHA-256 goes into the log.
 *
 * @param {{ id: string, describedby?: string | null, once?: boolean }} asked `once`: it must not have served before
 * @returns {Control & { input: HTMLInputElement }}
 */
export function documentControl({ id, describedby = null, once = false }) {
  let digest = "";
  const shown = el("span", { class: "hint", role: "status" });
  const input = el("input", {
    id,
    type: "file",
    "aria-describedby": describedby,
    onchange: async () => {
      digest = "";
      const file = input.files?.[0];
      if (!file) {
        shown.textContent = "";
        return;
      }
      shown.textContent = "Storing …";
      const free = holdBack(input.form);
      try {
        const own = toHex(sha256(new Uint8Array(await file.arrayBuffer())));
        const stored = await attach(file);
        if (stored !== own) throw new Error("The server has stored something else. Choose the file again.");
        digest = stored;
        const used = once ? await usedBy(digest) : "";
        shown.textContent = used
          ? `Used before: ${used}.`
          : `Attached: ${file.name}; its SHA-256 ${digest.slice(0, 16)} … goes on record.`;
        shown.classList.toggle("is-wrong", Boolean(used));
      } catch (refused) {
        shown.textContent = refusalsIn(refused)[0].why;
      } finally {
        free();
      }
    },
  });
  return { nodes: [input, shown], input, read: () => digest };
}

/** @type {{ [type: string]: (making: Making) => Control }} */
const CONTROLS = {
  yes: box,
  no: box,
  flag: box,
  number: numberControl,
  act: numberControl,
  cents: (making) => {
    const control = simple({ inputmode: "decimal" }, amount)(making);
    return { ...control, nodes: [amountField(/** @type {HTMLInputElement} */ (control.input))] };
  },
  choice: ({ id, field, describedby, given = "" }) =>
    oneOf({
      id,
      describedby,
      first: given,
      optional: field.optional,
      options: choices(field).map((choice) => [choice, label(choice.replaceAll("_", " "))]),
    }),
  some: ({ field, describedby }) =>
    someOf({ describedby, options: (field.of ?? []).map((value) => [value, label(value.replaceAll("_", " "))]) }),
  day: simple({ type: "date" }),
  moment: simple({ type: "datetime-local" }, (input) => input.value.replace("T", " ")),
  document: ({ id, describedby, field }) => documentControl({ id, describedby, once: Boolean(field.once) }),
  house: houseControl,
  sheet: sheetControl,
  thing: thingControl,
  things: thingsControl,
  ids: ({ id, label: name, describedby }) => scanner({ id, label: name, describedby }),
  codes: ({ id, label: name, describedby }) =>
    scanner({
      id,
      label: name,
      describedby,
      shown: formNumber,
      check: (code) => (formNumber(code) === code ? "no code of a form: type its number below" : ""),
    }),
  times: ({ id, label: name, describedby }) => scanner({ id, label: name, describedby, example: TIMES_EXAMPLE }),
  person: ({ id, field, describedby }) =>
    oneOf({ id, describedby, optional: field.optional, options: eligible(field) }),
  people: ({ field, describedby }) => someOf({ options: eligible(field), describedby }),
  units: (given) => ({ ...unitsControl(given), isGroup: true }),
  checklist,
  per_thing: perThing,
  lines: (making) => linesControl(making, { fieldControl, readAll }),
  shares,
};
