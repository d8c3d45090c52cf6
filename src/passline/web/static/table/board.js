// One view of the layout with chips, buttons, puck and lamps. With `act`, its areas are buttons for pointer and keyboard;
// without it, the board is for viewing only (spectators, crew, regulator):
//
//   const board = new Board({ view: layout.table, chips: layout.chips, label: "Layout" });
//   host.append(board.element);
//   board.update({ table, seat: 0 });
//
// `act` has make(area), takeDown(area), select(area, isHover), leave() and key(event, area). `look` has only select and
// leave: for spectators, areas show their card under the pointer but are not buttons.
import { money } from "../money.js";
import { button, pill, pillWidth, stack } from "./chips.js";
import { drawArea, drawMark, drawSpot, isSideWager, keyOfArea } from "./felt.js";
import { svg, text } from "./svg.js";

const LONG_PRESS_MS = 500;
const MARGIN = 9;
const SIDEWAYS_COSTS = 2.5;  // so that an arrow key goes straight ahead rather than to a nearer area at the side
const ANY_NUMBER = new Set(["pass_odds", "dont_pass_odds", "hop", "horn_high"]);

export class Board {
  constructor({ view, chips, label, act = null, look = act }) {
    this.view = view;
    this.values = chips;
    this.act = act;
    this.look = look;
    this.byKey = new Map(view.areas.map((area) => [keyOfArea(area), area]));
    this.groups = new Map();
    this.drawn = svg("g", { class: "chips", "aria-hidden": "true" });
    this.limits = svg("g", { class: "print-limits", "aria-hidden": "true" });
    const felt = view.areas.map((area) => this.#area(area));
    const marks = svg("g", { class: "marks" }, ...view.marks.map(drawMark));
    const spots = svg("g", { class: "spots", "aria-hidden": "true" }, ...view.spots.map((spot) => this.#spot(spot)));
    const { x, y, width, height } = frameOf(view);
    this.element = svg("svg", { viewBox: `${x} ${y} ${width} ${height}`, class: "board", role: "group", "aria-label": label },
      this.limits, marks, ...felt, spots, this.drawn);
  }

  // The area where a wager lies, or null if it is in another view.
  areaOf(wager) {
    const isSide = isSideWager(this.byKey.get(`${wager.kind}:0`));
    const number = isSide || ANY_NUMBER.has(wager.kind) ? 0 : wager.number;
    return this.byKey.get(`${wager.kind}:${number}`)
      ?? this.view.areas.find((area) => area.number === wager.number && area.also.includes(wager.kind)) ?? null;
  }

  update({ table, seat, states = new Map() }) {
    this.table = table;
    const lying = new Map();
    for (const wager of table.wagers) {
      const area = this.areaOf(wager);
      if (area) lying.set(area, [...(lying.get(area) ?? []), wager]);
    }
    for (const spot of this.element.querySelectorAll(".spot.at-edge")) spot.classList.toggle("own", spot.dataset.seats.split(" ").includes(String(seat)));
    for (const area of this.view.areas) this.#state(area, states.get(keyOfArea(area)), lying.get(area) ?? [], seat);
    this.drawn.replaceChildren(...[...lying].flatMap(([area, wagers]) => this.#chips(area, wagers, seat)), ...this.#puck());
    for (const marker of table.markers) this.#lamps(marker);
    this.limits.replaceChildren(...this.#posted());
  }

  focus(key) {
    const group = this.groups.get(key);
    if (!group) return;
    for (const other of this.groups.values()) other.setAttribute("tabindex", other === group ? "0" : "-1");
    group.focus();
  }

  busy(key, isBusy) { this.groups.get(key)?.classList.toggle("busy", isBusy); }

  rectOf(key) { return this.groups.get(key)?.getBoundingClientRect() ?? null; }

  #area(area) {
    const group = drawArea(area);
    this.groups.set(keyOfArea(area), group);
    if (this.look) {
      group.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") this.look.select(area, true); });
      group.addEventListener("pointerleave", () => this.look.leave());
    }
    if (!this.act) return group;
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", this.groups.size === 1 ? "0" : "-1");
    group.setAttribute("aria-label", area.printed.name);
    this.#listen(group, area);
    return group;
  }

  // A numbered spot. A click on one's own at the edge makes the wager, as its area does.
  #spot(spot) {
    const group = drawSpot(spot);
    group.dataset.spot = spot.kind;
    group.dataset.number = spot.number;
    group.dataset.seats = spot.seats.join(" ");
    if (!spot.is_at_edge) return group;
    group.classList.add("at-edge");
    group.addEventListener("click", () => { if (this.act && group.classList.contains("own")) this.act.make(everyArea(this.view, spot.kind)); });
    return group;
  }

  // The wagers of an area with numbered spots: at the edge until the dice are thrown, then in front of the boxperson. A spot
  // that is the closest of several seats has their chips side by side.
  #numbered(wagers, seat) {
    return wagers.flatMap((wager) => {
      const isIn = wager.progress.length > 0 || ["air", "rest", "called"].includes(this.table.dice_are);
      const spot = this.view.spots.find((one) => one.kind === wager.kind && one.seats.includes(wager.seat) && one.is_at_edge !== isIn);
      if (!spot) return [];
      const radius = (spot.radius - 0.5) / spot.seats.length ** 0.5;
      const aside = (spot.seats.indexOf(wager.seat) - (spot.seats.length - 1) / 2) * radius * 1.3;
      return [stack(spot.x + aside, spot.y, radius, wager.cents, this.values, { kind: wager.seat === seat ? "own" : "other" })];
    });
  }

  #listen(group, area) {
    let held = 0;
    let isDone = false;  // a long press has taken the wager down: ignore the click that follows
    const release = () => clearTimeout(held);
    group.addEventListener("pointerdown", (event) => {
      isDone = false;
      if (event.pointerType === "mouse") return;
      held = setTimeout(() => { isDone = true; this.act.takeDown(area); }, LONG_PRESS_MS);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) group.addEventListener(name, release);
    group.addEventListener("click", (event) => {
      if (isDone) return;
      this.focus(keyOfArea(area));
      if (event.detail) group.blur();  // a pointer leaves no focus behind, so that space still rolls; Tab comes back here
      this.act.make(area);
    });
    group.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      release();
      if (!isDone) this.act.takeDown(area);
      isDone = true;
    });
    group.addEventListener("focus", () => this.act.select(area, false));
    group.addEventListener("blur", () => this.act.leave());
    group.addEventListener("keydown", (event) => this.#key(event, area));
  }

  #key(event, area) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return this.groups.get(keyOfArea(area)).blur();
    if (moves[event.key]) {
      const next = this.#beside(area, ...moves[event.key]);
      if (next) this.focus(keyOfArea(next));
    } else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) this.act.make(area);  // one press is one wager, and never a throw
    } else if (event.key === "Delete" || event.key === "Backspace") {
      if (!event.repeat) this.act.takeDown(area);
    } else return this.act.key?.(event, area);
    event.preventDefault();
    event.stopPropagation();
  }

  // The neighbouring area in a direction, if possible straight ahead.
  #beside(area, right, down) {
    const from = centreOf(area);
    let best = null;
    let least = Infinity;
    for (const other of this.view.areas) {
      const ahead = edge(other, right, down) + edge(area, -right, -down);
      if (other === area || ahead < 0) continue;
      const to = centreOf(other);
      const aside = right ? gap(area.y, area.h, other.y, other.h) : gap(area.x, area.w, other.x, other.w);
      const cost = ahead + aside * SIDEWAYS_COSTS + Math.abs(right ? to.y - from.y : to.x - from.x) * 0.1;
      if (cost < least) [best, least] = [other, cost];
    }
    return best;
  }

  #state(area, state, wagers, seat) {
    const group = this.groups.get(keyOfArea(area));
    const isOpen = state?.state === "open";
    group.classList.toggle("open", isOpen);
    group.classList.toggle("closed", Boolean(state) && !isOpen);
    if (this.act) group.setAttribute("aria-label", spoken(area, state, wagers.filter((one) => one.seat === seat)));
  }

  #chips(area, wagers, seat) {
    if (area.printed.face === "numbered") return this.#numbered(wagers, seat);
    const own = wagers.filter((one) => one.seat === seat);
    const { x, y, radius } = anchorOf(area);
    const drawn = [];
    own.forEach((wager, index) => {
      const r = own.length > 1 ? radius * 0.86 : radius;
      const cx = x - index * (r * 1.75);
      drawn.push(stack(cx, y, r, wager.cents, this.values, { kind: wager.owner === "crew" ? "tip" : "own" }));
      const called = wager.working.endsWith("?") ? wager.working.toUpperCase() : wager.is_off ? "OFF" : wager.working === "on" ? "ON" : "";
      const kind = { buy: "BUY", lay: "LAY" }[wager.kind] ?? "";
      const words = [wager.pending.length ? "WAITS" : called, wager.owner === "crew" ? "CREW" : kind].filter(Boolean);
      words.forEach((word, place) => drawn.push(button(cx, y + (place === 0 ? r - 1 : 2 - r), word)));
    });
    return [...drawn, ...this.#pills(area, wagers.filter((one) => one.seat !== seat), own.length > 0)];
  }

  // Other players' wagers, as many as fit, and the number of the others.
  #pills(area, wagers, hasOwn) {
    const names = new Map(this.table.seats.map((one) => [one.seat, initialsOf(one.name)]));
    const { left, right, y } = pillRoom(area, hasOwn);
    const drawn = [];
    let at = left;
    for (const [index, wager] of wagers.entries()) {
      const initials = names.get(wager.seat) ?? String(wager.seat);
      const width = pillWidth(initials, wager.cents);
      const isLast = index === wagers.length - 1;
      if (at + width + (isLast ? 0 : 18) > right && index > 0) {
        drawn.push(text(at + 2, y + 3.4, `+${wagers.length - index}`, 9.5, { kind: "more", anchor: "start" }));
        break;
      }
      drawn.push(pill(at, y, initials, wager.cents, (wager.seat - 1) % 10, { isOff: wager.is_off }));
      at += width + 2;
    }
    return drawn;
  }

  #puck() {
    const point = this.table.puck;
    const home = this.byKey.get(point ? `place_win:${point}` : "dont_come:0") ?? this.byKey.get("pass:0");
    if (!home) return [];
    const top = Math.min(...this.view.areas.filter((area) => area.x === home.x && area.number === point).map((area) => area.y), home.y);
    const x = point ? home.x + home.w - 15 : home.kind === "pass" ? home.x + home.w - 20 : home.x + (home.h > home.w ? home.w / 2 : 18);
    const y = point ? top : home.h > home.w ? home.y + home.h - 22 : home.y + home.h / 2;
    const radius = point ? 13 : 14;
    return [svg("g", { class: `puck ${point ? "is-on" : "is-off"}` },
      svg("circle", { cx: x, cy: y, r: radius }), text(x, y + 3.4, point ? "ON" : "OFF", 9.5))];
  }

  // The limits, printed where the felt has room.
  #posted() {
    const { x, lines = [], size } = this.view.posted ?? {};
    const { points } = this.table, words = points && !points.has_limits ? ["NO WAGER LIMIT", ""] : [`MINIMUM ${money(this.table.limits.min)}`, `MAXIMUM ${money(this.table.limits.max)}`];
    const said = lines.length === 1 ? [words.join("   ")] : words;
    return lines.map((y, index) => text(x, y, said[index], size));
  }

  #lamps(marker) {
    const group = this.groups.get(`${marker.kind}:0`);
    const lit = new Set(marker.lit.map(String));
    for (const lamp of group?.querySelectorAll(".lamp") ?? []) lamp.classList.toggle("lit", lit.has(lamp.dataset.total));
    const count = group?.querySelector(".count");
    const all = this.byKey.get(`${marker.kind}:0`)?.printed.lamps.length;
    if (count) count.textContent = all ? `${marker.count}/${all}` : String(marker.count);
  }
}

// "Place 6, pays 7 to 6, $12 up, minimum $6, maximum $5,000"
export function spoken(area, state, own) {
  const up = own.map((one) => `${money(one.cents)} up${one.is_off ? ", off" : one.working === "on" ? ", on" : ""}`);
  const vigorish = state?.vigorish?.says ?? area.printed.vigorish;
  const parts = [area.printed.name, area.printed.pays && `pays ${state?.pays || area.printed.pays}`, vigorish && `vigorish ${vigorish}`, ...(up.length ? up : ["nothing up"])];
  if (state?.state === "open") parts.push(`minimum ${money(state.min)}`, state.max === null ? "" : `maximum ${money(state.max)}`);
  else if (state) parts.push(`not now: ${state.why}${state.clause ? ` [${state.clause}]` : ""}`);
  return parts.filter(Boolean).join(", ");
}

export function initialsOf(name) {
  const words = name.replaceAll(/\(.*?\)/g, "").trim().split(/\s+/);
  return (words.length > 1 ? words[0][0] + words[1][0] : words[0].slice(0, 2)) || "?";
}

function everyArea(view, kind) { return view.areas.find((area) => area.kind === kind); }

function centreOf(area) { return { x: area.x + area.w / 2, y: area.y + area.h / 2 }; }

// The position, along a direction, of the area's edge that comes first.
function edge(area, right, down) {
  if (right) return right > 0 ? area.x : -(area.x + area.w);
  return down > 0 ? area.y : -(area.y + area.h);
}

function gap(from, size, other, otherSize) { return Math.max(0, other - (from + size), from - (other + otherSize)); }

function frameOf(view) {
  const round = view.spots.map((spot) => ({ x: spot.x - spot.radius, y: spot.y - spot.radius, w: 2 * spot.radius, h: 2 * spot.radius }));
  const boxes = [...view.areas, ...view.marks, ...round];
  const right = Math.max(...boxes.map((box) => box.x + box.w));
  const bottom = Math.max(...boxes.map((box) => box.y + box.h));
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const margin = view.width > 500 ? MARGIN : 1;
  const above = view.width > 500 || view.areas.some((area) => area.kind === "pass") ? 14 : 1;  // room for the puck
  return { x: x - margin, y: y - above, width: right - x + 2 * margin, height: bottom - y + above + margin };
}

// Where the player's own chips lie in an area.
function anchorOf({ x, y, w, h, printed }) {
  if (printed.face === "circles") return { x: x + w / 2, y: y + h / 2, radius: 12 };
  if (printed.face === "field") return w > 450 ? { x: x + 150, y: y + 22, radius: 16 } : { x: x + 100, y: y + 15, radius: 13 };
  if (printed.face === "dice" && w > 120) return { x: x + 38, y: y + h / 2 - 2, radius: 17 };
  if (w > 220) return { x: x + (w > 450 ? 76 : 30), y: y + h / 2 - 2, radius: Math.min(19, h / 2 - 3) };
  if (printed.face === "number") return { x: x + w - 19, y: y + h / 2 - 6, radius: 15.5 };
  if (h > w) return { x: x + w / 2, y: y + h - 30, radius: 17 };
  if (w < 60 && h < 40) return { x: x + w / 2, y: y + h / 2 - 1, radius: 11 };
  if (h < 40) return { x: x + w * 0.56, y: y + h / 2 - 1, radius: 11.5 };
  return { x: x + w / 2, y: y + h / 2 - 2, radius: Math.min(16, h / 2 - 4) };
}

// Where other players' wagers lie in an area.
function pillRoom({ x, y, w, h, printed }, hasOwn) {
  if (printed.face === "field") return { left: x + w * 0.62, right: x + w - 8, y: y + 14 };
  if (w > 450 && h < 40) return { left: x + 100, right: x + w * 0.62, y: y + h / 2 };
  if (w > 450) return { left: x + w * 0.68, right: x + w - 6, y: y + h / 2 };
  if (w > 220) return { left: x + w * 0.72, right: x + w - 4, y: y + h - 10 };
  if (h > w) return { left: x + 6, right: x + w - 4, y: y + 12 };
  if (h < 40) return { left: x + 3, right: hasOwn ? x + w * 0.5 : x + w - 3, y: y + h - 8 };
  return { left: x + 4, right: x + w - 4, y: printed.face === "number" ? y + 7 : y + h - 8 };
}
