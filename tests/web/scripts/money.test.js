// Amounts as text and back.
import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {{ [shown: string]: number }} */
const SHOWN = {
  $0: 0,
  $12: 1200,
  "$12.50": 1250,
  "$0.05": 5,
  "$5,000": 500_000,
  "-$7.25": -725,
  "$1,234,567.89": 123456789,
};
let loads = 0;

/** The module anew: whether amounts are points is its own state. */
async function freshMoney() {
  loads += 1;
  return /** @type {Promise<typeof import("../../../src/passline/web/static/money.js")>} */ (
    import(`../../../src/passline/web/static/money.js?fresh=${loads}`)
  );
}

test("cents are shown in dollars, with cents only where there are some", async () => {
  const { money } = await freshMoney();
  for (const [shown, cents] of Object.entries(SHOWN)) assert.equal(money(cents), shown);
});

test("amounts have the sign of the rulebook's currency", async () => {
  const { centsFrom, inUnits, money, useCurrency } = await freshMoney();
  useCurrency("€");
  assert.equal(money(-125_050), "-€1,250.50");
  assert.equal(inUnits("at least $5, at most $1,000.50"), "at least €5, at most €1,000.50");
  assert.deepEqual(["€12.50", "12.50", "$12.50"].map(centsFrom), [1250, 1250, 1250]);
});

test("an amount that is shown is read back as the same cents", async () => {
  const { money, centsFrom } = await freshMoney();
  for (let cents = 0; cents < 2_000_000; cents += 977) assert.equal(centsFrom(money(cents)), cents);
});

test("what is no amount is none", async () => {
  const { centsFrom } = await freshMoney();
  for (const typed of ["", "$", "-5", "1.234", "1,23", "12,3456", "1e3", "five", "1 2", "1234567890"])
    assert.equal(centsFrom(typed), null, typed);
  assert.equal(centsFrom(" 12.5 "), 1250);
  assert.equal(centsFrom("1,200"), 120_000);
});

test("at a tournament the same amounts are points, also in texts of the server", async () => {
  const { money, inUnits, usePoints } = await freshMoney();
  assert.equal(inUnits("pays $1,200.50 on $5"), "pays $1,200.50 on $5");
  usePoints();
  assert.equal(money(500_000), "5,000 pts");
  assert.equal(money(100), "1 pt");
  assert.equal(money(-200), "-2 pts");
  assert.equal(inUnits("pays $1,200.50 on $5"), "pays 1,200.50 pts on 5 pts");
});

test("a hop's number names its two dice", async () => {
  const { numberText } = await freshMoney();
  assert.deepEqual([0, 6, 10, 113, 166].map(numberText), ["", "6", "10", "1-3", "6-6"]);
});

test("thousands are parted in the amounts of papers, and nothing else is touched", async () => {
  const { inThousands } = await freshMoney();
  assert.equal(inThousands("$5.00 to $5000.00, in steps of $0.50"), "$5.00 to $5,000.00, in steps of $0.50");
  assert.equal(inThousands("€1234567, 5000 rolls"), "€1,234,567, 5000 rolls");
});
