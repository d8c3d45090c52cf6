// Amounts of wagers: the smallest that may be made, the next correct one, vigorish, and the chips they come to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chipsFor, chipsText } from "../../../src/passline/web/static/crew/payouts/chips.js";
import { money } from "../../../src/passline/web/static/money.js";
import { chipsOf } from "../../../src/passline/web/static/table/chips.js";
import { correctedFor, leastOf, vigorishOn } from "../../../src/passline/web/static/table/play.js";

/** @type {Server.Area} */
const PLACE_6 = {
  kind: "place_win",
  number: 6,
  name: "Place 6",
  state: "open",
  why: "",
  clause: "",
  min: 1200,
  max: 60_000,
  unit: 600,
  default: 1200,
  standing: 0,
  may_remove: false,
  pays: "7 to 6",
  vigorish: null,
  again: 0,
  stays: "",
  stays_clause: "",
};
const CHIPS = [
  { cents: 10_000, colour: "black" },
  { cents: 2500, colour: "green" },
  { cents: 500, colour: "red" },
  { cents: 100, colour: "white" },
];

test("the smallest amount meets the minimum in whole units, and is one unit where the wager stands", () => {
  assert.equal(leastOf(PLACE_6), 1200);
  assert.equal(leastOf({ ...PLACE_6, min: 1300 }), 1800);
  assert.equal(leastOf({ ...PLACE_6, standing: 1200 }), 600);
});

test("a wrong amount is corrected upwards, but not over the maximum", () => {
  assert.equal(correctedFor(PLACE_6, 1000), 1200);
  assert.equal(correctedFor(PLACE_6, 1300), 1800);
  assert.equal(correctedFor(PLACE_6, 1800), 0);
  assert.equal(correctedFor({ ...PLACE_6, standing: 59_400 }, 1200), 600);
  assert.equal(correctedFor({ ...PLACE_6, standing: 60_000 }, 600), 0);
  assert.equal(correctedFor({ ...PLACE_6, state: "closed" }, 1000), 0);
  assert.equal(correctedFor(undefined, 1000), 0);
});

test("vigorish is of the whole stake and rounded down to the smallest chip", () => {
  const charge = { over: 1, under: 20, chip: 100 };
  assert.deepEqual(
    [1900, 2000, 3900, 4000].map((cents) => vigorishOn(charge, cents)),
    [0, 100, 100, 200],
  );
});

test("an amount breaks into chips, largest first", () => {
  assert.deepEqual(chipsOf(13_700, [100, 500, 2500, 10_000]), [10_000, 2500, 500, 500, 100, 100]);
  assert.deepEqual(chipsOf(150, [100]), [100, 50]);
});

test("the crew is told which chips to hand over, and what no chip makes up", () => {
  assert.equal(chipsText(23_000, CHIPS, money), "2 black, 1 green, 1 red");
  assert.deepEqual(chipsFor(150, CHIPS), { found: [{ count: 1, colour: "white", cents: 100 }], rest: 50 });
  assert.equal(chipsText(150, CHIPS, money), "1 white, $0.50 in coin");
  const alike = [...CHIPS, { cents: 50, colour: "white" }];
  assert.equal(chipsText(150, alike, money), "1 white ($1), 1 white ($0.50)");
});
