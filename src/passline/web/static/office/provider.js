// The form of the house's identity provider, on the page of people: which it is, and the roles of its groups.

import { byId, fieldById } from "../dom.js";
import { get, post } from "../http.js";
import { trying } from "./parts.js";

/**
 * The groups and roles of a text, one to a line; what follows the last equals sign is the role.
 *
 * @param {string} text
 */
export function rolesIn(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  return lines.map((line) => {
    const at = line.lastIndexOf("=");
    return { group: line.slice(0, Math.max(at, 0)).trim(), role: line.slice(at + 1).trim() };
  });
}

/**
 * Show the form, and send what an owner chooses there with the second owner's signature.
 *
 * @param {HTMLElement} list where faults are shown
 * @param {() => object} signOff
 * @param {(doIt: () => unknown) => unknown} doing
 */
export function showProvider(list, signOff, doing) {
  byId("provider-return").textContent = `${location.origin}/log-in/provider/return`;
  const issuer = fieldById("provider-issuer"),
    client = fieldById("provider-client"),
    claim = fieldById("provider-claim"),
    roles = byId("provider-roles", HTMLTextAreaElement);
  trying(list, async () => {
    const chosen = await get("/api/provider");
    issuer.value = chosen.issuer;
    client.value = chosen.client;
    claim.value = chosen.claim;
    roles.value = chosen.roles
      .map((/** @type {{ group: string, role: string }} */ mapped) => `${mapped.group} = ${mapped.role}`)
      .join("\n");
  });
  byId("provider").onsubmit = (event) => {
    event.preventDefault();
    const chosen = { issuer: issuer.value.trim(), client: client.value.trim(), claim: claim.value.trim() };
    doing(() => post("/api/provider", { ...chosen, roles: rolesIn(roles.value), ...signOff() }));
  };
}
