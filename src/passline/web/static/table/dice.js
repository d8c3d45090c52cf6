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

// The dice of the last roll. `tumble` shows random faces first; `skip` ends that.
export class DiceShown {
  constructor(element) {
    this.element = element;
    this.ended = null;
    this.show([0, 0]);
  }

  show(faces) {
    this.element.classList.toggle("none", !faces[0]);
    this.element.replaceChildren(...faces.map((face) =>
      svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, die(1, 1, 38, face))));
  }

  // Resolves when the result may be shown: at once if motion is unwanted or the page is hidden.
  tumble(faces) {
    this.skip();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) {
      this.show(faces);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.element.classList.add("tumbling");
      const any = () => 1 + Math.floor(Math.random() * 6);  // for show only: the result is in `faces`
      const turning = setInterval(() => this.show([any(), any()]), STEP_MS);
      const end = () => {
        clearInterval(turning);
        clearTimeout(ending);
        this.ended = null;
        this.element.classList.remove("tumbling");
        this.show(faces);
        resolve();
      };
      const ending = setTimeout(end, TUMBLE_MS);
      this.ended = end;
    });
  }

  skip() { this.ended?.(); }
}
