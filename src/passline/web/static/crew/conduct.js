// Breaches of conduct that the regulation names: record by whom and when.

import { el } from "../elements.js";
import { field, folded, form, select, showSeats, submit } from "./panel.js";

/** @type {import("./panel.js").Option[]} */
const MOMENTS = [
  ["", "Now, with a wager up"],
  ["last_roll", "During the last roll"],
];
const WHICH = "Pick the last roll if that roll has decided the wager.";

/**
 * Record a breach of conduct; advice also after the roll during which it was given.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function conductPanel(console_) {
  const breaches = console_.card.conduct;
  const breach = select(breaches.map(({ key, name }) => /** @type {import("./panel.js").Option} */ ([key, name])));
  const seat = select([]);
  const role = select([]);
  const during = select(MOMENTS);
  const text = el("input", { type: "text", maxlength: 600, autocomplete: "off" });
  const advised = [field("Advised by the", role), field("The advice was given", during, { size: "wide", hint: WHICH })];
  const clause = el("span", { class: "clause" });
  const isAdvice = () => role.options.length > 0;
  const show = () => {
    const each = breaches.find(({ key }) => key === breach.value);
    clause.textContent = each?.clause ?? "";
    role.replaceChildren(...(each?.by ?? []).map((name) => el("option", { value: name }, name)));
    for (const node of advised) node.hidden = !isAdvice();
  };
  breach.addEventListener("change", show);
  show();
  const [roleField, duringField] = advised;
  const element = folded(
    "Conduct",
    "u",
    form(
      "Record conduct",
      async () => {
        /** @type {Server.ReportConduct} */
        const command = {
          command: "report-conduct",
          breach: breach.value,
          seat: Number(seat.value || 0),
          text: text.value,
          ...(isAdvice() ? { role: role.value, during: during.value } : {}),
        };
        const said = await console_.submit("Conduct recorded", command);
        if (said) text.value = during.value = "";
        return said;
      },
      field("What", breach, { size: "wide" }),
      field("To seat", seat),
      roleField,
      duringField,
      field("Description", text, { size: "wide" }),
      submit("Record"),
      clause,
    ),
  );
  return {
    element,
    update: ({ table }) => showSeats(seat, table),
    bindings: [{ keys: "u", says: "record conduct", on: () => element.unfold(breach) }],
  };
}
