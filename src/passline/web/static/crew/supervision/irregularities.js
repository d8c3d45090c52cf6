// Irregularities: reported by the crew; those whom the regulation names direct what is done and watch it done.

import { el, fill } from "../../elements.js";
import { act, field, folded, form, select, showOptions, submit } from "../panel.js";

const TEXT_MAX = 600;
const SHORT = 40;

/**
 * @param {import("../console.js").Console} console_
 * @param {Server.IrregularitiesCard} law
 * @returns {import("../panel.js").Panel}
 */
export function irregularitiesPanel(console_, law) {
  const directs = console_.can("direct-action");
  const observes = console_.can("observe-action");
  const list = el("ol", { class: "irregular", "aria-label": "Open irregularities", "aria-live": "polite" });
  const tag = el("span", { class: "tag" });
  const which = select([]);
  const action = el("input", { type: "text", required: true, maxlength: TEXT_MAX, autocomplete: "off" });
  const direct = form(
    "Direct what is done",
    async () => {
      const done = await console_.submit(
        `Directed about irregularity ${which.value}`,
        { command: "direct-action", irregularity: Number(which.value), action: action.value },
        { undo: "directing again replaces it" },
      );
      if (done) action.value = "";
      return done;
    },
    field("Irregularity", which, { size: "wide" }),
    field("What the dealer is to do", action, { size: "wide" }),
    submit("Direct"),
    clause(law.direct),
  );
  const text = el("input", { type: "text", required: true, maxlength: TEXT_MAX, autocomplete: "off" });
  const report = form(
    "Report an irregularity",
    async () => {
      const done = await console_.submit("Irregularity reported", { command: "report-irregularity", text: text.value });
      if (done) text.value = "";
      return done;
    },
    field("What happened", text, {
      size: "wide",
      hint: `It goes to the ${law.notify.by.join(" or ")}. Players do not see it.`,
    }),
    submit("Report"),
    clause(law.notify),
  );
  const element = folded("Irregularities", "r", list, directs ? direct : null, report);
  element.querySelector("summary h2")?.append(tag);
  /** @param {Server.Irregularity} irregularity */
  const watch = ({ number }) =>
    console_.act(
      `Irregularity ${number} watched`,
      { command: "observe-action", irregularity: number },
      { about: `irregularity-${number}` },
    );
  /** @param {Server.Irregularity & { isOnItsWay: boolean }} item */
  const row = (item) =>
    el(
      "li",
      {},
      el("span", { class: "number" }, String(item.number)),
      el("span", {}, item.text),
      item.action
        ? el("span", { class: "hint" }, "Directed: ", item.action)
        : el("span", { class: "hint waits" }, `The ${law.direct.by.join(" or ")} directs what is done`),
      item.action && observes
        ? act(item.isOnItsWay ? "On its way" : "I watched it done", "", () => watch(item), {
            id: `irregularity-${item.number}`,
            disabled: item.isOnItsWay,
            title: law.observe.clause,
            "aria-label": `I watched it done: irregularity ${item.number}`,
          })
        : null,
    );
  let newest = 0;
  return {
    element,
    update({ own }) {
      const open = (own?.supervision?.irregularities ?? []).map((irregularity) => ({
        ...irregularity,
        isOnItsWay: console_.isOnItsWay(`irregularity-${irregularity.number}`),
      }));
      fill(list, open, () => (open.length ? open.map(row) : el("li", { class: "hint" }, "None is open.")));
      tag.hidden = !open.length;
      tag.className = "tag warn";
      tag.textContent = `${open.length} open`;
      const first = [...open.filter((item) => !item.action), ...open.filter((item) => item.action)];
      showOptions(
        which,
        first.map((item) => [
          item.number,
          `${item.number}: ${item.text.length > SHORT ? `${item.text.slice(0, SHORT)}…` : item.text}`,
        ]),
      );
      // the one that waits
      if (first.length && !action.value && document.activeElement !== which) which.value = String(first[0].number);
      direct.hidden = !open.length;
      const last = Math.max(0, ...open.map((item) => item.number));
      if (last > newest && (directs || observes)) element.unfold(); // a new one, for this role to answer
      newest = Math.max(newest, last);
      element.classList.toggle("is-urgent", open.length > 0 && (directs || observes));
    },
    bindings: [
      { keys: "r", says: "irregularities", on: () => element.unfold(directs && !direct.hidden ? action : text) },
    ],
  };
}

/** @param {Server.Step} rule */
function clause(rule) {
  return el("span", { class: "clause" }, rule.clause);
}
