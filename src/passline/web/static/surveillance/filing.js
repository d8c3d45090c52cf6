// What surveillance reports at a table: an irregularity, a breach of conduct, or dice that may not be thrown again.

import { el, freshId } from "../elements.js";
import { post } from "../http.js";
import { trying } from "../office/parts.js";

const node = (id) => document.getElementById(id);
const options = (list) => list.map(([value, text]) => el("option", { value }, text));

/** The reports that a table takes: `[[value, words, clause]]`. */
function reportsOf({ irregularities, conduct, condemn }) {
  return [
    ...(irregularities ? [["irregularity", "An irregularity", irregularities.notify.clause]] : []),
    ...conduct.map((one) => [`conduct:${one.key}`, one.name, one.clause]),
    ...(condemn ? [["condemn", "Dice that may not be thrown again", ""]] : []),
  ];
}

/** Start the form; `filings` says by table what may be filed, `tables` lists them as they are now. */
export function startFiling(filings, tables, done) {
  const known = Object.entries(filings).filter(([, one]) => reportsOf(one).length);
  node("at-table").hidden = !known.length;
  node("at-none").hidden = known.length > 0;
  node("at-which").replaceChildren(...options(known.map(([id, one]) => [id, one.name])));
  const picked = () => filings[node("at-which").value];
  const breach = () => picked()?.conduct.find((one) => `conduct:${one.key}` === node("at-what").value) ?? null;
  const isCondemned = () => node("at-what").value === "condemn";

  const showWhat = () => {
    const reports = picked() ? reportsOf(picked()) : [];
    node("at-what").replaceChildren(...options(reports));
    showFields();
  };
  const showFields = () => {
    const report = picked() ? reportsOf(picked()).find(([value]) => value === node("at-what").value) : null;
    const reason = isCondemned()
      ? (picked().condemn.find((one) => one.key === node("at-reason").value) ?? picked().condemn[0])
      : null;
    node("at-clause").textContent = reason?.clause ?? report?.[2] ?? "";
    for (const row of document.querySelectorAll("#at-table [data-for]"))
      row.hidden = row.dataset.for === "conduct" ? !breach() : !isCondemned();
    node("at-role").closest(".row").hidden = !breach()?.by.length;
    node("at-role").replaceChildren(...options((breach()?.by ?? []).map((role) => [role, role])));
    const seats = tables().find((one) => one.id === node("at-which").value)?.seats ?? [];
    node("at-seat").replaceChildren(...options(seats.map(({ seat, name }) => [seat, `${seat} ${name}`])));
    if (isCondemned() && !node("at-reason").options.length)
      node("at-reason").replaceChildren(...options(picked().condemn.map((one) => [one.key, one.name])));
  };
  const commandOf = () => {
    const text = node("at-text").value;
    if (breach())
      return {
        command: "report-conduct",
        breach: breach().key,
        seat: Number(node("at-seat").value || 0),
        role: node("at-role").value,
        text,
      };
    return isCondemned()
      ? { command: "condemn-dice", reason: node("at-reason").value, text }
      : { command: "report-irregularity", text };
  };
  node("at-which").addEventListener("change", () => {
    node("at-reason").replaceChildren();
    showWhat();
  });
  for (const id of ["at-what", "at-reason"]) node(id).addEventListener("change", showFields);
  node("at-seat").addEventListener("focus", showFields, { once: true });
  node("at-table").addEventListener("submit", (event) => {
    event.preventDefault();
    trying(node("file"), async () => {
      const answer = await post(`/api/tables/${encodeURIComponent(node("at-which").value)}/commands`, {
        id: freshId(),
        role: "surveillance",
        command: commandOf(),
      });
      node("at-said").hidden = false;
      node("at-said").textContent = `Reported: entry ${answer.sequence} of the log.`;
      node("at-text").value = "";
      await done();
    });
  });
  showWhat();
}
