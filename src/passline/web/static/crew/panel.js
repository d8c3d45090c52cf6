// What the console's panels share: their frame, numbered choices, fields and the sign-off.

import { byId } from "../dom.js";
import { el, fill } from "../elements.js";
import { centsFrom } from "../money.js";

/** @typedef {[value: string | number, text: string]} Option of a list */
/** @typedef {{ table: Server.TableView, own: Server.OwnView | null }} State that panels show */
/**
 * @typedef {object} Panel of the console
 * @property {HTMLElement} element
 * @property {(state: State) => void} update
 * @property {import("./keyboard/modes.js").Binding[]} bindings
 * @property {() => void} [tick] shows what changes with time alone
 * @property {() => string} [stop] drops what is half typed, and returns it in words
 */

let made = 0;

/**
 * A unique id, for a label to refer to.
 *
 * @param {string} name
 * @returns {string}
 */
export function nameFor(name) {
  made += 1;
  return `${name}-${made}`;
}

/**
 * A panel with a title; `key` is the key that leads there.
 *
 * @param {string} title
 * @param {string} key
 * @param {...import("../elements.js").Child} children
 */
export function panel(title, key, ...children) {
  const id = nameFor("panel");
  const heading = el("h2", { id }, title, key ? el("kbd", {}, key) : null);
  return el("section", { class: "panel", "aria-labelledby": id }, heading, ...children);
}

/**
 * A panel that is folded until its key or title opens it, for what is seldom done.
 *
 * @param {string} title
 * @param {string} key
 * @param {...import("../elements.js").Child} children
 */
export function folded(title, key, ...children) {
  const summary = el("summary", {}, el("h2", {}, title, key ? el("kbd", {}, key) : null));
  const details = el("details", {}, summary, ...children);
  const element = el("section", { class: "panel is-folded", "aria-label": title }, details);
  return Object.assign(element, {
    /** @param {HTMLElement} [focus] */
    unfold: (focus) => {
      details.open = true;
      focus?.focus();
    },
  });
}

/**
 * Act on a click. A pointer leaves no focus behind, so that Enter and Space still mean what the keys before them say.
 *
 * @param {(event: MouseEvent) => void} onclick
 * @returns {(event: MouseEvent) => void}
 */
export function byPointer(onclick) {
  return (event) => {
    if (event.detail && event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
    onclick(event);
  };
}

/**
 * A large button with its key.
 *
 * @param {string} label
 * @param {string} key
 * @param {(event: MouseEvent) => void} onclick
 * @param {import("../elements.js").Attributes} [attributes]
 */
export function act(label, key, onclick, attributes = {}) {
  const shown = { type: "button", class: "act", onclick: byPointer(onclick), ...attributes };
  return el("button", shown, label, key ? el("kbd", {}, key) : null);
}

/**
 * Choices numbered from 1, each with its clause: `[{key, name, clause, says}]`. The numbers are keys in their mode.
 *
 * @template {{ name: string, clause: string, says?: string }} Reason
 * @param {string} label
 * @param {Reason[]} reasons
 * @param {(reason: Reason) => void} onpick
 */
export function choices(label, reasons, onpick) {
  const items = reasons.map((reason, place) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "choice", title: reason.says, onclick: byPointer(() => onpick(reason)) },
        el("kbd", {}, String(place + 1)),
        el("span", {}, reason.name),
        el("span", { class: "clause" }, reason.clause),
      ),
    ),
  );
  return el("ol", { class: "choices", "aria-label": label }, ...items);
}

/**
 * The keys of numbered choices, for a mode.
 *
 * @template Reason
 * @param {Reason[]} reasons
 * @param {(reason: Reason) => void} onpick
 * @returns {import("./keyboard/modes.js").Binding[]}
 */
export function choiceKeys(reasons, onpick) {
  return [
    {
      keys: `1-${Math.min(reasons.length, 9)}`,
      says: "pick a reason",
      on: (key) => reasons[Number(key) - 1] && onpick(reasons[Number(key) - 1]),
    },
  ];
}

/**
 * A labelled field: `field("Amount", input)`. Its size is wide, narrow, or the rest of the row.
 *
 * @param {string} label
 * @param {HTMLElement} input
 * @param {{ hint?: string, size?: string }} [options]
 */
export function field(label, input, { hint = "", size = "" } = {}) {
  input.id ||= nameFor("field");
  const description = hint ? el("span", { class: "hint", id: `${input.id}-hint` }, hint) : null;
  if (description) input.setAttribute("aria-describedby", description.id);
  return el("div", { class: `field ${size}` }, el("label", { for: input.id }, label), input, description);
}

/** @param {import("../elements.js").Attributes} [attributes] */
export function amountInput(attributes = {}) {
  return el("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    size: 9,
    placeholder: "0.00",
    ...attributes,
  });
}

/**
 * The cents in an amount field, or null after showing the fault in the field.
 *
 * @param {HTMLInputElement} input
 * @returns {number | null}
 */
export function amountOf(input) {
  const amount = centsFrom(input.value);
  input.setCustomValidity(amount ? "" : "write an amount of money, such as 25 or 12.50");
  if (amount) return amount;
  input.reportValidity();
  return null;
}

/**
 * @param {Option[]} options
 * @param {import("../elements.js").Attributes} [attributes]
 */
export function select(options, attributes = {}) {
  return el("select", attributes, ...options.map(([value, text]) => el("option", { value }, text)));
}

/**
 * Update the options of a list, and keep the one that is picked.
 *
 * @param {HTMLSelectElement} node
 * @param {Option[]} options
 */
export function showOptions(node, options) {
  const picked = node.value;
  fill(node, options, () => options.map(([value, text]) => el("option", { value }, text)));
  if (options.some(([value]) => String(value) === picked)) node.value = picked;
}

/**
 * Update a list of the players at a table.
 *
 * @param {HTMLSelectElement} node
 * @param {Server.TableView} table
 * @param {...Option} before
 */
export function showSeats(node, table, ...before) {
  showOptions(node, [
    ...before,
    ...table.seats.map(({ seat, name }) => /** @type {Option} */ ([seat, `${seat} ${name}`])),
  ]);
}

/**
 * The fields of a sign-off, in the form itself so that no dialog covers the table.
 *
 * @param {import("./console.js").Console} console_
 * @param {string} command
 */
export function signOff(console_, command) {
  const roles =
    (console_.signs[command] ?? [])
      .map((/** @type {string} */ sign) => (sign === console_.role ? `another ${sign}` : `a ${sign}`))
      .join(" or ") || "somebody";
  const name = el("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    size: 14,
    required: true,
  });
  const pin = el("input", { type: "password", inputmode: "numeric", autocomplete: "off", size: 8, required: true });
  const element = el(
    "fieldset",
    { class: "sign-off" },
    el("legend", {}, `Signed off by ${roles}, not yourself`),
    field("Name", name),
    field("PIN", pin),
  );
  return {
    element,
    focus: () => name.focus(),
    value: () => ({ name: name.value.trim(), pin: pin.value }),
    /** Clear the PIN after every use, accepted or refused. */
    clear: () => {
      pin.value = "";
    },
  };
}

/**
 * A form that is sent by Enter; `onsubmit` returns whether it was done. From then on keys are shortcuts again, not text
 * for the form; if it is refused, the focus is back in it once the refusal is dismissed.
 *
 * @param {string} label
 * @param {() => unknown} onsubmit
 * @param {...import("../elements.js").Child} children
 */
export function form(label, onsubmit, ...children) {
  const node = el(
    "form",
    {
      class: "row-form",
      "aria-label": label,
      autocomplete: "off",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        if (node.dataset.busy) return; // ignore a second Enter
        node.dataset.busy = "true";
        const focused = document.activeElement;
        const from = focused instanceof HTMLElement && node.contains(focused) ? focused : null;
        from?.blur();
        try {
          if (!(await onsubmit()) && from && document.activeElement === document.body) backTo(from);
        } finally {
          delete node.dataset.busy;
        }
      },
    },
    ...children,
  );
  return node;
}

/** @param {HTMLElement} field */
function backTo(field) {
  const refused = byId("refused");
  const focus = () => {
    if (document.activeElement === document.body) field.focus();
  };
  if (refused.hidden) focus();
  else refused.addEventListener("dismissed", focus, { once: true });
}

/** @param {string} label */
export function submit(label) {
  return el("button", { type: "submit", class: "act" }, label);
}
