// The form of an act, made from its fields; whoever must sign it can do so on the spot.

import { submitOf } from "../dom.js";
import { el, hintText } from "../elements.js";
import { get } from "../http.js";
import { centsFrom, money } from "../money.js";
import { stampControl } from "./body_keys.js";
import {
  amOf,
  bodyOf,
  book,
  clause,
  clauseOf,
  doneBy,
  here,
  isValue,
  mayDo,
  momentFrom,
  personName,
  tellingOf,
  thingName,
  thingsOf,
} from "./book.js";
import { documentControl, fieldControl, label, notFitting, oneOf, patronOf, readAll, someOf } from "./fields.js";
import { scanner } from "./scanner.js";
import { closeSheet, commandForm, say, showSheet } from "./sheet.js";
import { signSteps } from "./sign.js";
import { plannedTournaments, takeOverPlan } from "./tournament_rules.js";

/** @import { Act } from "./book.js" */
/** @import { Control, FieldControls, Option } from "./fields.js" */
/** @import { Current } from "./papers.js" */
/** @import { Scanner } from "./scanner.js" */
/** @typedef {{ node: HTMLElement, read: () => string[], focus?: () => void }} SubjectControl */

const FEW = 8;
const LIVE_METER = "live_meter"; // the field that the server fills in
const NAME_HINT = "Letters, digits and . _ # - only, no spaces";
const isName = new RegExp(`^(?:${here.id_pattern})$`);

/**
 * Open the form of an act, for some things if they are known. `then` is called after it was recorded. `given` fields
 * are filled in already.
 *
 * @param {string} key
 * @param {string[]} [ids]
 * @param {() => void} [then]
 * @param {{ [field: string]: any }} [given]
 */
export async function openAct(key, ids = [], then = () => {}, given = {}) {
  const act = book.acts[key];
  const kinds = new Set(
    [
      act.thing,
      ...Object.values(act.fields)
        .filter((field) => ["thing", "things"].includes(field.type))
        .map((field) => field.of?.[0] ?? ""),
    ].filter(Boolean),
  );
  /** @type {{ [kind: string]: Server.KnownThing[] }} */
  const known = Object.fromEntries(await Promise.all([...kinds].map(async (kind) => [kind, await thingsOf(kind)])));
  const how = mayDo(act);
  const isOfTournament = act.thing === "tournament";
  if (isOfTournament && act.new && !ids.length) {
    const planned = await plannedTournaments(
      known.tournament.map((/** @type {Server.KnownThing} */ thing) => thing.id),
    );
    if (planned.length === 1) ids = [planned[0].id];
  }
  /** @type {Server.KnownThing[]} */
  const subjects = act.thing
    ? (known[act.thing] ?? []).filter((/** @type {Server.KnownThing} */ thing) => ids.includes(thing.id))
    : [];
  /** @type {FieldControls} */
  const controls = {};
  /** @type {Current} */
  const current = { ids: () => which?.read() ?? [], value: (name) => controls[name]?.read() };
  for (const [name, field] of Object.entries(act.fields))
    controls[name] = fieldControl(name, field, {
      act,
      known,
      subjects,
      current,
      needed: book.needed[key]?.[name] ?? "",
      given: given[name],
    });
  const follow = () => {
    for (const control of Object.values(controls)) control.follow(which?.read() ?? []);
  };
  /** @type {SubjectControl | null} */
  let which = null; // things that are known already are taken while it is made
  which = subjectControl(act, ids, known[act.thing] ?? [], follow);
  follow();
  const isNotice = how === "self" && asksForProof(key, act);
  const paper = how === "paper" ? paperControls(papersOf(controls)[0]) : isNotice ? proofControls() : null;
  const earlier = earlierControl(act);
  const command = async () => ({
    command: "do-act",
    act: key,
    things: which ? which.read() : [],
    fields: await readAll(controls),
    ...(earlier?.read() ?? {}),
    ...(paper ? { paper: paper.read() } : {}),
  });
  const stamp = stampControl(book.words[key] ? bodyOf(act.by) || bodyOf(act.tells ?? []) : "", command);
  const show = () => showAsked(controls, subjects);
  const form = commandForm({
    label: act.name,
    button: how === "paper" ? "Record from the paper" : "Record",
    controls,
    nodes: [
      ...introduction(act, how),
      which?.node,
      ...Object.values(controls).map((control) => control.node),
      liveMeter(controls, subjects),
      paper?.node,
      stamp.node,
      earlier?.node ?? null,
      signers(act, how === "paper" || isNotice),
    ],
    make: async () => [{ ...(await command()), ...stamp.read() }],
    ondone: async (answer) => {
      then();
      await signSteps(answer, act, () => then());
    },
  });
  form.addEventListener("change", show);
  showSheet(act.name, [form]);
  show();
  if (isOfTournament && ids.length === 1) await takeOverPlan(form, ids[0]);
  const first = which?.focus ?? Object.values(controls)[0]?.focus;
  (first ?? (() => submitOf(form)?.focus()))();
}

/**
 * What the live table has on the meter that is read, which the server writes down itself.
 *
 * @param {FieldControls} controls
 * @param {Server.KnownThing[]} subjects
 * @returns {HTMLElement | null}
 */
function liveMeter(controls, subjects) {
  const shown = controls[LIVE_METER]?.field.shown;
  const [id, wager] = (shown ?? []).map((fact) => String(subjects[0]?.facts?.[fact] ?? ""));
  if (!id || !wager) return null;
  const place = hintText("");
  get(`/api/tables/${encodeURIComponent(id)}`)
    .then((/** @type {{ table: Server.TableView }} */ { table }) => {
      const meter = table.markers.find((marker) => marker.kind === wager)?.meter;
      place.textContent =
        meter === undefined
          ? "The live table has no such meter."
          : `The live table has ${money(meter)} on it. Where the meter shows something else, say why.`;
    })
    .catch(() => {
      place.textContent = "The live table cannot be read just now.";
    });
  return place;
}

/**
 * Hide what a flag of the form, or a fact of the thing, makes needless.
 *
 * @param {FieldControls} controls
 * @param {Server.KnownThing[]} subjects
 */
function showAsked(controls, subjects) {
  /** @param {string} name */
  const isTrue = (name) =>
    controls[name]
      ? ["flag", "yes", "no"].includes(controls[name].field.type) && controls[name].read()
      : subjects.some((thing) => thing.facts?.[name]);
  for (const [name, control] of Object.entries(controls))
    control.node.hidden = Boolean(
      name === LIVE_METER ||
        (control.field.unless && isTrue(control.field.unless)) ||
        (control.field.only && !isTrue(control.field.only)),
    );
}

/**
 * @param {Act} act
 * @param {string} how
 */
function introduction(act, how) {
  const body = bodyOf(act.by);
  return [
    how === "paper" ? hintText(`This is the act of the ${body}: record it from its paper.`) : null,
    !how ? el("p", { class: "said is-warning" }, `${doneBy(act)}.`) : null,
    act.thing === "die" && act.fields.table ? setText() : null,
    act.is_fact ? hintText("It is recorded as it happened. What breaks a rule opens an incident.") : null,
    clauseOf(act) !== "practice" ? hintText(clause(clauseOf(act))) : null,
  ].filter(Boolean);
}

/** How many dice make a set at each table by the rules it is dealt by: so many are offered to a shooter. */
function setText() {
  const sets = Object.entries(book.dice_sets);
  return sets.length
    ? hintText(
        sets.map(([table, dice]) => `At ${thingName("table", table)} a set is ${dice} dice`).join("; "),
        ": that many are offered to a shooter, so put in that many.",
      )
    : null;
}

/** @param {Server.Signature} signer */
const nameOfSigner = (signer) =>
  signer.counts
    ? `${signer.name}, who counts again without seeing these figures`
    : signer.others
      ? `${signer.name}, and is not named here`
      : signer.name;

/**
 * @param {Act} act
 * @param {boolean} isOnPaper
 */
function signers(act, isOnPaper) {
  const all = Object.values(act.signs).filter((signer) => !signer.only && (!signer.of_papers || isOnPaper));
  return all.length
    ? hintText(`Then ${all.length === 1 ? "signs" : "sign"}: ${all.map(nameOfSigner).join("; ")}.`)
    : null;
}

/**
 * What identifies a new thing, from what was typed: of what is identified by its value, money as cents.
 *
 * @param {string} kind
 * @param {string} typed
 */
const nameFrom = (kind, typed) => (isValue(kind) ? String(centsFrom(typed) ?? typed) : typed);

/**
 * What an act is done to: typed, scanned or chosen.
 *
 * @param {Act} act
 * @param {string[]} ids
 * @param {Server.KnownThing[]} known
 * @param {() => void} onchange
 * @returns {SubjectControl | null}
 */
function subjectControl(act, ids, known, onchange) {
  if (!act.thing) return null;
  const thing = book.things[act.thing],
    name = label(thing.name);
  if (act.new && thing.series)
    return {
      node: hintText(`The ${thing.name} gets the next number of its series.`),
      read: () => [],
    };
  const fit = known.filter(
    (known) => !(thing.final ?? []).includes(known.state) && (!act.states.length || act.states.includes(known.state)),
  );
  const id = "subject-of-act";
  /** @type {Control | Scanner} */
  let control;
  if (act.thing === "person" && act.new) {
    const left = book.people.filter((person) => !known.some((other) => other.id === person.account));
    control = oneOf({
      id,
      options: left.map((person) => [person.account, person.name]),
      onchange,
      first: ids[0] ?? "",
    });
  } else if (act.thing === "person") {
    /** @type {Option[]} */
    const options = fit.map((thing) => [thing.id, personName(thing.id)]);
    control = act.many
      ? someOf({ options, onchange, chosen: ids })
      : oneOf({ id, options, onchange, first: ids[0] ?? "" });
  } else if (isValue(act.thing) && !act.new) {
    /** @type {Option[]} */
    const options = fit.map((thing) => [thing.id, thingName(act.thing, thing.id)]);
    control = act.many
      ? someOf({ options, onchange, chosen: ids })
      : oneOf({ id, options, onchange, first: ids[0] ?? "" });
  } else if (!act.new && !act.many && known.length <= FEW && !act.is_fact) {
    control = oneOf({
      id,
      options: fit.map((thing) => [thing.id, thingName(act.thing, thing.id), patronOf(thing)]),
      onchange,
      first: ids[0] ?? "",
    });
  } else {
    const states = new Map(known.map((thing) => [thing.id, thing.state]));
    /** @param {string} typed */
    const check = (typed) => {
      const named = nameFrom(act.thing, typed);
      if (act.new && !isName.test(named)) return thing.hint || NAME_HINT;
      if (act.new) return states.has(named) ? "on record already" : "";
      return notFitting(typed, fit, known);
    };
    const scanned = scanner({
      id,
      label: name,
      isSingle: !act.many,
      check,
      onchange,
      beside: (typed) => patronOf(fit.find((thing) => thing.id === typed)),
      known: act.new ? [] : fit.map((thing) => thing.id),
    });
    const only = act.new || act.many || fit.length !== 1 ? [] : [fit[0].id];
    if (ids.length || only.length) scanned.add(ids.length ? ids : only);
    if (act.new && !isValue(act.thing)) {
      scanned.input.pattern = here.id_pattern;
      scanned.input.title = NAME_HINT;
    }
    control = scanned;
  }
  /** @type {() => string[]} */
  const typed = () => [control.read()].flat().filter(Boolean);
  const read = () => (act.new ? typed().map((name) => nameFrom(act.thing, name)) : typed());
  const isNamed = act.new && act.thing !== "person";
  const written = isNamed ? hintText(thing.hint || `${NAME_HINT}.`) : null;
  const which = act.many ? "which ones" : isNamed ? "its name or number" : "which one";
  const legend = [`${name}: ${which}`, " ", clause(clauseOf(thing))];
  const node =
    "isGroup" in control && control.isGroup
      ? el("fieldset", { class: "row field" }, el("legend", {}, ...legend), ...control.nodes)
      : el(
          "div",
          { class: "row field" },
          el("label", { for: id }, ...legend),
          ...control.nodes.filter(Boolean),
          ...(written ? [written] : []),
        );
  return { node, read, focus: () => control.input?.focus() };
}

/**
 * Whether whoever opened the page must prove that an outside body was told something: a body itself need not.
 *
 * @param {string} key
 * @param {Act} act
 */
const asksForProof = (key, act) =>
  book.words[key] === "notice" && !amOf(act.by.filter((group) => book.roles[group]?.body));

/** The document that proves that an outside body was told something. */
function proofControls() {
  const file = documentControl({ id: "paper-document", once: true });
  return {
    node: el(
      "div",
      { class: "row paper" },
      el("label", { for: file.input.id }, "The proof that it was told: a receipt, or a note of who was told"),
      ...file.nodes,
    ),
    read: () => ({ document: file.read() }),
  };
}

/**
 * The fields of a form that are documents and must be there: the paper of an outside body is the first of them.
 *
 * @param {FieldControls} controls
 */
const papersOf = (controls) =>
  Object.values(controls).filter(
    ({ field }) => field.type === "document" && !field.optional && !field.only && !field.unless,
  );

/**
 * The paper from which an outside body's act is recorded. Where a field of the act asks for it, it is not asked for
 * again.
 *
 * @param {FieldControls[string]} [asked]
 */
export function paperControls(asked) {
  const file = documentControl({ id: "paper-document", once: true });
  const reference = el("input", { id: "paper-reference", autocomplete: "off", maxlength: 200 });
  const received = el("input", { id: "paper-received", type: "date" });
  /**
   * @param {string} name
   * @param {HTMLElement} control
   */
  const row = (name, control) => el("div", { class: "row" }, el("label", { for: control.id }, name), control);
  return {
    node: el(
      "fieldset",
      { class: "row paper" },
      el("legend", {}, "Its paper"),
      asked
        ? el(
            "details",
            { class: "file" },
            el("summary", {}, "It is the document above, unless you attach another"),
            el("label", { for: file.input.id }, "The document"),
            ...file.nodes,
          )
        : el("div", { class: "row" }, el("label", { for: file.input.id }, "The document"), ...file.nodes),
      row("Its reference", reference),
      row("The day it came", received),
    ),
    read: () => ({
      document: file.read() || (asked?.read() ?? ""),
      reference: reference.value.trim(),
      received: received.value,
    }),
  };
}

/** @param {Server.Telling} telling */
function laterText(telling) {
  const counts =
    telling.counts === "entry" ? "It counts from now, whatever is said here." : "It counts from its dated document.";
  const { count, unit } = telling.within ?? { count: 0, unit: "minutes" };
  const late = `Told more than ${count} ${unit.replaceAll("_", " ")} later it is marked`;
  return `${counts} ${late}${telling.second ? `, and somebody signs it too: ${telling.second.name}` : ""}.`;
}

/** @param {Act} act */
function earlierControl(act) {
  const telling = tellingOf(act);
  if (telling && telling.counts === "entry" && !telling.within && !act.is_fact) return null; // it counts from now
  const input = el("input", { id: "occurred", type: "datetime-local" });
  const node = el(
    "details",
    { class: "earlier", open: false },
    el("summary", {}, act.is_fact ? "When did it happen? Now, unless you say otherwise" : "It was done earlier"),
    el(
      "div",
      { class: "row" },
      el("label", { for: "occurred" }, `Date and time, ${book.facility?.zone ?? "local"}`),
      input,
    ),
    telling ? el("p", { class: "hint" }, laterText(telling)) : null,
  );
  return { node, read: () => (input.value ? { occurred: momentFrom(input.value) } : {}) };
}

/**
 * Do an act that asks for nothing in one tap; with fields or signatures its form opens.
 *
 * @param {string} key
 * @param {string[]} ids
 * @param {() => void} then
 */
export async function doAtOnce(key, ids, then) {
  const act = book.acts[key];
  const isAsked = Object.values(act.fields).some((field) => !field.optional);
  const isSigned = Object.values(act.signs).some((signer) => !signer.of_papers) || asksForProof(key, act);
  if (isAsked || isSigned || book.body_keys[bodyOf(act.by)] || mayDo(act) !== "self") {
    await openAct(key, ids, then);
    return;
  }
  const form = commandForm({
    label: act.name,
    controls: {},
    nodes: [el("p", {}, `${act.name}: ${ids.map((id) => thingName(act.thing, id)).join(", ")}.`)],
    make: () => [{ command: "do-act", act: key, things: ids, fields: {} }],
    ondone: (answer) => {
      closeSheet();
      say(answer.lines);
      then();
    },
  });
  showSheet(act.name, [form]);
  form.requestSubmit(); // a refusal stays on the sheet, with a button to try again
}
