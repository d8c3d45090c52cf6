// Disputes: freeze the table, see what every screen had shown, decide the faces, release with a finding.

import { el, fill, hintText } from "../elements.js";
import { keypad, typedDice } from "./dice.js";
import { act, field, folded, form, panel, select, showSeats, signOff, submit } from "./panel.js";

/**
 * Freeze and release the table. While it is frozen, show what each player's screen had shown.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function freezePanel(console_) {
  const reason = el("input", { type: "text", required: true, maxlength: 300, autocomplete: "off" });
  const seat = select([]);
  const finding = el("input", { type: "text", required: true, maxlength: 600, autocomplete: "off" });
  const signed = signOff(console_, "release-table");
  const freeze = form(
    "Freeze the table",
    async () => {
      const said = await console_.submit(
        "Table frozen",
        { command: "freeze-table", reason: reason.value, seat: Number(seat.value) },
        { undo: "z releases it" },
      );
      if (said) reason.value = "";
      return said;
    },
    field("What is disputed", reason, { size: "wide" }),
    field("By seat", seat),
    submit("Freeze"),
  );
  const evidence = el("div", { class: "evidence" });
  const release = form(
    "Release the table",
    async () => {
      const said = await console_.submit(
        "Table released",
        { command: "release-table", finding: finding.value },
        { signOff: signed.value() },
      );
      if (said) finding.value = "";
      signed.clear();
      return said;
    },
    field("Finding", finding, { size: "wide" }),
    signed.element,
    submit("Release"),
  );
  const element = folded("Dispute freeze", "z", freeze, evidence, release);
  let wasFrozen = false;
  return {
    element,
    update({ table }) {
      const isFrozen = table.status === "frozen";
      freeze.hidden = isFrozen;
      release.hidden = !isFrozen || !console_.can("release-table");
      evidence.hidden = !isFrozen;
      if (isFrozen && !wasFrozen) element.unfold();
      wasFrozen = isFrozen;
      element.classList.toggle("is-urgent", isFrozen);
      showSeats(seat, table, [0, "nobody"]);
      const { frozen } = table;
      if (isFrozen && frozen) fill(evidence, frozen, () => evidenceOf(console_.table, table, frozen));
    },
    bindings: [
      {
        keys: "z",
        says: "freeze or release",
        on: () => element.unfold(freeze.hidden ? finding : reason),
        always: true,
      },
    ],
  };
}

/**
 * What each seat had seen, from the log, with links to the table as it was then.
 *
 * @param {string} name
 * @param {Server.TableView} table
 * @param {Server.Frozen} frozen
 * @returns {HTMLElement}
 */
function evidenceOf(name, table, frozen) {
  const node = el(
    "div",
    {},
    el("p", {}, el("b", {}, "Frozen: "), frozen.reason, frozen.seat ? ` (disputed by seat ${frozen.seat})` : ""),
  );
  const rows = Object.entries(frozen.shown);
  if (rows.length) {
    const names = Object.fromEntries(table.seats.map((seat) => [seat.seat, seat.name]));
    node.append(
      el("p", {}, "What each screen had shown:"),
      el(
        "ul",
        {},
        ...rows.map(([seat, sequence]) =>
          el(
            "li",
            {},
            `Seat ${seat}${names[seat] ? ` ${names[seat]}` : ""}: `,
            sequence === 0
              ? "not known"
              : el(
                  "a",
                  { href: `/tables/${encodeURIComponent(name)}/recall#${sequence}`, target: "_blank", rel: "noopener" },
                  `entry ${sequence}`,
                ),
          ),
        ),
      ),
    );
  } else node.append(hintText("No player’s screen was open."));
  return node;
}

/**
 * Decide disputed faces: two digits, or void.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function decidePanel(console_) {
  const { keys, card } = console_;
  /** @param {import("./keyboard/typed_dice.js").Die[]} dice */
  const decide = ([first, second]) => {
    keys.leave();
    console_.act(`Dispute decided: ${first.face}-${second.face}`, {
      command: "decide-dispute",
      first: first.face,
      second: second.face,
    });
  };
  const entry = typedDice(console_, decide);
  const voided = () => {
    keys.leave();
    console_.act("Dispute decided: the throw is void", { command: "decide-dispute", first: 0, second: 0 });
  };
  const element = panel(
    "Decide the disputed faces",
    "x",
    el(
      "p",
      {},
      "Key the faces that are up, or declare the throw void.",
      el("span", { class: "clause" }, ` ${card.dispute.clause}`),
    ),
    entry.element,
    keypad((face) => entry.typed.digit(face)),
    el("div", { class: "acts" }, act("Void", "0", voided)),
  );
  const enter = () =>
    keys.enter({
      name: "Decide the dispute",
      bindings: [
        { keys: "1-6", says: "the faces that are up", on: (digit) => entry.typed.digit(Number(digit)) },
        { keys: "0", says: "void", on: voided },
      ],
      onleave: () => entry.typed.clear(),
    });
  return {
    element,
    update({ table }) {
      element.hidden = !table.is_disputed;
      element.classList.toggle("is-urgent", table.is_disputed);
    },
    bindings: [{ keys: "x", says: "decide the dispute", on: enter, when: () => !element.hidden }],
    stop: () => entry.typed.stop(),
  };
}
