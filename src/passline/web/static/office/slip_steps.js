// The life of a numbered slip, from the acts that are done to its kind: without the page, so that it is tested alone.

/** @import { Act } from "./book.js" */
/** @typedef {[key: string, act: Act]} KeyedAct */

/**
 * The acts that can be done to a slip now, the next step of its life first. What nobody has done yet is not corrected.
 *
 * @param {{ state: string }} thing
 * @param {KeyedAct[]} about
 */
export function stepsOf(thing, about) {
  const order = chain(about);
  const place = order.indexOf(thing.state);
  const fit = about.filter(
    ([, act]) =>
      !act.new &&
      (!act.states.length || act.states.includes(thing.state)) &&
      (!act.corrects || isDone(act.corrects, about, order.slice(0, place + 1))),
  );
  return fit.sort(([, first], [, second]) =>
    Math.sign(
      Number(order.indexOf(second.to ?? "") === place + 1) - Number(order.indexOf(first.to ?? "") === place + 1),
    ),
  );
}

/**
 * Whether an act was done to a slip that has come through some states.
 *
 * @param {string} key
 * @param {KeyedAct[]} about
 * @param {string[]} through
 */
function isDone(key, about, through) {
  const first = about.find(([other]) => other === key)?.[1];
  return Boolean(first && (first.new || through.includes(first.to ?? "")));
}

/**
 * The states of a slip when all goes well: from the one it is made in, each by the first act that leads on.
 *
 * @param {KeyedAct[]} about
 * @returns {string[]}
 */
export function chain(about) {
  const made = about.find(([, act]) => act.new)?.[1].to;
  const states = made ? [made] : [];
  for (;;) {
    const next = about
      .map(([, act]) => act)
      .find((act) => !act.new && act.to && act.states.includes(states.at(-1) ?? "") && !states.includes(act.to));
    if (!next?.to) return states;
    states.push(next.to);
  }
}
