// The sheet in front of a page of the office: one form at a time, sent as a command, with what is wrong said at its
// field.

import { byId, inputsOf } from "../dom.js";
import { buttonFor, el, freshId, setChildren } from "../elements.js";
import { isInDoubt, refusalList, refusalsIn } from "../http.js";
import { here, send, withNames } from "./book.js";
import { spellOut } from "./spelled.js";

/** @import { Child } from "../elements.js" */
/** @import { SendOptions } from "./book.js" */
/** @import { Fault } from "./fields.js" */
/** @typedef {[command: object, extra?: SendOptions]} Commanded */
/**
 * A form whose answer is a command.
 *
 * @typedef {object} CommandForm
 * @property {string} label
 * @property {Child[]} nodes
 * @property {string} [button]
 * @property {{ [key: string]: { fault: (faults: Fault[]) => void, focus: () => void } }} [controls]
 * @property {() => Commanded | Promise<Commanded>} make
 * @property {(answer: Server.OfficeReceipt) => unknown} ondone
 * @property {Child[]} [more]
 * @property {string} [cancel]
 * @property {() => unknown} [oncancel]
 */

const dialog = byId("sheet", HTMLDialogElement);
let onclose = () => {};
dialog.addEventListener("close", () => {
  dialog.replaceChildren();
  onclose();
});
dialog.addEventListener("mousedown", (event) => {
  dialog.dataset.press = String(event.target === dialog);
});

/**
 * Show a sheet with a title. `then` is called when it is closed.
 *
 * @param {string} title
 * @param {Node[]} nodes
 * @param {() => void} [then]
 */
export function showSheet(title, nodes, then = () => {}) {
  onclose = then;
  dialog.replaceChildren(
    el(
      "div",
      { class: "sheet-head" },
      el("h2", { id: "sheet-title", tabindex: -1 }, title),
      buttonFor("✕", closeSheet, { class: "plain", "aria-label": "Close" }),
    ),
    ...nodes,
  );
  spellOut(dialog, here.spelled);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export function closeSheet() {
  dialog.close();
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Say on the page what was done.
 *
 * @param {string[]} lines
 * @param {boolean} [isWarning]
 */
export function say(lines, isWarning = false) {
  const host = byId("said");
  host.replaceChildren(
    lines.length
      ? el(
          "div",
          { class: isWarning ? "said is-warning" : "said" },
          ...lines.map((line) => el("p", {}, capital(withNames(line)))),
        )
      : "",
  );
}

/**
 * Draw a page again if what it shows has changed. Focus that was in it does not go back to the top of the page.
 *
 * @param {HTMLElement} host
 * @param {unknown} data
 * @param {() => Child[]} make
 */
export function redraw(host, data, make) {
  const text = JSON.stringify(data),
    hadFocus = drawn.has(host) && (host.contains(document.activeElement) || document.activeElement === document.body);
  if (drawn.get(host) === text) return;
  drawn.set(host, text);
  setChildren(host, ...make());
  spellOut(host, here.spelled);
  if (hadFocus && !dialog.open) byId("main").focus({ preventScroll: true });
}
const drawn = new WeakMap();

/**
 * A form whose answer is a command: `make()` returns [command, extra] or throws; `ondone(answer)` follows.
 *
 * `controls` are its fields by key: a refusal that begins with a key is shown there. Sent again after no answer, it
 * acts once. On a page of its own, `oncancel` leads back.
 *
 * @param {CommandForm} asked
 */
export function commandForm({
  label,
  nodes,
  button = "Record",
  controls = {},
  make,
  ondone,
  more = [],
  cancel = "Cancel",
  oncancel = closeSheet,
}) {
  let id = freshId(),
    isAgain = false;
  const wrong = el("div", { class: "refused", role: "alert", hidden: true });
  const submit = el("button", { type: "submit", class: "first" }, button);
  const form = el(
    "form",
    {
      class: "act-form",
      "aria-label": label,
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        if (form.dataset.busy) return;
        form.dataset.busy = "true";
        submit.setAttribute("aria-disabled", "true");
        try {
          const [command, extra = {}] = await make();
          const answer = await send(command, { id, ...(isAgain ? { again: true } : {}), ...extra });
          show([]);
          await ondone(answer);
        } catch (refused) {
          isAgain = isInDoubt(refused);
          if (!isAgain) id = freshId();
          show(refusalsIn(refused));
        } finally {
          delete form.dataset.busy;
          submit.removeAttribute("aria-disabled");
          for (const secret of inputsOf('input[type="password"]', form)) secret.value = "";
        }
      },
    },
    ...nodes,
    wrong,
    el("div", { class: "ends" }, ...more, buttonFor(cancel, oncancel), submit),
  );

  /** @param {Server.RefusalView[]} refusals */
  const show = (refusals) => {
    const left = [];
    for (const control of Object.values(controls)) control.fault([]);
    const at = new Map();
    for (const refusal of refusals) {
      const [, key = "", why = ""] = /^([a-z0-9_]+): (.*)$/s.exec(refusal.why) ?? [];
      if (controls[key]) at.set(key, [...(at.get(key) ?? []), { why, clause: refusal.clause }]);
      else left.push(refusal);
    }
    for (const [key, faults] of at) controls[key].fault(faults);
    wrong.hidden = !refusals.length;
    wrong.replaceChildren(
      ...(left.length ? [refusalList(left.map((refusal) => ({ ...refusal, why: withNames(refusal.why) })))] : []),
      ...(at.size
        ? [el("p", {}, `Not recorded: see ${at.size === 1 ? "the field" : `the ${at.size} fields`} marked above.`)]
        : []),
    );
    const [first] = at.keys();
    if (first) controls[first].focus();
    else if (refusals.length) wrong.scrollIntoView({ block: "nearest" });
  };
  return form;
}
