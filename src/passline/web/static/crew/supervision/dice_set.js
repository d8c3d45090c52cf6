// The set of physical dice in play: how long it may still be thrown, a new set, and what condemns one.

import { el, fill, hintText, timeOf } from "../../elements.js";
import { act, field, folded, form, select, submit } from "../panel.js";

const MINUTE = 60_000;
const WARN = 60 * MINUTE;

/** @typedef {{ number: number, left: string, mark: string, why: string, clause: string }} SetNow how a set stands */

/**
 * A time that is left in words: "23 h 5 min left".
 *
 * @param {number} ms
 * @returns {string}
 */
function leftText(ms) {
  const minutes = Math.floor(ms / MINUTE);
  if (minutes < 1) return "under a minute left";
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/**
 * How the set in play stands at a moment: `{number, left, mark, why, clause}`; null where no set is on record.
 *
 * @param {Server.CrewCard} card
 * @param {Server.OwnView | null} own
 * @param {number} now
 * @returns {SetNow | null}
 */
export function diceSetNow({ dice_sets: law }, own, now) {
  const set = own?.supervision?.dice;
  const needed = own?.supervision?.needed;
  if (law && !set && needed)
    return { number: 0, left: "a new set is needed", mark: "bad", clause: needed.clause, why: needed.why };
  if (!law || !set) return null;
  const { number, condemned } = set;
  const remedy = `The ${law.by.join(" or ")} puts in a new set.`;
  if (condemned)
    return {
      number,
      left: condemned.reason.replaceAll("_", " "),
      mark: "bad",
      clause: condemned.clause,
      why: `set ${number} of the dice is ${condemned.reason.replaceAll("_", " ")}. ${remedy}`,
    };
  const ms = Date.parse(set.ends) - now;
  if (ms > 0) return { number, left: leftText(ms), mark: ms <= WARN ? "warn" : "", clause: law.clause, why: "" };
  return {
    number,
    left: `${law.hours} hours are over`,
    mark: "bad",
    clause: law.clause,
    why: `the ${law.hours} hours of set ${number} of the dice are over. ${remedy}`,
  };
}

/**
 * Put in a new set of dice, and condemn the one in play for a reason of the regulation.
 *
 * @param {import("../console.js").Console} console_
 * @param {Server.DiceSetsCard} law
 * @returns {import("../panel.js").Panel}
 */
export function diceSetPanel(console_, law) {
  const shown = el("div", { class: "dice-set" });
  const tag = el("span", { class: "tag" });
  const putIn = act("Put in a new set", "", () =>
    console_.act("New set of dice put in", { command: "put-in-dice" }, { about: "put-in-dice" }),
  );
  const reason = select(law.reasons.map(({ key, name }) => /** @type {import("../panel.js").Option} */ ([key, name])));
  const text = el("input", { type: "text", maxlength: 600, autocomplete: "off" });
  const says = el("p", { class: "hint" });
  const showReason = () => {
    const each = law.reasons.find(({ key }) => key === reason.value);
    if (each) says.replaceChildren(each.says, el("span", { class: "clause" }, ` ${each.clause}`));
  };
  reason.addEventListener("change", showReason);
  showReason();
  const condemn = form(
    "Condemn the set",
    async () => {
      const done = await console_.submit(`Set condemned: ${reason.selectedOptions[0].text.toLowerCase()}`, {
        command: "condemn-dice",
        reason: reason.value,
        text: text.value,
      });
      if (done) text.value = "";
      return done;
    },
    field("Condemn the set in play because it is", reason, { size: "wide" }),
    field("What was seen", text, { size: "wide" }),
    submit("Condemn the set"),
    says,
  );
  const mayPutIn = console_.can("put-in-dice");
  const element = folded("Set of dice", "h", shown, mayPutIn ? el("div", { class: "acts" }, putIn) : null, condemn);
  element.querySelector("summary h2")?.append(tag);
  /** @type {Server.OwnView | null} */
  let own = null;
  let wasBad = false;
  const tick = () => {
    const set = own?.supervision?.dice ?? null;
    const now = diceSetNow(console_.card, own, console_.live.now);
    tag.textContent = !now ? "none on record" : now.number ? `${now.number}: ${now.left}` : now.left;
    tag.className = `tag ${now?.mark || (now ? "" : "warn")}`;
    fill(shown, [set, now], () =>
      set && now
        ? facts(law, set, now)
        : now
          ? el("p", {}, `${now.why}. `, el("span", { class: "clause" }, now.clause))
          : el("p", {}, "No set is on record since this table was opened. The next set that is put in is."),
    );
    condemn.hidden = !set || Boolean(set.condemned);
    const isBad = now?.mark === "bad";
    element.classList.toggle("is-urgent", now?.mark === "warn");
    element.classList.toggle("is-stopped", isBad);
    putIn.classList.toggle("is-next", Boolean(now?.mark));
    if (isBad && !wasBad) element.unfold();
    wasBad = isBad;
  };
  return {
    element,
    update(state) {
      own = state.own;
      putIn.disabled = console_.isOnItsWay("put-in-dice") || (state.table.dice_are === "air" && !console_.isAhead);
      tick();
    },
    tick,
    bindings: [
      {
        keys: "h",
        says: "set of dice",
        on: () => element.unfold(mayPutIn && (condemn.hidden || putIn.classList.contains("is-next")) ? putIn : reason),
      },
    ],
  };
}

/**
 * @param {Server.DiceSetsCard} law
 * @param {Server.DiceSetView} set
 * @param {SetNow} now
 */
function facts(law, { number, since, ends, condemned }, now) {
  return [
    el("p", { class: now.mark ? `left is-${now.mark}` : "left" }, `Set ${number}: ${now.left}`),
    condemned?.text ? el("p", {}, `“${condemned.text}”`) : null,
    hintText(
      "In play since ",
      timeOf(since, true),
      ", until ",
      timeOf(ends, true),
      ` at most (${law.hours} hours)`,
      el("span", { class: "clause" }, ` ${law.clause}`),
    ),
    now.mark === "bad"
      ? hintText(
          "Throws are refused until a new set is in.",
          condemned ? el("span", { class: "clause" }, ` ${now.clause}`) : null,
        )
      : null,
  ].filter(Boolean);
}
