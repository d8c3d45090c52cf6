// Where in a strategy file a message belongs: errors and the linter name lines by their keys, such as wish[2].when.

const FIELDS = [/`\$\.(\w+)/, /field `(\w+)`/, /key '(\w+)'/, /^[^:]*: '(\w+)'/, /^[^:]*: ([a-z_]\w*):/];

/** @typedef {{ line: number, text: string, isFault: boolean }} Mark on a line, from 0; -1: on the whole file */

/**
 * The line of every key of a file by its path: "wish[0]" -> 12, "wish[0].when" -> 14, "memory.hits" -> 9.
 *
 * @param {string} text
 * @returns {Map<string, number>}
 */
export function linesByPath(text) {
  /** @type {Map<string, number>} */
  const lines = new Map();
  /** @type {Map<string, number>} */
  const counts = new Map();
  let table = "";
  for (const [at, line] of text.split("\n").entries()) {
    const listed = /^\s*\[\[\s*([\w.]+)\s*\]\]/.exec(line);
    const named = /^\s*\[\s*([\w.]+)\s*\]/.exec(line);
    const key = /^\s*"?([A-Za-z_]\w*)"?(?:\s*\.\s*"?(\w+)"?)?\s*=/.exec(line);
    if (listed) {
      const count = counts.get(listed[1]) ?? 0;
      counts.set(listed[1], count + 1);
      table = `${listed[1]}[${count}]`;
      lines.set(table, at);
    } else if (named) {
      table = named[1];
      lines.set(table, at);
    } else if (key) {
      for (const path of key[2] ? [key[1], `${key[1]}.${key[2]}`] : [key[1]]) {
        const whole = table ? `${table}.${path}` : path;
        if (!lines.has(whole)) lines.set(whole, at);
      }
    }
  }
  return lines;
}

/**
 * The line that a message is about, from 0; -1 if it names none of this file.
 *
 * @param {string} text
 * @param {string} message
 * @returns {number}
 */
export function lineOf(text, message) {
  const told = /\bline (\d+)/.exec(message);
  const last = text.split("\n").length - 1;
  if (told) return Math.min(Number(told[1]) - 1, last);
  const lines = linesByPath(text);
  const found = message.match(/(?:wish\[\d+\]|(?:memory|let|parameters)\.\w+)(?:\.\w+)*/g) ?? [];
  for (const path of found)
    for (let part = path; part; part = part.slice(0, Math.max(part.lastIndexOf("."), 0))) {
      const line = lines.get(part);
      if (line !== undefined) return line;
    }
  const field = FIELDS.map((pattern) => pattern.exec(message)?.[1]).find(Boolean);
  return field === undefined ? -1 : (lines.get(field) ?? -1);
}

/**
 * The marks of what was found in a file: faults first, each where it belongs.
 *
 * @param {string} text
 * @param {{
 *   faults: { why: string }[], notes: string[], costs: { line: string, without: number | null }[],
 *   states: number, is_all: boolean,
 * }} found
 * @returns {Mark[]}
 */
export function marksOf(text, { faults, notes, costs, states, is_all }) {
  const all = is_all ? states.toLocaleString("en-US") : `more than ${states.toLocaleString("en-US")}`;
  return [
    ...faults.map(({ why }) => ({ line: lineOf(text, why), text: shortText(why), isFault: true })),
    ...notes.map((note) => ({ line: lineOf(text, note), text: shortText(note), isFault: false })),
    ...costs
      .filter(({ without }) => without !== null)
      .map(({ line, without }) => ({
        line: lineOf(text, line),
        text: `${all} states with it, ${Number(without).toLocaleString("en-US")} without`,
        isFault: false,
      })),
  ];
}

/**
 * A message without the name of the file, which is the one that is open.
 *
 * @param {string} message
 */
const shortText = (message) => message.replace(/^your file: /, "");
