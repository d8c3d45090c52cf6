// The keys of outside bodies: what each stamps its favourable words with, and how a key is entered or revoked.

import { el } from "../elements.js";
import { book, stampRequest } from "./book.js";
import { secondOwner } from "./second_owner.js";
import { closeSheet, commandForm, say, showSheet } from "./sheet.js";

/**
 * The line of a body with its key, and for an owner the button that enters or revokes it.
 *
 * @param {string} body
 * @param {boolean} mayChange
 * @param {() => void} then
 */
export function bodyKey(body, mayChange, then) {
  const print = book.body_keys[body];
  const told = print
    ? [el("span", { class: "tag on" }, "has a key"), " ", el("code", {}, print)]
    : [el("span", { class: "tag warn" }, "has no key"), " its words are told by the house"];
  return el(
    "li",
    { class: "figure" },
    el("p", {}, el("strong", {}, body), " ", ...told),
    mayChange
      ? el("button", { type: "button", onclick: () => openKey(body, then) }, print ? "Revoke its key" : "Enter its key")
      : null,
  );
}

/**
 * @param {string} body
 * @param {() => void} then
 */
function openKey(body, then) {
  const isThere = Boolean(book.body_keys[body]);
  const command = isThere ? "revoke-body-key" : "give-body-key";
  const second = secondOwner(command);
  const key = el("input", { id: "body-key", autocomplete: "off", spellcheck: "false", maxlength: 64 });
  const reason = el("input", { id: "body-key-reason", autocomplete: "off", maxlength: 400 });
  const title = isThere ? `Revoke the key of the ${body}` : `Enter the key of the ${body}`;
  const form = commandForm({
    label: title,
    button: isThere ? "Revoke it" : "Enter it",
    nodes: [
      el(
        "p",
        { class: "hint" },
        "The regulator makes it with `passline regulator key`, and tells its fingerprint by another way.",
      ),
      el("div", { class: "row" }, el("label", { for: key.id }, "The public key, 64 hexadecimal digits"), key),
      isThere ? el("div", { class: "row" }, el("label", { for: reason.id }, "Why it is revoked"), reason) : null,
      second.node,
    ],
    make: () => [
      { command, body, key: key.value.trim(), ...(isThere ? { reason: reason.value.trim() } : {}) },
      second.read(),
    ],
    ondone: (answer) => {
      closeSheet();
      say(answer.lines);
      then();
    },
  });
  showSheet(title, [form]);
  key.focus();
}

/**
 * The stamp of a body that has a key, for the form of an act: where to put it, and what is to be stamped.
 *
 * @param {string} body
 * @param {() => Promise<object>} command
 */
export function stampControl(body, command) {
  if (!book.body_keys[body]) return { node: null, read: () => ({}) };
  const stamp = el("textarea", { id: "stamp", rows: 3, spellcheck: "false", autocomplete: "off" });
  const link = el("a", { hidden: true, download: "request.json" }, "request.json");
  const ask = el(
    "button",
    {
      type: "button",
      onclick: async () => {
        const asked = await stampRequest(await command());
        link.href = URL.createObjectURL(new Blob([JSON.stringify(asked)], { type: "application/json" }));
        link.hidden = false;
      },
    },
    "What is to be stamped",
  );
  const node = el(
    "div",
    { class: "row" },
    el("label", { for: stamp.id }, `The stamp of the ${body}`),
    stamp,
    el("p", { class: "hint" }, `Send the ${body} the request; it answers with its stamp. `, ask, " ", link),
  );
  return { node, read: () => (stamp.value.trim() ? { stamp: stamp.value.trim() } : {}) };
}
