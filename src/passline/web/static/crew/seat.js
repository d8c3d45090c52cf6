// The crew seats players who have no page of their own, at a table with physical dice.

import { el, freshId, hintText } from "../elements.js";
import { get } from "../http.js";
import { field, form, panel, select, showOptions, signOff, submit } from "./panel.js";

const WALK_IN = "walk-in";
/** @type {import("./panel.js").Option[]} */
const WHO = [
  [WALK_IN, "A walk-in, without an account"],
  ["account", "An account of the house"],
];
const SUGGESTED_MAX = 20;

/** @typedef {{ account: string, name: string, roles: string[], is_disabled: boolean }} Person */

/**
 * The player accounts whose name contains a text.
 *
 * @param {string} name
 * @param {string[]} players the roles of those whom the crew seats
 * @returns {Promise<Person[]>}
 */
async function accountsNamed(name, players) {
  const { people } = await get(`/api/people?name=${encodeURIComponent(name)}`);
  return /** @type {Person[]} */ (people).filter(
    (person) => person.roles.some((role) => players.includes(role)) && !person.is_disabled,
  );
}

/**
 * What a floorperson says of a walk-in whose name is like an employee's: that it is somebody else. Shown once a seating
 * was refused; on another's console the floorperson signs it with their PIN.
 *
 * @param {import("./console.js").Console} console_
 */
function likenessFields(console_) {
  const looked = el("input", { type: "checkbox" });
  const isSigner = console_.signs["seat-player"]?.includes(console_.role);
  const signed = isSigner ? null : signOff(console_, "seat-player");
  const label = el(
    "label",
    { class: "check" },
    looked,
    " A floorperson has looked: it is somebody else, not our employee",
  );
  const element = el("div", { class: "likeness", hidden: true }, label);
  const showSignature = () => element.replaceChildren(label, ...(signed && looked.checked ? [signed.element] : []));
  looked.addEventListener("change", showSignature);
  return {
    element,
    fields: () => (looked.checked ? { is_somebody_else: true } : {}),
    signOff: () => (signed && looked.checked ? signed.value() : null),
    show(/** @type {boolean} */ isShown) {
      element.hidden = !isShown;
      signed?.clear();
      if (!isShown) looked.checked = false;
      showSignature();
    },
  };
}

/**
 * Seat a walk-in by name, or an account if this role may see the accounts. Only free seats are offered.
 *
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function seatPanel(console_) {
  const seat = select([]);
  const who = select(console_.sees_people ? WHO : WHO.slice(0, 1));
  const known = el("datalist", { id: "known-players" });
  const name = el("input", {
    type: "text",
    required: true,
    maxlength: 40,
    autocomplete: "off",
    spellcheck: "false",
    list: known.id,
  });
  const isAccount = () => who.value === "account";
  const suggest = async () => {
    name.setCustomValidity("");
    const typed = name.value.trim();
    // without suggestions, a name can still be typed in full
    const found = isAccount() && typed ? await accountsNamed(typed, console_.players).catch(() => []) : [];
    if (typed === name.value.trim())
      known.replaceChildren(...found.slice(0, SUGGESTED_MAX).map((item) => el("option", { value: item.name })));
  };
  name.addEventListener("input", suggest);
  who.addEventListener("change", suggest);

  /** Who sits down: {account, name}, or null after showing in the field that no account has the name. */
  const player = async () => {
    const typed = name.value.trim();
    if (!isAccount()) return { account: `${WALK_IN}-${freshId()}`, name: typed };
    const found = (await accountsNamed(typed, console_.players)).find(
      (item) => item.name.toLowerCase() === typed.toLowerCase(),
    );
    if (found) return { account: found.account, name: found.name };
    name.setCustomValidity("no player account has this name; pick one from the list, or seat a walk-in");
    name.reportValidity();
    return null;
  };

  const likeness = likenessFields(console_);
  const sheet = form(
    "Seat a player",
    async () => {
      const sits = await player().catch((refused) => {
        console_.refuse("Seat a player", refused);
        return null;
      });
      if (!sits) return false;
      /** @type {Server.SeatPlayer} */
      const command = { command: "seat-player", seat: Number(seat.value), ...sits, ...likeness.fields() };
      const said = await console_.submit(`${sits.name} at seat ${seat.value}`, command, {
        signOff: likeness.signOff(),
      });
      if (said) name.value = "";
      likeness.show(!said && !isAccount());
      return said;
    },
    console_.sees_people ? field("Who", who, { size: "wide" }) : null,
    field("Seat", seat, { size: "narrow" }),
    field("Name", name),
    known,
    likeness.element,
    submit("Seat"),
  );
  const hint = hintText(
    console_.sees_people
      ? ""
      : "Walk-ins only. Players with an account take a seat on their own page, or the floorperson seats them.",
  );
  const element = panel("Seat a player", "e", sheet, hint);
  let isFull = false;
  return {
    element,
    update({ table }) {
      const taken = new Set(table.seats.map((seat) => seat.seat));
      const free = Array.from({ length: table.places }, (_, place) => place + 1).filter((item) => !taken.has(item));
      showOptions(
        seat,
        free.map((item) => [item, String(item)]),
      );
      isFull = !free.length;
      sheet.hidden = isFull;
      hint.hidden = !isFull && console_.sees_people;
      if (isFull) hint.textContent = `All ${table.places} seats are taken.`;
    },
    bindings: [{ keys: "e", says: "seat a player", on: () => name.focus(), when: () => !isFull }],
  };
}
