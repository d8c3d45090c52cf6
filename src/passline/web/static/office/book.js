// One regulation's office as its pages need it: acts, things, people, and the words for what is on record.

import { el, embedded, words } from "../elements.js";
import { get, post } from "../http.js";
import { money } from "../money.js";
import { momentText } from "../wording.js";

/** Who opened the page, and of which office. */
export const here = embedded("office-data");
const path = `/api/office/${here.office}`;
const mine = new Set(here.groups);

/** All that is known of the office: its rules, its people and its stocks. */
export const book = {
  acts: {},
  things: {},
  stocks: {},
  checklists: {},
  asked: {},
  values: {},
  bodies: {},
  roles: {},
  facility: null,
  people: [],
  held: {},
  hidden: {},
  denominations: {},
};

export async function loadBook() {
  const [office, { people }, { stocks, hidden, denominations }] = await Promise.all([
    get(path),
    get(`${path}/people`),
    get(`${path}/stocks`),
  ]);
  Object.assign(book, office, { rules: office.stocks, people, held: stocks, hidden, denominations });
}

export const today = () => get(`${path}/today`);
export const gate = (name, thing) => get(`${path}/gates/${name}/${encodeURIComponent(thing)}`);
export const counts = () => get(`${path}/counts`);
export const historyOf = (kind, id) => get(`${path}/things/${kind}/${encodeURIComponent(id)}`);
export const thingsOf = async (kind) => (await get(`${path}/things/${kind}`)).things;

/** Send a command to the office. `extra` has an id, and the sign-off of whoever signs with name and PIN. */
export const send = (command, extra = {}) => post(`${path}/commands`, { command, ...extra });

/** The clauses that something cites, as a text. */
export const clauseOf = ({ cite } = {}) => (Array.isArray(cite) ? cite.join(", ") : (cite ?? ""));

/** A clause in small print; nothing where it is only practice. */
export function clause(text) {
  return text && text !== "practice" ? el("span", { class: "clause" }, text) : null;
}

// Who may

/** Whether whoever opened the page belongs to one of these groups. */
export const amOf = (groups = []) => groups.some((one) => mine.has(one));

/** The outside body among groups, if any. */
export const bodyOf = (groups) => groups.map((one) => book.roles[one]?.body).find(Boolean) ?? "";

/** How whoever opened the page may do an act: "self", "paper" (recording an outside body's) or "". */
export function mayDo(act) {
  if (amOf(act.by)) return "self";
  return here.is_clerk && act.on_paper && bodyOf(act.by) ? "paper" : "";
}

/** Groups as a sentence lists them. */
export function groupWords(groups) {
  const all = groups.map(
    (one) => book.roles[one]?.body || `${book.roles[one]?.designated ? "designated " : ""}${one.replaceAll("_", " ")}`,
  );
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all.at(-1)}` : all.join("");
}

/** The address of the page where an act is done, with its form open for some things. */
export function actLink(key, ids = []) {
  const act = book.acts[key];
  return `/office/${here.office}/${act.page}#${key}${ids.length ? `=${ids.map(encodeURIComponent).join(",")}` : ""}`;
}

/** The act and things that the address of the page names, or null. */
export function actInAddress() {
  const [key, ids = ""] = location.hash.slice(1).split("=");
  return book.acts[key] ? { key, ids: ids.split(",").filter(Boolean).map(decodeURIComponent) } : null;
}

/** The address of the history of a thing. */
export const historyLink = (kind, id) => `/office/${here.office}/history/${kind}/${encodeURIComponent(id)}`;

// What is on record, in words

/** The name of somebody by account; the account itself where nobody is known by it. */
export const personName = (account) => book.people.find((one) => one.account === account)?.name ?? account;

/** A text of the log in which accounts are people's names, and kinds of things are called what the pages call them. */
export const named = (text) =>
  text
    .replaceAll(/\b[0-9a-f]{16}\b/g, personName)
    .replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (key) => book.things[key]?.name ?? key)
    .replace(" [practice]", "")
    .replace(/: counted .*; on record .*/, (count) =>
      count.replaceAll(/(\d+) of (\d+)/g, (_, units, cents) => `${units} × ${money(Number(cents))}`),
    );

/** A thing by its kind and what identifies it. */
export const thingName = (kind, id) => (kind === "person" ? personName(id) : id);

/** Something that is kept as kind/id, in words. */
export function aboutText(about) {
  if (!about) return "the office";
  const [kind, ...rest] = about.split("/");
  return `${book.things[kind]?.name ?? words(kind).toLowerCase()} ${thingName(kind, rest.join("/"))}`;
}

/** The field behind a fact of a kind of thing: an act of that kind wrote it. */
export function fieldOf(kind, key) {
  for (const act of Object.values(book.acts)) if (act.thing === kind && act.fields?.[key]) return act.fields[key];
  return null;
}

/** Units by denomination: "20 × $5, 4 × $25: $200". */
export function unitsText(units) {
  const all = Object.entries(units).sort(([one], [other]) => Number(one) - Number(other));
  const total = all.reduce((sum, [value, count]) => sum + Number(value) * count, 0);
  return all.length
    ? `${all.map(([value, count]) => `${count.toLocaleString("en-US")} × ${money(Number(value))}`).join(", ")}: ` +
        `${money(total)}`
    : "none";
}

/** A value that was recorded, as its field has it. */
export function valueText(field, value) {
  switch (field?.type) {
    case "units":
      return unitsText(value);
    case "cents":
      return money(value);
    case "number":
      return `${value.toLocaleString("en-US")}${field.unit ? ` ${field.unit}` : ""}`;
    case "per_thing":
      return typeof value === "number"
        ? `${value}${field.unit ? ` ${field.unit}` : ""}`
        : `${Object.entries(value)
            .map(([one, figure]) => `${one}: ${figure}`)
            .join(", ")}${field.unit ? ` ${field.unit}` : ""}`;
    case "shares":
      return Object.entries(value)
        .map(([one, cents]) => `${personName(one)} ${money(cents)}`)
        .join(", ");
    case "person":
      return personName(value);
    case "people":
      return value.map(personName).join(", ");
    case "things":
    case "ids":
    case "some":
    case "times":
      return value.join(", ");
    case "thing":
      return thingName(field.of[0], value);
    case "checklist":
      return `${Object.values(value).filter(Boolean).length} of ${Object.keys(value).length} seen`;
    case "document":
    case "sheet":
      return `${value.slice(0, 12)} …`;
    case "house":
      return `${Object.keys(value).length} elections`;
    case "moment":
      return momentText(value);
    case "yes":
    case "no":
    case "flag":
      return value ? "yes" : "no";
    default:
      return typeof value === "object" && value
        ? Object.entries(value)
            .map(([one, other]) => `${words(one)} ${other}`)
            .join(", ")
        : String(value === true ? "yes" : value === false ? "no" : value);
  }
}

/** What is known of something: a list of its facts. */
export function factList(kind, facts, fields = null) {
  const shown = Object.entries(facts).filter(([, value]) => value !== "" && value !== null && value !== 0);
  if (!shown.length) return null;
  return el(
    "dl",
    { class: "facts" },
    ...shown.map(([key, value]) => {
      const field = fields?.[key] ?? fieldOf(kind, key);
      return el(
        "div",
        {},
        el("dt", {}, words(key)),
        el("dd", { title: field?.type === "document" ? value : null }, valueText(field, value)),
      );
    }),
  );
}

// Time

/** A local date and time of the facility as a moment of the log. */
export function momentFrom(local) {
  const wanted = Date.parse(`${local}Z`);
  const shown = (at) =>
    Date.parse(`${new Date(at).toLocaleString("sv-SE", { timeZone: book.facility.zone }).replace(" ", "T")}Z`);
  let at = wanted;
  for (let turn = 0; turn < 2; turn += 1) at += wanted - shown(at);
  return `${new Date(at).toISOString().slice(0, 19)}.000000Z`;
}

/** A moment of the log as the facility's clocks show it. */
export function localText(at) {
  if (!at || !book.facility) return at ?? "";
  return new Date(at).toLocaleString("en-GB", {
    timeZone: book.facility.zone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}
