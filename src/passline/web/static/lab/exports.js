// What is drawn as a file: SVG with its colours written into it, PNG at twice its size, and the figures as CSV.

import { buttonFor, el } from "../elements.js";
import { svg } from "../table/svg.js";
import { csvOf, fileName } from "./csv.js";

const KEPT = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin"],
  ...["font-family", "font-size", "font-weight", "text-anchor", "opacity"],
];
const PIXELS = 2;
const MARGIN = 14;
const LINE = 20;

/**
 * The buttons that save a picture and its figures.
 *
 * @param {string} title
 * @param {HTMLElement} place
 * @param {() => (string | number | null)[][]} csv
 * @param {string[][]} keys
 */
export function savings(title, place, csv, keys) {
  const name = fileName(title);
  const drawn = () => place.querySelector("svg");
  return el(
    "div",
    { class: "savings", role: "group", "aria-label": `Save ${title}` },
    buttonFor("PNG", () => savePng(drawn(), title, keys, `${name}.png`)),
    buttonFor("SVG", () => saveSvg(drawn(), title, keys, `${name}.svg`)),
    buttonFor("CSV", () => save(new Blob([csvOf(csv())], { type: "text/csv" }), `${name}.csv`)),
  );
}

/**
 * @param {SVGSVGElement | null} drawn
 * @param {string} title
 * @param {string[][]} keys
 * @param {string} name
 */
function saveSvg(drawn, title, keys, name) {
  if (drawn) save(new Blob([standalone(drawn, title, keys).text], { type: "image/svg+xml" }), name);
}

/**
 * @param {SVGSVGElement | null} drawn
 * @param {string} title
 * @param {string[][]} keys
 * @param {string} name
 */
async function savePng(drawn, title, keys, name) {
  if (!drawn) return;
  const { text, width, height } = standalone(drawn, title, keys);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = el("canvas", { width: width * PIXELS, height: height * PIXELS });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(blob, name));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * A picture that needs no style sheet, with its title and key on it.
 *
 * @param {SVGSVGElement} drawn
 * @param {string} title
 * @param {string[][]} keys
 */
function standalone(drawn, title, keys) {
  const copy = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
  const originals = drawn.querySelectorAll("*");
  for (const [at, part] of copy.querySelectorAll("*").entries()) {
    const look = getComputedStyle(originals[at]);
    for (const property of KEPT) part.setAttribute(property, look.getPropertyValue(property));
    part.removeAttribute("class");
  }
  const page = getComputedStyle(drawn.closest(".panel") ?? document.body);
  const [ink, ground] = [page.color, page.backgroundColor];
  const head = MARGIN + LINE * (1 + keys.length);
  const width = Number(drawn.getAttribute("width")) + 2 * MARGIN;
  const height = Number(drawn.getAttribute("height")) + head + MARGIN;
  const family = { "font-family": page.fontFamily, fill: ink };
  const sample = (/** @type {string} */ kind) => {
    const probe = svg("rect", { class: kind });
    drawn.append(probe);
    const look = getComputedStyle(probe);
    const colour = kind.startsWith("series") ? look.getPropertyValue("--series") : look.fill;
    probe.remove();
    return colour;
  };
  const whole = svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height },
    svg("title", {}, title),
    svg("rect", { width, height, fill: ground }),
    svg("text", { x: MARGIN, y: MARGIN + 12, "font-size": 16, "font-weight": 650, ...family }, title),
    ...keys.flatMap(([kind, said], at) => [
      svg("rect", { x: MARGIN, y: MARGIN + LINE * (at + 1), width: 12, height: 12, fill: sample(kind) }),
      svg("text", { x: MARGIN + 20, y: MARGIN + LINE * (at + 1) + 11, "font-size": 13, ...family }, said),
    ]),
    svg("g", { transform: `translate(${MARGIN} ${head})` }, ...copy.childNodes),
  );
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
