// What a roll did, as news pack it and pages unpack it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { unpackedSettled } from "../../../src/passline/web/static/settled_news.js";
import { ownOutcomes } from "../../../src/passline/web/static/table/result.js";
import { settledText } from "../../../src/passline/web/static/table/settled.js";

const PACKED = {
  players: { 2: /** @type {[string, string]} */ (["b1", "Bob"]), 3: /** @type {[string, string]} */ (["c1", "Cy"]) },
  texts: ["field", "player", "lost", "MD-3.A.11.b", "place_win", "won", "MD-5.A.5", "", "7 to 6"],
  rows: [
    [2, 0, 0, 1, 2, 500, 0, 3],
    [3, 4, 6, 1, 5, 0, 1400, 6, 7, 8, 0, 1200],
  ],
};

test("each row names its player and its texts; what is left out at its end is absent", () => {
  const [lost, won] = unpackedSettled(PACKED);
  assert.deepEqual(lost, {
    seat: 2,
    account: "b1",
    name: "Bob",
    kind: "field",
    number: 0,
    owner: "player",
    outcome: "lost",
    cents: 500,
    winnings: 0,
    clause: "MD-3.A.11.b",
  });
  assert.equal(won.name, "Cy");
  assert.equal(won.pays, "7 to 6");
  assert.equal(won.stays, 1200);
});

test("an outcome is told with its arithmetic", () => {
  const [lost, won] = unpackedSettled(PACKED);
  const nameOfKind = (/** @type {string} */ kind) => kind;
  assert.equal(settledText(lost, "Field", nameOfKind), "Field, $5: taken [MD-3.A.11.b]");
  assert.equal(settledText(won, "Place 6", nameOfKind), "Place 6, $12 at 7 to 6: $14, stays up [MD-5.A.5]");
});

test("what a meter pays is told beside the line of its wager", () => {
  const [, won] = unpackedSettled(PACKED);
  const paid = { ...won, kind: "beacon", cents: 0, stays: 0, winnings: 50100, pays: "meter", clause: "LK-66" };
  const nameOfKind = (/** @type {string} */ kind) => kind;
  assert.equal(settledText(paid, "Beacon", nameOfKind), "Beacon, from the meter: $501 [LK-66]");
  const own = ownOutcomes(
    /** @type {any} */ ({ settled: [{ ...paid, cents: 500, winnings: 2000, pays: "4 to 1" }, paid] }),
    "c1",
  );
  assert.deepEqual([own.length, own[0].net, own[0].outcome], [1, 52100, "won"]);
});
