// The form that plans a tournament: the text is checked while it is written, and every breach is listed with its
// clause.

import { byId, firstOf } from "../dom.js";
import { buttonFor, el, embedded, freshId } from "../elements.js";
import { post, refusalList, refusalsIn } from "../http.js";
import { regulationName } from "../wording.js";

const WAIT_MS = 400;
const form = byId("plan"),
  text = byId("text", HTMLTextAreaElement),
  faults = byId("faults");
const keep = firstOf('#plan [type="submit"]', HTMLButtonElement);
/** @type {object | null} */
let plan = null;
let waiting = 0,
  asked = 0;

/** @param {{ rules: string, text: string }} example */
function start(example) {
  text.value = example.text;
  text.focus();
  text.setSelectionRange(0, 0);
  check();
}

async function check() {
  const turn = ++asked;
  keep.disabled = true;
  if (!text.value.trim()) {
    faults.replaceChildren(el("p", { class: "muted" }, "Nothing to check yet."));
    return;
  }
  try {
    const answer = await post("/api/tournaments/check", { text: text.value });
    if (turn !== asked) return;
    plan = answer.plan;
    show(answer.faults);
  } catch (refused) {
    if (turn === asked) show(refusalsIn(refused));
  }
}

/** @param {Server.RefusalView[]} list */
function show(list) {
  keep.disabled = Boolean(list.length) || !plan;
  faults.replaceChildren(
    list.length
      ? el(
          "div",
          { class: "refused" },
          el("p", {}, el("strong", {}, list.length === 1 ? "1 breach" : `${list.length} breaches`)),
          refusalList(list),
        )
      : el("div", { class: "said" }, el("p", {}, "Nothing stands against this plan. Its rule sheet has every part.")),
  );
}

byId("examples-of").append(
  ...embedded("examples").map((/** @type {{ rules: string, text: string }} */ item) =>
    buttonFor(regulationName(item.rules), () => start(item)),
  ),
);
text.addEventListener("input", () => {
  clearTimeout(waiting);
  keep.disabled = true;
  waiting = setTimeout(check, WAIT_MS);
});
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
    show(refusalsIn(refused));
  }
});
