// A page in parts, one of them shown, by the address: `<nav class="tabs"><a href="#log">` and `<section id="log"
// data-part>`.

import { el } from "../elements.js";
import { Refused, refusalList } from "../http.js";

/**
 * Show the part that the address names; `onshow[name]` fills it. A failure is shown in it.
 *
 * @param {{ [part: string]: () => unknown }} onshow
 */
export function parts(onshow) {
  const all = [...document.querySelectorAll("[data-part]")].filter((part) => part instanceof HTMLElement);
  const links = [...document.querySelectorAll(".tabs a")].filter((link) => link instanceof HTMLAnchorElement);
  const show = () => {
    const part = all.find((element) => `#${element.id}` === location.hash) ?? all[0];
    for (const element of all) element.hidden = element !== part;
    for (const link of links) {
      if (link.hash === `#${part.id}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    trying(part, onshow[part.id]);
  };
  addEventListener("hashchange", show);
  show();
}

/**
 * Run an action for an element; a refusal is shown at its top until the action succeeds.
 *
 * @param {HTMLElement} host
 * @param {(() => unknown) | undefined} act
 */
export async function trying(host, act) {
  /** @type {Server.RefusalView[]} */
  let refusals = [];
  try {
    await act?.();
  } catch (refused) {
    refusals = refused instanceof Refused ? refused.refusals : [{ clause: "", why: String(refused) }];
  }
  host.querySelector(":scope > .refused.is-failed")?.remove();
  if (refusals.length) host.prepend(el("div", { class: "refused is-failed", role: "alert" }, refusalList(refusals)));
}
