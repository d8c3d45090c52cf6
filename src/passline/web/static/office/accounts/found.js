// What the watch over dice promises, and what would by now have been found of a set if it had a fault.

import { el, hintText } from "../../elements.js";
import { evidenceText } from "../charts.js";
import { figure, ledger, percent } from "./shared.js";

/** @param {number} number */
const count = (number) => number.toLocaleString("en-US");

/**
 * Hours as people say them.
 *
 * @param {number} hours
 */
const hoursText = (hours) => (hours > 48 ? `${Math.round(hours / 24)} days` : `${Math.round(hours)} hours`);

/**
 * False alarms a year: as a number, and as one in so many years where they are fewer than one.
 *
 * @param {number} yearly
 */
function yearlyText(yearly) {
  if (yearly >= 1) return `${yearly.toFixed(1)} false alarms a year`;
  const years = Number((1 / yearly).toPrecision(2));
  return `${Number(yearly.toPrecision(2))} false alarms a year, which is one in ${years} years`;
}

/**
 * What evidence is, where it alarms, and how often it does so for nothing.
 *
 * @param {Server.DiceEvidenceAnswer} answer
 */
export function promise({ bound, in_use: inUse, one_in: oneIn, life_hours: hours, false_alarms_a_year: yearly }) {
  const level =
    inUse > 1
      ? `${count(oneIn)} times the ${inUse} sets in use`
      : "with one set in use, and with more of them at as many times that";
  const later =
    yearly === null
      ? `Every set that comes into use later is another chance, of at most 1 in ${evidenceText(bound)}.`
      : `Dice that take their place are another chance: where all are replaced every ${hoursText(hours ?? 0)}, ` +
        `a house has at most ${yearlyText(yearly)}.`;
  return [
    hintText(
      "Evidence of 1 says nothing; of 1,000 that faulty dice explain the rolls a thousand " +
        `times better than fair ones. A set that comes into use now alarms at ${evidenceText(bound)}: ${level}. ` +
        "It keeps counting the most sets that were in use together with its dice.",
    ),
    hintText(
      "However often somebody looks, the dice in use now alarm for nothing in fewer than one " +
        `of ${count(oneIn)} such houses. ${later}`,
    ),
  ];
}

/**
 * A chance as it stands in a column.
 *
 * @param {number} chance
 */
function chanceText(chance) {
  if (chance < 0.001) return "< 0.1%";
  if (chance > 0.999) return "> 99.9%";
  return percent(chance, chance < 0.0995 ? 1 : 0);
}

/**
 * A part as the head of a column: dice, a set, a table or a lot.
 *
 * @param {string[]} names
 */
const partText = (names) => (names.length > 2 ? `${names.length} dice` : names.join(" and "));

/**
 * @param {string} name
 * @param {number} rolls
 */
const head = (name, rolls) => el("span", {}, name, el("br"), `${count(rolls)} roll${rolls === 1 ? "" : "s"}`);

/** @param {string[]} words */
const listText = (words) => (words.length > 1 ? `${words.slice(0, -1).join("; ")}; and ${words.at(-1)}` : words[0]);

/**
 * What would by now have been found of a set, and what cannot be found in its life.
 *
 * @param {Server.DiceSetEvidence} set
 * @param {string} entries
 */
export function foundByNow({ found, life, parts, number, table }, entries) {
  const heads = ["If the dice had this fault", ...parts.map(({ names, rolls }) => head(partText(names), rolls))];
  if (life) heads.push(head("in a set's life", life.rolls));
  const rows = found.map((fault) => {
    const chances = life ? [...fault.now, fault.life ?? 0] : fault.now;
    const name = `Chance for set ${number} of ${table}, ${fault.fault}`;
    return {
      cells: [
        el("th", { scope: "row", title: fault.law }, fault.fault),
        ...chances.map((chance) => figure(chanceText(chance), entries, name)),
      ],
    };
  });
  return el(
    "section",
    { class: "found", "aria-labelledby": "found-title" },
    el("h3", { id: "found-title" }, "What would have been found by now"),
    hintText(
      "With which chance the alarm would have come by now, had the dice been so since their " +
        "first roll. Where it is small, silence says little. Crews key two dice that nobody tells apart, and the " +
        "chances go by what can be told from that.",
    ),
    ledger("What would have been found", heads, rows),
    ...inLife(found, life),
  );
}

/**
 * What cannot be found in the life of a set.
 *
 * @param {Server.FaultFound[]} found
 * @param {Server.SetLife | null} life
 */
function inLife(found, life) {
  if (!life) return [hintText("Nobody has said how long these dice may be thrown.")];
  const beyond = found.filter((fault) => fault.is_beyond).map((fault) => fault.fault);
  if (!beyond.length) return [];
  const pace = life.pace.rolls ? "at the pace of this table" : "at a usual pace";
  return [
    el(
      "p",
      {},
      `Too weak to be found within a set's life (${hoursText(life.hours)}, some ${count(life.rolls)} ` +
        `rolls ${pace}): ${listText(beyond)}. Only the rolls of many sets together can show that.`,
    ),
  ];
}
