// Signing an act: as oneself or with name and PIN on the spot; second counts are entered without seeing the first.

import { submitOf } from "../dom.js";
import { buttonFor, el, hintText } from "../elements.js";
import { get } from "../http.js";
import {
  amOf,
  book,
  clause,
  clauseOf,
  factList,
  groupWords,
  here,
  outcome,
  signatureOf,
  thingName,
  withNames,
} from "./book.js";
import { fieldControl, label, oneOf, readAll } from "./fields.js";
import { closeSheet, commandForm, say, showSheet } from "./sheet.js";

/** @import { Act } from "./book.js" */
/** @import { Option } from "./fields.js" */
/** @import { CommandForm } from "./sheet.js" */
/**
 * An act that waits for a signature.
 *
 * @typedef {Omit<Server.ToSign, "at" | "fields"> & { fields?: { [key: string]: any }, said?: string[] }} Unsigned
 */
/** @typedef {(answer: Server.OfficeReceipt, account: string) => unknown} Signed */

/**
 * After an act was recorded: ask for each signature it waits for; whatever is left waits on the page of today.
 *
 * @param {Server.OfficeReceipt} answer
 * @param {Act} act
 * @param {() => void} then
 */
export async function signSteps(answer, act, then) {
  const { done, completed } = outcome(answer);
  const waits = done && !completed ? [...done.waits] : [];
  say(answer.lines);
  /**
   * @param {string[]} hands
   * @param {string[]} lines
   */
  const next = (hands, lines) => {
    const part = waits.shift();
    if (!part || !done) {
      closeSheet();
      return;
    }
    openSignature({ ...unsignedPart(done, act, part, hands), said: lines }, (signed, by) => {
      then();
      if (outcome(signed).voided) closeSheet();
      else next([...hands, by], signed.lines);
    });
  };
  next([here.account], answer.lines);
}

/**
 * A signature that a recorded act waits for; whoever counts again is not shown what was counted first.
 *
 * @param {Server.ActDone} done
 * @param {Act} act
 * @param {string} part
 * @param {string[]} hands
 * @returns {Unsigned}
 */
export function unsignedPart(done, act, part, hands) {
  const { name, by, counts, cite } = signatureOf(act, part);
  return {
    number: done.number,
    act: done.act,
    name: act.name,
    things: done.things,
    by: here.name,
    part,
    wants: name,
    roles: by,
    clause: clauseOf({ cite }),
    counts: Boolean(counts),
    hands,
    fields: counts ? {} : done.fields,
  };
}

/**
 * Open the sheet on which somebody signs. `ondone(answer, account)` is called afterwards.
 *
 * @param {Unsigned} entry
 * @param {Signed} ondone
 */
export function openSignature(entry, ondone) {
  const { form, focus } = signatureForm(entry, ondone);
  showSheet(`Sign: ${entry.name}`, [form]);
  focus();
}

/**
 * The form with which somebody signs: {form, focus}. `page` is what differs on a page of its own: its cancel button.
 *
 * @param {Unsigned} entry
 * @param {Signed} ondone
 * @param {Partial<CommandForm>} [page]
 */
export function signatureForm(entry, ondone, page = {}) {
  const act = book.acts[entry.act];
  const canSelf = amOf(entry.roles) && !entry.hands.includes(here.account);
  const signers = book.people.filter(
    (person) =>
      person.account !== here.account &&
      !entry.hands.includes(person.account) &&
      person.groups.some((group) => entry.roles.includes(group)),
  );
  /** @type {Option[]} */
  const options = [
    ...(canSelf ? [/** @type {Option} */ ([here.account, `${here.name} (you)`])] : []),
    ...signers.map((person) => /** @type {Option} */ ([person.account, person.name])),
  ];
  const pin = el("input", { id: "sign-pin", type: "password", inputmode: "numeric", autocomplete: "off" });
  const pinRow = el("div", { class: "row" }, el("label", { for: "sign-pin" }, "PIN"), pin);
  const asked = el("div", { class: "signers" });
  let who = oneOf({ id: "signer", options: [], onchange: () => show() });
  /**
   * @param {Option[]} offered
   * @param {Server.Signer[]} unfit of the right roles, who may not sign now
   */
  const offer = (offered, unfit) => {
    const before = who.read() || (canSelf ? here.account : "");
    const first = offered.some(([account]) => account === before) ? before : "";
    who = oneOf({ id: "signer", options: offered, first, onchange: () => show() });
    asked.replaceChildren(
      offered.length
        ? el("fieldset", { class: "row" }, el("legend", {}, "Who signs"), ...who.nodes.filter((node) => node !== null))
        : el(
            "p",
            { class: "said is-warning" },
            unfit.length
              ? "Nobody may sign it now."
              : `Nobody else is ${groupWords(entry.roles)}: open an account for one.`,
          ),
      ...(unfit.length
        ? [hintText(`Not now: ${unfit.map(({ name, why }) => `${name} (${withNames(why)})`).join("; ")}.`)]
        : []),
    );
  };
  const refine = async () => {
    /** @type {Server.SignersAnswer} */
    const { signers: all } = await get(`/api/office/${here.office}/signers/${entry.number}/${entry.part}`);
    const fit = new Set(all.filter(({ why }) => !why).map(({ account }) => account));
    const left = options.filter(([account]) => fit.has(account));
    const unfit = all.filter(({ account, why }) => why && !entry.hands.includes(account));
    if (left.length < options.length || unfit.length) offer(left, unfit);
    show();
  };
  const counted =
    entry.counts && act.counts
      ? [act.counts.field, ...(act.counts.also ?? [])].map((key, place) =>
          fieldControl(key, { ...act.fields[key], optional: place > 0 }, { act, known: {}, subjects: [], given: {} }),
        )
      : [];
  const controls = Object.fromEntries(counted.map((item) => [item.key, item]));
  const show = () => {
    pinRow.hidden = who.read() === here.account;
  };
  const form = commandForm({
    label: `Sign: ${entry.name}`,
    button: "Sign",
    controls,
    nodes: [
      entry.said?.length ? el("p", { class: "said" }, withNames(entry.said[0])) : null,
      el("p", { class: "wants" }, el("strong", {}, label(entry.wants)), " ", clause(entry.clause)),
      hintText(
        `No. ${entry.number}, recorded by ${entry.by}${entry.things.length ? ": " : ""}`,
        entry.things.map((id) => thingName(act.thing, id)).join(", "),
      ),
      factList(act.thing, entry.fields ?? {}, act.fields),
      counted.length
        ? hintText(
            "Count again yourself. The first count is not shown; if the two differ, both are kept and it is " +
              "counted anew.",
          )
        : null,
      ...counted.map((item) => (item.field.type === "units" ? el("div", { class: "tray" }, item.node) : item.node)),
      el("div", { class: "beside" }, asked, pinRow),
    ],
    more: [buttonFor("Take it back", () => openVoid(entry, ondone), { class: "plain" })],
    ...page,
    make: async () => {
      const account = who.read(),
        name = book.people.find((person) => person.account === account)?.name;
      if (!account) throw new Error("say who signs");
      const command = {
        command: "sign-act",
        number: entry.number,
        part: entry.part,
        ...(counted.length ? { fields: { [act.counts?.field ?? ""]: {}, ...(await readAll(controls)) } } : {}),
      };
      return [command, account === here.account ? {} : { sign_off: { name, pin: pin.value } }];
    },
    ondone: (answer) => {
      if (!page.oncancel) say(answer.lines, Boolean(outcome(answer).voided || outcome(answer).incidents.length));
      ondone(answer, who.read());
    },
  });
  offer(options, []);
  show();
  refine().catch(() => {}); // whoever is offered in vain is refused by name
  const focus = () =>
    (
      counted[0] ?? {
        focus: () => (canSelf ? submitOf(form) : options.length === 1 ? pin : who.input)?.focus(),
      }
    ).focus();
  return { form, focus };
}

/**
 * Take back an act that waits for a signature: it and its number stay on record.
 *
 * @param {Unsigned} entry
 * @param {Signed} ondone
 */
function openVoid(entry, ondone) {
  const reason = el("textarea", { id: "void-reason", class: "prose", rows: 2, maxlength: 400 });
  const form = commandForm({
    label: `Take back: ${entry.name}`,
    button: "Take it back",
    nodes: [
      hintText(`No. ${entry.number} takes no effect. It and its number stay on record.`),
      el("div", { class: "row" }, el("label", { for: "void-reason" }, "Why"), reason),
    ],
    make: () => [{ command: "void-act", number: entry.number, reason: reason.value }],
    ondone: (answer) => {
      closeSheet();
      say(answer.lines);
      ondone(answer, here.account);
    },
  });
  showSheet(`Take back: ${entry.name}`, [form]);
  reason.focus();
}
