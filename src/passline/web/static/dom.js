// Parts of the page that its template has, by id, selector or name.

/**
 * The element with an id; an error where the page has none of that kind.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function byId(id, kind) {
  return ofKind(document.getElementById(id), `#${id}`, kind);
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/**
 * The field with an id: what is typed or chosen; an error where the page has none.
 *
 * @param {string} id
 * @returns {Field}
 */
export function fieldById(id) {
  const found = document.getElementById(id);
  if (isField(found)) return found;
  throw new TypeError(`this page has no field #${id}`);
}

/**
 * Whether an element is a field of a form.
 *
 * @param {unknown} element
 * @returns {element is Field}
 */
export function isField(element) {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/**
 * All elements that a selector finds in a part of the page.
 *
 * @param {string} selector
 * @param {ParentNode} [part]
 * @returns {HTMLElement[]}
 */
export function elementsOf(selector, part = document) {
  return [...part.querySelectorAll(selector)].filter((found) => found instanceof HTMLElement);
}

/**
 * The button that sends a form.
 *
 * @param {HTMLElement} form
 * @returns {HTMLButtonElement | null}
 */
export const submitOf = (form) => form.querySelector('button[type="submit"]');

/**
 * All inputs that a selector finds in a part of the page.
 *
 * @param {string} selector
 * @param {ParentNode} [part]
 * @returns {HTMLInputElement[]}
 */
export function inputsOf(selector, part = document) {
  return [...part.querySelectorAll(selector)].filter((found) => found instanceof HTMLInputElement);
}

/**
 * The first element that a selector finds; an error where the page has none of that kind.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} selector
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function firstOf(selector, kind) {
  return ofKind(document.querySelector(selector), selector, kind);
}

/**
 * @template {HTMLElement} Kind
 * @param {Element | null} found
 * @param {string} name
 * @param {(new () => Kind) | undefined} kind
 * @returns {Kind}
 */
function ofKind(found, name, kind) {
  if (found instanceof (kind ?? HTMLElement)) return /** @type {Kind} */ (found);
  throw new TypeError(`this page has no ${kind?.name ?? "element"} ${name}`);
}

/**
 * What a meta element of the page says, or "".
 *
 * @param {string} name
 * @returns {string}
 */
export function metaContent(name) {
  /** @type {HTMLMetaElement | null | undefined} */
  const found = globalThis.document?.querySelector(`meta[name="${name}"]`);
  return found?.content ?? "";
}
