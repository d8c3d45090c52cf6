// Makes SVG and HTML elements.

const NS = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(NS, name), attributes, children);
}

export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

// A line of text on the layout, centred unless told otherwise.
export function text(x, y, content, size, { kind = "", anchor = "middle" } = {}) {
  return svg("text", { x, y, "font-size": size, class: kind, "text-anchor": anchor }, content);
}
