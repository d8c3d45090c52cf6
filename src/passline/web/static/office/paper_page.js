// A paper of the office as a page: its parts, each with the clause that asks for it, and who has signed or is to sign.

import { clauseTags } from "../clauses.js";
import { byId } from "../dom.js";
import { el, hintText, setChildren, words } from "../elements.js";
import { get } from "../http.js";
import { inThousands } from "../money.js";
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
    .map((item) => item.replace(/^./, (first) => first.toUpperCase()));
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
    hintText(facts.join(". ")),
    sheet.missing.length
      ? el(
          "div",
          { class: "refused" },
          el("b", {}, "It cannot be printed yet:"),
          el(
            "ul",
            {},
            ...sheet.missing.map((part) => el("li", {}, `${part.name} is missing `, ...clauseTags(part.clause))),
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

/** @param {Server.SheetPart} each */
function part(each) {
  return el(
    "section",
    {},
    el("h3", {}, words(each.name), " ", ...clauseTags(each.clause === "practice" ? "" : each.clause)),
    el(
      "ul",
      { class: "paper-lines" },
      ...each.lines.map((line, place) =>
        el(
          "li",
          {},
          inThousands(line)
            .replace(/^\[x\] /, "☑ ")
            .replace(/^\[ \] /, "☐ "),
          " ",
          ...clauseTags(each.clauses?.[place] === "practice" ? "" : (each.clauses?.[place] ?? "")),
        ),
      ),
    ),
  );
}

/** @param {Server.PaperSignature} each */
function signature(each) {
  return el(
    "div",
    { class: "signature" },
    el(
      "span",
      { class: "line" },
      each.name
        ? [each.name, each.role?.replaceAll("_", " "), each.licence && `licence ${each.licence}`]
            .filter(Boolean)
            .join(", ")
        : " ",
    ),
    el("span", {}, each.wants),
    el("span", {}, each.at || "Date:"),
  );
}

trying(host, load);
