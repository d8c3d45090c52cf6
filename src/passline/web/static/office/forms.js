// Forms that are sent as JSON: `<form data-post="/api/log-in" data-next="/">`. Refusals are shown in the form.
//
// A field's `data-as` says how it is sent: int, cents, list (all checked boxes of a name), json. Empty optional fields
// are left out. `data-in` puts a field inside an object: data-in="sign_off" name="pin" is {sign_off: {pin}}. A form
// with `data-once` is sent with an id, the same one until it is answered: what is sent again after no answer acts once.
// After success the form fires `done` with the answer, clears its passwords and PINs, and follows `data-next`.

import { el, freshId } from "../elements.js";
import { post, Refused, refusalList } from "../http.js";
import { centsFrom } from "../money.js";

export function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.type === "file" || (field.type === "radio" && !field.checked)) continue;
    if (field.dataset.in) body[field.dataset.in] ??= {};
    const home = field.dataset.in ? body[field.dataset.in] : body;
    if (field.dataset.as === "list") {
      home[field.name] ??= [];
      if (field.checked) home[field.name].push(field.value);
      continue;
    }
    const value = field.type === "checkbox" ? field.checked : field.value;
    if (value === "" && !field.required) continue;
    home[field.name] = converted(field, value);
  }
  return body;
}

function converted(field, value) {
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

function amount(field, value) {
  const cents = centsFrom(value);
  const label = field.labels?.[0]?.textContent ?? field.name;
  if (cents === null)
    throw new Refused([{ clause: "", why: `${label}: ${value} is not an amount of money; write 25 or 12.50` }]);
  return cents;
}

/** Show refusals in a form, or clear them. */
export function showRefusals(form, refusals) {
  let box = form.querySelector(":scope > .refused");
  if (!box) {
    box = el("div", { class: "refused", role: "alert" });
    form.append(box);
  }
  box.hidden = !refusals.length;
  box.replaceChildren(...(refusals.length ? [refusalList(refusals)] : []));
}

// The id of what a form with `data-once` sent and nobody answered: the same again has the same id, so that it acts
// once.
const ids = new WeakMap();

function idFor(form, body) {
  const { sign_off: _, ...asked } = body;
  const text = JSON.stringify(asked);
  if (ids.get(form)?.text !== text) ids.set(form, { text, id: freshId() });
  return ids.get(form).id;
}

/** Send a form. Returns the answer, or null if it was refused. `body` changes what is sent. */
export async function sendForm(form, { path = form.dataset.post, body = (sent) => sent } = {}) {
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
    if (!refused.isInDoubt) ids.delete(form);
    showRefusals(form, refused.refusals ?? [{ clause: "", why: String(refused.message ?? refused) }]);
    return null;
  } finally {
    delete form.dataset.busy;
    button?.removeAttribute("aria-disabled");
    for (const secret of form.querySelectorAll('input[type="password"]:not([data-keep])')) secret.value = "";
  }
}

/** An address of this server, or "/": a link to the log-in page must not lead to another site. */
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
  const same = form.querySelector("[data-same-as]");
  same?.addEventListener("input", () => same.setCustomValidity(""));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (same && same.value !== form.elements[same.dataset.sameAs].value) {
      same.setCustomValidity("the two passwords differ; type the same one twice");
      same.reportValidity();
      return;
    }
    const answer = await sendForm(form);
    if (answer === null) return;
    form.dispatchEvent(new CustomEvent("done", { detail: answer }));
    const said = form.querySelector(":scope > .said");
    if (said) said.hidden = false;
    if (form.dataset.next)
      location.assign(safeNext(new URLSearchParams(location.search).get("next") ?? form.dataset.next));
  });
}
