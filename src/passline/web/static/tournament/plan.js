// Planning a tournament: by a guided form or as a file. Either is checked while it is written, every breach is listed
// with its clause, and the rule sheet stands beside it.

import { byId, firstOf } from "../dom.js";
import { buttonFor, el, embedded, freshId } from "../elements.js";
import { post, refusalList, refusalsIn } from "../http.js";
import { regulationName } from "../wording.js";
import { planForm, simplePlan } from "./plan_form.js";

/** @typedef {import("./plan_form.js").PlanData} PlanData */

const WAIT_MS = 400;
const keepsOffice = byId("plan").dataset.office === "here";
const ELSEWHERE =
  "Not checked here: this house keeps its office elsewhere. The first round starts even if one of these is so, and " +
  "whoever keeps the office sees to each of them before:";
const form = byId("plan"),
  text = byId("text", HTMLTextAreaElement),
  faults = byId("faults"),
  sheet = byId("rule-sheet");
const keep = firstOf('#plan [type="submit"]', HTMLButtonElement);
/** @type {Map<string, string>} */
const names = new Map(); // what the guided form calls a key of the plan
/** @type {object | null} */
let plan = null;
/** @type {PlanData | null} */
let guided = null; // the plan that the form changes
let isGuided = true,
  waiting = 0,
  asked = 0;

/** @param {{ rules: string, text: string }} example */
async function start(example) {
  text.value = example.text;
  /** @type {Server.PlanChecked} */
  const { plan: data } = await post("/api/tournaments/check", { text: example.text });
  guided = data && simplePlan(data);
  names.clear();
  byId("guided").replaceChildren(guided ? planForm(guided, names, later) : "");
  show();
  if (isGuided) byId("plan-name").focus();
  else text.focus();
  await check();
}

/** Show the form or the file, whichever was chosen. */
function show() {
  byId("guided").hidden = !isGuided;
  byId("as-file").hidden = isGuided;
  for (const button of byId("ways").querySelectorAll("button"))
    button.setAttribute("aria-pressed", String(isGuided === (button.id === "way-guided")));
}

/** @param {boolean} toForm */
function choose(toForm) {
  if (!toForm && isGuided && guided) text.value = JSON.stringify(plan ?? guided, null, 2);
  isGuided = toForm;
  show();
  check();
}

async function check() {
  const turn = ++asked;
  keep.disabled = true;
  const sent = isGuided ? guided && JSON.stringify(guided) : text.value.trim();
  if (!sent) {
    faults.replaceChildren(
      el("p", { class: "muted" }, "Nothing to check yet: start from the example of a regulation."),
    );
    return;
  }
  try {
    /** @type {Server.PlanChecked} */
    const answer = await post("/api/tournaments/check", { text: sent, is_guided: isGuided });
    if (turn !== asked) return;
    plan = answer.plan;
    showFaults(answer.faults, answer.ahead, answer.gate);
    showSheet(answer.sheet);
  } catch (refused) {
    if (turn === asked) showFaults(refusalsIn(refused));
  }
}

function later() {
  clearTimeout(waiting);
  keep.disabled = true;
  waiting = setTimeout(check, WAIT_MS);
}

/**
 * @param {Server.RefusalView[]} list
 * @param {Server.RefusalView[]} [ahead] what the office owes before it begins
 * @param {Server.RefusalView[]} [gate] what a first round needs of the office
 */
function showFaults(list, ahead = [], gate = []) {
  keep.disabled = Boolean(list.length) || !plan;
  faults.replaceChildren(
    list.length
      ? el(
          "div",
          { class: "refused" },
          el("p", {}, el("strong", {}, list.length === 1 ? "1 breach" : `${list.length} breaches`)),
          refusalList(list.map((fault) => ({ ...fault, why: inWords(fault.why) }))),
        )
      : el("div", { class: "said" }, el("p", {}, "Nothing stands against this plan. Its rule sheet has every part.")),
    ahead.length ? el("div", { class: "hint" }, el("p", {}, "Before it begins:"), refusalList(ahead)) : "",
    gate.length && !keepsOffice
      ? el("div", { class: "said is-warning" }, el("p", {}, ELSEWHERE), refusalList(gate))
      : "",
  );
}

/**
 * A breach with the form's own name of what it is about.
 *
 * @param {string} why
 */
function inWords(why) {
  const [key] = why.split(": ", 1);
  return isGuided && names.has(key) ? `${names.get(key)}${why.slice(key.length)}` : why;
}

/** @param {Server.PaperSheet | null} made */
function showSheet(made) {
  sheet.replaceChildren(
    ...(made
      ? made.parts.flatMap((part) => [
          el("h4", {}, part.name.charAt(0).toUpperCase() + part.name.slice(1)),
          el("ul", {}, ...part.lines.map((line) => el("li", {}, line))),
        ])
      : [el("p", { class: "muted" }, "The sheet is made from the plan.")]),
  );
}

byId("examples-of").append(
  ...embedded("examples").map((/** @type {{ rules: string, text: string }} */ item) =>
    buttonFor(regulationName(item.rules), () => start(item)),
  ),
);
byId("way-guided").addEventListener("click", () => choose(true));
byId("way-file").addEventListener("click", () => choose(false));
text.addEventListener("input", later);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (keep.disabled) return;
  keep.disabled = true;
  try {
    const answer = await post("/api/tournaments/commands", {
      id: freshId(),
      command: { command: "plan-tournament", plan },
    });
    location.assign(`/tournaments/${answer.tournament}/desk`);
  } catch (refused) {
    showFaults(refusalsIn(refused));
  }
});
show();
