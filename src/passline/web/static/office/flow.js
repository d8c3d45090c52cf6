// Parts that the designed pages share: how far one is, signatures in place, and what a count has shown.

import { el, setChildren, tableHead } from "../elements.js";
import { money } from "../money.js";
import { clause, clauseOf, outcome, signatureOf, thingName, withNames } from "./book.js";
import { signatureForm, unsignedPart } from "./sign.js";
import { denominationMark } from "./units.js";

/** @import { Child } from "../elements.js" */
/** @import { Act, Units } from "./book.js" */
/** @import { Unsigned } from "./sign.js" */

/**
 * Show a step of what is done on a page, from its top.
 *
 * @param {HTMLElement} host
 * @param {Child[]} nodes
 */
export function showStep(host, nodes) {
  setChildren(host, ...nodes);
  document.getElementById("flow-title")?.focus();
  scrollTo(0, 0);
}

/**
 * The count that an act is; an error of an act that counts nothing.
 *
 * @param {Act} act
 * @returns {Server.Counting}
 */
export function countingOf(act) {
  if (act.counts) return act.counts;
  throw new TypeError(`${act.name} counts nothing`);
}

/**
 * How far one is: the steps, the current one marked.
 *
 * @param {string[]} all
 * @param {number} current
 */
export function steps(all, current) {
  return el(
    "ol",
    { class: "chain flow-steps", "aria-label": "How far it is" },
    ...all.map((text, place) =>
      el("li", { class: place <= current ? "is-done" : "", "aria-current": place === current ? "step" : null }, text),
    ),
  );
}

/**
 * Ask for every signature an act waits for, each on the same place of the page; `show(node, place)` puts it there.
 *
 * `ondone(answer)` is called with the last answer, `onlater()` if the rest is to be signed later.
 *
 * @param {{
 *  done: Server.ActDone,
 *  act: Act,
 *  show: (form: HTMLElement, place: number) => void,
 *  ondone: (answer: Server.OfficeReceipt) => void,
 *  onlater: () => void,
 * }} asked
 */
export function signInPlace({ done, act, show, ondone, onlater }) {
  const waits = [...done.waits],
    all = waits.length;
  /** @param {string[]} hands */
  const next = (hands) => {
    const part = waits.shift() ?? "";
    const { form, focus } = signatureForm(
      unsignedPart(done, act, part, hands),
      (answer, by) => {
        if (outcome(answer).voided || !waits.length) ondone(answer);
        else next([...hands, by]);
      },
      {
        cancel: "Sign later",
        oncancel: onlater,
        button: signatureOf(act, part).counts ? "I have counted: sign" : "Sign",
      },
    );
    show(form, all - waits.length - 1);
    focus();
  };
  next([done.by]);
}

/**
 * A count by denomination; with what was on record beside it where that is known. `isChip`: chips, not notes.
 *
 * @param {Units} units
 * @param {Units | null} [expected]
 * @param {boolean} [isChip]
 */
export function unitsTable(units, expected = null, isChip = true) {
  const keys = [...new Set([...Object.keys(units), ...Object.keys(expected ?? {})])]
    .filter((item) => units[item] || expected?.[item])
    .sort((item, other) => Number(item) - Number(other));
  /** @param {Units} of */
  const sum = (of) => keys.reduce((all, key) => all + Number(key) * (of[key] ?? 0), 0);
  /** @param {string} text */
  const cell = (text) => el("td", { class: "amount" }, text);
  /** @param {number | undefined} item */
  const count = (item) => (item ?? 0).toLocaleString("en-US");
  /** @param {string} item */
  const row = (item) =>
    el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el("span", { class: "denomination" }, denominationMark(item, isChip), money(Number(item))),
      ),
      cell(count(units[item])),
      cell(money(Number(item) * (units[item] ?? 0))),
      ...(expected
        ? [
            cell(count(expected[item])),
            differ(
              (units[item] ?? 0) - (expected[item] ?? 0),
              (number) => `${number > 0 ? "+" : "−"}${count(Math.abs(number))}`,
            ),
          ]
        : []),
    );
  const heads = ["Denomination", "Counted", "Amount", ...(expected ? ["On record", "Difference"] : [])];
  return el(
    "div",
    { class: "scroll", role: "region", "aria-label": "The count", tabindex: 0 },
    el(
      "table",
      { class: "figures counted" },
      tableHead(heads, 1),
      el(
        "tbody",
        {},
        ...keys.map(row),
        keys.length ? null : el("tr", {}, el("td", { colspan: heads.length }, "Nothing was there.")),
      ),
      el(
        "tfoot",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "row" }, "Total"),
          cell(""),
          cell(money(sum(units))),
          ...(expected ? [cell(money(sum(expected))), differ(sum(units) - sum(expected), signedMoney)] : []),
        ),
      ),
    ),
  );
}

/**
 * An amount with its sign.
 *
 * @param {number} cents
 */
export const signedMoney = (cents) => `${cents > 0 ? "+" : "−"}${money(Math.abs(cents))}`;

/**
 * @param {number} number
 * @param {(number: number) => string} text
 */
function differ(number, text) {
  return el("td", { class: `amount ${number ? "is-off" : ""}` }, number ? text(number) : "–");
}

/**
 * The incidents of an answer, each with its clause; of one that the page has explained already only its number.
 *
 * @param {Server.OfficeReceipt} answer
 * @param {boolean} [isExplained]
 */
export function incidentList(answer, isExplained = false) {
  const found = outcome(answer).incidents;
  return found.length
    ? el(
        "div",
        { class: "said is-warning", role: "alert" },
        ...found.map((incident) =>
          el(
            "p",
            {},
            el("strong", {}, `Incident ${incident.id} is open`),
            isExplained ? ": somebody must look into it. " : `: ${withNames(incident.why)} `,
            clause(incident.clause),
          ),
        ),
      )
    : null;
}

/**
 * A step of what is being done to a thing: its heading with the clause, how far it is, and the rest.
 *
 * @param {Act} act
 * @param {string} id
 * @param {string[]} all
 * @param {number} current
 * @param {Child[]} nodes
 */
export const flowPanel = (act, id, all, current, nodes) =>
  el(
    "section",
    { class: "panel flow", "aria-labelledby": "flow-title" },
    el("div", { class: "heading" }, flowTitle(act, id), clause(clauseOf(act))),
    steps(all, current),
    ...nodes,
  );

/**
 * A field into which boxes are scanned or typed; what `take` returns of each is said beside it.
 *
 * @param {(name: string) => string} take
 */
export function scanField(take) {
  const said = el("p", { class: "hint", role: "status" });
  const scan = el("input", {
    id: "scan",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    placeholder: "Scan or type a box, then Enter",
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // or the same Enter sends the form that opens
      const name = scan.value.trim();
      if (!name) return;
      said.textContent = take(name);
      scan.value = "";
    },
  });
  return { scan, row: el("div", { class: "row scan" }, el("label", { for: "scan" }, "Scan"), scan, said) };
}

/**
 * A heading of what is being done to which thing.
 *
 * @param {Act} act
 * @param {string} id
 */
export function flowTitle(act, id) {
  return el(
    "h2",
    { id: "flow-title", tabindex: -1 },
    act.name,
    id ? el("span", { class: "flow-of" }, thingName(act.thing, id)) : null,
  );
}
