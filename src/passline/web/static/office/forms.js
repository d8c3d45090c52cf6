// Forms that are sent as JSON: `<form data-post="/api/log-in" data-next="/">`. Refusals are shown in the form.
//
// A field's `data-as` says how it is sent: int, cents, list (all checked boxes of a name), json. Empty optional fields
// are left out. `data-in` puts a field inside an object: data-in="sign_off" name="pin" is {sign_off: {pin}}. A form
// with `data-once` is sent with an id, the same one until it is answered: what is sent again after no answer acts once.
// After success the form fires `done` with the answer, clears its passwords and PINs, and follows `data-next`.

import { elementsOf, inputsOf, isField } from "../dom.js";
import { el, freshId } from "../elements.js";
import { isInDoubt, post, Refused, refusalList, refusalsIn } from "../http.js";
import { centsFrom } from "../money.js";

/** @import { Field } from "../dom.js" */
/** @typedef {{ [key: string]: any }} Body of a request */

/**
 * @param {HTMLFormElement} form
 * @returns {Body}
 */
export function bodyOf(form) {
  /** @type {Body} */
  const body = {};
  for (const field of form.elements) {
    if (!isField(field) || !field.name || field.disabled || field.type === "file") continue;
    const isChecked = field instanceof HTMLInputElement && field.checked;
    if (field.type === "radio" && !isChecked) continue;
    if (field.dataset.in) body[field.dataset.in] ??= {};
    const home = field.dataset.in ? body[field.dataset.in] : body;
    if (field.dataset.as === "list") {
      home[field.name] ??= [];
      if (isChecked) home[field.name].push(field.value);
      continue;
    }
    const value = field.type === "checkbox" ? isChecked : field.value;
    if (value === "" && !field.required) continue;
    home[field.name] = convert(field, value);
  }
  return body;
}

/**
 * @param {Field} field
 * @param {any} value
 */
function convert(field, value) {
  switch (field.dataset.as) {
    case "int":
      return Number.parseInt(value, 10);
    case "cents":
      return amount(field, value);
    case "json":
      return JSON.parse(value);
    default:
      return value;
  }
}

/**
 * @param {Field} field
 * @param {string} value
 * @returns {number}
 */
function amount(field, value) {
  const cents = centsFrom(value);
  const label = field.labels?.[0]?.textContent ?? field.name;
  if (cents === null)
    throw new Refused([{ clause: "", why: `${label}: ${value} is not an amount of money; write 25 or 12.50` }]);
  return cents;
}

/**
 * Show refusals in a form, or clear them.
 *
 * @param {HTMLFormElement} form
 * @param {Server.RefusalView[]} refusals
 */
export function showRefusals(form, refusals) {
  const known = elementsOf(":scope > .refused", form)[0];
  const box = known ?? el("div", { class: "refused", role: "alert" });
  if (!known) form.append(box);
  box.hidden = !refusals.length;
  box.replaceChildren(...(refusals.length ? [refusalList(refusals)] : []));
}

// The id of what a form with `data-once` sent and nobody answered: the same again has the same id, so that it acts
// once.
/** @type {WeakMap<HTMLFormElement, { text: string, id: string }>} */
const ids = new WeakMap();

/**
 * @param {HTMLFormElement} form
 * @param {Body} body
 */
function idFor(form, body) {
  const { sign_off: _, ...asked } = body;
  const text = JSON.stringify(asked);
  const known = ids.get(form);
  if (known?.text === text) return known.id;
  const id = freshId();
  ids.set(form, { text, id });
  return id;
}

/**
 * Send a form. Returns the answer, or null if it was refused. `body` changes what is sent.
 *
 * @param {HTMLFormElement} form
 * @param {{ path?: string, body?: (sent: Body) => Body }} [how]
 * @returns {Promise<any>}
 */
export async function sendForm(form, { path = form.dataset.post ?? "", body = (sent) => sent } = {}) {
  if (form.dataset.busy) return null; // ignore a second Enter
  form.dataset.busy = "true";
  const button = form.querySelector('button[type="submit"], button:not([type])');
  button?.setAttribute("aria-disabled", "true");
  try {
    const sent = body(bodyOf(form));
    const answer = await post(path, form.dataset.once === undefined ? sent : { id: idFor(form, sent), ...sent });
    ids.delete(form);
    showRefusals(form, []);
    return answer;
  } catch (refused) {
    if (!isInDoubt(refused)) ids.delete(form);
    showRefusals(form, refusalsIn(refused));
    return null;
  } finally {
    delete form.dataset.busy;
    button?.removeAttribute("aria-disabled");
    for (const secret of inputsOf('input[type="password"]:not([data-keep])', form)) secret.value = "";
  }
}

/**
 * An address of this server, or "/": a link to the log-in page must not lead to another site.
 *
 * @param {string | null | undefined} next
 * @returns {string}
 */
export function safeNext(next) {
  try {
    // a pattern would miss "/\t/elsewhere", which leads to another site
    const { href, origin } = new URL(next ?? "/", location.href);
    return origin === location.origin ? href : "/";
  } catch {
    return "/";
  }
}

for (const form of document.querySelectorAll("form[data-post]")) {
  if (form instanceof HTMLFormElement) start(form);
}

/**
 * Send a form whenever it is submitted.
 *
 * @param {HTMLFormElement} form
 */
function start(form) {
  const [same] = inputsOf("[data-same-as]", form);
  same?.addEventListener("input", () => same.setCustomValidity(""));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const first = form.elements.namedItem(same?.dataset.sameAs ?? "");
    if (same && isField(first) && same.value !== first.value) {
      same.setCustomValidity("the two passwords differ; type the same one twice");
      same.reportValidity();
      return;
    }
    const answer = await sendForm(form);
    if (answer === null) return;
    form.dispatchEvent(new CustomEvent("done", { detail: answer }));
    const [said] = elementsOf(":scope > .said", form);
    if (said) said.hidden = false;
    if (form.dataset.next)
      location.assign(safeNext(new URLSearchParams(location.search).get("next") ?? form.dataset.next));
  });
}
