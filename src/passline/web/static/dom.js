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
