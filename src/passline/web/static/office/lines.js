// What was written on manual slips in an outage: a line for each act, with its slip, when, who did it and who signed.

import { buttonFor, el, hintText } from "../elements.js";
import { Refused, refusalsIn } from "../http.js";
import { book, momentFrom, thingsOf } from "./book.js";

/** @import { Act } from "./book.js" */
/** @import { Around, Control, FieldControl, FieldControls, Making, Option } from "./fields.js" */
/**
 * How fields are made and read, from the module that has this one among its controls.
 *
 * @typedef {object} Fields
 * @property {(key: string, field: Server.Field, around: Around) => FieldControl} fieldControl
 * @property {(controls: FieldControls) => Promise<{ [key: string]: any }>} readAll
 */
/** @typedef {{ node: HTMLElement, read: () => Promise<{ [key: string]: any }>, focus: () => void }} Line */

let made = 0;

/**
 * The lines of what is told after an outage; more are added one by one.
 *
 * @param {Making} making
 * @param {Fields} fields
 * @returns {Control}
 */
export function linesControl({ act, describedby }, fields) {
  /** @type {Line[]} */
  let lines = [];
  const host = el("ol", { class: "slip-lines", "aria-describedby": describedby });
  const batch = /** @type {{ slip?: string }} */ (act.batch ?? {});
  const kind = batch.slip ?? "";
  /** @type {Promise<Server.KnownThing[]>} */
  const slips = kind ? thingsOf(kind) : Promise.resolve([]);
  const add = async () => {
    const before = lines.at(-1);
    const line = lineOf(fields, kind, await slips, () => {
      lines = lines.filter((other) => other !== line);
      line.node.remove();
    });
    lines.push(line);
    host.append(line.node);
    if (before) line.focus();
  };
  const button = buttonFor("Add a line", add);
  return {
    nodes: [
      hintText("One line for each act, with the number of the slip it is written on. All are told, or none."),
      host,
      button,
    ],
    input: button,
    isGroup: true,
    read: () => readLines(lines),
  };
}

/**
 * Every line as it is sent; the faults of all are thrown at once, each with the number of its line.
 *
 * @param {Line[]} lines
 */
async function readLines(lines) {
  const faults = [],
    read = [];
  for (const [place, line] of lines.entries()) {
    try {
      read.push(await line.read());
    } catch (wrong) {
      faults.push(...refusalsIn(wrong).map((fault) => ({ ...fault, why: `line ${place + 1}: ${fault.why}` })));
    }
  }
  if (faults.length) throw new Refused(faults);
  return read;
}

/**
 * One line. Which acts it may be depends on the form of its slip; what is asked for, on its act.
 *
 * @param {Fields} fields
 * @param {string} kind of thing that a slip is
 * @param {Server.KnownThing[]} slips
 * @param {() => void} remove
 * @returns {Line}
 */
function lineOf(fields, kind, slips, remove) {
  made += 1;
  const id = `line-${made}`;
  const open = slips.filter((slip) => !(book.things[kind]?.final ?? []).includes(slip.state));
  const slip = el("input", { id: `${id}-slip`, autocomplete: "off", list: `${id}-slips`, oninput: () => showActs() });
  const what = el("select", { id: `${id}-act`, onchange: () => showFields() });
  const when = el("input", { id: `${id}-occurred`, type: "datetime-local" });
  const who = el("select", { id: `${id}-by` });
  const things = el("input", { id: `${id}-things`, autocomplete: "off" });
  const thingsRow = row("Done to", things);
  const host = el("div", { class: "stack" });
  /** @type {FieldControls} */
  let controls = {};
  /** @type {Map<string, HTMLSelectElement>} */
  let signs = new Map();
  const showActs = () => {
    const form = open.find((known) => known.id === scanned(slip.value))?.facts?.form;
    /** @type {string[]} */
    const keys = form ? (book.forms[form]?.manual_acts ?? []) : actsAboutSlips(kind);
    const before = what.value;
    what.replaceChildren(...options(keys.map((key) => [key, book.acts[key]?.name ?? key])));
    if (keys.includes(before)) what.value = before;
    else showFields();
  };
  const showFields = async () => {
    const act = book.acts[what.value];
    const known = act ? await thingsOfFields(act) : {};
    controls = {};
    signs = new Map();
    who.replaceChildren(...options(act ? peopleOf(act.by) : []));
    thingsRow.hidden = !act?.thing || Boolean(act.new && book.things[act.thing]?.series);
    for (const [key, field] of Object.entries(act?.fields ?? {}))
      controls[key] = fields.fieldControl(key, field, { act, known, subjects: [] });
    for (const [part, sign] of Object.entries(act?.signs ?? {}))
      if (!sign.of_papers && !sign.nobodys)
        signs.set(part, el("select", { id: `${id}-sign-${part}` }, ...options(peopleOf(sign.by))));
    host.replaceChildren(
      ...Object.values(controls).map((control) => control.node),
      ...[...signs].map(([part, select]) => row(`Signed: ${act.signs[part].name}`, select)),
    );
  };
  showActs();
  const node = el(
    "li",
    { class: "slip-line panel" },
    row("Slip", slip),
    el("datalist", { id: `${id}-slips` }, ...open.slice(0, 500).map((known) => el("option", { value: known.id }))),
    row("What was done", what),
    row(`When, ${book.facility?.zone ?? "local time"}`, when),
    row("Who did it", who),
    thingsRow,
    host,
    buttonFor("Leave this line out", remove),
  );
  return {
    node,
    focus: () => slip.focus(),
    read: async () => {
      if (!what.value || !when.value || !who.value) throw new Error("say the slip, what was done, when and by whom");
      const read = await fields.readAll(controls);
      const signed = Object.fromEntries([...signs].map(([part, select]) => [part, select.value]));
      return {
        act: what.value,
        by: who.value,
        occurred: momentFrom(when.value),
        slip: scanned(slip.value),
        things: thingsRow.hidden ? [] : things.value.split(/[\s,]+/).filter(Boolean),
        fields: read,
        signed: Object.fromEntries(Object.entries(signed).filter(([, account]) => account)),
      };
    },
  };
}

/**
 * The number in what a scanner reads from a slip, or the number as it was typed.
 *
 * @param {string} text
 * @returns {string}
 */
const scanned = (text) =>
  (text.trim().toUpperCase().startsWith("PASSLINE:") ? text.split(":").at(-1) : text)?.trim() ?? "";

/** The acts about slips themselves that the pages let a line be; none: all of them. */
const listedLines = () => Object.values(book.acts).flatMap((act) => act.batch?.slip_acts ?? []);

/**
 * The acts that say what became of slips themselves, such as that one is void.
 *
 * @param {string} kind
 */
const actsAboutSlips = (kind) =>
  Object.entries(book.acts)
    .filter(([key, act]) => act.thing === kind && !act.new && (!listedLines().length || listedLines().includes(key)))
    .map(([key]) => key);

/**
 * The things that the fields of an act can name.
 *
 * @param {Act} act
 * @returns {Promise<{ [kind: string]: Server.KnownThing[] }>}
 */
async function thingsOfFields(act) {
  const kinds = new Set(
    Object.values(act.fields)
      .filter((field) => ["thing", "things"].includes(field.type))
      .map((field) => field.of?.[0] ?? ""),
  );
  return Object.fromEntries(await Promise.all([...kinds].map(async (kind) => [kind, await thingsOf(kind)])));
}

/**
 * Who belongs to one of these groups.
 *
 * @param {string[]} groups
 * @returns {Option[]}
 */
const peopleOf = (groups) =>
  book.people
    .filter((person) => person.groups.some((group) => groups.includes(group)))
    .map((person) => [person.account, person.name]);

/** @param {Option[]} all */
const options = (all) => [
  el("option", { value: "" }, ""),
  ...all.map(([value, text]) => el("option", { value }, text)),
];

/**
 * @param {string} name
 * @param {HTMLElement} control
 */
const row = (name, control) => el("div", { class: "row" }, el("label", { for: control.id }, name), control);
