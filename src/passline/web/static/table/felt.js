// The print on the felt: each area with its label, odds, dice and lamps, as the layout has them.
import { die } from "./dice.js";
import { svg, text } from "./svg.js";

export function keyOfArea(area) { return `${area.kind}:${area.number}`; }

// Whether an area is of a side wager, whose number is its place among its player's.
export function isSideWager(area) { return area?.printed.face === "lamps" || area?.printed.face === "numbered"; }

// Draw an area. Board makes it a button where somebody may act on it.
export function drawArea(area) {
  const { x, y, w, h, printed } = area;
  const print = (FACES[printed.face] ?? FACES.cell)(area);
  return svg("g", { class: `area face-${printed.face}`, "data-key": keyOfArea(area) },
    svg("rect", { x: x + 0.75, y: y + 0.75, width: w - 1.5, height: h - 1.5, rx: 3, class: "ground" }),
    svg("g", { class: "print" }, ...print));
}

const FACES = { number, cell, dice, circles, line, bar, field, lamps, numbered };

// Words on the layout beside its areas, as large as they fit: the house's name, what the regulation has it say, who sits there.
export function drawMark({ kind, says, x, y, w, h }) {
  const words = kind === "name" ? says : says.toUpperCase();
  const size = Math.min(h * 0.62, { name: 19, legend: 17, seat: 10 }[kind], (w - 12) / (words.length * 0.72));
  return text(x + w / 2, y + h / 2 + size * 0.36, words, size, { kind: `mark-${kind}` });
}

// The empty numbered spot of a position.
export function drawSpot({ x, y, radius, number: at }) {
  return svg("g", { class: "spot" }, svg("circle", { cx: x, cy: y, r: radius }), text(x, y + radius * 0.36, String(at), radius * 1.05));
}

function number({ x, y, w, h, printed }) {
  const size = printed.label.length > 3 ? Math.min(w / 4.2, 19) : printed.label.length > 2 ? Math.min(w / 3.4, 22) : 26;
  return [
    text(x + 7, y + h - 17, printed.label, size, { kind: "big", anchor: "start" }),
    text(x + 7, y + h - 5, printed.notes[0] ?? "", 11.5, { kind: "odds", anchor: "start" }),
  ];
}

function cell({ x, y, w, h, printed: whole }) {
  const printed = whole.rate ? { ...whole, label: `${whole.label} ${whole.rate}` } : whole;  // what a wager costs stands beside its name
  const note = printed.notes[0] ?? "";
  const middle = x + w / 2;
  if (h < 32 && w >= 150) {
    const notes = printed.notes.join("   ");
    return [text(x + 14, y + h / 2 + 4.5, printed.label, 13, { kind: "label", anchor: "start" }),
      text(x + w - 14, y + h / 2 + 4, notes, 11.5, { kind: "odds", anchor: "end" })];
  }
  const odds = printed.label.endsWith("ODDS") ? printed.label.replace(" COME ODDS", "").replace(" ODDS", "").toLowerCase() : "";
  if (h < 32 && w >= 70) {
    if (odds) return [text(middle, y + h / 2 + 3.5, `${odds} odds ${note}`, 9.8, { kind: "odds" })];
    return [text(x + 6, y + h / 2 + 3.5, printed.label, 10, { kind: "label", anchor: "start" }),
      text(x + w - 6, y + h / 2 + 3.5, note, 10.5, { kind: "odds", anchor: "end" })];
  }
  if (h < 32) {
    return [text(middle, y + 10.5, odds ? `${odds} odds` : printed.label, odds && w < 50 ? 8 : 9.2, { kind: odds ? "label tight" : "label" }), text(middle, y + h - 3.5, note, 9.8, { kind: "odds" })];
  }
  if (odds && w < 150 && printed.notes.length > 1) {  // behind the line, what they pay depends on the point
    const size = w < 70 ? 8.6 : 9.6;
    return [text(middle, y + 11, `${odds} odds`, size, { kind: "label tight" }),
      ...printed.notes.map((line, index) => text(middle, y + 21 + index * (h - 20) / printed.notes.length, line, size, { kind: "odds" }))];
  }
  if (odds && w < 70) {
    const words = [`${odds} odds`, note];
    return [text(middle, y + h / 2 - 4, words[0], 9.8, { kind: "label" }),
      text(middle, y + h / 2 + 11, words[1], words[1] === "odds" ? 9.8 : 11, { kind: words[1] === "odds" ? "label" : "odds" })];
  }
  if (w >= 220 && h < 50) {
    const notes = printed.notes.join("   ");
    const isLong = notes.length > 12;  // then the label moves left, beside the chips
    return [text(isLong ? x + 58 : middle, y + h / 2 + 5.5, printed.label, isLong ? 14 : 17, { kind: "label wide", anchor: isLong ? "start" : "middle" }),
      text(x + w - 12, y + h / 2 + 5, notes, isLong ? 11 : 13, { kind: "odds", anchor: "end" })];
  }
  return stacked(x, y, w, h, printed);
}

// A label, on two lines if it is too wide, with its odds below.
function stacked(x, y, w, h, printed) {
  const narrow = printed.label.length * 8.6 > w;
  const words = narrow ? halves(printed.label) : [printed.label];
  const small = printed.odds.length;  // what the parts pay
  const notes = small ? [] : printed.notes.length > 2 ? [] : printed.notes.slice(0, w > 150 ? 2 : 1);
  const lines = [...words.map((word) => [word, small ? 9.2 : words.length > 1 ? 10.5 : printed.label.length * 8.6 > w - 6 ? 11 : 12.5, "label"]),
    ...printed.odds.map((one) => [one, Math.min(9.2, (w - 4) / (one.length * 0.5), (h - 4) / (small + words.length) / 1.22), "odds"]),
    ...(w > 150 && notes.length ? [[notes.join("   "), 11.5, "odds"]] : notes.map((note) => [note, 10.5, "odds"]))];
  const total = lines.reduce((sum, [, size]) => sum + size * 1.22, 0);
  let top = y + (h - total) / 2;
  return lines.map(([content, size, kind]) => {
    top += size * 1.22;
    return text(x + w / 2, top - size * 0.3, content, size, { kind });
  });
}

function halves(label) {
  const words = label.split(" ");
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half).join(" "), words.slice(half).join(" ")].filter(Boolean);
}

function dice({ x, y, w, h, printed }) {
  const [first, second] = printed.dice[0];
  const size = w > 120 ? 27 : Math.min(24, h * 0.42);
  if (w > 120) {
    return [die(x + 10, y + (h - size) / 2, size, first), die(x + 13 + size, y + (h - size) / 2, size, second),
      text(x + w - 9, y + h / 2 - 4, printed.label, 10.5, { kind: "label", anchor: "end" }),
      text(x + w - 9, y + h / 2 + 13, printed.notes[0], 12.5, { kind: "odds", anchor: "end" })];
  }
  const left = x + w / 2 - size - 1.5;
  if (printed.label.startsWith("HARD")) {
    const small = Math.min(size, 20);
    return [die(x + w / 2 - small - 1.5, y + 6, small, first), die(x + w / 2 + 1.5, y + 6, small, second),
      text(x + w / 2, y + h - 19, printed.label, 10.5, { kind: "label" }), text(x + w / 2, y + h - 6, printed.notes[0], 11, { kind: "odds" })];
  }
  return [die(left, y + h * 0.12, size, first), die(left + size + 3, y + h * 0.12, size, second),
    text(x + w / 2, y + h - 8, `${printed.label} \u2022 ${printed.notes[0]}`, 11.5, { kind: "odds" })];
}

// Craps and eleven: one wager, two circles.
function circles({ x, y, w, h, printed }) {
  const isTall = h > w;
  const radius = Math.min(12.5, (isTall ? w : h - 14) / 2 - 1);
  const odds = printed.odds.map((line) => line.split(" ").slice(1).join(" "));
  const spots = isTall ? [[x + w / 2, y + h * 0.22, "C"], [x + w / 2, y + h * 0.7, "E"]] : [[x + w * 0.33, y + h / 2 - 5, "C"], [x + w * 0.67, y + h / 2 - 5, "E"]];
  return spots.flatMap(([cx, cy, letter], index) =>
    [svg("circle", { cx, cy, r: radius, class: "ring" }), text(cx, cy + 5, letter, 14, { kind: "label" }),
      text(cx, cy + radius + 9.5, odds[index] ?? "", isTall ? 7.6 : 9.5, { kind: "odds" })]);
}

function line({ x, y, w, h, printed }) {
  const size = Math.min(h * 0.5, 34, w / 13 + 4);
  return [text(x + w * (w > 450 ? 0.42 : 0.46), y + h / 2 + size * 0.35, printed.label, size, { kind: "big wide" }),
    text(x + w - 8, y + (w > 450 ? 16 : 13), printed.odds.join(" "), w > 450 ? 12 : 10.5, { kind: "odds", anchor: "end" })];
}

// Don't pass and don't come, with the dice that are barred.
function bar({ x, y, w, h, printed }) {
  const pair = printed.dice[0];
  const middle = x + w / 2;
  if (h > w) {
    const [first, second] = pair ?? [];
    return [text(middle, y + 25, "DON'T", 15, { kind: "label" }), text(middle, y + 43, "COME", 15, { kind: "label" }),
      ...(pair ? [die(middle - 20, y + 53, 19, first), die(middle + 1, y + 53, 19, second)] : []),
      text(middle, y + 88, printed.notes[0] ?? "", 12.5, { kind: "odds" }), text(middle, y + 103, printed.odds.join(" "), 10.5, { kind: "odds" })];
  }
  const size = w > 300 ? 20 : 13;
  if (w <= 150) {
    return [text(middle + 14, y + h / 2 - 2, printed.label, 11, { kind: "label" }),
      text(middle + 14, y + h / 2 + 14, [printed.notes[0], ...printed.odds].join(" "), 10, { kind: "odds" })];
  }
  const from = w > 300 ? x + w * 0.31 : middle - size * 1.6;
  return [text(from, y + h / 2 + size * 0.36, printed.label, size, { kind: "big wide" }),
    ...(pair ? pair.map((face, index) => die(from + size * 4.4 + index * (size + 3), y + (h - size) / 2, size, face)) : []),
    text(from + size * 4.4 + 2 * size + 12, y + h / 2 + 4.5, printed.notes[0] ?? "", 12, { kind: "odds", anchor: "start" }),
    text(x + w - 8, y + (w > 300 ? 15 : 13), printed.odds.join(" "), w > 300 ? 12 : 10, { kind: "odds", anchor: "end" })];
}

function field({ x, y, w, h, printed }) {
  const big = w > 450;
  const left = x + (big ? 30 : 14);
  const step = (w - (big ? 60 : 28)) / printed.marks.length;
  const row = y + h * (big ? 0.6 : 0.55);
  const label = big ? text(x + w / 2, y + 25, "FIELD", 20, { kind: "big wide" }) : text(x + w / 2, y + 15, "FIELD", 13, { kind: "big wide" });
  const even = text(x + 9, y + (big ? 17 : 13), printed.odds.join(" "), big ? 12 : 10, { kind: "odds", anchor: "start" });
  return [label, even, ...printed.marks.flatMap((mark, index) => {
    const cx = left + step * (index + 0.5);
    const size = big ? 22 : 16;
    if (!mark.note) return [text(cx, row + size * 0.36, mark.text, size, { kind: "big" })];
    const radius = big ? 16 : 10.5;
    return [svg("circle", { cx, cy: row, r: radius, class: "ring" }), text(cx, row + size * 0.3, mark.text, size * 0.86, { kind: "big" }),
      text(cx, row + radius + (big ? 13 : 10), mark.note, big ? 11.5 : 10, { kind: "odds" })];
  })];
}

// Side wagers: a lamp for each total or point that counts, and what they pay.
function lamps({ x, y, w, h, printed }) {
  const lights = printed.lamps;
  if (h < 40) {
    const size = printed.label.length * 7.2 + 26 > w ? 8.5 : 11;
    const left = x + 7 + printed.label.length * size * 0.68;
    const step = Math.min(17, (x + w - 5 - left) / Math.max(lights.length, 1));
    const hasLamps = lights.length > 0 && step >= 12;
    return [text(x + 7, y + h / 2 + 4, printed.label, size, { kind: "label", anchor: "start" }),
      ...(hasLamps ? lights.flatMap((total, index) => lamp(x + w - 5 - step * (lights.length - index - 0.5), y + h / 2, step / 2.25, total))
        : [text(x + w - 6, y + h / 2 + 4, "", 11, { kind: "odds count", anchor: "end" })])];
  }
  const rows = lights.length > 6 ? [lights.slice(0, 5), lights.slice(5)] : [lights];
  const radius = rows.length > 1 ? 5.6 : 7.2;
  const note = printed.lines.length === 1 ? printed.notes[0] : "";
  return [text(x + w / 2, y + 11, printed.label, 10.5, { kind: "label" }),
    ...rows.flatMap((row, place) => row.flatMap((total, index) =>
      lamp(x + w / 2 + (index - (row.length - 1) / 2) * radius * 2.25, y + (rows.length > 1 ? 19 + place * 12 : 24), radius, total))),
    text(x + w / 2, y + h - 3.5, note, 10, { kind: "odds" })];
}

// A side wager with a numbered spot for each position: its name and lamps; the spots and chips are drawn by the board.
function numbered({ x, y, w, printed }) {
  const step = 17;
  const left = x + w - 6 - step * printed.lamps.length;
  return [text(x + 8, y + 15, printed.label, 11.5, { kind: "label", anchor: "start" }),
    ...printed.lamps.flatMap((total, index) => lamp(left + step * (index + 0.5), y + 11, step / 2.3, total))];
}

function lamp(cx, cy, radius, total) {
  return [svg("circle", { cx, cy, r: radius, class: "lamp", "data-total": total }),
    text(cx, cy + radius * 0.48, String(total), radius * 1.35, { kind: "lamp-text" })];
}
