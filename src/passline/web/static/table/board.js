// One view of the layout with chips, buttons, puck and lamps. With `act`, its areas are buttons for pointer and
// keyboard; without it, the board is for viewing only (spectators, crew, regulator):
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
import { anchorOf, frameOf, neighbourOf, pillRoom } from "./places.js";
import { sizeText, svg, text } from "./svg.js";

const LONG_PRESS_MS = 500;
const ANY_NUMBER = new Set(["pass_odds", "dont_pass_odds", "hop", "horn_high"]);

/** @typedef {{ select: (area: Server.LayoutArea, isHover: boolean) => void, leave: () => void }} Look at an area */
/**
 * @typedef {Look & {
 *   make: (area: Server.LayoutArea) => unknown,
 *   takeDown: (area: Server.LayoutArea) => unknown,
 *   key?: (event: KeyboardEvent, area: Server.LayoutArea) => void,
 * }} Act what somebody may do at an area
 */

export class Board {
  /** @param {{ view: Server.View, chips: number[], label: string, act?: Act | null, look?: Look | null }} options */
  constructor({ view, chips, label, act = null, look = act }) {
    this.view = view;
    this.values = chips;
    this.act = act;
    this.look = look;
    this.byKey = new Map(view.areas.map((area) => [keyOfArea(area), area]));
    /** @type {Map<string, SVGGElement>} */
    this.groups = new Map();
    this.drawn = svg("g", { class: "chips", "aria-hidden": "true" });
    this.limits = svg("g", { class: "print-limits", "aria-hidden": "true" });
    const felt = view.areas.map((area) => this.#area(area));
    const marks = svg("g", { class: "marks" }, ...view.marks.map(drawMark));
    const spots = svg("g", { class: "spots", "aria-hidden": "true" }, ...view.spots.map((spot) => this.#spot(spot)));
    const { x, y, width, height } = frameOf(view);
    this.element = svg(
      "svg",
      { viewBox: `${x} ${y} ${width} ${height}`, class: "board", role: "group", "aria-label": label },
      this.limits,
      marks,
      ...felt,
      spots,
      this.drawn,
    );
    this.width = width;
    this.height = height;
    this.scale = 1; // pixels to a unit
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  // Keep every text readable where the layout is drawn small.
  #fit() {
    const { clientWidth, clientHeight } = this.element;
    const scale = Math.min(1, clientWidth / this.width || 1, clientHeight / this.height || 1);
    if (Math.abs(scale - this.scale) < 0.005) return;
    this.scale = scale;
    for (const line of this.element.querySelectorAll("text")) sizeText(line, scale);
  }

  /**
   * The area where a wager lies, or null if it is in another view.
   *
   * @param {{ kind: string, number: number }} wager
   * @returns {Server.LayoutArea | null}
   */
  areaOf(wager) {
    const isSide = isSideWager(this.byKey.get(`${wager.kind}:0`));
    const number = isSide || ANY_NUMBER.has(wager.kind) ? 0 : wager.number;
    return (
      this.byKey.get(`${wager.kind}:${number}`) ??
      this.view.areas.find((area) => area.number === wager.number && area.also.includes(wager.kind)) ??
      null
    );
  }

  /** @param {{ table: Server.TableView, seat: number, states?: Map<string, Server.Area> }} shown */
  update({ table, seat, states = new Map() }) {
    /** @type {Map<Server.LayoutArea, Server.WagerView[]>} */
    const lying = new Map();
    for (const wager of table.wagers) {
      const area = this.areaOf(wager);
      if (area) lying.set(area, [...(lying.get(area) ?? []), wager]);
    }
    for (const spot of this.element.querySelectorAll(".spot.at-edge"))
      spot.classList.toggle("own", spot.getAttribute("data-seats")?.split(" ").includes(String(seat)));
    for (const area of this.view.areas) this.#state(area, states.get(keyOfArea(area)), lying.get(area) ?? [], seat);
    this.drawn.replaceChildren(
      ...[...lying].flatMap(([area, wagers]) => this.#chips(table, area, wagers, seat)),
      ...this.#puck(table),
    );
    for (const marker of table.markers) this.#lamps(marker);
    this.limits.replaceChildren(...this.#posted(table));
    if (this.scale < 1) for (const line of this.drawn.querySelectorAll("text")) sizeText(line, this.scale);
  }

  /** @param {string} key */
  focus(key) {
    const group = this.groups.get(key);
    if (!group) return;
    for (const other of this.groups.values()) other.setAttribute("tabindex", other === group ? "0" : "-1");
    group.focus();
  }

  /**
   * Light an area for a while: it has won or lost.
   *
   * @param {string} key
   * @param {string} how
   * @param {number} ms
   */
  light(key, how, ms) {
    const group = this.groups.get(key);
    if (!group) return;
    group.classList.add(`is-${how}`);
    setTimeout(() => group.classList.remove(`is-${how}`), ms);
  }

  /**
   * @param {string} key
   * @param {boolean} isBusy
   */
  busy(key, isBusy) {
    this.groups.get(key)?.classList.toggle("busy", isBusy);
  }

  /**
   * @param {string} key
   * @returns {DOMRect | null}
   */
  rectOf(key) {
    return this.groups.get(key)?.getBoundingClientRect() ?? null;
  }

  /**
   * @param {Server.LayoutArea} area
   * @returns {SVGGElement}
   */
  #area(area) {
    const group = drawArea(area);
    this.groups.set(keyOfArea(area), group);
    const { look } = this;
    if (look) {
      group.addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse") look.select(area, true);
      });
      group.addEventListener("pointerleave", () => look.leave());
    }
    if (!this.act) return group;
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", this.groups.size === 1 ? "0" : "-1");
    group.setAttribute("aria-label", area.printed.name);
    this.#listen(group, area, this.act);
    return group;
  }

  /**
   * A numbered spot. A click on one's own at the edge makes the wager, as its area does.
   *
   * @param {Server.NumberedSpot} spot
   * @returns {SVGGElement}
   */
  #spot(spot) {
    const group = drawSpot(spot);
    group.dataset.spot = spot.kind;
    group.dataset.number = String(spot.number);
    group.dataset.seats = spot.seats.join(" ");
    if (!spot.is_at_edge) return group;
    group.classList.add("at-edge");
    group.addEventListener("click", () => {
      const area = everyArea(this.view, spot.kind);
      if (area && group.classList.contains("own")) this.act?.make(area);
    });
    return group;
  }

  /**
   * The wagers of an area with numbered spots: at the edge until the dice are thrown, then in front of the boxperson. A
   * spot that is the closest of several seats has their chips side by side.
   *
   * @param {Server.TableView} table
   * @param {Server.WagerView[]} wagers
   * @param {number} seat
   * @returns {SVGElement[]}
   */
  #numbered(table, wagers, seat) {
    return wagers.flatMap((wager) => {
      const isIn = wager.progress.length > 0 || ["air", "rest", "called"].includes(table.dice_are);
      const spot = this.view.spots.find(
        (spot) => spot.kind === wager.kind && spot.seats.includes(wager.seat) && spot.is_at_edge !== isIn,
      );
      if (!spot) return [];
      const radius = (spot.radius - 0.5) / spot.seats.length ** 0.5;
      const aside = (spot.seats.indexOf(wager.seat) - (spot.seats.length - 1) / 2) * radius * 1.3;
      return [
        stack(spot.x + aside, spot.y, radius, wager.cents, this.values, {
          kind: wager.seat === seat ? "own" : "other",
        }),
      ];
    });
  }

  /**
   * @param {SVGGElement} group
   * @param {Server.LayoutArea} area
   * @param {Act} act
   */
  #listen(group, area, act) {
    let held = 0;
    let isDone = false; // a long press has taken the wager down: ignore the click that follows
    const release = () => clearTimeout(held);
    group.addEventListener("pointerdown", (event) => {
      isDone = false;
      if (event.pointerType === "mouse") return;
      held = setTimeout(() => {
        isDone = true;
        act.takeDown(area);
      }, LONG_PRESS_MS);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) group.addEventListener(name, release);
    group.addEventListener("click", (event) => {
      if (isDone) return;
      this.focus(keyOfArea(area));
      // a pointer leaves no focus behind, so that space still rolls; Tab comes back here
      if (event.detail) group.blur();
      act.make(area);
    });
    group.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      release();
      if (!isDone) act.takeDown(area);
      isDone = true;
    });
    group.addEventListener("focus", () => act.select(area, false));
    group.addEventListener("blur", () => act.leave());
    group.addEventListener("keydown", (event) => this.#key(event, area, act));
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Server.LayoutArea} area
   * @param {Act} act
   */
  #key(event, area, act) {
    /** @type {{ [key: string]: [number, number] }} */
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return this.groups.get(keyOfArea(area))?.blur();
    if (moves[event.key]) {
      const next = neighbourOf(this.view.areas, area, ...moves[event.key]);
      if (next) this.focus(keyOfArea(next));
    } else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) act.make(area); // one press is one wager, and never a throw
    } else if (event.key === "Delete" || event.key === "Backspace") {
      if (!event.repeat) act.takeDown(area);
    } else return act.key?.(event, area);
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {Server.LayoutArea} area
   * @param {Server.Area | undefined} state
   * @param {Server.WagerView[]} wagers
   * @param {number} seat
   */
  #state(area, state, wagers, seat) {
    const group = this.groups.get(keyOfArea(area));
    if (!group) return;
    const isOpen = state?.state === "open";
    group.classList.toggle("open", isOpen);
    group.classList.toggle("closed", Boolean(state) && !isOpen);
    if (this.act)
      group.setAttribute(
        "aria-label",
        spoken(
          area,
          state,
          wagers.filter((wager) => wager.seat === seat),
        ),
      );
  }

  /**
   * @param {Server.TableView} table
   * @param {Server.LayoutArea} area
   * @param {Server.WagerView[]} wagers
   * @param {number} seat
   * @returns {SVGElement[]}
   */
  #chips(table, area, wagers, seat) {
    if (area.printed.face === "numbered") return this.#numbered(table, wagers, seat);
    const own = wagers.filter((wager) => wager.seat === seat);
    const { x, y, radius } = anchorOf(area);
    /** @type {SVGElement[]} */
    const drawn = [];
    own.forEach((wager, index) => {
      const r = own.length > 1 ? radius * 0.86 : radius;
      const cx = x - index * (r * 1.75);
      drawn.push(stack(cx, y, r, wager.cents, this.values, { kind: wager.owner === "crew" ? "tip" : "own" }));
      const called = wager.working.endsWith("?")
        ? wager.working.toUpperCase()
        : wager.is_off
          ? "OFF"
          : wager.working === "on"
            ? "ON"
            : "";
      const kind = { buy: "BUY", lay: "LAY" }[wager.kind] ?? "";
      const words = [wager.pending.length ? "WAITS" : called, wager.owner === "crew" ? "CREW" : kind].filter(Boolean);
      for (const [place, word] of words.entries()) drawn.push(button(cx, y + (place === 0 ? r - 1 : 2 - r), word));
    });
    return [
      ...drawn,
      ...this.#pills(
        table,
        area,
        wagers.filter((wager) => wager.seat !== seat),
        own.length > 0,
      ),
    ];
  }

  /**
   * Other players' wagers, as many as fit, and the number of the others.
   *
   * @param {Server.TableView} table
   * @param {Server.LayoutArea} area
   * @param {Server.WagerView[]} wagers
   * @param {boolean} hasOwn
   * @returns {SVGElement[]}
   */
  #pills(table, area, wagers, hasOwn) {
    const names = new Map(table.seats.map((seat) => [seat.seat, initialsOf(seat.name)]));
    const { left, right, y } = pillRoom(area, hasOwn);
    /** @type {SVGElement[]} */
    const drawn = [];
    let at = left;
    for (const [index, wager] of wagers.entries()) {
      const initials = names.get(wager.seat) ?? String(wager.seat);
      const width = pillWidth(initials, wager.cents);
      const isLast = index === wagers.length - 1;
      if (at + width + (isLast ? 0 : 18) > right && index > 0) {
        drawn.push(text(at + 2, y + 4, `+${wagers.length - index}`, 11.2, { kind: "more", anchor: "start" }));
        break;
      }
      drawn.push(pill(at, y, initials, wager.cents, (wager.seat - 1) % 10, { isOff: wager.is_off }));
      at += width + 2;
    }
    return drawn;
  }

  /**
   * @param {Server.TableView} table
   * @returns {SVGElement[]}
   */
  #puck(table) {
    const point = table.puck;
    const home = this.byKey.get(point ? `place_win:${point}` : "dont_come:0") ?? this.byKey.get("pass:0");
    if (!home) return [];
    const top = Math.min(
      ...this.view.areas.filter((area) => area.x === home.x && area.number === point).map((area) => area.y),
      home.y,
    );
    const x = point
      ? home.x + home.w - 15
      : home.kind === "pass"
        ? home.x + home.w - 20
        : home.x + (home.h > home.w ? home.w / 2 : 15.5); // clear of the words beside it
    const y = point ? top : home.h > home.w ? home.y + home.h - 22 : home.y + home.h / 2;
    const radius = point ? 13 : 14;
    return [
      svg(
        "g",
        { class: `puck ${point ? "is-on" : "is-off"}` },
        svg("circle", { cx: x, cy: y, r: radius }),
        text(x, y + 4, point ? "ON" : "OFF", 11.2),
      ),
    ];
  }

  /**
   * The limits, printed where the felt has room.
   *
   * @param {Server.TableView} table
   * @returns {SVGElement[]}
   */
  #posted({ points, limits }) {
    if (!this.view.posted) return [];
    const { x, lines, size } = this.view.posted;
    const words =
      points && !points.has_limits
        ? ["NO WAGER LIMIT", ""]
        : [`MINIMUM ${money(limits.min)}`, `MAXIMUM ${money(limits.max)}`];
    const said = lines.length === 1 ? [words.join("   ")] : words;
    return lines.map((y, index) => text(x, y, said[index], size));
  }

  /** @param {Server.MarkerView} marker */
  #lamps(marker) {
    const group = this.groups.get(`${marker.kind}:0`);
    const lit = new Set(marker.lit.map(String));
    for (const lamp of group?.querySelectorAll(".lamp") ?? [])
      lamp.classList.toggle("lit", lit.has(lamp.getAttribute("data-total") ?? ""));
    const count = group?.querySelector(".count");
    const printed = this.byKey.get(`${marker.kind}:0`)?.printed;
    const all = printed?.lamps.length;
    const counted = all ? `${marker.count}/${all}` : String(marker.count);
    const meter = marker.meter === undefined ? "" : `  ${money(marker.meter)}`;
    if (count) count.textContent = `${counted}${meter}`;
    const label = group?.querySelector(".label");
    if (!count && label && meter) label.textContent = `${printed?.label ?? ""}${meter}`; // lamps leave no other room
  }
}

/**
 * "Place 6, pays 7 to 6, $12 up, minimum $6, maximum $5,000"
 *
 * @param {Server.LayoutArea} area
 * @param {Server.Area | undefined} state
 * @param {Server.WagerView[]} own
 * @returns {string}
 */
export function spoken(area, state, own) {
  const up = own.map(
    (wager) => `${money(wager.cents)} up${wager.is_off ? ", off" : wager.working === "on" ? ", on" : ""}`,
  );
  const vigorish = state?.vigorish?.says ?? area.printed.vigorish;
  const parts = [
    area.printed.name,
    area.printed.pays && `pays ${state?.pays || area.printed.pays}`,
    vigorish && `vigorish ${vigorish}`,
    ...(up.length ? up : ["nothing up"]),
  ];
  if (state?.state === "open")
    parts.push(`minimum ${money(state.min)}`, state.max === null ? "" : `maximum ${money(state.max)}`);
  else if (state) parts.push(`not now: ${state.why}${state.clause ? ` [${state.clause}]` : ""}`);
  return parts.filter(Boolean).join(", ");
}

/**
 * @param {string} name
 * @returns {string}
 */
export function initialsOf(name) {
  const words = name
    .replaceAll(/\(.*?\)/g, "")
    .trim()
    .split(/\s+/);
  return (words.length > 1 ? words[0][0] + words[1][0] : words[0].slice(0, 2)) || "?";
}

/**
 * @param {Server.View} view
 * @param {string} kind
 * @returns {Server.LayoutArea | undefined}
 */
function everyArea(view, kind) {
  return view.areas.find((area) => area.kind === kind);
}
