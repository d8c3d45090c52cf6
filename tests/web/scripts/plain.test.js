// What is on record without a field of its own, in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "../../../src/passline/web/static/office/plain.js";

const text = (/** @type {unknown} */ value) =>
  plainText(
    value,
    (key) => key.replaceAll("_", " "),
    (at) => at.slice(11, 16),
  );

test("what a thing was is told with the moment until which, and nothing of what was not there yet", () => {
  const until = "2026-11-15T08:00:00.000000Z";
  const was = [
    { until, state: "", table: "" },
    { until, state: "on_table", table: "craps-1" },
  ];
  assert.equal(text(was), "on table, table craps-1 until 08:00");
  assert.equal(text(was.slice(0, 1)), "");
});

test("lists, pairs and answers are words, never what a script calls an object", () => {
  assert.equal(text([{ first_shift: 2, second: true }, "three", null]), "first shift 2, second yes; three");
  assert.equal(text(false), "no");
  assert.equal(text("2026-11-15T08:00:00.000000Z"), "08:00");
});
