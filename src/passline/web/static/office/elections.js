// The elections of a house: a form that is checked by the regulation's own bounds while it is filled in.

import { clauseTags } from "../clauses.js";
import { byId, elementsOf, fieldById, inputsOf, submitOf } from "../dom.js";
import { buttonFor, el, embedded, freshId, timeOf, words } from "../elements.js";
import { get, post, refusalList, refusalsIn } from "../http.js";
import { electedText, electionRow, isFixed } from "./election_controls.js";
import { sendForm } from "./forms.js";
import { trying } from "./parts.js";

/** @typedef {{ [key: string]: any }} House as its form has it */
/** @typedef {{ label: string, house?: House, load?: () => Promise<House> }} Source of a house */
/** @typedef {ReturnType<typeof electionRow>} Row */

const TYPING_MS = 200;
/** @type {Server.EmbeddedElections} */
const data = embedded("elections-data");
const regulation = fieldById("regulation"),
  game = fieldById("game"),
  start = fieldById("start");
/** @type {Map<string, Row>} */
let rows = new Map(); // by key
/** @type {House} */
let house = {}; // as the form has it
/** @type {Server.CheckedHouse} */
let checked = { house: {}, breaches: [], toml: "", sha256: "" };
/** @type {{ text: string, house: string } | null} */
let given = null; // a file that was uploaded: its text is kept as long as nothing else is elected
let typing = 0,
  run = 0;
/** @type {Map<string, Source>} */
const sources = new Map(); // what the form can start from, by key

// The house as the form has it

/** @param {string} key */
const parts = (key) => key.split(".");
/** @param {string} key */
function valueAt(key) {
  const [first, ...rest] = parts(key);
  return rest.length ? house[first]?.[rest.join(".")] : house[first];
}

/**
 * @param {string} key
 * @param {any} value
 */
function put(key, value) {
  const [first, ...rest] = parts(key);
  if (!rest.length) house[first] = value;
  else house[first] = { ...house[first], [rest.join(".")]: value };
  if (first !== "office") return;
  const { preset, books } = house.office; // what is not elected is not written
  if (!preset) delete house.office.preset;
  if (!books?.length) delete house.office.books;
  if (!preset && !books?.length) delete house.office;
}

/** @param {House} next */
function fillIn(next) {
  house = structuredClone(next);
  for (const [key, row] of rows) {
    const value = valueAt(key) ?? row.field.value;
    row.write(structuredClone(value));
    row.show(value);
  }
}

/** @param {string} key */
function takeChange(key) {
  const row = rows.get(key);
  if (!row) return;
  put(key, row.read());
  row.show(valueAt(key));
  clearTimeout(typing);
  typing = setTimeout(() => trying(byId("elections"), check), TYPING_MS);
}

// The form

async function showForm() {
  const answer = await get(
    `/elections/form?regulation=${encodeURIComponent(regulation.value)}&game=${encodeURIComponent(game.value)}`,
  );
  rows = new Map();
  const groups = Map.groupBy ? Map.groupBy(answer.fields, (item) => item.group) : groupFields(answer.fields);
  byId("elections").replaceChildren(...[...groups].map(([group, fields]) => section(group, fields)));
  sources.set("default", { label: "The default house", house: answer.house });
  fillIn(answer.house);
}

/** @param {Server.ElectionField[]} fields */
function groupFields(fields) {
  const found = new Map();
  for (const field of fields) found.set(field.group, [...(found.get(field.group) ?? []), field]);
  return found;
}

/**
 * @param {string} group
 * @param {Server.ElectionField[]} fields
 */
function section(group, fields) {
  const fixed = fields.filter(isFixed),
    free = fields.filter((field) => !isFixed(field));
  const id = `group-${group.toLowerCase().replaceAll(" ", "-")}`;
  for (const field of free)
    rows.set(
      field.key,
      electionRow(field, () => takeChange(field.key)),
    );
  return el(
    "section",
    { class: "panel group", "aria-labelledby": id },
    el("h2", { id }, group),
    ...free.map((field) => rows.get(field.key)?.row),
    fixed.length
      ? el(
          "details",
          { class: "fixed", open: !free.length },
          el("summary", {}, `${fixed.length} fixed by the regulation`),
          el(
            "dl",
            {},
            ...fixed.map((field) =>
              el(
                "div",
                { id: `election-${field.key}` },
                el("dt", {}, field.label),
                el("dd", {}, electedText(field, field.value), " ", ...clauseTags(field.clauses.join(", "))),
              ),
            ),
          ),
        )
      : null,
  );
}

// The check

async function check() {
  const mine = ++run;
  const answer = await post("/elections/check", { house });
  if (mine === run) show(answer);
}

/** @param {Server.CheckedHouse} answer */
function show(answer) {
  checked = answer;
  const { breaches } = answer;
  byId("verdict-bar").textContent = breaches.length
    ? `${breaches.length === 1 ? "One breach" : `${breaches.length} breaches`} of the regulation`
    : "Nothing breaks the regulation";
  byId("verdict-bar").classList.toggle("bad", Boolean(breaches.length));
  byId("lawful").hidden = Boolean(breaches.length);
  byId("lawful").textContent = "Nothing breaks the regulation.";
  byId("breaches").hidden = !breaches.length;
  byId("breaches").replaceChildren(
    ...(breaches.length
      ? [
          el("b", {}, breaches.length === 1 ? "One breach:" : `${breaches.length} breaches:`),
          el(
            "ul",
            {},
            ...breaches.map((breach) =>
              el(
                "li",
                {},
                el("a", { href: `#${rowOf(breach.key)?.id ?? "elections"}` }, labelOf(breach.key)),
                `: ${breach.problem} `,
                ...clauseTags(breach.clause),
              ),
            ),
          ),
        ]
      : []),
  );
  for (const list of elementsOf(".breach")) {
    list.hidden = true;
    list.replaceChildren();
  }
  for (const breach of breaches) {
    const list = rowOf(breach.key)?.querySelector(".breach:last-of-type");
    if (list instanceof HTMLElement) {
      list.hidden = false;
      list.append(el("li", {}, breach.problem, " ", ...clauseTags(breach.clause)));
    }
  }
  for (const row of document.querySelectorAll(".election, .election-row"))
    row.classList.toggle(
      "is-broken",
      elementsOf(".breach", row).some((list) => !list.hidden),
    );
  byId("digest").textContent = answer.sha256 || "–";
  if (given && given.house !== JSON.stringify(house)) given = null;
  const text = given?.text ?? answer.toml;
  if (document.activeElement !== byId("toml")) fieldById("toml").value = text;
  const link = byId("download", HTMLAnchorElement);
  link.classList.toggle("is-off", !answer.toml);
  if (link.href) URL.revokeObjectURL(link.href);
  if (answer.toml) link.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  else link.removeAttribute("href");
  document.getElementById("save")?.toggleAttribute("disabled", !answer.toml);
  if (form) submitOf(form)?.toggleAttribute("disabled", !answer.toml);
}

/**
 * The row that a breach is about: its own, or the election it belongs to.
 *
 * @param {string} key
 */
function rowOf(key) {
  for (let at = key; at; at = at.includes(".") ? at.slice(0, at.lastIndexOf(".")) : "") {
    const found = document.getElementById(`election-${at}`);
    if (found) return found;
  }
  return null;
}

/** @param {string} key */
const labelOf = (key) =>
  rows.get(key)?.field.label ??
  rowOf(key)?.querySelector(".of, .name, dt")?.textContent ??
  words(key.replaceAll(".", " "));

// Starting from another house

async function showSources() {
  const versions = await versionsOf();
  /** @type {Server.TablesAnswer} */
  const { tables } = await get("/api/tables");
  const fit = tables.filter(
    (table) => table.regulation === regulation.value && table.game === game.value && table.status !== "closed",
  );
  for (const key of [...sources.keys()]) if (key !== "default") sources.delete(key);
  for (const thing of versions)
    sources.set(`version ${thing.id}`, {
      label: `${thing.id} (${words(thing.state).toLowerCase()})`,
      house: thing.facts.file,
    });
  for (const table of fit)
    sources.set(`table ${table.id}`, {
      label: `The house of ${table.name}`,
      load: () => get(`/elections/of-table/${encodeURIComponent(table.id)}`).then((answer) => answer.house),
    });
  start.replaceChildren(...[...sources].map(([key, item]) => el("option", { value: key }, item.label)));
  byId("versions").replaceChildren(
    versions.length
      ? el("ul", { class: "versions" }, ...versions.map(version))
      : el("p", { class: "muted" }, "None of this game yet."),
  );
  document
    .getElementById("table")
    ?.replaceChildren(...fit.map((table) => el("option", { value: table.id }, table.name)));
}

/** @returns {Promise<Server.KnownThing[]>} */
async function versionsOf() {
  try {
    /** @type {Server.ThingsAnswer} */
    const { things } = await get(`/api/office/${encodeURIComponent(regulation.value)}/things/house`);
    return things
      .filter((thing) => thing.facts?.file?.game === game.value)
      .sort((thing, other) => (thing.since < other.since ? 1 : -1));
  } catch {
    return []; // who may not read the office starts from the default, a table or a file
  }
}

/** @param {Server.KnownThing} thing */
function version(thing) {
  return el(
    "li",
    {},
    el("a", { href: `/office/${regulation.value}/history/house/${encodeURIComponent(thing.id)}` }, thing.id),
    " ",
    el("span", { class: `tag ${thing.state === "in_force" ? "on" : "plain"}` }, words(thing.state)),
    el("span", { class: "hint" }, "since ", timeOf(thing.since, true)),
    buttonFor("Load", () => trying(byId("elections"), () => from(`version ${thing.id}`)), {
      class: "plain",
      "aria-label": `Load ${thing.id}`,
    }),
  );
}

/** @param {string} key */
async function from(key) {
  const source = sources.get(key);
  const next = source?.house ?? (await source?.load?.());
  if (!next) return;
  start.value = key;
  given = null;
  fillIn(next);
  await check();
}

/**
 * Show the form of a regulation and game, from its default house or from another; until then nothing can be typed.
 *
 * @param {string} [wanted]
 * @param {string} [source]
 */
async function begin(wanted = game.value, source = "default") {
  const known = data.regulations.find((each) => each.key === regulation.value);
  const games = known?.games ?? [];
  game.replaceChildren(...games.map((game) => el("option", { value: game }, words(game))));
  if (games.includes(wanted)) game.value = wanted;
  byId("elections").inert = true;
  try {
    await showForm();
    await showSources();
    await from(sources.has(source) ? source : "default");
  } finally {
    byId("elections").inert = false;
  }
}

// Files

/** @param {string} text */
async function use(text) {
  const answer = await post("/elections/read", { toml: text });
  if (answer.house.rules !== regulation.value || (answer.house.game ?? game.value) !== game.value) {
    regulation.value = answer.house.rules;
    await begin(answer.house.game ?? "craps");
  }
  fillIn({ ...sources.get("default")?.house, ...answer.house });
  given = { text, house: JSON.stringify(house) };
  await check();
}

byId("file").addEventListener("change", () =>
  trying(byId("elections"), async () => {
    const file = byId("file", HTMLInputElement).files?.[0];
    if (file) await use(await file.text());
  }),
);
byId("use-text").addEventListener("click", () => trying(byId("elections"), () => use(fieldById("toml").value)));

// Saving, and dealing by it

/** @param {string} name */
const slug = (name) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 30);

document.getElementById("save")?.addEventListener("click", async () => {
  const id = `${slug(checked.house.name)}-${checked.sha256.slice(0, 12)}`;
  const command = { command: "do-act", act: "draft_house", things: [id], fields: { file: checked.house } };
  try {
    await post(`/api/office/${encodeURIComponent(regulation.value)}/commands`, { command, id: freshId() });
    byId("saved").replaceChildren(
      el(
        "p",
        { class: "said" },
        `Saved as ${id}: a draft. `,
        el("a", { href: `/office/${regulation.value}/rules` }, "Submit it in the office"),
      ),
    );
    await showSources();
    start.value = `version ${id}`;
  } catch (refused) {
    byId("saved").replaceChildren(el("div", { class: "refused" }, refusalList(refusalsIn(refused))));
  }
});

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("change"));
const alone = form ? inputsOf("[data-alone]", form)[0] : null;
const showAlone = () => {
  for (const input of inputsOf("#change .sign-off input")) input.disabled = Boolean(alone?.checked);
};
alone?.addEventListener("change", showAlone);
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const sole = alone?.checked ? { is_sole_owner: true } : {};
  const done = await sendForm(form, {
    path: `/api/tables/${encodeURIComponent(fieldById("table").value)}/commands`,
    body: (body) => ({
      ...body,
      role: data.acts_as,
      command: { command: "change-house", house: checked.house, ...sole },
    }),
  });
  byId("changed").replaceChildren(
    ...(done ? done.lines.map((/** @type {string} */ line) => el("p", { class: "said" }, line)) : []),
  );
});
if (form) showAlone();

for (const field of [regulation, game])
  field.addEventListener("change", () => trying(byId("elections"), () => begin()));
start.addEventListener("change", () => trying(byId("elections"), () => from(start.value)));
trying(byId("elections"), async () => {
  const asked = new URLSearchParams(location.search);
  regulation.value = asked.get("regulation") || regulation.value;
  await begin(asked.get("game") ?? "", `table ${asked.get("table")}`);
  if (document.getElementById("table") && sources.has(`table ${asked.get("table")}`))
    fieldById("table").value = asked.get("table") ?? "";
});
