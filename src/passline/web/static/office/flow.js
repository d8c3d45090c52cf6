// Parts that the designed pages share: how far one is, signatures in place, and what a count has shown.

import { el } from "../elements.js";
import { money } from "../money.js";
import { clause, clauseOf, here, named, thingName } from "./book.js";
import { signatureForm } from "./sign.js";
import { denominationMark } from "./units.js";

/** How far one is: the steps, the current one marked. */
export function steps(all, current) {
  return el(
    "ol",
    { class: "chain flow-steps", "aria-label": "How far it is" },
    ...all.map((text, place) =>
      el("li", { class: place <= current ? "is-done" : "", "aria-current": place === current ? "step" : null }, text),
    ),
  );
}

/** What an answer says of the act: {done, completed, voided, incidents}. */
export function outcome(answer) {
  const find = (kind) => answer.events.find((one) => one.event.startsWith(kind));
  return {
    done: find("act-done"),
    completed: find("act-completed"),
    voided: find("act-voided"),
    incidents: answer.events.filter((one) => one.event.startsWith("incident")),
  };
}

/** Ask for every signature an act waits for, each on the same place of the page; `show(node, place)` puts it there.
 *
 * `ondone(answer)` is called with the last answer, `onlater()` if the rest is to be signed later.
 */
export function signInPlace({ done, act, show, ondone, onlater }) {
  const waits = [...done.waits],
    all = waits.length;
  const next = (hands) => {
    const part = waits.shift(),
      sign = act.signs[part];
    const entry = {
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
    };
    const { form, focus } = signatureForm(
      entry,
      (answer, by) => {
        if (outcome(answer).voided || !waits.length) ondone(answer);
        else next([...hands, by]);
      },
      { cancel: "Sign later", oncancel: onlater, button: sign.counts ? "I have counted: sign" : "Sign" },
    );
    show(form, all - waits.length - 1);
    focus();
  };
  next([done.by]);
}

/** A count by denomination; with what was on record beside it where that is known. `isChip`: chips, not notes. */
export function unitsTable(units, expected = null, isChip = true) {
  const keys = [...new Set([...Object.keys(units), ...Object.keys(expected ?? {})])]
    .filter((one) => units[one] || expected?.[one])
    .sort((one, other) => Number(one) - Number(other));
  const sum = (of) => keys.reduce((all, one) => all + Number(one) * (of[one] ?? 0), 0);
  const cell = (text) => el("td", { class: "amount" }, text);
  const count = (one) => (one ?? 0).toLocaleString("en-US");
  const row = (one) =>
    el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el("span", { class: "denomination" }, denominationMark(one, isChip), money(Number(one))),
      ),
      cell(count(units[one])),
      cell(money(Number(one) * (units[one] ?? 0))),
      ...(expected
        ? [
            cell(count(expected[one])),
            differ(
              (units[one] ?? 0) - (expected[one] ?? 0),
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
      el(
        "thead",
        {},
        el("tr", {}, ...heads.map((head, place) => el("th", { scope: "col", class: place ? "amount" : "" }, head))),
      ),
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

/** An amount with its sign. */
export const signedMoney = (cents) => `${cents > 0 ? "+" : "−"}${money(Math.abs(cents))}`;

function differ(number, text) {
  return el("td", { class: `amount ${number ? "is-off" : ""}` }, number ? text(number) : "–");
}

/** The incidents of an answer, each with its clause; of one that the page has explained already only its number. */
export function incidentList(answer, isExplained = false) {
  const found = outcome(answer).incidents;
  return found.length
    ? el(
        "div",
        { class: "said is-warning", role: "alert" },
        ...found.map((one) =>
          el(
            "p",
            {},
            el("strong", {}, `Incident ${one.id} is open`),
            isExplained ? ": somebody must look into it. " : `: ${named(one.why)} `,
            clause(one.clause),
          ),
        ),
      )
    : null;
}

/** A heading of what is being done to which thing. */
export function flowTitle(act, id) {
  return el(
    "h2",
    { id: "flow-title", tabindex: -1 },
    act.name,
    id ? el("span", { class: "flow-of" }, thingName(act.thing, id)) : null,
  );
}
