// The form of the house's identity provider, on the page of people: which it is, and the roles of its groups.

import { byId, fieldById } from "../dom.js";
import { buttonFor, el, hintText } from "../elements.js";
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
 * @param {(issuer: string) => void} known told which provider the house has, also after it has chosen another
 */
export function showProvider(list, signOff, doing, known) {
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
    known(chosen.issuer);
  });
  byId("provider").onsubmit = (event) => {
    event.preventDefault();
    const chosen = { issuer: issuer.value.trim(), client: client.value.trim(), claim: claim.value.trim() };
    doing(async () => {
      const now = await post("/api/provider", { ...chosen, roles: rolesIn(roles.value), ...signOff() });
      known(now.issuer);
    });
  };
}

/** @typedef {{ staff: string[], given: string[] }} Linkable the roles of staff, and those that a group may have */

/**
 * Whom the house links to its identity provider.
 *
 * @returns {Linkable}
 */
export function linkable() {
  const { staff = "", given = "" } = byId("provider").dataset;
  return { staff: staff.split(" "), given: given.split(" ") };
}

/**
 * What can be done about who an account is at the identity provider.
 *
 * @param {{ subject: string, roles: string[] }} person
 * @param {Linkable | null} linked whom the house links; null: it has chosen no provider
 * @returns {"link" | "unlink" | ""}
 */
export function linkStep(person, linked) {
  if (person.subject) return "unlink";
  const isLinked = linked && person.roles.every((role) => linked.given.includes(role));
  return isLinked && person.roles.some((role) => linked.staff.includes(role)) ? "link" : "";
}

/**
 * A button that links an account to somebody at the identity provider, or unlinks it, with a form in the row.
 *
 * @param {Server.PersonListed} person
 * @param {Linkable | null} linked
 * @param {(subject: string) => unknown} choose
 */
export function accountLink(person, linked, choose) {
  const step = linkStep(person, linked);
  if (!step) return [];
  if (step === "unlink") {
    const unlink = { "aria-label": `Unlink ${person.name} from the identity provider` };
    return [hintText(`At the provider: ${person.subject}`), buttonFor("Unlink", () => choose(""), unlink)];
  }
  const subject = el("input", {
    type: "text",
    required: true,
    maxlength: 255,
    autocapitalize: "none",
    spellcheck: false,
    "aria-label": `Who ${person.name} is at the identity provider`,
    placeholder: "Subject (sub)",
    id: `subject-${person.account}`,
  });
  const sheet = el(
    "form",
    {
      class: "row-form",
      "aria-label": `Link ${person.name} to the identity provider`,
      onsubmit: (event) => {
        event.preventDefault();
        choose(subject.value.trim());
      },
    },
    subject,
    el("button", { type: "submit" }, "Link"),
    hintText("The provider's groups say the roles from then on, and open sessions end."),
  );
  sheet.hidden = true;
  const open = buttonFor(
    "Link to provider",
    () => {
      sheet.hidden = false;
      open.hidden = true;
      subject.focus();
    },
    { "aria-label": `Link ${person.name} to the identity provider` },
  );
  return [open, sheet];
}
