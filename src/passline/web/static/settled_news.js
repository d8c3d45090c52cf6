// What a roll did to each wager, as news has it: each text once, the player under the seat, a row of numbers for each
// wager.

/** @type {(keyof Server.SettledWager)[]} */
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
/** @type {Set<keyof Server.SettledWager>} */
const TEXTS = new Set(["kind", "owner", "outcome", "clause", "part", "pays"]);

/**
 * The same as a list of objects, as the whole table has it.
 *
 * @param {Server.PackedSettled} packed
 * @returns {Server.SettledWager[]}
 */
export function unpackedSettled({ players, texts, rows }) {
  return rows.map(([seat, ...values]) => {
    const [account, name] = players[seat];
    const known = values.map((value, place) => [FIELDS[place], TEXTS.has(FIELDS[place]) ? texts[value] : value]);
    return /** @type {Server.SettledWager} */ ({ seat, account, name, ...Object.fromEntries(known) });
  });
}
