// Where things lie in the areas of a layout: own chips, other players' chips, the frame of a view, neighbours.

const MARGIN = 9;
const SIDEWAYS_COSTS = 2.5; // so that an arrow key goes straight ahead rather than to a nearer area at the side

/**
 * The part of a view that is drawn.
 *
 * @param {Server.View} view
 * @returns {{ x: number, y: number, width: number, height: number }}
 */
export function frameOf(view) {
  const round = view.spots.map((spot) => ({
    x: spot.x - spot.radius,
    y: spot.y - spot.radius,
    w: 2 * spot.radius,
    h: 2 * spot.radius,
  }));
  const boxes = [...view.areas, ...view.marks, ...round];
  const right = Math.max(...boxes.map((box) => box.x + box.w));
  const bottom = Math.max(...boxes.map((box) => box.y + box.h));
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const margin = view.width > 500 ? MARGIN : 1;
  const above = view.width > 500 || view.areas.some((area) => area.kind === "pass") ? 14 : 1; // room for the puck
  return { x: x - margin, y: y - above, width: right - x + 2 * margin, height: bottom - y + above + margin };
}

/**
 * Where the player's own chips lie in an area.
 *
 * @param {Server.LayoutArea} area
 * @returns {{ x: number, y: number, radius: number }}
 */
export function anchorOf({ x, y, w, h, printed }) {
  if (printed.face === "circles") return { x: x + w / 2, y: y + h / 2, radius: 12 };
  if (printed.face === "field")
    return w > 450 && h > 70 ? { x: x + 150, y: y + 22, radius: 16 } : { x: x + 100, y: y + 15, radius: 13 };
  if (printed.face === "dice" && w > 120) return { x: x + 38, y: y + h / 2 - 2, radius: 17 };
  if (w > 220) return { x: x + (w > 450 ? 76 : 30), y: y + h / 2 - 2, radius: Math.min(19, h / 2 - 3) };
  if (printed.face === "number" && w < 70) return { x: x + w - 15, y: y + 15, radius: 13 };
  if (printed.face === "number") return { x: x + w - 19, y: y + h / 2 - 6, radius: 15.5 };
  if (printed.face === "cell" && w >= 150 && h < 60) return { x: x + 20, y: y + 14, radius: Math.min(16, h / 2 - 4) };
  if (h > w) return { x: x + w / 2, y: y + h - 30, radius: 17 };
  if (w < 60 && h < 40) return { x: x + w / 2, y: y + h / 2 - 1, radius: 11 };
  if (h < 40) return { x: x + w * 0.56, y: y + h / 2 - 1, radius: 11.5 };
  return { x: x + w / 2, y: y + h / 2 - 2, radius: Math.min(16, h / 2 - 4) };
}

/**
 * Where other players' wagers lie in an area.
 *
 * @param {Server.LayoutArea} area
 * @param {boolean} hasOwn
 * @returns {{ left: number, right: number, y: number }}
 */
export function pillRoom({ x, y, w, h, printed }, hasOwn) {
  if (printed.face === "field") return { left: x + w * 0.62, right: x + w - 8, y: y + 14 };
  if (w > 450 && h < 40) return { left: x + 100, right: x + w * 0.62, y: y + h / 2 };
  if (w > 450) return { left: x + w * 0.68, right: x + w - 6, y: y + h / 2 };
  if (w > 220) return { left: x + w * 0.72, right: x + w - 4, y: y + h - 10 };
  if (printed.face === "cell" && w >= 150 && h < 60) return { left: x + w * 0.68, right: x + w - 3, y: y + h - 9 };
  if (h > w) return { left: x + 6, right: x + w - 4, y: y + 12 };
  if (h < 40) return { left: x + 3, right: hasOwn ? x + w * 0.5 : x + w - 3, y: y + h - 8 };
  if (printed.face === "cell" && h < 60 && w < 150) return { left: x + 3, right: x + w - 3, y: y + 3 };
  return { left: x + 4, right: x + w - 4, y: printed.face === "number" ? y + 7 : y + h - 8 };
}

/**
 * The neighbouring area in a direction, if possible straight ahead; null if there is none.
 *
 * @param {Server.LayoutArea[]} areas
 * @param {Server.LayoutArea} area
 * @param {number} right
 * @param {number} down
 * @returns {Server.LayoutArea | null}
 */
export function neighbourOf(areas, area, right, down) {
  const from = centreOf(area);
  /** @type {Server.LayoutArea | null} */
  let best = null;
  let least = Infinity;
  for (const other of areas) {
    const ahead = edge(other, right, down) + edge(area, -right, -down);
    if (other === area || ahead < 0) continue;
    const to = centreOf(other);
    const aside = right ? gap(area.y, area.h, other.y, other.h) : gap(area.x, area.w, other.x, other.w);
    const cost = ahead + aside * SIDEWAYS_COSTS + Math.abs(right ? to.y - from.y : to.x - from.x) * 0.1;
    if (cost < least) [best, least] = [other, cost];
  }
  return best;
}

/**
 * @param {Server.LayoutArea} area
 * @returns {{ x: number, y: number }}
 */
function centreOf(area) {
  return { x: area.x + area.w / 2, y: area.y + area.h / 2 };
}

/**
 * The position, along a direction, of the area's edge that comes first.
 *
 * @param {Server.LayoutArea} area
 * @param {number} right
 * @param {number} down
 * @returns {number}
 */
function edge(area, right, down) {
  if (right) return right > 0 ? area.x : -(area.x + area.w);
  return down > 0 ? area.y : -(area.y + area.h);
}

/**
 * @param {number} from
 * @param {number} size
 * @param {number} other
 * @param {number} otherSize
 * @returns {number}
 */
function gap(from, size, other, otherSize) {
  return Math.max(0, other - (from + size), from - (other + otherSize));
}
