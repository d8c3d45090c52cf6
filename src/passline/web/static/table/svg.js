// SVG elements, beside the HTML elements of elements.js.
export { el as html } from "../elements.js";

const NS = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A line of text on the layout, centred unless `anchor` says otherwise.
export function text(x, y, content, size, { kind = "", anchor = "middle" } = {}) {
  return svg("text", { x, y, "font-size": size, class: kind, "text-anchor": anchor }, content);
}
