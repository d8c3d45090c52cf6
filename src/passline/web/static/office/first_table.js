// The way from an empty house to its first open table: each step that is left, under the part of the office that it
// belongs to, with what comes first and who does it. The server derives it from what must hold before a table opens.

import { buttonFor, el, hintText, words } from "../elements.js";
import { get } from "../http.js";
import { book, clause, doneBy, groupWords, here, mayDo, openLink, withNames } from "./book.js";
import { label } from "./fields.js";
import { begin } from "./flows.js";
import { trying } from "./parts.js";
import { openValue } from "./values.js";

/** @import { Child } from "../elements.js" */

/** @type {() => Promise<Server.PathAnswer>} */
export const openingPath = () => get(`/api/office/${here.office}/path`);

/**
 * The steps that are left, or null once a table was opened.
 *
 * @param {Server.PathAnswer} answer
 * @param {HTMLElement} host
 * @param {() => unknown} refresh
 */
export function pathPanel({ path, kept, owners }, host, refresh) {
  if (!path) return null;
  const { steps } = path;
  const now = steps.filter(isNow);
  return el(
    "section",
    { class: "panel path", id: "path", "aria-labelledby": "path-title" },
    el(
      "div",
      { class: "heading" },
      el(
        "h2",
        { id: "path-title" },
        steps.length ? "The way to the first open table" : "The first table can be opened",
      ),
      el("span", { class: "hint" }, `${path.green} of ${path.items} on its opening list hold`),
    ),
    el("progress", { max: path.items || 1, value: path.green, "aria-label": "Opening list of the first table" }),
    steps.length
      ? el(
          "p",
          {},
          `${plural(steps.length, "step is", "steps are")} left; ${now.length} can be done now. `,
          tableText(path),
        )
      : openingText(path),
    ...path.warnings.map((text) => el("p", { class: "said is-warning" }, `${label(withNames(text))}.`)),
    steps.length && owners === 1 ? secondOwnerFirst(steps.some((step) => step.role === "owner")) : null,
    kept !== "here" && here.is_owner
      ? el("p", {}, el("a", { class: "button", href: `/office/${here.office}/set-up#kept` }, "Keep the office here"))
      : null,
    ...partsOf(steps).map(([part, own]) =>
      el(
        "section",
        { class: "path-part", "aria-label": part },
        el("h3", {}, part, " ", el("span", { class: "tag warn" }, `${own.length} to do`)),
        ...listsOf(own, (step) => stepItem(step, steps, host, refresh)),
      ),
    ),
  );
}

/** @param {Server.PathStep} step */
const isNow = (step) => !step.after.length && !step.waits;

/**
 * @param {number} count
 * @param {string} single
 * @param {string} several
 */
const plural = (count, single, several) => `${count} ${count === 1 ? single : several}`;

/** @param {Server.OpeningPath} path */
const tableText = (path) =>
  path.table
    ? el(
        "a",
        { class: "button", href: `/office/${here.office}/opening-list/${encodeURIComponent(path.table)}` },
        `Opening list of ${path.table}`,
      )
    : "No table is in the register yet.";

/** @param {Server.OpeningPath} path */
function openingText(path) {
  return here.opens_tables
    ? el("p", {}, el("a", { class: "button first", href: openLink(path.table) }, "Open the table"))
    : el("p", {}, "Everything holds. The owner or a floorperson opens it on the page of the house.");
}

/**
 * Why a second owner comes before everybody else: the links that one owner has made alone end with it.
 *
 * @param {boolean} isNeeded whether a step of the way takes one
 */
function secondOwnerFirst(isNeeded) {
  return el(
    "div",
    { class: "first-of-all", id: "second-owner-first" },
    el(
      "strong",
      {},
      isNeeded ? "First of all: the second owner, who is needed" : "A second owner is not needed to open a table",
    ),
    el(
      "p",
      {},
      isNeeded ? "" : "If this house will have one all the same, do that first. ",
      "Make that account before all others and have its link used. From then on both owners sign for every account " +
        "of staff, and a link that one of them made alone and nobody has used no longer works.",
    ),
    here.is_owner
      ? el("a", { class: "button", href: "/people?role=owner#create" }, "Make the second owner's account")
      : null,
  );
}

/**
 * The steps by part of the office, in the order in which the parts are needed.
 *
 * @param {Server.PathStep[]} steps
 * @returns {[part: string, own: Server.PathStep[]][]}
 */
function partsOf(steps) {
  /** @type {Map<string, Server.PathStep[]>} */
  const found = new Map();
  for (const step of steps) {
    const part = Object.entries(here.parts).find(([, subjects]) => subjects.includes(step.page))?.[0] ?? step.page;
    const name = words(part);
    found.set(name, [...(found.get(name) ?? []), step]);
  }
  return [...found];
}

/**
 * The steps of a part that can be done now or wait for a signature or for time, and folded away those after others.
 *
 * @param {Server.PathStep[]} own
 * @param {(step: Server.PathStep) => HTMLElement} item
 */
function listsOf(own, item) {
  const [now, later] = [own.filter((step) => !step.after.length), own.filter((step) => step.after.length)];
  return [
    now.length ? el("ol", { class: "steps" }, ...now.map(item)) : null,
    later.length
      ? el(
          "details",
          { class: "later" },
          el("summary", {}, `${plural(later.length, "step", "steps")} after that`),
          el("ol", { class: "steps" }, ...later.map(item)),
        )
      : null,
  ];
}

/**
 * @param {Server.PathStep} step
 * @param {Server.PathStep[]} steps
 * @param {HTMLElement} host
 * @param {() => unknown} refresh
 */
function stepItem(step, steps, host, refresh) {
  const first = step.after.map((place) => nameOf(steps[place]));
  return el(
    "li",
    { class: isNow(step) ? "is-now" : "is-later", "data-step": step.act || step.value || step.approval || step.role },
    el("strong", {}, nameOf(step)),
    el("p", {}, `${label(withNames(step.why))} `, clause(step.clause)),
    isNow(step)
      ? todo(step, host, refresh)
      : hintText(
          step.waits === "time"
            ? `Done: now time must pass${step.until ? `, until ${step.until}` : ""}.`
            : step.waits
              ? `Waits to be signed: ${step.waits}.`
              : after(first),
        ),
  );
}

/** @param {Server.PathStep} step */
function nameOf(step) {
  if (step.approval) return `File with the house: ${words(step.approval).toLowerCase()}`;
  if (step.value) return `Set: ${step.name}`;
  if (step.role && !step.name.includes(step.role)) return `${step.name} (one with the role ${step.role})`;
  return step.things.length ? `${step.name}: ${withNames(step.things.join(", "))}` : step.name;
}

/** @param {string[]} first */
const after = (first) =>
  `After: ${first.slice(0, 3).join("; ")}${first.length > 3 ? `; ${first.length - 3} more` : ""}`;

/**
 * Who belongs to one of some groups now, by name: nobody has to guess who has been designated.
 *
 * @param {string[]} groups
 */
function namesOf(groups) {
  const found = book.people.filter((person) => person.groups.some((group) => groups.includes(group)));
  return found.length ? `; here: ${found.map((person) => person.name).join(", ")}` : "";
}

/**
 * What does a step: a button, a link, or who may.
 *
 * @param {Server.PathStep} step
 * @param {HTMLElement} host
 * @param {() => unknown} refresh
 * @returns {Child}
 */
function todo(step, host, refresh) {
  if (step.approval)
    return here.opens_tables
      ? el("a", { class: "button", href: `/house?approval=${step.approval}#approvals` }, "File the approval")
      : hintText("The owner files it on the page of the house.");
  if (step.role)
    return here.opens_tables
      ? el("a", { class: "button", href: `/people?role=${step.role}#create` }, "Make the account")
      : hintText("The owner makes accounts on the page of people.");
  if (step.value)
    return here.is_clerk
      ? buttonFor("Set the figure", () => trying(host, () => openValue(step.value, refresh)))
      : hintText(`Set by: ${groupWords(step.by.length ? step.by : here.clerks)}`);
  const act = book.acts[step.act];
  if (!act) return null;
  if (!mayDo(act)) return hintText(`${doneBy(act)}${namesOf(act.by)}`);
  if (step.kept_to_sign.includes(here.account)) return hintText("Somebody else begins it: you are needed to sign.");
  return buttonFor(mayDo(act) === "paper" ? "Record its paper" : "Do it now", () =>
    trying(host, () => begin(step.act, step.things, refresh)),
  );
}
