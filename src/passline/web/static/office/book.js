// One regulation's office as its pages need it: acts, things, people, and the words for what is on record.

import { el, embedded, words } from "../elements.js";
import { get, isClause, post } from "../http.js";
import { money, withSign } from "../money.js";
import { momentText } from "../wording.js";
import { plainText } from "./plain.js";

/** @typedef {{ [denomination: string]: number }} Units */
/**
 * An act with what the server leaves out where it is empty.
 *
 * @typedef {Server.Act & Required<Pick<Server.Act, "fields" | "signs" | "states" | "thing">>} Act
 */
/** @typedef {{ id?: string, again?: boolean, sign_off?: { name?: string, pin: string } }} SendOptions */
/**
 * What is known of the office.
 *
 * @typedef {Omit<Server.OfficeAnswer, "acts"> & {
 *   acts: { [key: string]: Act },
 *   rules: { [stock: string]: Server.Stock },
 *   people: Server.OfficePerson[],
 *   held: Server.StocksAnswer["stocks"],
 *   hidden: Server.StocksAnswer["hidden"],
 *   denominations: Server.StocksAnswer["denominations"],
 * }} Book
 */

/**
 * Who opened the page, and of which office.
 *
 * @type {Server.Embedded}
 */
export const here = embedded("office-data");
const path = `/api/office/${here.office}`;
const mine = new Set(here.groups);

/** All that is known of the office: its rules, its people and its stocks. */
export const book = /** @type {Book} */ (
  /** @type {unknown} */ ({
    acts: {},
    things: {},
    stocks: {},
    checklists: {},
    tellings: {},
    asked: {},
    values: {},
    bodies: {},
    papers: {},
    forms: {},
    roles: {},
    facility: null,
    people: [],
    held: {},
    hidden: {},
    denominations: {},
  })
);

/**
 * How an act is told later than it happened; null: anyhow.
 *
 * @param {Act} act
 * @returns {Server.Telling | null}
 */
export const tellingOf = (act) => (act.told ? (book.tellings[act.told] ?? null) : null);

/**
 * The rule of a signature under an act: one of its own, or that of who signs what is told late.
 *
 * @param {Act} act
 * @param {string} part
 * @returns {Server.Signature}
 */
export const signatureOf = (act, part) =>
  act.signs[part] ?? tellingOf(act)?.second ?? { name: part.replaceAll("_", " "), by: [], cite: "practice" };

export async function loadBook() {
  const [office, { people }, { stocks, hidden, denominations }] = await Promise.all([
    get(path),
    get(`${path}/people`),
    get(`${path}/stocks`),
  ]);
  /** @param {Server.Act} act */
  const whole = (act) => ({ fields: {}, signs: {}, states: [], thing: "", ...act });
  const acts = Object.entries(/** @type {Server.OfficeAnswer} */ (office).acts).map(([key, act]) => [key, whole(act)]);
  Object.assign(book, office, {
    acts: Object.fromEntries(acts),
    rules: office.stocks,
    people,
    held: stocks,
    hidden,
    denominations,
  });
}

/** @type {() => Promise<Server.Today>} */
export const today = () => get(`${path}/today`);
/**
 * @param {string} name
 * @param {string} thing
 * @returns {Promise<Server.GateAnswer>}
 */
export const gate = (name, thing) => get(`${path}/gates/${name}/${encodeURIComponent(thing)}`);
/** @type {() => Promise<Server.CountsAnswer>} */
export const counts = () => get(`${path}/counts`);
/**
 * @param {string} kind
 * @param {string} id
 * @returns {Promise<Server.ThingHistory>}
 */
export const historyOf = (kind, id) => get(`${path}/things/${kind}/${encodeURIComponent(id)}`);
/**
 * Everything of a kind. Where patrons are named in it, their names are read, too: numbers alone are easily mistaken.
 *
 * @param {string} kind
 * @returns {Promise<Server.KnownThing[]>}
 */
export async function thingsOf(kind) {
  const things = /** @type {Server.KnownThing[]} */ ((await get(`${path}/things/${kind}`)).things);
  const named = kind === PATRON ? [] : things.map((thing) => thing.facts?.[PATRON]).filter(isNameless);
  if (named.length && book.things[PATRON]) await thingsOf(PATRON);
  for (const patron of named) patronNames.set(patron, patronName(patron));
  if (kind === PATRON) for (const patron of things) patronNames.set(patron.id, String(patron.facts?.name ?? ""));
  return things;
}

const PATRON = "patron";
/** @type {Map<string, string>} */
const patronNames = new Map(); // by number, as they were read last
/** @type {(patron: unknown) => boolean} */
const isNameless = (patron) => typeof patron === "string" && !patron.includes("/") && !patronNames.has(patron);

/**
 * What a patron is called; "" if nobody has read it.
 *
 * @param {string} id
 * @returns {string}
 */
export const patronName = (id) => patronNames.get(id) ?? "";

/**
 * Send a command to the office. `extra` has an id, and the sign-off of whoever signs with name and PIN.
 *
 * @param {object} command
 * @param {SendOptions} [extra]
 * @returns {Promise<Server.OfficeReceipt>}
 */
export const send = (command, extra = {}) => post(`${path}/commands`, { command, ...extra });
/**
 * What an outside body would stamp for a command. Nothing is done.
 *
 * @param {object} command
 * @returns {Promise<object>}
 */
export const stampRequest = (command) => post(`${path}/stamp-requests`, { command });

/**
 * The clauses that something cites, as a text.
 *
 * @param {{ cite?: unknown }} rule
 * @returns {string}
 */
export const clauseOf = ({ cite }) => (Array.isArray(cite) ? cite.join(", ") : typeof cite === "string" ? cite : "");

/**
 * A clause in small print; nothing where there is none.
 *
 * @param {string | undefined} text
 */
export function clause(text) {
  return text && isClause(text) ? el("span", { class: "clause" }, text) : null;
}

/**
 * Where the house deals; an error before the office is set up.
 *
 * @returns {Server.Facility}
 */
export function facility() {
  if (book.facility) return book.facility;
  throw new Error("the office is not set up: say first where the house is and when its day begins");
}

/**
 * What an answer says of the act that was recorded or signed.
 *
 * @param {Server.OfficeReceipt} answer
 */
export function outcome({ events }) {
  return {
    done: events.find((event) => event.event === "act-done/1"),
    signed: events.find((event) => event.event === "act-signed/1"),
    completed: events.find((event) => event.event === "act-completed/1"),
    voided: events.find((event) => event.event === "act-voided/1"),
    incidents: events.filter((event) => event.event === "incident-opened/1"),
  };
}

// Who may

/**
 * Whether whoever opened the page belongs to one of these groups.
 *
 * @param {string[]} [groups]
 * @returns {boolean}
 */
export const amOf = (groups = []) => groups.some((group) => mine.has(group));

/**
 * The outside body among groups, if any.
 *
 * @param {string[]} groups
 * @returns {string}
 */
export const bodyOf = (groups) => groups.map((group) => book.roles[group]?.body).find(Boolean) ?? "";

/**
 * How whoever opened the page may do an act: "self", "paper" (recording an outside body's) or "".
 *
 * @param {Act} act
 * @returns {"self" | "paper" | ""}
 */
export function mayDo(act) {
  if (amOf(act.by)) return "self";
  return here.is_clerk && act.on_paper && bodyOf(act.by) ? "paper" : "";
}

/**
 * Groups as a sentence lists them.
 *
 * @param {string[]} groups
 * @returns {string}
 */
export function groupWords(groups) {
  const all = groups.map(
    (group) =>
      book.roles[group]?.body ||
      `${book.roles[group]?.designated ? "designated " : ""}${group.replaceAll("_", " ")}${rolesOf(group)}`,
  );
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all.at(-1)}` : all.join("");
}

/**
 * Who does an act, in words for somebody who does not.
 *
 * @param {Act} act
 * @returns {string}
 */
export const doneBy = (act) => `Done by: ${groupWords(act.by)}`;

/**
 * The roles of accounts that a group means, where it is none itself: " (owner or compliance)".
 *
 * @param {string} group
 */
function rolesOf(group) {
  const roles = book.roles[group]?.roles ?? [];
  return !roles.length || roles.includes(group) ? "" : ` (${roles.join(" or ")})`;
}

/**
 * The address of the page where an act is done, with its form open for some things.
 *
 * @param {string} key
 * @param {string[]} [ids]
 * @returns {string}
 */
export function actLink(key, ids = []) {
  const act = book.acts[key];
  return `/office/${here.office}/${act.page}#${key}${ids.length ? `=${ids.map(encodeURIComponent).join(",")}` : ""}`;
}

/**
 * The act and things that the address of the page names, or null.
 *
 * @returns {{ key: string, ids: string[] } | null}
 */
export function actInAddress() {
  const [key, ids = ""] = location.hash.slice(1).split("=");
  return book.acts[key] ? { key, ids: ids.split(",").filter(Boolean).map(decodeURIComponent) } : null;
}

/**
 * The address of the form that opens a table, filled in with its name and this regulation.
 *
 * @param {string} table
 * @returns {string}
 */
export const openLink = (table) => `/house?regulation=${here.office}&table=${encodeURIComponent(table)}#open`;

/**
 * The address of the history of a thing.
 *
 * @param {string} kind
 * @param {string} id
 * @returns {string}
 */
export const historyLink = (kind, id) => `/office/${here.office}/history/${kind}/${encodeURIComponent(id)}`;

// What is on record, in words

/**
 * The name of somebody by account; the account itself where nobody is known by it.
 *
 * @param {string} account
 * @returns {string}
 */
export const personName = (account) => book.people.find((person) => person.account === account)?.name ?? account;

/**
 * A text of the log in which accounts are people's names, and kinds of things are called what the pages call them.
 *
 * @param {string} text
 * @returns {string}
 */
export const withNames = (text) =>
  text
    .replaceAll(/\b[0-9a-f]{16}\b/g, personName)
    .replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (key) => book.things[key]?.name ?? key)
    .replace(" [practice]", "")
    .replace(
      /counted (\d+\.\d\d); ledger (\d+\.\d\d); (\d+\.\d\d) (short|over)/,
      (_, counted, ledger, difference, how) =>
        `counted ${withSign(counted)}; ledger ${withSign(ledger)}; ${withSign(difference)} ${how}`,
    )
    .replace(/: counted .*; on record .*/, (count) =>
      count.replaceAll(/(\d+) of (\d+)/g, (_, units, cents) => `${units} × ${money(Number(cents))}`),
    );

/**
 * Whether things of a kind are identified by their value, as chips are.
 *
 * @param {string | undefined} kind
 * @returns {boolean}
 */
export const isValue = (kind) => book.things[kind ?? ""]?.named === "cents";

/**
 * A thing by its kind and what identifies it.
 *
 * @param {string | undefined} kind
 * @param {string} id
 * @returns {string}
 */
export const thingName = (kind, id) =>
  kind === "person"
    ? personName(id)
    : isValue(kind) && /^\d+$/.test(id)
      ? money(Number(id))
      : id.replace(/^(\d{4}-\d\d-\d\d)\.([a-z]+)-(.+)$/, "of $1, $2 $3"); // a report's

/**
 * Whether things of a kind lie ready for an outage, or are one: neither goes from hand to hand.
 *
 * @param {string} kind
 * @returns {boolean}
 */
export const isOfOutage = (kind) =>
  Object.values(book.acts).some((act) => act.thing === kind && Boolean(act.prints || act.unlogged || act.in_batch));

/**
 * Something that is kept as kind/id, in words.
 *
 * @param {string} about
 * @returns {string}
 */
export function aboutText(about) {
  if (!about) return "the office";
  const [kind, ...rest] = about.split("/");
  return `${book.things[kind]?.name ?? words(kind).toLowerCase()} ${thingName(kind, rest.join("/"))}`;
}

/**
 * The field behind a fact of a kind of thing: an act of that kind wrote it.
 *
 * @param {string | undefined} kind
 * @param {string} key
 * @returns {Server.Field | null}
 */
export function fieldOf(kind, key) {
  const made = Object.values(book.acts).find((act) => act.thing === kind && act.new && act.fields[key]);
  if (made) return made.fields[key];
  const all = Object.values(book.acts).flatMap((act) => (act.thing === kind && act.fields[key]) || []);
  const isOneName = all.every((field) => field.name === all[0].name); // or nobody knows which of them wrote it
  return isOneName ? (all[0] ?? null) : { ...all[0], name: key.replaceAll("_", " ") };
}

/**
 * Units by denomination: "20 × $5, 4 × $25: $200".
 *
 * @param {Units} units
 * @returns {string}
 */
export function unitsText(units) {
  const all = Object.entries(units).sort(([item], [other]) => Number(item) - Number(other));
  const total = all.reduce((sum, [value, count]) => sum + Number(value) * count, 0);
  return all.length
    ? `${all.map(([value, count]) => `${count.toLocaleString("en-US")} × ${money(Number(value))}`).join(", ")}: ` +
        `${money(total)}`
    : "none";
}

/**
 * The number of the form that a scanner has read, such as F-000001; what it has read, if that is the code of no form.
 *
 * @param {string} code
 * @returns {string}
 */
export const formNumber = (code) => /^PASSLINE:\d+:[0-9A-F]{64}:(.+)$/i.exec(code)?.[1] ?? code;

/**
 * A value that was recorded, as its field has it.
 *
 * @param {Server.Field | null | undefined} field
 * @param {any} value
 * @returns {string}
 */
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
            .map(([item, figure]) => `${item}: ${figure}`)
            .join(", ")}${field.unit ? ` ${field.unit}` : ""}`;
    case "shares":
      return Object.entries(value)
        .map(([item, cents]) => `${personName(item)} ${money(cents)}`)
        .join(", ");
    case "person":
      return personName(value);
    case "people":
      return value.map(personName).join(", ");
    case "codes":
      return value.map(formNumber).join(", ");
    case "things":
    case "ids":
    case "some":
    case "times":
      return value.join(", ");
    case "thing":
      return [thingName(field.of?.[0], value), field.of?.[0] === PATRON && patronName(value)].filter(Boolean).join(" ");
    case "checklist":
      return `${Object.values(value).filter(Boolean).length} of ${Object.keys(value).length} seen`;
    case "lines":
      return `${value.length} ${value.length === 1 ? "line" : "lines"}: ${[
        ...new Set(value.map((/** @type {{ slip?: string }} */ line) => line.slip).filter(Boolean)),
      ].join(", ")}`;
    case "document":
    case "sheet":
      return `document ${value.slice(0, 12)} …`;
    case "house":
      return `${Object.keys(value).length} elections`;
    case "moment":
      return momentText(value);
    case "yes":
    case "no":
    case "flag":
      return value ? "yes" : "no";
    default:
      return plainText(value, words, localText);
  }
}

/**
 * What a fact is called: as its field is, without the article; by its key where no act of the office writes it.
 *
 * @param {string} key
 * @param {Server.Field | null | undefined} field
 * @returns {string}
 */
export function factName(key, field) {
  const name = (field?.name ?? key.replaceAll("_", " ")).replace(/^(the|a|an) /, "").replace(/,? in cents\b/, "");
  return words(name.length > LONG ? key : name);
}
const LONG = 60; // a name that is a sentence: its key says it shorter

/**
 * What is known of something: a list of its facts.
 *
 * @param {string | undefined} kind
 * @param {{ [key: string]: any }} facts
 * @param {{ [key: string]: Server.Field } | null} [fields]
 */
export function factList(kind, facts, fields = null) {
  const shown = Object.entries(facts)
    .filter(([, value]) => value !== "" && value !== null && value !== 0)
    .map(([key, value]) => ({ key, value, field: fields?.[key] ?? fieldOf(kind, key) }))
    .map((fact) => ({ ...fact, text: valueText(fact.field, fact.value) }))
    .filter(({ text }) => text);
  if (!shown.length) return null;
  return el(
    "dl",
    { class: "facts" },
    ...shown.map(({ key, value, field, text }) =>
      el(
        "div",
        {},
        el("dt", {}, factName(key, field)),
        el("dd", { title: field?.type === "document" ? value : null }, text),
      ),
    ),
  );
}

// Time

/**
 * A local date and time of the facility as a moment of the log.
 *
 * @param {string} local
 * @returns {string}
 */
export function momentFrom(local) {
  const wanted = Date.parse(`${local}Z`);
  /** @param {number} at */
  const localTime = (at) =>
    Date.parse(`${new Date(at).toLocaleString("sv-SE", { timeZone: facility().zone }).replace(" ", "T")}Z`);
  let at = wanted;
  for (let turn = 0; turn < 2; turn += 1) at += wanted - localTime(at);
  return `${new Date(at).toISOString().slice(0, 19)}.000000Z`;
}

/**
 * A moment of the log as the facility's clocks show it.
 *
 * @param {string | null | undefined} at
 * @returns {string}
 */
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

/**
 * A key in words, with the abbreviations of outside bodies as they are written: "with_tgo" becomes "With TGO".
 *
 * @param {string} key
 * @returns {string}
 */
export function spokenWords(key) {
  const shorts = Object.keys(here.spelled);
  return words(key).replaceAll(
    /\w+/g,
    (word) => shorts.find((short) => short.toLowerCase() === word.toLowerCase()) ?? word,
  );
}
