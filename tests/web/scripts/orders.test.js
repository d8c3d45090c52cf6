// Standing orders: winners that stay up, and several numbers at once.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setImmediate as ends } from "node:timers/promises";
import { Orders } from "../../../src/passline/web/static/table/orders.js";
import { useStorage } from "./browser_storage.js";

beforeEach(useStorage);

/**
 * Orders of a seated player, and what they had made: `listed` are areas as the server lists them.
 *
 * @param {Partial<Server.Area>[]} listed
 * @param {{ puck?: number, wagers?: { kind: string }[] }} [at]
 */
function ordersOf(listed, { puck = 0, wagers = [] } = {}) {
  /** @type {[kind: string, number: number, cents: number, owner: string][]} */
  const made = [];
  const live = { table: { roll: 5, puck }, view: { roll: 5, puck }, own: { account: "ann" } };
  const play = {
    seat: 1,
    isShut: false,
    owner: "crew",
    chip: 500,
    listed: new Map(listed.map((area) => [`${area.kind}:${area.number}`, { state: "open", standing: 0, ...area }])),
    own: () => wagers,
    areaOf: (/** @type {{ kind: string }} */ { kind }) => ({ kind }),
    make: async (
      /** @type {{ kind: string }} */ { kind },
      /** @type {number} */ cents,
      /** @type {number} */ number,
    ) => {
      made.push([kind, number, cents, play.owner]);
      return cents < 100_000;
    },
  };
  const layout = { spreads: { across: [4, 5, 6, 8, 9, 10], inside: [5, 6, 8, 9], none: [] } };
  const parts = /** @type {any} */ ({ live, play, layout, table: "craps-1" });
  return { orders: new Orders(parts), made, live, play, again: () => new Orders(parts) };
}

const PLACES = [4, 5, 6, 8, 9, 10].map((number) => {
  const unit = number === 6 || number === 8 ? 600 : 500;
  return { kind: "place_win", number, unit, min: unit };
});

test("winners that came down are made again once a roll, as the player's own wagers", async () => {
  const won = { kind: "place_win", number: 6, again: 1200 };
  const { orders, made, live, play } = ordersOf([won, { kind: "field", number: 0, again: 0 }]);
  await orders.follow();
  assert.deepEqual(made, [], "nothing without the order");
  orders.turn();
  await ends();
  assert.deepEqual(made, [["place_win", 6, 1200, "player"]]);
  assert.equal(play.owner, "crew", "the player goes on for whom they wagered before");
  await orders.follow();
  assert.equal(made.length, 1, "once a roll");
  live.table.roll = 6;
  await orders.follow();
  assert.equal(made.length, 2);
});

test("another window of the same browser does not make them twice, and remembers the order", async () => {
  const { orders, made, again } = ordersOf([{ kind: "place_win", number: 6, again: 1200 }]);
  orders.turn();
  await ends();
  const other = again();
  assert.equal(other.isOn, true);
  await other.follow();
  assert.equal(made.length, 1);
  orders.turn();
  assert.equal(again().isOn, false);
});

test("nothing is made while wagers are closed, nor where the area is closed", async () => {
  const { orders, made, play } = ordersOf([{ kind: "place_win", number: 6, again: 1200, state: "closed" }]);
  orders.isOn = true;
  await orders.follow();
  play.isShut = true;
  await orders.follow();
  assert.deepEqual(made, []);
});

test("a spread places each number for the chosen chip in its own units", async () => {
  const { orders, made } = ordersOf(PLACES);
  assert.equal(orders.has("inside"), true);
  assert.equal(orders.has("none"), false);
  assert.equal(orders.has("outside"), false);
  await orders.spread("inside");
  assert.deepEqual(
    made.map(([, number, cents]) => [number, cents]),
    [
      [5, 500],
      [6, 600],
      [8, 600],
      [9, 500],
    ],
  );
});

test("the point is left out for somebody who has it by the line, and so is what has a wager", () => {
  const listed = PLACES.map((area) => (area.number === 9 ? { ...area, standing: 500 } : area));
  const numbers = (/** @type {Orders} */ orders) => orders.open("inside").map(({ number }) => number);
  assert.deepEqual(numbers(ordersOf(listed, { puck: 6, wagers: [{ kind: "pass" }] }).orders), [5, 8]);
  assert.deepEqual(numbers(ordersOf(listed, { puck: 6 }).orders), [5, 6, 8]);
});

test("a spread ends at the first number that is refused", async () => {
  const { orders, made, play } = ordersOf(PLACES);
  play.chip = 100_000;
  await orders.spread("across");
  assert.equal(made.length, 1);
});
