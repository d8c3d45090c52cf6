// An amount as the chips to hand over: "2 black, 1 green, 1 red".

/**
 * The chips of an amount, largest first: `[{count, colour, cents}]`; what no chip makes up is left in `rest`.
 *
 * @param {number} cents
 * @param {Server.ChipInUse[]} chips
 */
export function chipsFor(cents, chips) {
  /** @type {(Server.ChipInUse & { count: number })[]} */
  const found = [];
  let rest = cents;
  for (const { cents: value, colour } of chips) {
    const count = Math.floor(rest / value);
    if (count) found.push({ count, colour, cents: value });
    rest -= count * value;
  }
  return { found, rest };
}

/**
 * The same in words. A value that shares its colour with another is named too.
 *
 * @param {number} cents
 * @param {Server.ChipInUse[]} chips
 * @param {(cents: number) => string} money
 * @returns {string}
 */
export function chipsText(cents, chips, money) {
  const { found, rest } = chipsFor(cents, chips);
  /** @param {string} colour */
  const shared = (colour) => chips.filter((chip) => chip.colour === colour).length > 1;
  const words = found.map(
    ({ count, colour, cents: value }) => `${count} ${colour}${shared(colour) ? ` (${money(value)})` : ""}`,
  );
  return [...words, ...(rest ? [`${money(rest)} in coin`] : [])].join(", ");
}
