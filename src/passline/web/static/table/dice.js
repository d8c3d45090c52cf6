// Dice: a die as SVG, and the pair on the page, which are thrown over the felt and come to rest beside the result.
import { html, svg } from "./svg.js";

/** @type {{ [face: number]: number[][] }} */
const PIPS = {
  0: [],
  1: [[1, 1]],
  2: [
    [0, 0],
    [2, 2],
  ],
  3: [
    [0, 0],
    [1, 1],
    [2, 2],
  ],
  4: [
    [0, 0],
    [0, 2],
    [2, 0],
    [2, 2],
  ],
  5: [
    [0, 0],
    [0, 2],
    [1, 1],
    [2, 0],
    [2, 2],
  ],
  6: [
    [0, 0],
    [0, 1],
    [0, 2],
    [2, 0],
    [2, 1],
    [2, 2],
  ],
};
const THROW_MS = 850;
const HOME_MS = 320;
const SPIN_MS = 700; // a turn while nobody knows the result yet: slow enough that nothing flashes
const LARGER = 1.5; // over the felt
const SIDES = [1, 6, 3, 4, 2, 5]; // front, back, right, left, top, bottom: opposite sides make seven
/**
 * about x and y, to show a face
 *
 * @type {{ [face: number]: [number, number] }}
 */
const TURNED = { 1: [0, 0], 6: [0, 180], 3: [0, -90], 4: [0, 90], 2: [-90, 0], 5: [90, 0] };

/**
 * One die with its corner at (x, y).
 *
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} face
 * @returns {SVGGElement}
 */
export function die(x, y, size, face) {
  const step = size / 4;
  const pips = PIPS[face].map(([column, row]) =>
    svg("circle", { cx: x + step * (column + 1), cy: y + step * (row + 1), r: size / 10 }),
  );
  return svg("g", { class: "die" }, svg("rect", { x, y, width: size, height: size, rx: size / 6 }), ...pips);
}

/**
 * @param {number} face
 * @returns {SVGSVGElement}
 */
function side(face) {
  return svg("svg", { viewBox: "0 0 40 40", class: `side side-${face}` }, die(0, 0, 40, face));
}

// The dice of the last roll. `begin` throws them over the felt; `tumble` brings them to rest; `skip` does so at once.
// `felt` returns the rectangle that they are thrown over, null if it is out of sight.
export class DiceShown {
  /**
   * @param {HTMLElement} element
   * @param {{ felt?: () => DOMRect | null }} [options]
   */
  constructor(element, { felt = () => null } = {}) {
    this.element = element;
    this.felt = felt;
    this.cubes = [0, 1].map(() => html("div", { class: "cube" }, ...SIDES.map(side)));
    element.append(...this.cubes.map((cube) => html("div", { class: "die-place", "aria-hidden": "true" }, cube)));
    /** @type {Animation[]} */
    this.moving = [];
    this.isOut = false;
    /** @type {(() => void) | null} */
    this.ended = null;
    this.show([0, 0]);
  }

  /** @param {number[]} faces */
  show(faces) {
    this.element.classList.toggle("none", !faces[0]);
    this.element.dataset.faces = faces.join("-");
    faces.forEach((face, index) => {
      this.cubes[index].style.transform = turned(face || 1, index);
    });
  }

  // The dice are out. Without motion, blank dice lie there until they land.
  begin() {
    if (this.isOut) return;
    this.ended?.();
    this.#stop();
    this.isOut = true;
    if (isStill()) return this.show([0, 0]);
    this.element.classList.add("tumbling");
    this.element.classList.remove("none");
    const [from] = this.#path();
    this.#move(this.element, [{ transform: "none" }, { transform: from }], { duration: 260, easing: "ease-out" });
    for (const [index, cube] of this.cubes.entries()) {
      this.#move(
        cube,
        [
          { transform: "translateZ(calc(var(--die) / -2)) rotate3d(1, 1, .3, 0deg)" },
          { transform: `translateZ(calc(var(--die) / -2)) rotate3d(1, ${index ? -1 : 1}, .3, 360deg)` },
        ],
        { duration: SPIN_MS, iterations: Infinity },
      );
    }
  }

  /**
   * Resolves when the result may be shown: at once if motion is unwanted or the page is hidden.
   *
   * @param {number[]} faces
   * @returns {Promise<void>}
   */
  tumble(faces) {
    this.ended?.();
    if (isStill()) {
      this.rest(faces);
      return Promise.resolve();
    }
    this.begin();
    this.#stop();
    const [from, middle, to] = this.#path();
    this.#move(this.element, [{ transform: from }, { transform: middle, offset: 0.55 }, { transform: to }], {
      duration: THROW_MS,
      easing: "ease-out",
    });
    for (const [index, cube] of this.cubes.entries()) {
      this.#move(
        cube,
        [
          {
            transform:
              `translateZ(calc(var(--die) / -2)) rotateX(${-620 - index * 200}deg) ` +
              `rotateY(${540 + index * 160}deg) rotateZ(200deg)`,
          },
          { transform: turned(faces[index], index) },
        ],
        { duration: THROW_MS, easing: "cubic-bezier(.15,.6,.35,1)" },
      );
    }
    return new Promise((resolve) => {
      const end = (isSkipped = true) => {
        clearTimeout(ending);
        this.ended = null;
        this.rest(faces);
        if (!isSkipped)
          this.moving.push(
            this.element.animate([{ transform: to }, { transform: "none" }], {
              duration: HOME_MS,
              easing: "ease-in-out",
            }),
          );
        resolve();
      };
      const ending = setTimeout(() => end(false), THROW_MS);
      this.ended = end;
    });
  }

  /**
   * Show the dice where they lie, beside the result. Dice that come home go on doing so.
   *
   * @param {number[]} faces
   */
  rest(faces) {
    if (this.isOut) this.#stop();
    this.isOut = false;
    this.element.classList.remove("tumbling");
    this.show(faces);
  }

  skip() {
    this.ended?.();
  }

  // Where the dice are thrown from, bounce and lie, as transforms of their place beside the result.
  #path() {
    const felt = this.felt();
    const home = this.element.getBoundingClientRect();
    if (!felt?.width || !home.width) return ["translateY(-6px)", "translateY(-22px) scale(1.06)", "none"];
    const [x, y] = [home.left + home.width / 2, home.top + home.height / 2];
    /**
     * @param {number} right
     * @param {number} down
     * @param {number} scale
     */
    const at = (right, down, scale) =>
      `translate(${felt.left + felt.width * right - x}px, ${felt.top + felt.height * down - y}px) scale(${scale})`;
    return [at(0.86, 0.7, LARGER * 0.8), at(0.5, 0.3, LARGER * 1.15), at(0.38, 0.44, LARGER)];
  }

  /**
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {KeyframeAnimationOptions} timing
   */
  #move(element, frames, timing) {
    this.moving.push(element.animate(frames, { fill: "forwards", ...timing }));
  }

  #stop() {
    for (const item of this.moving) item.cancel();
    this.moving = [];
  }
}

/**
 * @param {number} face
 * @param {number} index
 * @returns {string}
 */
function turned(face, index) {
  const [x, y] = TURNED[face];
  return (
    `translateZ(calc(var(--die) / -2)) rotateX(-20deg) rotateY(${index ? -24 : -18}deg) rotateX(${x}deg) ` +
    `rotateY(${y}deg)`
  );
}

export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}
