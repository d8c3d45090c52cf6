// The authenticators of one's own account: the list, a new one, and taking one away.

import { byId, fieldById, metaContent } from "../dom.js";
import { buttonFor, el, fill } from "../elements.js";
import { get, post } from "../http.js";
import { makeCredential } from "../second_factor.js";
import { trying } from "./parts.js";

const base = `/api/people/${metaContent("account")}/authenticators`;
const panel = byId("authenticators");
const pin = fieldById("authenticator-pin");

async function load() {
  const { authenticators } = await get(base);
  fill(byId("authenticator-list"), authenticators, () =>
    authenticators.length ? authenticators.map(row) : el("li", { class: "hint" }, "None yet."),
  );
}

/** @param {{ credential: string, label: string, site: string }} own */
function row(own) {
  const isNamed = { "aria-label": `Remove ${own.label}` };
  return el(
    "li",
    {},
    `${own.label} (${own.site}) `,
    buttonFor("Remove", () => remove(own.credential), isNamed),
  );
}

/** @param {string} credential */
function remove(credential) {
  return trying(panel, async () => {
    await post(`${base}/remove`, { credential, pin: pin.value });
    pin.value = "";
    await load();
  });
}

byId("authenticator-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  trying(panel, async () => {
    const credential = await makeCredential(await post(`${base}/options`, { pin: pin.value }));
    if (!credential) throw new Error("No authenticator answered. It works over HTTPS, under a name, not an address.");
    await post(base, { label: fieldById("authenticator-label").value.trim(), credential });
    pin.value = "";
    await load();
  });
});
trying(panel, load);
