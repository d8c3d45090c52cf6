// The laboratory's scripts without a page: the link that holds it all, where messages belong, bins, figures and files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { factCells, factRows } from "../../../src/passline/web/static/lab/compare.js";
import { csvOf, fileName } from "../../../src/passline/web/static/lab/csv.js";
import { lineReader } from "../../../src/passline/web/static/lab/lines.js";
import { lineOf, linesByPath, marksOf } from "../../../src/passline/web/static/lab/marks.js";
import { groupsOf, policyCells, shadeOf } from "../../../src/passline/web/static/lab/policy.js";
import {
  binsOf,
  pathOf,
  percentText,
  quantileOf,
  roundStep,
  ticksOf,
} from "../../../src/passline/web/static/lab/scales.js";
import {
  firstState,
  fragmentOf,
  hasStops,
  sessionAsked,
  stateFrom,
  stateIn,
} from "../../../src/passline/web/static/lab/state.js";
import { centsFrom, money } from "../../../src/passline/web/static/money.js";

const FILE = `name = "mine"

[parameters]
unit = 500

[memory]
hits = { next = "0" }
[memory.stage]
next = "1"

[let]
twice = "2 * unit"

[[wish]]
make = "pass"
[[wish]]
make = "field"
when = "puck == 3"
`;

test("a link holds everything on the page, written strategies too", async () => {
  const state = {
    ...firstState("ours"),
    strategies: [{ file: FILE.repeat(20) }, { played: "molly:odds=3" }],
    pace: 60,
  };
  const fragment = await fragmentOf({ ...state, shooter: { strategy: 1, seed: 9, roll: 4 } });
  assert.match(fragment, /^1\.[\w-]+$/);
  assert.ok(fragment.length < FILE.length * 3, `${fragment.length} characters for ${FILE.length * 20}`);
  assert.deepEqual(await stateIn(`#${fragment}`, "ours"), { ...state, shooter: { strategy: 1, seed: 9, roll: 4 } });
});

test("a link that is cut off, or made by hand, shows what a fresh page shows", async () => {
  const fragment = await fragmentOf(firstState("ours"));
  assert.equal(await stateIn(fragment.slice(0, 20), "ours"), null);
  assert.equal(await stateIn("#main", "ours"), null);
  assert.equal(await stateIn("#1.%%%", "ours"), null);
  const wrong = {
    house: 3,
    session: { counted: "years", bankroll: 7 },
    strategies: [null, 4],
    shooter: { seed: -1 },
    pace: 1e9,
  };
  assert.deepEqual(stateFrom(wrong, "ours"), { ...firstState("ours"), shooter: { strategy: 0, seed: 0, roll: 0 } });
  assert.equal(stateFrom({ strategies: new Array(50).fill({ played: "pass" }) }, "ours").strategies.length, 6);
  assert.equal(stateFrom({ strategies: [{ file: "x".repeat(1e6) }] }, "ours").strategies[0].file?.length, 20_000);
});

test("a link that would unpack to more than a page holds is not unpacked", async () => {
  const bomb = /** @type {any} */ ({ ...firstState("ours"), extra: "0".repeat(5_000_000) });
  assert.equal(await stateIn(await fragmentOf(bomb), "ours"), null);
});

test("the session is sent in cents, and what is no amount or number is named", () => {
  const { session } = firstState("ours");
  assert.deepEqual(
    sessionAsked({ ...session, bankroll: "$1,200", counted: "hands", count: "3", goal: " " }, centsFrom),
    {
      bankroll_cents: 120_000,
      hands: 3,
      goal_cents: null,
      shooter_loss_cents: null,
      stop_loss_cents: null,
      trailing_stop_cents: null,
      line_wins: null,
      line_losses: null,
      short: "stop",
    },
  );
  const stops = { stopLoss: "200", trailing: "$150", wins: "4", losses: " 3 " };
  const stopped = sessionAsked({ ...session, ...stops }, centsFrom);
  assert.deepEqual(
    [stopped.stop_loss_cents, stopped.trailing_stop_cents, stopped.line_wins, stopped.line_losses],
    [20_000, 15_000, 4, 3],
  );
  assert.deepEqual([hasStops(session), hasStops({ ...session, wins: "4" })], [false, true]);
  assert.throws(() => sessionAsked({ ...session, losses: "0" }, centsFrom), /Line losses in a row: "0" is not a whole/);
  assert.throws(() => sessionAsked({ ...session, bankroll: "1e9" }, centsFrom), /Bankroll: "1e9" is not an amount/);
  for (const count of ["0", "-3", "1e6", "NaN", "1000001", ""])
    assert.throws(() => sessionAsked({ ...session, count }, centsFrom), /is not a whole number from 1 to 1,000,000/);
});

test("every key of a file has its line", () => {
  const lines = linesByPath(FILE);
  assert.equal(lines.get("parameters.unit"), 3);
  assert.equal(lines.get("memory.hits"), 6);
  assert.equal(lines.get("memory.stage.next"), 8);
  assert.equal(lines.get("wish[1]"), 15);
  assert.equal(lines.get("wish[1].when"), 17);
});

test("messages stand beside the line they are about", () => {
  const lines = {
    "your file: this is not TOML: Invalid value (at line 4, column 8)": 3,
    "wish[1] (make field): its condition was never true: puck == 3": 15,
    "your file: wish[1].when: there is no word 'puk'": 17,
    "memory.hits decides nothing": 6,
    "your file: memory.stage.next: '1' became 2": 8,
    "let.twice decides nothing": 11,
    "your file: Expected `str`, got `int` - at `$.name`": 0,
    "your file: Object missing required field `description`": -1,
    "mine wishes to make Field for $1": -1,
  };
  assert.deepEqual(Object.fromEntries(Object.keys(lines).map((said) => [said, lineOf(FILE, said)])), lines);
});

test("costs stand beside the wishes and memories that have them, and faults without the name of the file", () => {
  const marks = marksOf(FILE, {
    faults: [{ why: "your file: wish[0].make: there is no pas" }],
    notes: ["memory.hits decides nothing"],
    costs: [
      { line: "memory.stage", without: 7 },
      { line: "wish[0] (make pass)", without: null },
    ],
    states: 2000,
    is_all: false,
  });
  assert.deepEqual(
    marks.map(({ line, text, isFault }) => [line, text, isFault]),
    [
      [14, "wish[0].make: there is no pas", true],
      [6, "memory.hits decides nothing", false],
      [7, "more than 2,000 states with it, 7 without", false],
    ],
  );
});

/** @type {import("../../../src/passline/web/static/lab/scales.js").Atom[]} */
const LAW = [
  [0, 0.25, 0.25, 0, 0],
  [10_000, 0.25, 0, 0, 0],
  [20_000, 0.3, 0, 0, 0],
  [75_000, 0.2, 0, 0.2, 0],
  [90_000, 0.1, 0, 0, 0.1],
];

test("bins hold the chances of sessions that neither were ruined nor reached the goal", () => {
  const { edges, heights, width } = binsOf([LAW], 10);
  assert.equal(width, 10_000);
  assert.equal(edges.length, heights[0].length + 1);
  assert.ok(Math.abs(heights[0].reduce((sum, height) => sum + height, 0) - 0.55) < 1e-12);
  assert.equal(heights[0][1], 0.25);
  assert.equal(quantileOf(LAW, 0.5), 10_000);
});

test("ticks are round and steps are few", () => {
  assert.deepEqual(ticksOf(0, 1, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  assert.equal(roundStep(730, 4), 200);
  assert.equal(
    pathOf(
      [
        [0, 1],
        [2, 3],
      ],
      (at) => at * 10,
      (value) => value,
    ),
    "M0 1L20 3",
  );
});

test("chances are told with as many digits as say something", () => {
  assert.deepEqual([0, 0.4231, 0.0123, 0.000012, 1e-9].map(percentText), [
    "0 %",
    "42.3 %",
    "1.23 %",
    "0.0012 %",
    "1.0e-7 %",
  ]);
});

test("a file of figures quotes what it must, and no cell of it is a formula", () => {
  assert.equal(
    csvOf([
      ["a,b", 'say "x"', 1.5, null],
      ["=1+1", -3],
    ]),
    '"a,b","say ""x""",1.5,\r\n\'=1+1,-3\r\n',
  );
  assert.equal(fileName("On the way: <b>A</b> ../x"), "on-the-way-b-a-b-x");
  assert.equal(fileName("../.."), "laboratory");
});

test("lines that come in pieces are read whole", () => {
  /** @type {any[]} */
  const read = [];
  const take = lineReader((line) => read.push(line));
  for (const piece of ['{"line":"ne', 'xt"}\n\n{"li', 'ne":"ready"}\n']) take(piece);
  assert.deepEqual(read, [{ line: "next" }, { line: "ready" }]);
});

test("strategies stand side by side, and one without a law says so", () => {
  /** @type {Server.LabLaw} */
  const law = {
    line: "law",
    name: "pass",
    states: [["pass", 7]],
    terms: "from 500.00",
    policy: "stop",
    mean_cents: 49_500.4,
    sd_cents: 1000,
    why_no_law: "",
    ruin: 0.25,
    goal: null,
    stop: null,
    ahead: 0.5,
    quantiles: [
      [5, 100],
      [50, 49_000],
    ],
    mean_rolls: 12.34,
    mean_rolls_to_ruin: null,
    error: 1e-13,
    atoms: LAW,
    step_cents: 0,
    by_roll: [],
    notes: [],
    cost: {
      loss_cents: 499.6,
      action_cents: 1,
      edge_on_action: 0.0141,
      edge_on_initial: null,
      average_wager_cents: 1000,
      loss_cents_per_hour: 1414,
      pace: 100,
    },
  };
  const rows = factRows([law, { ...law, ruin: null, mean_rolls: null, error: null }], money);
  const cells = Object.fromEntries(rows.map(({ label, cells }) => [label, cells]));
  assert.equal(cells["Goal reached"], undefined);
  assert.equal(cells["Left at a stop"], undefined);
  assert.deepEqual(cells.Ruin, ["25.0 %", "not known"]);
  assert.deepEqual(cells.Median, ["$490", "$490"]);
  assert.deepEqual(cells["Edge on wagers without odds"], ["not known", "not known"]);
  assert.deepEqual(factCells([law])[0], ["figure", "pass"]);
  assert.deepEqual(factCells([law]).at(-1), ["quantile_50_cents", 49_000]);
});

test("positions stand in groups by the puck, and the colour of an act is the share of the money that is up", () => {
  /** @type {Server.LabBestRow[]} */
  const rows = [
    {
      position: "puck OFF",
      puck: 0,
      runs: [
        [1, 3, 0, 500],
        [4, 4, 1, 0],
      ],
    },
    { position: "puck ON 4 | up pass 5.00", puck: 4, runs: [[1, 1, 1, 500]] },
    { position: "puck ON 4 | up pass 10.00", puck: 4, runs: [] },
  ];
  const { groups, height } = groupsOf(rows);
  assert.deepEqual(
    groups.map(({ label, top, height }) => [label, top, height]),
    [
      ["come-out", 0, 20],
      ["point 4", 30, 40],
    ],
  );
  assert.equal(height, 70);
  assert.deepEqual([shadeOf(0, 100), shadeOf(1, 100), shadeOf(50, 100), shadeOf(500, 100)], [0, 1, 4, 8]);
  const found = /** @type {any} */ ({ rows, acts: ["pass 5.00", "nothing"], first_cents: 0, step_cents: 500 });
  assert.deepEqual(policyCells(found).slice(1, 3), [
    ["puck OFF", 500, 1500, "pass 5.00", 500],
    ["puck OFF", 2000, 2000, "nothing", 0],
  ]);
});
