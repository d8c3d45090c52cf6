// What is on record and has no field of its own, in words: lists, and what a thing was until a moment.

/** @typedef {(key: string) => string} Wording of a key or a state */

const IS_STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/**
 * A value in words: "yes", "3", "On table until 15 Nov, 09:46; ...". `words` names keys, `moment` times.
 *
 * @param {any} value
 * @param {Wording} words
 * @param {(at: string) => string} moment
 * @returns {string}
 */
export function plainText(value, words, moment) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return value
      .map((item) => plainText(item, words, moment))
      .filter(Boolean)
      .join("; ");
  if (typeof value === "object")
    return "until" in value ? pastText(value, words, moment) : pairsText(value, words, moment);
  return IS_STAMP.test(String(value)) ? moment(value) : String(value);
}

/**
 * @param {{ [key: string]: any }} value
 * @param {Wording} words
 * @param {(at: string) => string} moment
 */
const pairsText = (value, words, moment) =>
  Object.entries(value)
    .map(([key, item]) => [words(key), plainText(item, words, moment)])
    .filter(([, text]) => text)
    .map((pair) => pair.join(" "))
    .join(", ");

/**
 * What a thing was until a moment; nothing where it was not there yet.
 *
 * @param {{ [key: string]: any }} was
 * @param {Wording} words
 * @param {(at: string) => string} moment
 */
function pastText({ until, state = "", ...rest }, words, moment) {
  const text = [state && words(state), pairsText(rest, words, moment)].filter(Boolean).join(", ");
  return text && `${text} until ${moment(until)}`;
}
