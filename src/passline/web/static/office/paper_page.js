// A paper of the office as a page: its parts, each with the clause that asks for it, and who has signed or is to sign.

import { clauseTags } from "../clauses.js";
import { byId } from "../dom.js";
import { el, setChildren, words } from "../elements.js";
import { get } from "../http.js";
import { here, loadBook, thingName } from "./book.js";
import { trying } from "./parts.js";

const host = byId("paper");
const [paper, ...rest] = here.about.split("/");
const thing = rest.join("/");

async function load() {
  await loadBook();
  const names = (thing ? [paper, thing] : [paper]).map(encodeURIComponent);
  const path = `/api/office/${here.office}/papers/${names.join("/")}`;
  /** @type {Server.PrintedPaper | Server.PaperSheet} */
  const answer = await get(path); // of the whole office it comes without what is printed around it
  const printed = "sheet" in answer ? answer : null,
    sheet = "sheet" in answer ? answer.sheet : answer,
    [kind, ...id] = sheet.thing.split("/");
  document.title = sheet.title;
  const facts = [
    printed?.facility ?? "",
    printed?.regulation ?? "",
    kind ? `${kind.replaceAll("_", " ")} ${thingName(kind, id.join("/"))}` : "",
    printed?.at ? `As of ${printed.at}` : "",
  ]
    .filter(Boolean)
    .map((one) => one.replace(/^./, (first) => first.toUpperCase()));
  setChildren(
    host,
    el(
      "header",
      { class: "heading" },
      el("h2", {}, sheet.title),
      el(
        "div",
        { class: "buttons no-print" },
        sheet.missing.length
          ? null
          : el("a", { class: "button", href: `${path}.pdf`, target: "_blank", rel: "noopener" }, "PDF"),
        el("button", { type: "button", class: "first", "data-print": true }, "Print"),
      ),
    ),
    el("p", { class: "hint" }, facts.join(". ")),
    sheet.missing.length
      ? el(
          "div",
          { class: "refused" },
          el("b", {}, "It cannot be printed yet:"),
          el(
            "ul",
            {},
            ...sheet.missing.map((one) => el("li", {}, `${one.name} is missing `, ...clauseTags(one.clause))),
          ),
        )
      : null,
    ...sheet.parts.map(part),
    printed?.signatures.length
      ? el("section", { class: "signatures" }, el("h3", {}, "Signatures"), ...printed.signatures.map(signature))
      : null,
    sheet.digest ? el("p", { class: "hint digest" }, `SHA-256 ${sheet.digest}`) : null,
  );
}

/** @param {Server.SheetPart} one */
function part(one) {
  return el(
    "section",
    {},
    el("h3", {}, words(one.name), " ", ...clauseTags(one.clause === "practice" ? "" : one.clause)),
    el(
      "ul",
      { class: "paper-lines" },
      ...one.lines.map((line, place) =>
        el(
          "li",
          {},
          line.replace(/^\[x\] /, "☑ ").replace(/^\[ \] /, "☐ "),
          " ",
          ...clauseTags(one.clauses?.[place] === "practice" ? "" : (one.clauses?.[place] ?? "")),
        ),
      ),
    ),
  );
}

/** @param {Server.PaperSignature} one */
function signature(one) {
  return el(
    "div",
    { class: "signature" },
    el(
      "span",
      { class: "line" },
      one.name
        ? [one.name, one.role?.replaceAll("_", " "), one.licence && `licence ${one.licence}`].filter(Boolean).join(", ")
        : " ",
    ),
    el("span", {}, one.wants),
    el("span", {}, one.at || "Date:"),
  );
}

trying(host, load);
