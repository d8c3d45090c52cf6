// The keyboard of the crew's console: keys become commands, whatever the table's delay, and none is dropped in silence.
import assert from "node:assert/strict";
import { test } from "node:test";
import { typeKeys } from "./typed_ahead.js";

const NUMBERS = [4, 5, 6, 8, 9, 10].map((number) => ({ number, name: String(number) }));
const PLAIN = { numbers: [], centre: false, behind: "", spots: { 0: { least: 500, unit: 100 } } };
const CARD = /** @type {Server.CrewCard} */ (
  /** @type {any} */ ({
    wagers: [
      { ...PLAIN, kind: "pass", name: "Pass Line", family: "line" },
      { ...PLAIN, kind: "field", name: "Field", family: "one_roll" },
      {
        ...PLAIN,
        kind: "place_win",
        name: "Place",
        family: "number",
        numbers: NUMBERS,
        spots: Object.fromEntries(NUMBERS.map(({ number }) => [number, { least: number % 2 ? 500 : 600, unit: 100 }])),
      },
    ],
    ends: [],
    automate: [],
  })
);
const SHIFTED = /^\^/;

/**
 * Type keys at once, or with `pace` milliseconds between them: "m" begins wagers, "^Enter" is Enter with Shift.
 *
 * @param {string[]} names
 * @param {{ pace?: number, delay?: number, requires?: boolean, refuses?: number }} [options]
 */
function typed(names, { pace = 0, delay = 150, requires = true, refuses = -1 } = {}) {
  const keys = names.map((name, place) => {
    const key = name.replace(SHIFTED, "");
    const code = /^\d$/.test(key) ? `Digit${key}` : key;
    return /** @type {[number, string, string, boolean]} */ ([place * pace, key, code, SHIFTED.test(name)]);
  });
  return typeKeys(CARD, { delay, lag: 0, requires, refuses, seats: [1, 2, 3], keys });
}

test("dice are keyed after dice out, however late the table answers", async () => {
  for (const delay of [0, 60, 2000]) {
    const { log, stops } = await typed(["d", "2", "5"], { delay });
    assert.deepEqual(
      log.map(({ command }) => command),
      ["dice-out", "key-dice"],
    );
    assert.deepEqual([log[1].first, log[1].second], [2, 5]);
    assert.deepEqual(stops, []);
  }
});

test("a wager is a seat, an area, an amount and Enter; without an amount it is the least", async () => {
  const { log } = await typed(["m", "2", "f", "2", "5", "Enter", "3", "6", "Enter"]);
  const wagers = log.map(({ seat, wager, number, cents }) => [seat, wager, number, cents]);
  assert.deepEqual(wagers, [
    [2, "field", 0, 2500],
    [3, "place_win", 6, 600],
  ]);
});

test("half a roll is dropped after three seconds, and said", async () => {
  const { log, told } = await typed(["d", "2", "5"], { pace: 3500 });
  assert.deepEqual(
    log.map(({ command }) => command),
    ["dice-out"],
  );
  assert.equal(told.filter((line) => line.includes("not placed")).length, 1, told.join("\n"));
});

test("a second roll at once is asked about, and Shift with Enter confirms it", async () => {
  const roll = ["d", "2", "5"];
  const asked = await typed([...roll, ...roll], { pace: 50 });
  assert.equal(asked.log.filter(({ command }) => command === "key-dice").length, 1);
  const confirmed = await typed([...roll, ...roll, "^Enter"], { pace: 50 });
  assert.equal(confirmed.log.filter(({ command }) => command === "key-dice").length, 2);
});

test("after a refusal nothing more is sent: what was typed on is named, keys are listed as not taken", async () => {
  const first = ["m", "3", "f", "7", "7", "7", "Enter"];
  const { log, stops } = await typed([...first, "2", "f", "5", "Enter"], { refuses: 777_00 });
  assert.deepEqual(log, []);
  assert.equal(stops[0].title, "Seat 3: Field $777: refused");
  assert.equal(stops[0].left.length, 1);
  const late = await typed([...first, "2", "f", "5", "Enter"], { refuses: 777_00, delay: 10, pace: 100 });
  assert.deepEqual(late.keys, ["2", "f", "5", "Enter"]);
});

test("a key that means nothing stops the keyboard until the crew has seen it", async () => {
  const { log, told, keys } = await typed(["m", "x", "2", "f", "5", "Enter"]);
  assert.deepEqual(log, []);
  assert.equal(told.filter((line) => line.includes("not placed")).length, 1, told.join("\n"));
  assert.deepEqual(keys, ["2", "f", "5", "Enter"]);
  const seen = await typed(["m", "x", "look", "2", "f", "5", "Enter"]);
  assert.equal(seen.log.length, 1);
});
