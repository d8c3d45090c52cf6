// What surveillance reports at a table: an irregularity, a breach of conduct, or dice that may not be thrown again.

import { byId, elementsOf, fieldById } from "../dom.js";
import { el, freshId } from "../elements.js";
import { post } from "../http.js";
import { trying } from "../office/parts.js";

/** @typedef {[value: string | number, text: string, clause?: string]} Option */

/** @param {Option[]} list */
const options = (list) => list.map(([value, text]) => el("option", { value }, text));

/**
 * The reports that a table takes: `[[value, words, clause]]`.
 *
 * @param {Server.Filing} filing
 * @returns {Option[]}
 */
function reportsOf({ irregularities, conduct, condemn }) {
  /** @type {Option[]} */
  const reports = conduct.map((breach) => [`conduct:${breach.key}`, breach.name, breach.clause]);
  if (irregularities) reports.unshift(["irregularity", "An irregularity", irregularities.notify.clause]);
  if (condemn) reports.push(["condemn", "Dice that may not be thrown again", ""]);
  return reports;
}

/**
 * Start the form; `filings` says by table what may be filed, `tables` lists them as they are now.
 *
 * @param {{ [table: string]: Server.Filing }} filings
 * @param {() => Server.ListedTable[]} tables
 * @param {() => unknown} done
 */
export function startFiling(filings, tables, done) {
  const known = Object.entries(filings).filter(([, filing]) => reportsOf(filing).length);
  byId("at-table").hidden = !known.length;
  byId("at-none").hidden = known.length > 0;
  byId("at-which").replaceChildren(...options(known.map(([id, filing]) => [id, filing.name])));
  const picked = () => filings[fieldById("at-which").value];
  const breach = () =>
    picked()?.conduct.find((breach) => `conduct:${breach.key}` === fieldById("at-what").value) ?? null;
  const reasons = () => picked()?.condemn ?? [];
  const isCondemned = () => fieldById("at-what").value === "condemn";

  const showWhat = () => {
    const reports = picked() ? reportsOf(picked()) : [];
    byId("at-what").replaceChildren(...options(reports));
    showFields();
  };
  const showFields = () => {
    const report = picked() ? reportsOf(picked()).find(([value]) => value === fieldById("at-what").value) : null;
    const reason = isCondemned()
      ? (reasons().find((reason) => reason.key === fieldById("at-reason").value) ?? reasons()[0])
      : null;
    byId("at-clause").textContent = reason?.clause ?? report?.[2] ?? "";
    for (const row of elementsOf("#at-table [data-for]"))
      row.hidden = row.dataset.for === "conduct" ? !breach() : !isCondemned();
    byId("at-role").closest(".row")?.toggleAttribute("hidden", !breach()?.by.length);
    byId("at-role").replaceChildren(...options((breach()?.by ?? []).map((role) => [role, role])));
    const seats = tables().find((table) => table.id === fieldById("at-which").value)?.seats ?? [];
    byId("at-seat").replaceChildren(...options(seats.map(({ seat, name }) => [seat, `${seat} ${name}`])));
    if (isCondemned() && !byId("at-reason", HTMLSelectElement).options.length)
      byId("at-reason").replaceChildren(...options(reasons().map((reason) => [reason.key, reason.name])));
  };
  const commandOf = () => {
    const text = fieldById("at-text").value;
    const reported = breach();
    if (reported)
      return {
        command: "report-conduct",
        breach: reported.key,
        seat: Number(fieldById("at-seat").value || 0),
        role: fieldById("at-role").value,
        text,
      };
    return isCondemned()
      ? { command: "condemn-dice", reason: fieldById("at-reason").value, text }
      : { command: "report-irregularity", text };
  };
  byId("at-which").addEventListener("change", () => {
    byId("at-reason").replaceChildren();
    showWhat();
  });
  for (const id of ["at-what", "at-reason"]) byId(id).addEventListener("change", showFields);
  byId("at-seat").addEventListener("focus", showFields, { once: true });
  byId("at-table").addEventListener("submit", (event) => {
    event.preventDefault();
    trying(byId("file"), async () => {
      const answer = await post(`/api/tables/${encodeURIComponent(fieldById("at-which").value)}/commands`, {
        id: freshId(),
        role: "surveillance",
        command: commandOf(),
      });
      byId("at-said").hidden = false;
      byId("at-said").textContent = `Reported: entry ${answer.sequence} of the log.`;
      fieldById("at-text").value = "";
      await done();
    });
  });
  showWhat();
}
