// The figures that a text leaves open: what somebody has set them to, and the form that sets one from its paper.

import { amountField, buttonFor, el, hintText, words } from "../elements.js";
import { get } from "../http.js";
import { centsFrom, money } from "../money.js";
import { paperControls } from "./act_form.js";
import { stampControl } from "./body_keys.js";
import { bodyOf, book, clause, clauseOf, groupWords, here } from "./book.js";
import { label } from "./fields.js";
import { scanner, TIMES_EXAMPLE } from "./scanner.js";
import { secondOwner } from "./second_owner.js";
import { closeSheet, commandForm, say, showSheet } from "./sheet.js";

/** @import { Attributes, Child } from "../elements.js" */
/** @typedef {{ nodes: Child[], input: HTMLInputElement, read: () => any }} ValueControl */

/** What is asked for; the sheet's title says of what. */
const ASKED = /** @type {{ [type: string]: string }} */ ({
  count: "How many",
  cents: "How much",
  length: "How long",
  times: "Which times",
});
const UNITS = ["minutes", "hours", "days", "business_days", "months", "years"];

/**
 * @param {ValueControl} control
 * @returns {ValueControl}
 */
const inDollars = (control) => ({ ...control, nodes: [amountField(control.input)] });

/**
 * The control of a value by its type: {nodes, read}.
 *
 * @param {Server.Value} rule
 * @param {any} before
 * @returns {ValueControl}
 */
function control(rule, before) {
  const id = "value";
  /**
   * @param {Attributes} attributes
   * @param {(text: string) => any} read
   * @returns {ValueControl}
   */
  const input = (attributes, read) => {
    const input = el("input", { id, autocomplete: "off", ...attributes });
    return { nodes: [input], input: input, read: () => read(input.value.trim()) };
  };
  /**
   * @param {string} text
   * @returns {number}
   */
  const whole = (text) => {
    if (!/^\d{1,9}$/.test(text)) throw new Error(`${text || "nothing"} is not a whole number`);
    return Number(text);
  };
  switch (rule.type) {
    case "count":
      return input({ inputmode: "numeric", value: before ?? "" }, whole);
    case "cents":
      return inDollars(
        input(
          { inputmode: "decimal", value: before === undefined ? "" : money(before).replace(/^\D+/, "") },
          (text) => {
            const cents = centsFrom(text);
            if (cents === null) throw new Error(`${text || "nothing"} is not an amount of money`);
            return cents;
          },
        ),
      );
    case "length": {
      const count = el("input", { id, inputmode: "numeric", autocomplete: "off", value: before?.count ?? "" });
      const unit = el(
        "select",
        { id: "value-unit", "aria-label": "Unit" },
        ...UNITS.map((unit) => el("option", { value: unit }, words(unit).toLowerCase())),
      );
      unit.value = before?.unit ?? "hours";
      return {
        nodes: [el("div", { class: "pair" }, count, unit)],
        input: count,
        read: () => ({ count: whole(count.value.trim()), unit: unit.value }),
      };
    }
    case "times": {
      const times = scanner({ id, label: "Times of day", example: TIMES_EXAMPLE });
      times.add(before ?? []);
      return { nodes: times.nodes, input: times.input, read: times.read };
    }
    default:
      return input({ value: before ?? "" }, (text) => text);
  }
}

/**
 * Open the form that sets a value.
 *
 * @param {string} key
 * @param {() => void} then
 */
export function openValue(key, then) {
  const rule = book.asked[key];
  const setting = Object.values(book.acts).find((act) => act.sets?.includes(key));
  if (setting) {
    location.assign(
      `/office/${here.office}/${setting.page}#${Object.keys(book.acts).find((item) => book.acts[item] === setting)}`,
    );
    return;
  }
  const field = control(rule, book.values[key]);
  const paper = rule.by?.length ? paperControls() : null;
  const second = secondOwner("set-value");
  const delay = book.delays.includes(key) ? delayText(key, field) : null;
  const command = async () => ({ command: "set-value", key, value: field.read(), ...(paper?.read() ?? {}) });
  const stamp = stampControl(rule.by?.length ? bodyOf(rule.by) : "", command);
  const presets = Object.entries(rule.presets ?? {});
  const form = commandForm({
    label: label(rule.name),
    button: "Set it",
    nodes: [
      el(
        "div",
        { class: "row" },
        el("label", { for: "value" }, ASKED[rule.type] ?? "What applies", " ", clause(clauseOf(rule))),
        ...field.nodes,
        delay,
      ),
      presets.length
        ? el(
            "div",
            { class: "row" },
            hintText("Public standards say:"),
            el(
              "div",
              { class: "buttons" },
              ...presets.map(([name, value]) =>
                buttonFor(`${valueWords(rule, value)}: ${name}`, () => {
                  field.input.value = String(value);
                }),
              ),
            ),
          )
        : null,
      paper ? hintText(`It is set by the ${groupWords(rule.by ?? [])}: its paper is needed.`) : null,
      paper?.node,
      stamp.node,
      second.node,
    ],
    make: async () => [{ ...(await command()), ...stamp.read() }, second.read()],
    ondone: (answer) => {
      closeSheet();
      say(answer.lines);
      then();
    },
  });
  showSheet(label(rule.name), [form]);
  field.input.focus();
}

/**
 * What a length of time before the opening means for the first table, said before it is set.
 *
 * @param {string} key
 * @param {ValueControl} field
 */
function delayText(key, field) {
  const text = el("p", { class: "said is-warning", role: "status" }, "The first table waits so long before it opens.");
  const tell = async () => {
    let length;
    try {
      length = field.read();
    } catch {
      text.textContent = "The first table waits so long before it opens.";
      return;
    }
    const query = new URLSearchParams({ count: String(length.count), unit: length.unit });
    /** @type {Server.OpeningDay} */
    const day = await get(`/api/office/${here.office}/opening-day/${key}?${query}`);
    const told = day.is_told ? `was told on ${day.told}` : `is told today, ${day.told}`;
    text.textContent =
      `If you write ${valueWords(book.asked[key], length)}, the first table can open on ${day.opens} at the ` +
      `earliest: the ${day.to.join(" and the ")} ${told}.`;
  };
  for (const node of field.nodes) if (node instanceof HTMLElement) node.addEventListener("input", () => void tell());
  if (field.input.value) void tell();
  return text;
}

/**
 * A value in words.
 *
 * @param {Server.Value} rule
 * @param {any} value
 * @returns {string}
 */
export function valueWords(rule, value) {
  if (value === undefined) return "not set";
  if (rule.type === "length") return `${value.count} ${value.unit.replaceAll("_", " ")}`;
  return rule.type === "cents" ? money(value) : Array.isArray(value) ? value.join(", ") : String(value);
}
