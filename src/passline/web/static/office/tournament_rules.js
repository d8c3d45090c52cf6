// What a form of the office takes over from the plan of a tournament: its id, its first day, and the printed rules.

import { buttonFor, el } from "../elements.js";
import { get, refusalsIn } from "../http.js";

/** @typedef {{ id: string, name: string, first_day: string }} Planned */

/**
 * The tournaments that are planned and that the office does not know yet.
 *
 * @param {string[]} known
 * @returns {Promise<Planned[]>}
 */
export async function plannedTournaments(known) {
  /** @type {{ tournaments: Planned[] }} */
  const { tournaments } = await get("/api/tournaments").catch(() => ({ tournaments: [] }));
  return tournaments.filter((planned) => !known.includes(planned.id));
}

/**
 * Fill in what the plan of a tournament says: the day on which it begins, and a button that attaches the rule sheet.
 *
 * @param {HTMLElement} form
 * @param {string} id
 */
export async function takeOverPlan(form, id) {
  /** @type {{ tournaments: Planned[] }} */
  const { tournaments } = await get("/api/tournaments").catch(() => ({ tournaments: [] }));
  const planned = tournaments.find((each) => each.id === id);
  if (!planned) return;
  /** @type {HTMLInputElement | null} */
  const day = form.querySelector('input[type="date"]');
  if (day && !day.value) day.value = planned.first_day;
  /** @type {HTMLInputElement | null} */
  const file = form.querySelector('.field input[type="file"]');
  if (file) file.before(attachButton(planned, file));
}

/**
 * @param {Planned} planned
 * @param {HTMLInputElement} file
 */
function attachButton(planned, file) {
  const said = el("span", { class: "hint", role: "status" });
  const button = buttonFor(`Attach the printed rules of ${planned.name}`, async () => {
    button.disabled = true;
    try {
      const answer = await fetch(`/api/tournaments/${encodeURIComponent(planned.id)}/papers/rules?form=pdf`);
      if (!answer.ok)
        throw new Error("The rule sheet cannot be printed: look at it on the page Money of the tournament");
      const chosen = new DataTransfer();
      chosen.items.add(new File([await answer.blob()], `${planned.id}-rules.pdf`, { type: "application/pdf" }));
      file.files = chosen.files;
      file.dispatchEvent(new Event("change"));
      said.textContent = "";
    } catch (refused) {
      said.textContent = refusalsIn(refused)[0].why;
    } finally {
      button.disabled = false;
    }
  });
  return el("div", { class: "buttons" }, button, said);
}
