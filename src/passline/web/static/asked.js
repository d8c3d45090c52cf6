// What the server asks for before it does something: the PIN again at a till that was idle, or a second person's
// signature. The page sends the same request again with it.

import { buttonFor, el } from "./elements.js";

/** @typedef {{ pin: string } | { sign_off: { name: string, pin: string } }} Given */

/**
 * Ask for what a refusal names, in front of the page; null if it names nothing of the kind, or nobody answers.
 *
 * @param {Server.RefusalView[]} refusals
 * @returns {Promise<Given | null>}
 */
export async function askFor(refusals) {
  const asked = refusals.find(({ clause }) => clause === "pin" || clause === "sign-off");
  if (!asked) return null;
  const name = el("input", { id: "asked-name", autocomplete: "off", required: true });
  const pin = el("input", {
    id: "asked-pin",
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    required: true,
  });
  const isSigned = asked.clause === "sign-off";
  const given = await showDialog(isSigned ? "A second person signs" : "Your PIN", asked.why, [
    ...(isSigned ? [el("label", { for: name.id }, "Name of who signs"), name] : []),
    el("label", { for: pin.id }, "PIN"),
    pin,
  ]);
  if (!given) return null;
  return isSigned ? { sign_off: { name: name.value.trim(), pin: pin.value } } : { pin: pin.value };
}

/**
 * @param {string} title
 * @param {string} why
 * @param {HTMLElement[]} fields
 * @returns {Promise<boolean>} whether it was filled in
 */
function showDialog(title, why, fields) {
  return new Promise((resolve) => {
    const dialog = el("dialog", { class: "sheet", "aria-label": title });
    let isGiven = false;
    const form = el(
      "form",
      {
        class: "act-form",
        onsubmit: (event) => {
          event.preventDefault();
          isGiven = true;
          dialog.close();
        },
      },
      el("h2", {}, title),
      el("p", { class: "hint" }, `${why.charAt(0).toUpperCase()}${why.slice(1)}.`),
      ...fields,
      el(
        "div",
        { class: "ends" },
        buttonFor("Cancel", () => dialog.close()),
        el("button", { type: "submit", class: "first" }, "Send"),
      ),
    );
    dialog.append(form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isGiven);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
