// Dice: a die as SVG, the pair on the page, and the short tumble before a result.
import { svg } from "./svg.js";

const PIPS = {
  0: [], 1: [[1, 1]], 2: [[0, 0], [2, 2]], 3: [[0, 0], [1, 1], [2, 2]], 4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], 6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
};
const TUMBLE_MS = 650;
const STEP_MS = 90;

// One die with its corner at (x, y).
export function die(x, y, size, face) {
  const step = size / 4;
  const pips = PIPS[face].map(([column, row]) =>
    svg("circle", { cx: x + step * (column + 1), cy: y + step * (row + 1), r: size / 10 }));
  return svg("g", { class: "die" }, svg("rect", { x, y, width: size, height: size, rx: size / 6 }), ...pips);
}

// The dice of the last roll. `begin` lets them tumble without end; `tumble` brings them to rest; `skip` does so at once.
export class DiceShown {
  constructor(element) {
    this.element = element;
    this.turning = 0;
    this.begun = 0;
    this.ended = null;
    this.show([0, 0]);
  }

  show(faces) {
    this.element.classList.toggle("none", !faces[0]);
    this.element.replaceChildren(...faces.map((face) =>
      svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, die(1, 1, 38, face))));
  }

  // The dice are out. Without motion, blank dice lie there until they land.
  begin() {
    if (this.turning) return;
    if (isStill()) return this.show([0, 0]);
    this.ended?.();
    this.element.classList.add("tumbling");
    const any = () => 1 + Math.floor(Math.random() * 6);  // for show only: the result comes with `tumble`
    this.turning = setInterval(() => this.show([any(), any()]), STEP_MS);
    this.begun = performance.now();
  }

  // Resolves when the result may be shown: at once if motion is unwanted or the page is hidden.
  tumble(faces) {
    this.ended?.();
    if (isStill()) {
      this.rest(faces);
      return Promise.resolve();
    }
    this.begin();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(ending);
        this.ended = null;
        this.rest(faces);
        resolve();
      };
      const ending = setTimeout(end, Math.max(0, TUMBLE_MS - (performance.now() - this.begun)));
      this.ended = end;
    });
  }

  // Show the dice where they lie.
  rest(faces) {
    clearInterval(this.turning);
    this.turning = 0;
    this.element.classList.remove("tumbling");
    this.show(faces);
  }

  skip() { this.ended?.(); }
}

function isStill() { return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden; }
