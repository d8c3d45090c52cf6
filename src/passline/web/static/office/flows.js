// The pages that are designed for what people do every day: which act is done on which of them, and the way there.

import { el } from "../elements.js";
import { openAct } from "./act_form.js";
import { amOf, book, here, mayDo } from "./book.js";

/** @import { Act } from "./book.js" */

/**
 * The pages, in the order of a day.
 *
 * @type {{ [flow: string]: [name: string, says: string] }}
 */
const FLOWS = {
  window: ["Cashier's window", "Your drawer: open it, sell and redeem chips, hand it over, count and close it."],
  count: ["Count", "Opener, change of shift, closer, cage and reserve: two people, neither sees the other's figures."],
  "drop-round": ["Drop round", "Take the boxes off the tables at the end of a shift, and put empty ones on."],
  "count-room": ["Count room", "Box by box: notes, chips and tickets, signed by the team and the cage."],
};

/**
 * The page on which an act is done, "" if it has only its form.
 *
 * @param {string} key
 * @returns {string}
 */
export function flowOf(key) {
  const act = book.acts[key];
  const counts = act?.counts && act.fields[act.counts.field]?.type === "units" ? act.counts : null;
  if (counts?.stock && !act.moves && !act.new) return "count";
  if (counts && act.thing && act.states.length && !counts.stock) return "count-room";
  return act && exchangeOf(act) ? "drop-round" : "";
}

/**
 * Whether an act is done from a drawer of the cage that is in the hands of whoever does it.
 *
 * @param {Act} act
 */
export const isDoneFromDrawer = (act) =>
  Object.values(act.fields).some((field) => Boolean(field.own) && field.of?.[0] === "drawer");

/**
 * The fields of an act by which one thing is taken from another and the next put in its place, and nothing more is
 * told: {taken, put}.
 *
 * @param {Act} act
 * @returns {{ taken: string, put: string } | null}
 */
export function exchangeOf(act) {
  const asked = Object.entries(act.fields).filter(([, field]) => !field.optional);
  const moved = asked.filter(([, field]) => field.type === "thing" && field.to);
  const taken = moved.find(([, field]) =>
    moved.some(
      ([, other]) => other !== field && other.of?.[0] === field.of?.[0] && field.states?.includes(other.to ?? ""),
    ),
  );
  const put = moved.find((item) => item !== taken);
  const isPlain = asked.every(([, field]) => ["thing", "choice"].includes(field.type));
  return taken && put && isPlain && act.thing && Object.keys(act.signs).length < 2
    ? { taken: taken[0], put: put[0] }
    : null;
}

/**
 * The address of the page on which an act is done, for one thing if it is known; "" if it has only its form.
 *
 * @param {string} key
 * @param {string[]} [ids]
 * @returns {string}
 */
export function flowLink(key, ids = []) {
  const flow = flowOf(key);
  return flow ? `/office/${here.office}/${flow}#${key}${ids.length ? `=${encodeURIComponent(ids[0])}` : ""}` : "";
}

/**
 * Begin an act: on its page if it has one, else in its form.
 *
 * @param {string} key
 * @param {string[]} ids
 * @param {() => void} then
 */
export async function begin(key, ids, then) {
  const link = mayDo(book.acts[key]) === "self" ? flowLink(key, ids) : "";
  if (link) location.assign(link);
  else await openAct(key, ids, then);
}

/**
 * Large links to the pages on which whoever opened this one has something to do, of the acts that `isMeant` takes; null
 * if there is none.
 *
 * @param {(act: Act) => boolean} isMeant
 */
export function flowTiles(isMeant) {
  const mine = Object.entries(book.acts).filter(
    ([, act]) =>
      isMeant(act) &&
      (mayDo(act) === "self" || Object.values(act.signs).some((signature) => signature.counts && amOf(signature.by))),
  );
  const found = Object.entries(FLOWS).filter(([flow]) =>
    mine.some(([key, act]) => (flow === "window" ? isDoneFromDrawer(act) && mayDo(act) : flowOf(key) === flow)),
  );
  return found.length
    ? el(
        "nav",
        { class: "flows", "aria-label": "Every day" },
        ...found.map(([flow, [name, says]]) =>
          el(
            "a",
            { class: "panel flow-tile", href: `/office/${here.office}/${flow}` },
            el("strong", {}, name),
            el("span", { class: "hint" }, says),
          ),
        ),
      )
    : null;
}
