// Amounts are whole cents everywhere. Only this module converts them to text and back.

import { metaContent } from "./dom.js";

let isPoints = false;
let sign = metaContent("currency") || "$";

/** Show amounts as points from now on: at the table of a tournament a dollar chip is a point, and no money. */
export function usePoints() {
  isPoints = true;
}

/**
 * Show amounts with the sign of a rulebook's currency from now on.
 *
 * @param {string} currency
 */
export function useCurrency(currency) {
  sign = currency;
}

/** The sign before amounts on this page. */
export const currencySign = () => sign;

/**
 * An amount in words with the sign before it, after its minus: "-12.50" -> "-$12.50".
 *
 * @param {string} amount
 * @returns {string}
 */
export const withSign = (amount) => (amount.startsWith("-") ? `-${sign}${amount.slice(1)}` : `${sign}${amount}`);

/**
 * 1200 -> "$12", 1250 -> "$12.50", 500000 -> "$5,000"; in points 500000 -> "5,000 pts"
 *
 * @param {number} cents
 * @returns {string}
 */
export function money(cents) {
  const rest = Math.abs(cents) % 100;
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-US");
  const number = rest ? `${whole}.${String(rest).padStart(2, "0")}` : whole;
  return `${cents < 0 ? "-" : ""}${isPoints ? `${number} ${number === "1" ? "pt" : "pts"}` : `${sign}${number}`}`;
}

/**
 * 1200 -> "+$12", -1200 -> "−$12"
 *
 * @param {number} cents
 * @returns {string}
 */
export const signedMoney = (cents) => `${cents > 0 ? "+" : cents < 0 ? "\u2212" : ""}${money(Math.abs(cents))}`;

/**
 * What somebody is typing as an amount, as it will be shown: "12" -> "$12".
 *
 * @param {string} typed
 * @returns {string}
 */
export function typedMoney(typed) {
  return `${sign}${typed}`;
}

/**
 * A text of the server with its amounts as this page shows them.
 *
 * @param {string} text
 * @returns {string}
 */
export function inUnits(text) {
  return text.replaceAll(/\$([\d,]+(?:\.\d\d)?)/g, (_, amount) => (isPoints ? `${amount} pts` : `${sign}${amount}`));
}

/**
 * "12.50", "$1,200" -> cents; null if it is not an amount.
 *
 * @param {string} text
 * @returns {number | null}
 */
export function centsFrom(text) {
  const plain = text.trim().replace(sign, "");
  const match = /^\$?(\d{1,9}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(plain);
  if (!match) return null;
  return Number(match[1].replaceAll(",", "")) * 100 + Number((match[2] ?? "0").padEnd(2, "0"));
}

/**
 * The text of a wager's number: 6 -> "6", 113 -> "1-3", 0 -> "".
 *
 * @param {number} number
 * @returns {string}
 */
export function numberText(number) {
  if (number > 100) return `${Math.floor((number - 100) / 10)}-${number % 10}`;
  return number ? String(number) : "";
}

/**
 * A text with commas between the thousands of its amounts: "$5000.00" becomes "$5,000.00".
 *
 * @param {string} text
 * @returns {string}
 */
export const inThousands = (text) =>
  text.replaceAll(/(?<=\p{Sc})\d{4,}/gu, (digits) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ","));
