// Numbered slips as cards in the order of their life, each with one large button for its next step: a fill in few taps.

import { buttonFor, el, hintText, words } from "../elements.js";
import { doAtOnce, openAct } from "./act_form.js";
import { book, doneBy, factList, groupWords, historyLink, localText, mayDo, spokenWords } from "./book.js";
import { trying } from "./parts.js";
import { chain, stepsOf } from "./slip_steps.js";

/** @import { Act } from "./book.js" */
/** @import { KeyedAct } from "./slip_steps.js" */
/** @typedef {(key: string, ids: string[]) => unknown} Does an act to things */

/**
 * The slips of a kind that are under way.
 *
 * @param {string} kind
 * @param {Server.KnownThing[]} things
 */
export function openSlips(kind, things) {
  const { final = [], rests = [], lasting = [] } = book.things[kind];
  return things.filter((thing) => ![...final, ...rests, ...lasting].includes(thing.state));
}

/**
 * The cards of the slips under way, after a button that begins one. `refresh` reads them again.
 *
 * @param {{ kind: string, things: Server.KnownThing[], refresh: () => void, canBegin?: boolean }} asked
 */
export function slipBoard({ kind, things, refresh, canBegin = true }) {
  const about = Object.entries(book.acts).filter(([, act]) => act.thing === kind);
  const open = openSlips(kind, things);
  const board = el("ul", { class: "slips", "aria-label": `${words(book.things[kind].name)}: under way` });
  /**
   * @param {string} key
   * @param {string[]} ids
   */
  const does = (key, ids) => trying(hostOf(board), () => doAtOnce(key, ids, refresh));
  /**
   * @param {string} key
   * @param {string[]} ids
   */
  const tells = (key, ids) => trying(hostOf(board), () => openAct(key, ids, refresh));
  board.append(...open.map((thing) => slip(kind, thing, about, does, tells)));
  const makes = canBegin ? about.filter(([, act]) => act.new && mayDo(act)) : [];
  return [
    makes.length
      ? el(
          "div",
          { class: "buttons" },
          ...makes.map(([key, act]) =>
            buttonFor(act.name, () => trying(hostOf(board), () => openAct(key, [], refresh)), { class: "first" }),
          ),
        )
      : null,
    canBegin && !makes.length
      ? hintText(
          about
            .filter(([, act]) => act.new)
            .map(([, act]) => `${act.name}. ${doneBy(act)}.`)
            .join(" "),
        )
      : null,
    open.length ? board : el("p", { class: "muted" }, "None is under way.", board),
  ].filter(Boolean);
}

/**
 * Where a board stands: a refusal is shown there.
 *
 * @param {HTMLElement} board
 */
const hostOf = (board) => board.parentElement ?? board;

/**
 * One slip: what it says, how far it is, its next step, and what else can be done.
 *
 * @param {string} kind
 * @param {Server.KnownThing} thing
 * @param {KeyedAct[]} about
 * @param {Does} does
 * @param {Does} tells
 */
function slip(kind, thing, about, does, tells) {
  const [next, ...rest] = stepsOf(thing, about);
  const steps = chain(about);
  return el(
    "li",
    { class: "slip" },
    el(
      "div",
      { class: "heading" },
      el("a", { class: "number which", href: historyLink(kind, thing.id) }, thing.id),
      el("span", { class: "hint" }, `${spokenWords(thing.state)} since ${localText(thing.since)}`),
    ),
    steps.length > 1
      ? el(
          "ol",
          { class: "chain", "aria-label": "How far it is" },
          ...steps.map((state) =>
            el(
              "li",
              {
                class: steps.indexOf(state) <= steps.indexOf(thing.state) ? "is-done" : "",
                "aria-current": state === thing.state ? "step" : null,
              },
              spokenWords(state),
            ),
          ),
        )
      : null,
    factList(kind, thing.facts),
    next
      ? mayDo(next[1])
        ? buttonFor(next[1].name, () => does(next[0], [thing.id]), { class: "first next" })
        : hintText(`Next: ${next[1].name} (${groupWords(next[1].by)})`)
      : null,
    next && mayDo(next[1]) && isMoreToTell(next[1])
      ? el(
          "button",
          { type: "button", class: "plain", onclick: () => tells(next[0], [thing.id]) },
          `${next[1].name}, other than it says`,
        )
      : null,
    rest.length
      ? el(
          "div",
          { class: "buttons" },
          ...rest
            .filter(([, act]) => mayDo(act))
            .map(([key, act]) => buttonFor(act.name, () => does(key, [thing.id]), { class: "plain" })),
        )
      : null,
  );
}

/**
 * Whether an act that is done with one tap can say more: a form asks for it.
 *
 * @param {Act} act
 */
function isMoreToTell(act) {
  const fields = Object.values(act.fields);
  return fields.length > 0 && fields.every((field) => field.optional);
}
