// A control for each kind of election: { node, read, write, focus }. Values are as a house file has them: whole cents,
// basis points.

import { clauseTags } from "../clauses.js";
import { buttonFor, el, hintText } from "../elements.js";
import { centsFrom, currencySign, money } from "../money.js";

/** @typedef {Server.ElectionField} Field */
/**
 * What an election is filled in with.
 *
 * @typedef {object} Control
 * @property {HTMLElement} node
 * @property {() => any} read
 * @property {(value: any) => void} write
 * @property {boolean} [isGroup]
 * @property {boolean} [isWide]
 */
/** @typedef {(field: Field, id: string, onchange: () => void) => Control} MakeControl */
/** @typedef {(key: string, value: any) => void} SetRow */
/**
 * How rows are made that can be added and taken away.
 *
 * @typedef {object} RowKind
 * @property {string} addLabel
 * @property {(option: Server.FieldOption | undefined) => any} empty
 * @property {(key: string, value: any, set: SetRow, name: string) => Node[]} cells
 */

/**
 * A value of an election in words, as its field has it.
 *
 * @param {Field} field
 * @param {any} value
 * @returns {string}
 */
export function electedText(field, value) {
  if (value === undefined || value === null) return "none";
  if (field.kind === "choice") return field.options.find((option) => option.value === value)?.label ?? String(value);
  if (field.kind === "some")
    return value.length
      ? value
          .map((/** @type {unknown} */ item) => field.options.find((known) => known.value === item)?.label ?? item)
          .join(", ")
      : "none";
  if (field.kind === "cents") return money(value);
  if (field.kind === "percent") return `${value / 100} %`;
  if (typeof value === "object") return Object.keys(value).length ? `${Object.keys(value).length}` : "none";
  return String(value);
}

/**
 * Whether the regulation leaves no choice.
 *
 * @param {Field} field
 * @returns {boolean}
 */
export const isFixed = (field) =>
  (field.kind === "choice" && field.options.length === 1) ||
  (field.kind === "some" && !field.options.length) ||
  (field.kind === "cents" && /^\D*0 to \D*0$/.test(field.bounds));

/**
 * What is typed, or the text itself where it is not a number: the check then says what is wrong with it.
 *
 * @param {string} text
 * @returns {number | string}
 */
const number = (text) => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : text);
/**
 * @param {string} text
 * @returns {number | string}
 */
const cents = (text) => centsFrom(text) ?? text;
/**
 * @param {string} text
 * @returns {number | string}
 */
const points = (text) => {
  const value = Number(text.replace("%", "").trim());
  return text.trim() && Number.isFinite(value) ? Math.round(value * 100) : text;
};
/** @type {{ [kind: string]: (value: unknown) => string }} */
const shown = {
  text: String,
  count: String,
  cents: (/** @type {unknown} */ value) => (typeof value === "number" ? money(value).slice(1) : String(value)),
  percent: (/** @type {unknown} */ value) => (typeof value === "number" ? String(value / 100) : String(value)),
};
/** @type {{ [kind: string]: (text: string) => unknown }} */
const read = { text: (text) => text, count: number, cents, percent: points };

/** @type {MakeControl} */
function typedControl(field, id, onchange) {
  const input = el("input", {
    id,
    autocomplete: "off",
    inputmode: { text: "text", count: "numeric" }[field.kind] ?? "decimal",
    maxlength: field.kind === "text" ? 60 : 14,
    spellcheck: "false",
    oninput: onchange,
  });
  const unit = { cents: currencySign(), percent: "%" }[field.kind];
  return {
    node: unit
      ? el("div", { class: `with-unit is-${field.kind}` }, el("span", { "aria-hidden": "true" }, unit), input)
      : input,
    read: () => read[field.kind](input.value),
    write: (value) => {
      input.value = shown[field.kind](value ?? "");
    },
  };
}

/**
 * @param {Field} field
 * @param {string} id
 * @param {() => void} onchange
 * @returns {Control}
 */
function choice(field, id, onchange) {
  const select = el(
    "select",
    { id, onchange },
    ...field.options.map((option, place) => el("option", { value: place }, option.label)),
  );
  const note = el("p", { class: "hint" });
  const show = () => {
    note.textContent = field.options[Number(select.value)]?.note ?? "";
  };
  select.addEventListener("change", show);
  return {
    node: field.options.some((option) => option.note) ? el("div", {}, select, note) : select,
    read: () => field.options[Number(select.value)]?.value,
    write: (value) => {
      select.value = String(field.options.findIndex((option) => option.value === value));
      show();
    },
  };
}

/**
 * @param {Field} field
 * @param {string} id
 * @param {() => void} onchange
 * @returns {Control}
 */
function some(field, id, onchange) {
  const boxes = field.options.map((_option, place) =>
    el("input", { type: "checkbox", id: `${id}-${place}`, onchange }),
  );
  return {
    node: el(
      "div",
      { class: "checks", role: "group", "aria-label": field.label },
      ...field.options.map((option, place) => el("label", {}, boxes[place], option.label)),
    ),
    isGroup: true,
    read: () => field.options.filter((_, place) => boxes[place].checked).map((option) => option.value),
    write: (value = []) =>
      boxes.forEach((box, place) => {
        box.checked = value.includes(field.options[place].value);
      }),
  };
}

/**
 * A multiple for each point.
 *
 * @param {Field} field
 * @param {string} id
 * @param {() => void} onchange
 * @returns {Control}
 */
function odds(field, id, onchange) {
  const inputs = new Map(
    field.options.map((option) => [
      option.value,
      el("input", {
        id: `${id}-${option.value}`,
        inputmode: "numeric",
        autocomplete: "off",
        maxlength: 6,
        oninput: onchange,
      }),
    ]),
  );
  return {
    node: el(
      "div",
      { class: "multiples", role: "group", "aria-label": field.label },
      ...field.options.map((option) =>
        el(
          "div",
          { class: "election-row is-small", id: `election-odds.${option.value}` },
          el("label", { class: "of", for: `${id}-${option.value}` }, option.label),
          inputs.get(option.value),
          el("ul", { class: "breach", hidden: true }),
        ),
      ),
    ),
    isGroup: true,
    isWide: true,
    read: () => Object.fromEntries([...inputs].map(([point, input]) => [String(point), number(input.value)])),
    write: (value = {}) => {
      for (const [point, input] of inputs) input.value = value[String(point)] ?? "";
    },
  };
}

/**
 * Rows that can be added and taken away: limits of wagers, payouts beyond the list.
 *
 * @param {Field} field
 * @param {string} id
 * @param {() => void} onchange
 * @param {RowKind} kind
 * @returns {Control}
 */
function rows(field, id, onchange, { cells, empty, addLabel }) {
  /** @type {{ [key: string]: any }} */
  let value = {};
  const host = el("div", { class: "rows" });
  const add = el("select", {
    id,
    onchange: () => {
      if (add.value) {
        value = { ...value, [add.value]: empty(field.options.find((option) => option.value === add.value)) };
        draw();
        onchange();
      }
    },
  });
  /**
   * @param {string} key
   * @param {any} item
   */
  const set = (key, item) => {
    value = { ...value, [key]: item };
    onchange();
  };
  /** @param {string} key */
  const labelOf = (key) => field.options.find((option) => option.value === key)?.label ?? key;
  const draw = () => {
    host.replaceChildren(
      ...Object.entries(value).map(([key, item]) =>
        el(
          "div",
          { class: "election-row", id: `election-${field.key}.${key}` },
          el("span", { class: "of" }, labelOf(key)),
          ...cells(key, item, set, labelOf(key)),
          buttonFor(
            "Take away",
            () => {
              value = Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
              draw();
              onchange();
            },
            { class: "plain", "aria-label": `Take away: ${labelOf(key)}` },
          ),
          el("ul", { class: "breach", hidden: true }),
        ),
      ),
    );
    add.replaceChildren(
      el("option", { value: "" }, addLabel),
      ...field.options
        .filter((option) => !(String(option.value) in value))
        .map((option) =>
          el("option", { value: option.value }, option.note ? `${option.label}: ${option.note}` : option.label),
        ),
    );
  };
  draw();
  return {
    node: el("div", { class: "rows-of" }, host, add),
    isWide: true,
    read: () => value,
    write: (given) => {
      value = { ...given };
      draw();
    },
  };
}

/** @type {MakeControl} */
const limits = (field, id, onchange) =>
  rows(field, id, onchange, {
    addLabel: "Add a wager …",
    empty: () => ({ min: 100 }),
    cells: (key, item, set, name) =>
      ["min", "max"].map((bound) => {
        const input = el("input", {
          inputmode: "decimal",
          autocomplete: "off",
          maxlength: 14,
          "aria-label": `${name}: ${bound === "min" ? "minimum" : "maximum"}`,
          placeholder: bound === "min" ? "" : "table's",
          value: item[bound] === undefined || item[bound] === null ? "" : shown.cents(item[bound]),
        });
        input.addEventListener("input", () => {
          item = { ...item };
          if (input.value.trim()) item[bound] = cents(input.value);
          else delete item[bound];
          set(key, item);
        });
        return el("label", { class: "bound" }, el("span", {}, `${bound} ${currencySign()}`), input);
      }),
  });

/** @type {MakeControl} */
const payouts = (field, id, onchange) =>
  rows(field, id, onchange, {
    addLabel: "Add a payout …",
    empty: (known) => known?.note ?? "1 to 1",
    cells: (key, item, set, name) => {
      const input = el("input", { autocomplete: "off", maxlength: 20, "aria-label": `${name} pays`, value: item });
      input.addEventListener("input", () => set(key, input.value));
      return [
        el("label", { class: "bound" }, el("span", {}, "pays"), input),
        el("span", { class: "hint" }, `listed ${field.options.find((known) => known.value === key)?.note ?? ""}`),
      ];
    },
  });

/** @returns {Control} */
function keptControl() {
  /** @type {any} */
  let value;
  return {
    node: hintText("As in the file."),
    isGroup: true,
    read: () => value,
    write: (given) => {
      value = given;
    },
  };
}

/** @type {{ [kind: string]: MakeControl }} */
const CONTROLS = { choice, some, odds, limits, payouts, kept: keptControl };

/**
 * The row of an election: its name, control, bounds, clause, default, and a place for its breaches.
 *
 * @param {Field} field
 * @param {() => void} onchange
 */
export function electionRow(field, onchange) {
  const id = `elect-${field.key}`;
  const control = (CONTROLS[field.kind] ?? typedControl)(field, id, onchange);
  const back = buttonFor(
    `Default: ${electedText(field, field.value)}`,
    () => {
      control.write(field.value);
      onchange();
    },
    { class: "plain back", hidden: true },
  );
  const breach = el("ul", { class: "breach", id: `breach-${field.key}`, hidden: true });
  const hint = el(
    "p",
    { class: "hint", id: `hint-${field.key}` },
    field.bounds === "any" ? null : el("span", {}, `${field.bounds.replace(/^./, (first) => first.toUpperCase())}. `),
    field.note ? el("span", {}, `${field.note} `) : null,
    ...clauseTags(field.clauses.join(", ")),
  );
  const name = control.isGroup
    ? el("span", { class: "name" }, field.label)
    : el("label", { class: "name", for: id }, field.label);
  control.node.querySelector?.(`[id="${id}"]`)?.setAttribute("aria-describedby", hint.id);
  if (control.node.id === id) control.node.setAttribute("aria-describedby", `${hint.id} ${breach.id}`);
  const node = el(
    "div",
    { class: `election${control.isWide ? " is-wide" : ""}`, id: `election-${field.key}` },
    el("div", { class: "about" }, name, hint),
    el("div", { class: "control" }, control.node, back, breach),
  );
  return {
    ...control,
    field,
    row: node,
    breach,
    show: (/** @type {unknown} */ value) => {
      back.hidden = JSON.stringify(value) === JSON.stringify(field.value);
      node.classList.toggle("is-changed", !back.hidden);
    },
  };
}
