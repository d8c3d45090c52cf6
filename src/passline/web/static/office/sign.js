// Signing an act: as oneself or with name and PIN on the spot; second counts are entered without seeing the first.

import { el } from "../elements.js";
import { amOf, book, clause, clauseOf, factList, groupWords, here, named, thingName } from "./book.js";
import { fieldControl, label, oneOf, readAll } from "./fields.js";
import { closeSheet, commandForm, say, showSheet } from "./sheet.js";

/** After an act was recorded: ask for each signature it waits for; whatever is left waits on the page of today. */
export async function signSteps(answer, act, then) {
  const done = answer.events.find((one) => one.event.startsWith("act-done"));
  const waits = done && !answer.events.some((one) => one.event.startsWith("act-completed")) ? [...done.waits] : [];
  say(answer.lines);
  const next = (hands, lines) => {
    const part = waits.shift();
    if (!part) {
      closeSheet();
      return;
    }
    const sign = act.signs[part];
    openSignature(
      {
        number: done.number,
        act: done.act,
        name: act.name,
        things: done.things,
        by: here.name,
        part,
        wants: sign.name,
        roles: sign.by,
        clause: clauseOf(sign),
        counts: Boolean(sign.counts),
        hands,
        fields: sign.counts ? {} : done.fields,
        said: lines,
      },
      (signed, by) => {
        then();
        if (signed.events.some((one) => one.event.startsWith("act-voided"))) {
          closeSheet();
          return;
        }
        next([...hands, by], signed.lines);
      },
    );
  };
  next([here.account], answer.lines);
}

/** Open the sheet on which somebody signs. `ondone(answer, account)` is called afterwards. */
export function openSignature(entry, ondone) {
  const { form, focus } = signatureForm(entry, ondone);
  showSheet(`Sign: ${entry.name}`, [form]);
  focus();
}

/**
 * The form with which somebody signs: {form, focus}. `page` is what differs on a page of its own: its cancel button.
 */
export function signatureForm(entry, ondone, page = {}) {
  const act = book.acts[entry.act];
  const canSelf = amOf(entry.roles) && !entry.hands.includes(here.account);
  const signers = book.people.filter(
    (one) =>
      one.account !== here.account &&
      !entry.hands.includes(one.account) &&
      one.groups.some((group) => entry.roles.includes(group)),
  );
  const options = [
    ...(canSelf ? [[here.account, `${here.name} (you)`]] : []),
    ...signers.map((one) => [one.account, one.name]),
  ];
  const pin = el("input", { id: "sign-pin", type: "password", inputmode: "numeric", autocomplete: "off" });
  const pinRow = el("div", { class: "row" }, el("label", { for: "sign-pin" }, "PIN"), pin);
  const who = oneOf({ id: "signer", options, first: canSelf ? here.account : "", onchange: () => show() });
  const counted =
    entry.counts && act.counts
      ? [act.counts.field, ...(act.counts.also ?? [])].map((key, place) =>
          fieldControl(key, { ...act.fields[key], optional: place > 0 }, { act, known: {}, subjects: [], given: {} }),
        )
      : [];
  const controls = Object.fromEntries(counted.map((one) => [one.key, one]));
  const show = () => {
    pinRow.hidden = who.read() === here.account;
  };
  const form = commandForm({
    label: `Sign: ${entry.name}`,
    button: "Sign",
    controls,
    nodes: [
      entry.said?.length ? el("p", { class: "said" }, named(entry.said[0])) : null,
      el("p", { class: "wants" }, el("strong", {}, label(entry.wants)), " ", clause(entry.clause)),
      el(
        "p",
        { class: "hint" },
        `No. ${entry.number}, recorded by ${entry.by}${entry.things.length ? ": " : ""}`,
        entry.things.map((id) => thingName(act.thing, id)).join(", "),
      ),
      factList(act.thing, entry.fields ?? {}, act.fields),
      counted.length
        ? el(
            "p",
            { class: "hint" },
            "Count again yourself. The first count is not shown; if the two differ, both are kept and it is " +
              "counted anew.",
          )
        : null,
      ...counted.map((one) => (one.field.type === "units" ? el("div", { class: "tray" }, one.node) : one.node)),
      el(
        "div",
        { class: "beside" },
        options.length
          ? el("fieldset", { class: "row" }, el("legend", {}, "Who signs"), ...who.nodes)
          : el(
              "p",
              { class: "said is-warning" },
              `Nobody else is ${groupWords(entry.roles)}: open an account for one.`,
            ),
        pinRow,
      ),
    ].filter(Boolean),
    more: [el("button", { type: "button", class: "plain", onclick: () => openVoid(entry, ondone) }, "Take it back")],
    ...page,
    make: async () => {
      const account = who.read(),
        name = book.people.find((one) => one.account === account)?.name;
      if (!account) throw new Error("say who signs");
      const command = {
        command: "sign-act",
        number: entry.number,
        part: entry.part,
        ...(counted.length ? { fields: { [act.counts.field]: {}, ...(await readAll(controls)) } } : {}),
      };
      return [command, account === here.account ? {} : { sign_off: { name, pin: pin.value } }];
    },
    ondone: (answer) => {
      if (!page.oncancel)
        say(
          answer.lines,
          answer.events.some((one) => one.event.startsWith("act-voided") || one.event.startsWith("incident")),
        );
      ondone(answer, who.read());
    },
  });
  show();
  const focus = () =>
    (
      counted[0] ?? {
        focus: () =>
          (canSelf ? form.querySelector('[type="submit"]') : options.length === 1 ? pin : who.input)?.focus(),
      }
    ).focus();
  return { form, focus };
}

/** Take back an act that waits for a signature: it and its number stay on record. */
function openVoid(entry, ondone) {
  const reason = el("textarea", { id: "void-reason", class: "prose", rows: 2, maxlength: 400 });
  const form = commandForm({
    label: `Take back: ${entry.name}`,
    button: "Take it back",
    nodes: [
      el("p", { class: "hint" }, `No. ${entry.number} takes no effect. It and its number stay on record.`),
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
