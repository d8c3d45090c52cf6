// Names of wagers as the layout has them, and what is charged on each that has vigorish.

export class Names {
  /**
   * `areaOf(wager)` is the area where a wager lies, or null.
   *
   * @param {{
   *   areas: Server.LayoutArea[],
   *   areaOf: (wager: { kind: string, number: number }) => Server.LayoutArea | null,
   * }} options
   */
  constructor({ areas, areaOf }) {
    this.areas = areas;
    this.areaOf = areaOf;
    this.charges = chargesOf(areas);
  }

  /**
   * @param {{ kind: string, number: number }} wager
   * @returns {string}
   */
  ofWager(wager) {
    const area = this.areaOf(wager);
    if (!area) return wager.kind.replaceAll("_", " ");
    const pick = area.printed.picks.find((pick) => pick.number === wager.number);
    if (pick) return pick.name;
    return area.also.includes(wager.kind)
      ? `${wager.kind === "come" ? "Come" : "Don't Come"} ${wager.number}`
      : area.printed.name;
  }

  /**
   * @param {string} kind
   * @returns {string}
   */
  ofKind(kind) {
    const [own, on] = kind.split(":"); // a part of a composite wager may be on dice or a number: hop:2-2
    const title = this.areas.find((area) => area.kind === own)?.printed.title ?? own.replaceAll("_", " ");
    return on ? `${title} ${on}` : title;
  }
}

/**
 * What is charged on each wager that has vigorish: [["Buy Bet", "5% of the wager, taken when the wager is made"], ...].
 *
 * @param {Server.LayoutArea[]} areas
 * @returns {[title: string, says: string][]}
 */
function chargesOf(areas) {
  const charged = areas.filter((area) => area.printed.vigorish);
  const sayings = new Map();
  for (const { number, printed } of charged) {
    const item = `${printed.title}\n${printed.vigorish}`;
    sayings.set(item, [...(sayings.get(item) ?? []), number]);
  }
  return [...sayings].map(([item, numbers]) => {
    const [title, says] = item.split("\n");
    const isAll = charged.filter((area) => area.printed.title === title).length === numbers.length;
    return [isAll ? title : `${title} on ${numbers.join(", ")}`, says];
  });
}
