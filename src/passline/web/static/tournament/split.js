// What players have agreed to share. Nothing here appears before one of them has asked for it.

import { buttonFor, el, hintText } from "../elements.js";
import { money } from "../money.js";
import { commandButton, here, openForm, panel, row } from "./common.js";

/**
 * What a player asked for, who has signed, and with whom the director has confirmed it; null as long as nobody asked.
 *
 * @param {Server.StaffTournament} now
 */
export function splitPanel(now) {
  if (!now.split) return null;
  const { shares, agreed = [], confirmed = [] } = now.split;
  /** @param {string} entry */
  const name = (entry) => now.entries?.find((each) => each.number === Number(entry))?.name ?? `Entry ${entry}`;
  /** @param {string} entry */
  const confirm = (entry) => {
    const box = el("input", { type: "checkbox", id: "understood" });
    openForm(
      `Confirm with ${name(entry)}`,
      [
        el("p", {}, "Speak with the player alone. On any sign of pressure, call it off."),
        el(
          "label",
          { class: "box" },
          box,
          "The player knows that it must be voluntary and agreed by all, and says that it is",
        ),
      ],
      "Confirm",
      () => ({ command: "confirm-split", entry: Number(entry), is_understood: box.checked }),
    );
  };
  const off = () => {
    const reason = el("input", { id: "reason", autocomplete: "off", maxlength: 400 });
    openForm(
      "Call it off",
      [row("Why", reason)],
      "Call it off",
      () => ({ command: "stop-split", reason: reason.value }),
      "bad",
    );
  };
  return panel(
    "split-panel",
    "The players ask to share the cash",
    hintText("Each player signs for themselves, and the director confirms with each. Play goes on until then."),
    el(
      "ul",
      { class: "counts-list" },
      ...Object.entries(shares).map(([entry, cents]) => {
        const hasSigned = agreed.includes(Number(entry)),
          isSure = confirmed.includes(Number(entry));
        const known = now.entries?.find((each) => each.number === Number(entry));
        return el(
          "li",
          {},
          el(
            "span",
            { class: "grow" },
            el("strong", {}, name(entry)),
            el("span", { class: "hint number" }, money(cents)),
          ),
          el("span", { class: `tag ${hasSigned ? "on" : "warn"}` }, hasSigned ? "Signed" : "Has not signed"),
          isSure ? el("span", { class: "tag on" }, "Confirmed") : null,
          hasSigned && !isSure && here.is_director
            ? el(
                "button",
                { type: "button", onclick: () => confirm(entry) },
                "Confirm",
                el("span", { class: "spoken" }, ` with ${name(entry)}`),
              )
            : null,
          !hasSigned && !known?.account && here.is_crew && !here.is_director
            ? commandButton(
                "Signed on paper",
                { command: "agree-split", entry: Number(entry) },
                { what: `Signature of ${name(entry)}` },
              )
            : null,
        );
      }),
    ),
    el("div", { class: "buttons" }, buttonFor("Call it off", off, { class: "bad" })),
  );
}
