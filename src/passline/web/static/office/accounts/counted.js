// How a win was counted: opener, closer, fills, credits and drop of each shift of a table, and the acts behind each.

import { el, words } from "../../elements.js";
import { book, here, historyLink, loadBook, named } from "../book.js";
import { trying } from "../parts.js";
import { amount, ask, asked, behindText, figure, host, ledger, linkTo, note, percent, spanText, title } from "./shared.js";

const PARTS = [["closer", "Closer", 1], ["credits", "Credits", 1], ["drop", "Drop", 1], ["opener", "Opener", -1], ["fills", "Fills", -1]];

async function load() {
  const { day = "", table = "", shift = "", crew = "" } = asked;
  const [found] = await Promise.all([ask("results", { day, table, shift, crew, by: "shift" }), loadBook()]);
  const about = [table, shift && `${shift} shift`, crew && `crew ${crew}`].filter(Boolean).join(", ");
  title(`How the win was counted${about ? `: ${about}` : ""}`);
  host.replaceChildren(...[
    el("p", { class: "back" }, el("a", { class: "which", href: linkTo("", { day: found.day }) }, `Accounts of ${spanText(found.day)}`)),
    el("div", { class: "columns" }, ...found.shifts.map(panel)), found.shifts.length ? null : el("section", { class: "panel" }, el("p", {}, "Nothing was counted.")), behindText(found.as_of)].filter(Boolean));
}

function panel(one) {
  const rows = PARTS.flatMap(([key, name, sign]) => {
    const acts = one.acts.filter((act) => act.column === key);
    const sum = { kind: "sum", cells: [el("th", { scope: "row" }, name), el("td", {}, sign < 0 ? "taken off" : "added"), figure(acts.length || one[key] ? amount(one[key]) : one.missing.length && key !== "fills" && key !== "credits" ? "–" : amount(0))] };
    return [sum, ...acts.map((act) => ({ cells: [el("td", {}), el("td", {}, el("a", { class: "which", href: `${link(act.about)}#act-${act.act}` }, `Act ${act.act}, ${aboutWords(act.about)}`), act.is_correction ? el("span", { class: "tag warn" }, "correction") : null), figure(amount(act.cents))] }))];
  });
  const name = `${one.table}, ${one.shift} shift`;
  return el("section", { class: "panel" }, el("div", { class: "heading" }, el("h2", {}, one.table, " ", el("span", { class: "hint" }, `${words(one.shift)} shift, ${spanText(one.day)}`)),
    here.reads_accounts ? el("a", { class: "button small", href: linkTo("hands", { day: one.day, table: one.table, shift: one.shift }) }, "Its hands") : null),
  ledger(name, ["What", "Act", "Amount $"], [...rows,
    { kind: "sum all", cells: [el("th", { scope: "row" }, "Win"), el("td", {}, one.hold === null ? "" : `hold ${percent(one.hold)} of the drop`), figure(amount(one.win))] },
    { cells: [el("th", { scope: "row" }, "Ledger win"), el("td", {}, one.ledger_win === null ? "not known: the ledger does not cover the play, or a count is missing" : "the same by the table's ledger of keyed wagers"), figure(amount(one.ledger_win))] },
    { cells: [el("th", { scope: "row" }, "Difference"), el("td", {}, one.difference ? el("a", { class: "which", href: historyLink("table", one.table) }, "see the incidents of the table") : "counted less ledger"), off(figure(amount(one.difference)), one.difference)] },
    ...(one.missing.length ? [note(3, el("span", { class: "tag warn" }, `Not known yet: ${one.missing.map(named).join(", ")}`))] : []),
    ...one.corrections.map((said) => note(3, el("span", { class: "tag warn" }, `Corrected: ${said}`)))], { words: 2 }));
}

const off = (cell, isOff) => { cell.classList.toggle("is-off", Boolean(isOff)); return cell; };
const split = (about) => { const [kind, ...rest] = about.split("/"); return [kind, rest.join("/")]; };
const link = (about) => historyLink(...split(about));
const aboutWords = (about) => { const [kind, id] = split(about); return `${book.things[kind]?.name ?? words(kind).toLowerCase()} ${id}`; };

trying(host, load);
