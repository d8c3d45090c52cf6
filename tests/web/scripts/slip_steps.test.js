// What can be done to a numbered slip: the next step of its life first, and no correction of what nobody did.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stepsOf } from "../../../src/passline/web/static/office/slip_steps.js";

/** @import { KeyedAct } from "../../../src/passline/web/static/office/slip_steps.js" */

/**
 * @param {string} key
 * @param {object} rest
 * @returns {KeyedAct}
 */
const act = (key, rest) =>
  /** @type {KeyedAct} */ (/** @type {unknown} */ ([key, { name: key, by: [], fields: {}, states: [], ...rest }]));

const FILL = [
  act("request_fill", { new: true, to: "requested" }),
  act("prepare_fill", { states: ["requested"], to: "prepared" }),
  act("carry_fill", { states: ["prepared"], to: "carried" }),
  act("accept_fill", { states: ["carried"], to: "accepted" }),
  act("void_fill", { states: ["requested"], to: "void" }),
  act("correct_request_fill", { corrects: "request_fill" }),
  act("correct_accept_fill", { corrects: "accept_fill" }),
];
/** @param {string} state */
const steps = (state) => stepsOf({ state }, FILL.slice()).map(([key]) => key);

test("a slip that nobody accepted has no acceptance to correct", () => {
  for (const state of ["requested", "prepared", "carried"]) {
    assert.ok(!steps(state).includes("correct_accept_fill"), state);
    assert.ok(steps(state).includes("correct_request_fill"), state);
  }
});

test("the next step of its life comes first", () => {
  assert.deepEqual(steps("requested"), ["prepare_fill", "void_fill", "correct_request_fill"]);
});

test("one that was accepted has", () => {
  assert.deepEqual(steps("accepted"), ["correct_request_fill", "correct_accept_fill"]);
});
