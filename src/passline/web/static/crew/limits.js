// New limits: players get notice before they apply, and standing wagers keep their old ones.

import { el, fill, hintText, timeOf } from "../elements.js";
import { money } from "../money.js";
import { amountInput, amountOf, field, folded, form, signOff, submit } from "./panel.js";

/**
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function limitsPanel(console_) {
  const { card } = console_;
  const now = el("p", {});
  const notice = el("div", { class: "notice" });
  const least = amountInput();
  const most = amountInput();
  const minutes = el("input", {
    type: "number",
    min: card.notice_minutes,
    value: card.notice_minutes,
    size: 4,
    inputmode: "numeric",
  });
  const signed = signOff(console_, "notice-limits");
  const element = folded(
    "Limits",
    "l",
    now,
    notice,
    form(
      "Notice of new limits",
      async () => {
        const [min, max] = [amountOf(least), amountOf(most)];
        if (min === null || max === null) return false;
        const said = await console_.submit(
          `Notice of limits ${money(min)} to ${money(max)}`,
          {
            command: "notice-limits",
            wager_cents_min: min,
            wager_cents_max: max,
            in_minutes: minutes.value === "" ? -1 : Number(minutes.value),
          },
          { signOff: signed.value(), undo: "another notice replaces it" },
        );
        signed.clear();
        if (said) least.value = most.value = "";
        return said;
      },
      field("Minimum", least),
      field("Maximum", most),
      field("In minutes", minutes, { hint: `elected by the house: ${card.notice_minutes}` }),
      signed.element,
      submit("Give notice"),
    ),
  );
  return {
    element,
    update({ table }) {
      now.textContent = `In force: ${money(table.limits.min)} to ${money(table.limits.max)}`;
      fill(notice, [table.notice, table.seats], () =>
        table.notice
          ? [
              el(
                "p",
                {},
                el("b", {}, `${money(table.notice.wager_cents_min)} to ${money(table.notice.wager_cents_max)}`),
                " from ",
                timeOf(table.notice.at, true),
              ),
              hintText(
                `Shown to seats: ${table.seats.map((seat) => `${seat.seat} ${seat.name}`).join(", ") || "none"}, ` +
                  "and in the lobby. Standing wagers keep their limits.",
              ),
            ]
          : hintText("No change is announced."),
      );
    },
    bindings: [{ keys: "l", says: "notice of limits", on: () => element.unfold(least) }],
  };
}
