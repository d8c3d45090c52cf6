// Words for times, regulations and calls.
import assert from "node:assert/strict";
import { test } from "node:test";
import { callNow, inWords, momentText, regulationName } from "../../../src/passline/web/static/wording.js";

/** @param {object} parts */
const tableWith = (parts) => /** @type {Server.TableView} */ (/** @type {any} */ ({ rolls: [], ...parts }));
const said = (/** @type {string} */ call) => ({ sequence: 1, at: "", lines: [], call });

test("a moment is told on the house's clock, with its zone", () => {
  assert.equal(momentText("2026-11-15T09:46:18Z"), "15 Nov 2026, 09:46:18 UTC");
  assert.equal(momentText("2026-11-15T09:46:18Z", false), "09:46:18");
  assert.equal(momentText("soon"), "soon");
});

test("lines of the log have times and names for people", () => {
  const page = {
    querySelector: (/** @type {string} */ asked) => ({
      content: asked.includes("regulations") ? "section2 maryland" : "",
    }),
  };
  Object.assign(globalThis, { document: page });
  assert.equal(
    inWords("from 2026-11-15T09:46:18+00:00 under section2"),
    "from 15 Nov 2026, 09:46:18 UTC under Section 2",
  );
  Object.assign(globalThis, { document: undefined });
  assert.equal(inWords("under section2"), "under section2");
  assert.deepEqual(["section2", "maryland"].map(regulationName), ["Section 2", "Maryland"]);
});

test("the call is that of the dice on the table, and none while they are thrown", () => {
  const news = { kind: /** @type {const} */ ("news"), said: [said("six"), said("")], changed: {}, touched: [] };
  assert.equal(callNow(tableWith({ dice_are: "held" }), news), "six");
  assert.equal(callNow(tableWith({ dice_are: "air" }), news), "");
  assert.equal(callNow(tableWith({ dice_are: "held" }), { ...news, said: [] }), null);
  const whole = { ...news, kind: /** @type {const} */ ("table"), said: [] };
  assert.equal(callNow(tableWith({ dice_are: "held", rolls: [{ call: "nine" }] }), whole), "nine");
  assert.equal(callNow(tableWith({ dice_are: "called", rolls: [{ call: "nine" }] }), whole), "");
});
