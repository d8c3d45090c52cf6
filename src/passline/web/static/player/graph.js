// The course of won and lost money as a line, roll by roll, with its figures in words for those who cannot see it.
import { el } from "../elements.js";
import { money } from "../money.js";
import { svg, text } from "../table/svg.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 240, 74, 28];

/**
 * `steps` has what each roll that decided something won or lost, oldest first.
 *
 * @param {HTMLElement} place
 * @param {number[]} steps
 * @param {number} hands
 */
export function courseGraph(place, steps, hands) {
  if (!steps.length) return place.replaceChildren(el("p", { class: "muted" }, "Nothing to draw yet."));
  const course = [0];
  for (const net of steps) course.push(course[course.length - 1] + net);
  const end = course[course.length - 1];
  const [low, high] = [Math.min(...course), Math.max(...course)];
  const span = Math.max(high - low, 100);
  /** @param {number} index */
  const x = (index) => LEFT + (index / steps.length) * (WIDTH - LEFT - 12);
  /** @param {number} cents */
  const y = (cents) => 14 + ((high - cents) / span) * (HEIGHT - 14 - BOTTOM);
  const line = course
    .map((cents, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(cents).toFixed(1)}`)
    .join(" ");
  const marks = [...new Set([high, 0, low])].filter(
    (cents, index, all) => !all.slice(0, index).some((item) => Math.abs(y(item) - y(cents)) < 16),
  );
  const says =
    `From nothing to ${money(end)} over ${steps.length} rolls that decided something; highest ` +
    `${money(high)}, lowest ${money(low)}.`;
  return place.replaceChildren(
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": says },
      ...marks.flatMap((cents) => [
        svg("line", { x1: LEFT, x2: WIDTH - 8, y1: y(cents), y2: y(cents), class: cents ? "grid" : "zero" }),
        text(LEFT - 8, y(cents) + 5, money(cents), 14, { anchor: "end" }),
      ]),
      svg("path", { d: line, class: "course" }),
      svg("circle", { cx: x(steps.length), cy: y(end), r: 5, class: "end" }),
      text(LEFT, HEIGHT - 6, "first roll", 14, { anchor: "start" }),
      text(
        WIDTH - 8,
        HEIGHT - 6,
        `${steps.length} ${steps.length === 1 ? "roll" : "rolls"}, ${hands} ${hands === 1 ? "hand" : "hands"}`,
        14,
        { anchor: "end" },
      ),
    ),
  );
}
