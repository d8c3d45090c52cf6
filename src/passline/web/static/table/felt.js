// The print on the felt: each area with its label, odds, dice and lamps, as the layout has them.
import { die } from "./dice.js";
import { svg, text } from "./svg.js";

/**
 * @param {{ kind: string, number: number }} area
 * @returns {string}
 */
export function keyOfArea(area) {
  return `${area.kind}:${area.number}`;
}

/**
 * Whether an area is of a side wager, whose number is its place among its player's.
 *
 * @param {Server.LayoutArea | null | undefined} area
 * @returns {boolean}
 */
export function isSideWager(area) {
  return area?.printed.face === "lamps" || area?.printed.face === "numbered";
}

/**
 * Draw an area. Board makes it a button where somebody may act on it.
 *
 * @param {Server.LayoutArea} area
 * @returns {SVGGElement}
 */
export function drawArea(area) {
  const { x, y, w, h, printed } = area;
  const print = (FACES[printed.face] ?? FACES.cell)(area);
  return svg(
    "g",
    { class: `area face-${printed.face}`, "data-key": keyOfArea(area) },
    svg("rect", { x: x + 0.75, y: y + 0.75, width: w - 1.5, height: h - 1.5, rx: 3, class: "ground" }),
    svg("g", { class: "print" }, ...print),
  );
}

/** @type {{ [face: string]: (area: Server.LayoutArea) => SVGElement[] }} */
const FACES = { number, cell, dice, circles, line, bar, field, lamps, numbered };

/** @type {{ [kind: string]: number }} */
const MARK_SIZES = { name: 19, legend: 17, seat: 12 };

/**
 * Words on the layout beside its areas, as large as they fit: the house's name, what the regulation has it say, who
 * sits there.
 *
 * @param {Server.Marking} mark
 * @returns {SVGTextElement}
 */
export function drawMark({ kind, says, x, y, w, h }) {
  const words = kind === "name" ? says : says.toUpperCase();
  const size = Math.min(h * 0.62, MARK_SIZES[kind], (w - 12) / (words.length * 0.72));
  return text(x + w / 2, y + h / 2 + size * 0.36, words, size, { kind: `mark-${kind}` });
}

/**
 * The empty numbered spot of a position.
 *
 * @param {Server.NumberedSpot} spot
 * @returns {SVGGElement}
 */
export function drawSpot({ x, y, radius, number: at }) {
  return svg(
    "g",
    { class: "spot" },
    svg("circle", { cx: x, cy: y, r: radius }),
    text(x, y + radius * 0.36, String(at), radius * 1.05),
  );
}

/**
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function number({ x, y, w, h, printed }) {
  const size = printed.label.length > 3 ? Math.min(w / 4.2, 19) : printed.label.length > 2 ? Math.min(w / 3.4, 22) : 26;
  return [
    text(x + 7, y + h - 17, printed.label, size, { kind: "big", anchor: "start" }),
    text(x + 7, y + h - 4.5, printed.notes[0] ?? "", 11.5, { kind: "odds", anchor: "start", fit: w - 12 }),
  ];
}

/**
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function cell({ x, y, w, h, printed: whole }) {
  // what a wager costs stands beside its name
  const printed = whole.rate ? { ...whole, label: `${whole.label} ${whole.rate}` } : whole;
  const note = printed.notes[0] ?? "";
  const middle = x + w / 2;
  if (h < 32 && w >= 150) {
    const notes = printed.notes.join("   ");
    return [
      text(x + 14, y + h / 2 + 4.5, printed.label, 13, { kind: "label", anchor: "start", fit: w * 0.4 }),
      text(x + w - 14, y + h / 2 + 4, notes, 11.5, { kind: "odds", anchor: "end", fit: w * 0.5 }),
    ];
  }
  const isOdds = printed.label.endsWith("ODDS");
  const odds = isOdds
    ? printed.label === "ODDS"
      ? "odds"
      : `${printed.label.replace(" COME ODDS", "").replace(" ODDS", "").toLowerCase()} odds`
    : "";
  if (h < 32 && w >= 70) {
    if (odds) return [text(middle, y + h / 2 + 4, `${odds} ${note}`, 11.2, { kind: "odds", fit: w - 6 })];
    return [
      text(x + 4, y + h / 2 + 4, printed.label, 11.2, { kind: "label", anchor: "start", fit: w * 0.48 }),
      text(x + w - 4, y + h / 2 + 4, note, 11.2, { kind: "odds", anchor: "end", fit: w * 0.4 }),
    ];
  }
  if (h < 32) {
    return [
      text(middle, y + 10.8, odds || printed.label, 11.2, { kind: odds ? "label tight" : "label", fit: w - 4 }),
      text(middle, y + h - 3, note, 11.2, { kind: "odds", fit: w - 4 }),
    ];
  }
  if (odds && w < 220 && printed.notes.length > 1) {
    // behind the line, what they pay depends on the point
    const lines =
      w < 150
        ? printed.notes
        : [printed.notes.slice(0, 2).join("   "), printed.notes.slice(2).join("   ")].filter(Boolean);
    const pitch = (h - 1) / (lines.length + 1);
    const up = Math.max(0.5, Math.min(3, pitch - 11));
    return [
      text(middle, y + pitch - up, odds, 11.2, { kind: "label tight", fit: w - 5 }),
      ...lines.map((line, index) =>
        text(middle, y + pitch * (index + 2) - up, line, 11.2, { kind: "odds", fit: w - 5 }),
      ),
    ];
  }
  if (odds && w < 150) {
    return [
      text(middle, y + h / 2 - 4, odds, 11.2, { kind: "label", fit: w - 5 }),
      text(middle, y + h / 2 + 11, note, 11.2, { kind: "odds", fit: w - 5 }),
    ];
  }
  if (w >= 220 && h < 50) {
    const notes = printed.notes.join("   ");
    const isLong = notes.length > 12; // then the label moves left, beside the chips
    return [
      text(isLong ? x + 58 : middle, y + h / 2 + 5.5, printed.label, isLong ? 14 : 17, {
        kind: "label wide",
        anchor: isLong ? "start" : "middle",
        fit: isLong ? w * 0.35 : w * 0.5,
      }),
      text(x + w - 12, y + h / 2 + 5, notes, isLong ? 11.5 : 13, {
        kind: "odds",
        anchor: "end",
        fit: isLong ? w * 0.5 : w * 0.24,
      }),
    ];
  }
  return stacked(x, y, w, h, printed);
}

/**
 * A label, on two lines if it is too wide, with its odds below.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {Server.Printed} printed
 * @returns {SVGElement[]}
 */
function stacked(x, y, w, h, printed) {
  const narrow = printed.label.length * 8.6 > w;
  const words = narrow ? halves(printed.label) : [printed.label];
  const small = printed.odds.length; // what the parts pay
  const notes = small || printed.notes.length > 2 ? [] : printed.notes.slice(0, w > 150 ? 2 : 1);
  const lines = [
    ...words.map((content) => ({ content, size: small ? 11.2 : 12.5, kind: "label" })),
    ...printed.odds.map((content) => ({ content, size: 11.2, kind: "odds" })),
    ...(w > 150 && notes.length ? [notes.join("   ")] : notes).map((content) => ({
      content,
      size: 11.5,
      kind: "odds",
    })),
  ];
  const pitch = Math.min(1.22, h / lines.reduce((sum, { size }) => sum + size, 0));
  const total = lines.reduce((sum, { size }) => sum + size * pitch, 0);
  let top = y + (h - total) / 2;
  return lines.map(({ content, size, kind }) => {
    top += size * pitch;
    return text(x + w / 2, top - size * (pitch - 0.9), content, size, { kind, fit: w - 4 });
  });
}

/**
 * @param {string} label
 * @returns {string[]}
 */
function halves(label) {
  const words = label.split(" ");
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half).join(" "), words.slice(half).join(" ")].filter(Boolean);
}

/**
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function dice({ x, y, w, h, printed }) {
  const [first, second] = printed.dice[0];
  const size = w > 120 ? 27 : Math.min(24, h * 0.42);
  if (w > 120) {
    return [
      die(x + 10, y + (h - size) / 2, size, first),
      die(x + 13 + size, y + (h - size) / 2, size, second),
      text(x + w - 9, y + h / 2 - 4, printed.label, 12, { kind: "label", anchor: "end", fit: w - 2 * size - 28 }),
      text(x + w - 9, y + h / 2 + 13, printed.notes[0], 12.5, { kind: "odds", anchor: "end", fit: w - 2 * size - 28 }),
    ];
  }
  const left = x + w / 2 - size - 1.5;
  if (printed.label.startsWith("HARD")) {
    const small = Math.min(size, 20);
    return [
      die(x + w / 2 - small - 1.5, y + 6, small, first),
      die(x + w / 2 + 1.5, y + 6, small, second),
      text(x + w / 2, y + h - 19, printed.label, 11.5, { kind: "label", fit: w - 4 }),
      text(x + w / 2, y + h - 6, printed.notes[0], 11.5, { kind: "odds", fit: w - 4 }),
    ];
  }
  return [
    die(left, y + h * 0.12, size, first),
    die(left + size + 3, y + h * 0.12, size, second),
    text(x + w / 2, y + h - 8, `${printed.label} \u2022 ${printed.notes[0]}`, 11.5, { kind: "odds", fit: w - 4 }),
  ];
}

/**
 * Craps and eleven: one wager, two circles.
 *
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function circles({ x, y, w, h, printed }) {
  const isTall = h > w;
  const radius = Math.min(12.5, (isTall ? w : h - 14) / 2 - 1);
  const odds = printed.odds.map((line) => line.split(" ").slice(1).join(" "));
  /** @type {[x: number, y: number, letter: string][]} */
  const spots = isTall
    ? [
        [x + w / 2, y + h * 0.22, "C"],
        [x + w / 2, y + h * 0.7, "E"],
      ]
    : [
        [x + w * 0.33, y + h / 2 - 5, "C"],
        [x + w * 0.67, y + h / 2 - 5, "E"],
      ];
  return spots.flatMap(([cx, cy, letter], index) => [
    svg("circle", { cx, cy, r: radius, class: "ring" }),
    text(cx, cy + 5, letter, 14, { kind: "label" }),
    text(cx, cy + radius + 10.5, odds[index] ?? "", 11.2, { kind: "odds", fit: isTall ? w - 2 : w / 2 - 4 }),
  ]);
}

/**
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function line({ x, y, w, h, printed }) {
  const size = Math.min(h * 0.5, 34, w / 13 + 4);
  return [
    text(x + w * (w > 450 ? 0.42 : 0.46), y + h / 2 + size * 0.35, printed.label, size, { kind: "big wide" }),
    text(x + w - 8, y + (w > 450 ? 16 : 13), printed.odds.join(" "), 12, { kind: "odds", anchor: "end", fit: w * 0.3 }),
  ];
}

/**
 * Don't pass and don't come, with the dice that are barred.
 *
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function bar({ x, y, w, h, printed }) {
  const pair = printed.dice[0];
  const middle = x + w / 2;
  if (h > w) {
    const [first, second] = pair ?? [];
    return [
      text(middle, y + 25, "DON'T", 15, { kind: "label" }),
      text(middle, y + 43, "COME", 15, { kind: "label" }),
      ...(pair ? [die(middle - 20, y + 53, 19, first), die(middle + 1, y + 53, 19, second)] : []),
      text(middle, y + 88, printed.notes[0] ?? "", 12.5, { kind: "odds" }),
      text(middle, y + 103, printed.odds.join(" "), 11.5, { kind: "odds", fit: w - 6 }),
    ];
  }
  const size = w > 300 ? 20 : 13;
  if (w <= 200) {
    return [
      text(middle + 14, y + h / 2 - 2, printed.label, 12, { kind: "label", fit: w - 36 }),
      text(middle + 14, y + h / 2 + 14, [printed.notes[0], ...printed.odds].join(" "), 11.2, {
        kind: "odds",
        fit: w - 36,
      }),
    ];
  }
  const from = w > 300 ? x + w * 0.31 : middle - size * 1.6;
  return [
    text(from, y + h / 2 + size * 0.36, printed.label, size, { kind: "big wide" }),
    ...(pair
      ? pair.map((face, index) => die(from + size * 4.4 + index * (size + 3), y + (h - size) / 2, size, face))
      : []),
    text(from + size * 4.4 + 2 * size + 12, y + h / 2 + 4.5, printed.notes[0] ?? "", 12, {
      kind: "odds",
      anchor: "start",
    }),
    text(x + w - 8, y + (w > 300 ? 15 : 13), printed.odds.join(" "), 12, { kind: "odds", anchor: "end", fit: 60 }),
  ];
}

/**
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function field({ x, y, w, h, printed }) {
  const big = w > 450 && h > 70;
  const left = x + (big ? 30 : 14);
  const step = (w - (big ? 60 : 28)) / printed.marks.length;
  const row = y + h * (big ? 0.6 : 0.55);
  const label = big
    ? text(x + w / 2, y + 25, printed.label, 20, { kind: "big wide" })
    : text(x + w / 2, y + 15, printed.label, 13, { kind: "big wide" });
  const even = text(x + 9, y + (big ? 17 : 13), printed.odds.join(" "), 12, {
    kind: "odds",
    anchor: "start",
    fit: w * 0.28,
  });
  return [
    label,
    even,
    ...printed.marks.flatMap((mark, index) => {
      const cx = left + step * (index + 0.5);
      const size = big ? 22 : 16;
      if (!mark.note) return [text(cx, row + size * 0.36, mark.text, size, { kind: "big" })];
      const radius = big ? 16 : 10.5;
      return [
        svg("circle", { cx, cy: row, r: radius, class: "ring" }),
        text(cx, row + size * 0.3, mark.text, size * 0.86, { kind: "big" }),
        text(cx, row + radius + (big ? 13 : 10), mark.note, 11.5, { kind: "odds", fit: step - 2 }),
      ];
    }),
  ];
}

/**
 * Side wagers: a lamp for each total or point that counts, and what they pay.
 *
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function lamps({ x, y, w, h, printed }) {
  const lights = printed.lamps;
  if (h < 40) {
    const label = Math.min(printed.label.length * 8.2, w * 0.62);
    const step = Math.min(17.5, (w - label - 18) / Math.max(lights.length, 1));
    const hasLamps = lights.length > 0 && step >= 15.5; // otherwise how many are lit
    return [
      text(x + 7, y + h / 2 + 4, printed.label, 11.2, { kind: "label", anchor: "start", fit: label }),
      ...(hasLamps
        ? lights.flatMap((total, index) =>
            lamp(x + w - 5 - step * (lights.length - index - 0.5), y + h / 2, step / 2.2, total),
          )
        : [text(x + w - 6, y + h / 2 + 4, "", 11.2, { kind: "odds count", anchor: "end" })]),
    ];
  }
  const rows = lights.length > 6 ? [lights.slice(0, 5), lights.slice(5)] : [lights];
  const step = Math.min(17.5, (w - 4) / Math.max(...rows.map((row) => row.length), 1));
  const note = printed.lines.length === 1 ? printed.notes[0] : "";
  const isLong = !lights.length && printed.label.length * 8.2 > w * 0.56; // then what it pays stands below its name
  const head = note
    ? [
        text(x + 5, y + 12, printed.label, 11.2, { kind: "label", anchor: "start", fit: isLong ? w - 10 : w * 0.47 }),
        text(x + w - 5, y + (isLong ? 26 : 12), note, 11.2, { kind: "odds", anchor: "end", fit: w * 0.4 }),
      ]
    : [text(x + w / 2, y + 12, printed.label, 11.2, { kind: "label", fit: w - 6 })];
  const pitch = (h - 16) / rows.length;
  return [
    ...head,
    ...(lights.length ? [] : [text(x + 5, y + h - 8, "", 14, { kind: "odds count", anchor: "start", fit: w - 10 })]),
    ...rows.flatMap((row, place) =>
      row.flatMap((total, index) =>
        lamp(
          x + w / 2 + (index - (row.length - 1) / 2) * step,
          y + 15 + pitch * (place + 0.5),
          Math.min(step / 2.15, pitch / 2),
          total,
        ),
      ),
    ),
  ];
}

/**
 * A side wager with a numbered spot for each position: its name and lamps; the spots and chips are drawn by the board.
 *
 * @param {Server.LayoutArea} area
 * @returns {SVGElement[]}
 */
function numbered({ x, y, w, printed }) {
  const step = 17;
  const left = x + w - 6 - step * printed.lamps.length;
  return [
    text(x + 8, y + 15, printed.label, 12, { kind: "label", anchor: "start" }),
    ...printed.lamps.flatMap((total, index) => lamp(left + step * (index + 0.5), y + 11, step / 2.3, total)),
  ];
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} radius
 * @param {number} total
 * @returns {SVGElement[]}
 */
function lamp(cx, cy, radius, total) {
  return [
    svg("circle", { cx, cy, r: radius, class: "lamp", "data-total": total }),
    text(cx, cy + 4, String(total), 11.2, { kind: "lamp-text", fit: radius * 1.7 }),
  ];
}
