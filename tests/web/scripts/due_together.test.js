// Deadlines that end together are one, in the list of Today and in its count.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dueTogether } from "../../../src/passline/web/static/office/due_together.js";

/**
 * @param {string} clock
 * @param {string} about
 * @param {string} due
 */
const deadline = (clock, about, due, isOverdue = false) =>
  /** @type {Server.Due} */ (/** @type {any} */ ({ clock, about, due, is_overdue: isOverdue }));

test("those of several things that end together are one; overdue ones come first, those without a time last", () => {
  const all = [
    deadline("retire", "die/A1", ""),
    deadline("audit", "", "2027-01-01"),
    deadline("retire", "die/A2", ""),
    deadline("drop", "table/craps-1", "2026-11-15 18:00", true),
    deadline("drop", "table/craps-2", "2026-11-15 18:00", true),
    deadline("drop", "table/craps-2", "2026-11-16 18:00"),
  ];
  const together = dueTogether(all).map((group) => group.map(({ about }) => about));
  const dropped = ["table/craps-1", "table/craps-2"];
  assert.deepEqual(together, [dropped, ["table/craps-2"], [""], ["die/A1", "die/A2"]]);
});
