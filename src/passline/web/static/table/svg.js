// SVG elements, beside the HTML elements of elements.js.
export { el as html } from "../elements.js";

const NS = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name
 * @param {import("../elements.js").Attributes} [attributes]
 * @param {...(Node | string | false | null | undefined)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined)
      element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const TEXT_MIN = 11.2; // units: with a unit of a pixel, no text is too small to read
/** @type {{ [kind: string]: number }} */
const SPACED = { label: 0.03, wide: 0.14 };
const FAMILY = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif';
/** @type {CanvasRenderingContext2D | null} */
let canvas = null;

/**
 * A line of text on the layout, centred unless `anchor` says otherwise. With `fit`, it is made narrower where it would
 * be wider.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} content
 * @param {number} size
 * @param {{ kind?: string, anchor?: string, fit?: number }} [look]
 * @returns {SVGTextElement}
 */
export function text(x, y, content, size, { kind = "", anchor = "middle", fit = 0 } = {}) {
  const line = svg(
    "text",
    { x, y, class: kind, "text-anchor": anchor, "data-size": Math.max(size, TEXT_MIN), "data-fit": fit || null },
    content,
  );
  sizeText(line, 1);
  return line;
}

/**
 * Draw a line of text so that it is at least 11 pixels high where a unit has `scale` pixels.
 *
 * @param {SVGTextElement} line
 * @param {number} scale
 */
export function sizeText(line, scale) {
  const size = Math.max(Number(line.dataset.size), TEXT_MIN / scale);
  const fit = Number(line.dataset.fit ?? 0);
  line.setAttribute("font-size", String(size));
  const isNarrowed = fit > 0 && widthOf(line.textContent ?? "", size, line.getAttribute("class") ?? "") > fit;
  if (isNarrowed) {
    line.setAttribute("textLength", String(fit));
    line.setAttribute("lengthAdjust", "spacingAndGlyphs");
  } else line.removeAttribute("textLength");
}

/**
 * @param {string} content
 * @param {number} size
 * @param {string} kind
 * @returns {number}
 */
function widthOf(content, size, kind) {
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return 0;
  canvas.font = `600 ${size}px ${FAMILY}`;
  const spaced = Math.max(0, ...kind.split(" ").map((item) => SPACED[item] ?? 0));
  return canvas.measureText(content).width + spaced * size * content.length;
}
