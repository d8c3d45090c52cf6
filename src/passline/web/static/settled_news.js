// What a roll did to each wager, as news has it: each text once, the player under the seat, a row of numbers for each
// wager.

const FIELDS = [
  "kind",
  "number",
  "owner",
  "outcome",
  "cents",
  "winnings",
  "clause",
  "part",
  "pays",
  "vigorish",
  "stays",
  "to",
];
const TEXTS = new Set(["kind", "owner", "outcome", "clause", "part", "pays"]);

// The same as a list of objects, as the whole table has it.
export function unpackedSettled({ players, texts, rows }) {
  return rows.map(([seat, ...values]) => {
    const [account, name] = players[seat];
    const known = values.map((value, place) => [FIELDS[place], TEXTS.has(FIELDS[place]) ? texts[value] : value]);
    return { seat, account, name, ...Object.fromEntries(known) };
  });
}
