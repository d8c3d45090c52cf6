// The page of people: create accounts, hand over links, change roles, disable and enable.

import { byId, fieldById, inputsOf } from "../dom.js";
import { buttonFor, copyButton, el, fill, hintText, words } from "../elements.js";
import { get, post } from "../http.js";
import { momentText } from "../wording.js";
import { sendForm } from "./forms.js";
import { trying } from "./parts.js";
import { accountLink, linkable, showProvider } from "./provider.js";

const list = byId("list");
const roles = inputsOf('#create input[name="roles"]').map((box) => box.value);
/** @type {Server.PersonListed[]} */
let people = [];
let count = 0;
/** @type {import("./provider.js").Linkable | null} */
let linked = null; // where the house has an identity provider

/** Load the people; of more than fit on a page, those whose names contain what is sought. */
async function load() {
  const sought = count > people.length ? fieldById("find").value.trim() : "";
  const answer = await get(`/api/people?name=${encodeURIComponent(sought)}`);
  ({ people, count } = answer);
  show();
  showOwners(answer.two_owners);
}

/**
 * Show whether two owners must agree, and every time that one could act alone.
 *
 * @param {Server.TwoOwners} two
 */
function showOwners(two) {
  const panel = document.getElementById("two-owners");
  if (!panel) return; // the page of somebody who is not an owner
  const owners = people.filter(
    (person) => person.roles.includes("owner") && !person.is_disabled && person.has_password,
  ).length;
  panel.hidden = owners < 2 && !two.broken.length;
  byId("one-owner").hidden = owners > 1;
  byId("second").hidden = owners < 2;
  byId("two-owners-state").textContent = two.alone_until
    ? `One owner may act alone until ${momentText(two.alone_until)}.`
    : two.is_needed
      ? "Giving a role that signs takes two owners."
      : "One owner alone can give a role that signs.";
  const broken = byId("broken");
  broken.hidden = !two.broken.length;
  broken.replaceChildren(
    ...two.broken.map((item) =>
      el(
        "li",
        {},
        `The glass was broken: one owner could act alone until ${momentText(item.until)}. Reason: ${item.reason}`,
      ),
    ),
  );
  const days = fieldById("password-days");
  days.value = String(two.password_days);
  byId("password-age").onsubmit = (event) => {
    event.preventDefault();
    doing(() => post("/api/password-age", { days: Number(days.value), ...signOff() }));
  };
  const years = fieldById("retention-years");
  years.value = String(two.retention_years);
  byId("retention").onsubmit = (event) => {
    event.preventDefault();
    doing(() => post("/api/retention", { years: Number(years.value), ...signOff() }));
  };
  byId("second-factor-state").textContent = two.second_factor
    ? `Signatures take an authenticator at ${two.second_factor}.`
    : "The PIN alone signs.";
  byId("second-factor-elect").textContent = two.second_factor ? "Let the PIN alone sign" : "Require authenticators";
  byId("second-factor").onsubmit = (event) => {
    event.preventDefault();
    doing(() => post("/api/second-factor", { is_on: !two.second_factor, ...signOff() }));
  };
  const elect = byId("elect");
  elect.textContent = two.is_elected ? "Let one owner act alone from now on" : "Require two owners from now on";
  elect.onclick = () => doing(() => post("/api/dual-control", { is_on: !two.is_elected, ...signOff() }));
}

/**
 * The second owner's signature, if it was typed; each one is used once.
 *
 * @returns {{ sign_off?: { name: string, pin: string } }}
 */
function signOff() {
  if (!document.getElementById("second-name")) return {}; // the page of somebody who is not an owner
  const name = fieldById("second-name"),
    pin = fieldById("second-pin");
  const typed = { name: name.value, pin: pin.value };
  pin.value = "";
  return typed.name && typed.pin ? { sign_off: typed } : {};
}

function show() {
  const sought = fieldById("find").value.trim().toLowerCase();
  const shown = people
    .filter((person) => `${person.name} ${person.roles.join(" ")}`.toLowerCase().includes(sought))
    .sort((person, other) => person.name.localeCompare(other.name, "en", { numeric: true }));
  byId("count").textContent = `${shown.length} of ${count}`;
  fill(byId("people"), shown, () => shown.map(row));
}

/** @type {{ [link: string]: [text: string, tone: string] }} */
const LINKS = {
  "": ["No link", "bad"],
  waits: ["Link not used yet", "warn"],
  expired: ["Link has expired", "bad"],
  unsigned: ["Link no longer works", "bad"],
};

/** @param {Server.PersonListed} person */
function row(person) {
  const isNew = !person.has_password && !person.is_guest && !person.is_disabled;
  const state = person.is_disabled
    ? ["Disabled", "bad"]
    : isNew
      ? LINKS[person.link]
      : person.is_guest
        ? ["Guest", ""]
        : ["Active", "on"];
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, person.name),
    el("td", { class: "wide" }, rolesOf(person)),
    el(
      "td",
      {},
      el("span", { class: `tag ${state[1]}` }, state[0]),
      isNew && person.link === "unsigned" ? hintText("One owner made it alone. Both make a new one.") : null,
    ),
    el(
      "td",
      {},
      el(
        "div",
        { class: "buttons" },
        person.is_disabled
          ? act(`Enable ${person.name}`, "Enable", () => post(`/api/people/${person.account}/enable`, signOff()))
          : [
              act(`New link for ${person.name}`, isNew ? "Make a new link" : "New link", async () =>
                handOver(person.name, await post(`/api/people/${person.account}/invite`, signOff())),
              ),
              disable(person),
              accountLink(person, linked, (subject) =>
                doing(() => post(`/api/people/${person.account}/provider`, { subject, ...signOff() })),
              ),
            ],
      ),
    ),
  );
}

/** @param {Server.PersonListed} person */
function rolesOf(person) {
  const boxes = roles.map((role) =>
    el(
      "label",
      {},
      el("input", {
        type: "checkbox",
        checked: person.roles.includes(role),
        onchange: (event) => change(person, role, /** @type {HTMLInputElement} */ (event.target)),
      }),
      words(role),
    ),
  );
  return el(
    "details",
    {},
    el("summary", {}, person.roles.map(words).join(", ") || "none"),
    el("div", { class: "checks", role: "group", "aria-label": `Roles of ${person.name}` }, ...boxes),
  );
}

/**
 * @param {Server.PersonListed} person
 * @param {string} role
 * @param {HTMLInputElement} box
 */
async function change(person, role, box) {
  const wanted = box.checked ? [...person.roles, role] : person.roles.filter((each) => each !== role);
  await doing(() => post(`/api/people/${person.account}/roles`, { roles: wanted, ...signOff() }));
}

/**
 * A button to disable an account, which asks for a reason in the row.
 *
 * @param {Server.PersonListed} person
 */
function disable(person) {
  const reason = el("input", {
    type: "text",
    required: true,
    maxlength: 300,
    "aria-label": `Reason to disable ${person.name}`,
    placeholder: "Reason",
    id: `reason-${person.account}`,
  });
  const sheet = el(
    "form",
    {
      class: "row-form",
      "aria-label": `Disable ${person.name}`,
      onsubmit: (event) => {
        event.preventDefault();
        doing(() => post(`/api/people/${person.account}/disable`, { reason: reason.value, ...signOff() }));
      },
    },
    reason,
    el("button", { type: "submit", class: "bad" }, "Disable"),
  );
  sheet.hidden = true;
  const open = buttonFor(
    "Disable",
    () => {
      sheet.hidden = false;
      open.hidden = true;
      reason.focus();
    },
    { "aria-label": `Disable ${person.name}` },
  );
  return [open, sheet];
}

/**
 * @param {string} label
 * @param {string} text
 * @param {() => unknown} doIt
 */
function act(label, text, doIt) {
  return buttonFor(text, () => doing(doIt), { "aria-label": label });
}

/** @param {() => unknown} doIt */
async function doing(doIt) {
  fill(byId("people"), "", () => []); // redraw, so that a refused change is undone on the page
  await trying(list, doIt);
  if (!list.querySelector(".is-failed")) await trying(list, load);
  else await load().catch(() => {});
}

/**
 * Show a new link, ready to copy.
 *
 * @param {string} name
 * @param {{ link?: string, path?: string }} answer
 */
function handOver(name, answer) {
  const address = new URL(answer.link ?? answer.path ?? "", location.href).href;
  byId("handover").hidden = false;
  byId("link-for").textContent = `For ${name}:`;
  byId("link").replaceChildren(el("code", { id: "link-text" }, address), copyButton(address, "Copy the link"));
  byId("link-title").focus();
}

document.getElementById("second")?.addEventListener("submit", (event) => event.preventDefault());
byId("find").addEventListener("input", () => (count > people.length ? trying(list, load) : show()));
const form = byId("create", HTMLFormElement);
const wanted = new URLSearchParams(location.search).get("role"); // as a step to the first table has it
for (const box of inputsOf('[name="roles"]', form)) box.checked = box.value === wanted;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = inputsOf('[name="name"]', form)[0].value;
  const answer = await sendForm(form, { path: "/api/people", body: (sent) => ({ ...sent, ...signOff() }) });
  if (!answer) return;
  form.reset();
  handOver(name, answer);
  await load();
});
doing(async () => {});
if (document.getElementById("provider"))
  showProvider(list, signOff, doing, (issuer) => {
    linked = issuer ? linkable() : null;
    show();
  });
