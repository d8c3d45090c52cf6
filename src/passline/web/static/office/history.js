// The history of one thing: its acts in order, who did and signed them, and the papers that go with it.

import { byId } from "../dom.js";
import { el, hintText, setChildren, titledPanel, words } from "../elements.js";
import {
  book,
  clause,
  factList,
  here,
  historyLink,
  historyOf,
  loadBook,
  localText,
  spokenWords,
  thingName,
  withNames,
} from "./book.js";
import { label } from "./fields.js";
import { formLink } from "./form_links.js";
import { trying } from "./parts.js";

const host = byId("history");
const [kind, ...rest] = here.about.split("/");
const id = rest.join("/");

async function load() {
  const [found] = await Promise.all([historyOf(kind, id), loadBook()]);
  const { thing, acts, incidents, papers } = found;
  /** @param {string} form */
  const list = (form) => `/api/office/${here.office}/things/${kind}/${encodeURIComponent(id)}?format=${form}`;
  setChildren(
    host,
    el(
      "section",
      { class: "panel", "aria-label": "As it is now" },
      el(
        "div",
        { class: "heading" },
        el("h2", {}, `${label(book.things[kind]?.name ?? words(kind))} ${thingName(kind, id)}`),
        el("span", { class: "tag plain" }, spokenWords(thing.state)),
        el("span", { class: "hint grow" }, `since ${localText(thing.since)}`),
      ),
      factList(kind, thing.facts),
      el(
        "div",
        { class: "buttons" },
        ...papers.map((paper) =>
          el(
            "a",
            {
              class: "button",
              href: `/api/office/${here.office}/papers/${paper.paper}/${encodeURIComponent(id)}.pdf`,
              target: "_blank",
              rel: "noopener",
            },
            `${paper.name} (PDF)`,
          ),
        ),
        ...papers.map((paper) =>
          el(
            "a",
            { class: "button", href: `/office/${here.office}/papers/${paper.paper}/${encodeURIComponent(id)}` },
            `${paper.name}: as a page`,
          ),
        ),
        ...formLinks((form) => form.thing === kind, id),
        kind === "table" && here.gate
          ? el(
              "a",
              { class: "button", href: `/office/${here.office}/opening-list/${encodeURIComponent(id)}` },
              "Opening list",
            )
          : null,
        el("a", { class: "button", href: list("xlsx"), download: "" }, "Its acts as a workbook"),
      ),
    ),
    incidents.length
      ? titledPanel(
          "its-incidents",
          "Incidents",
          el(
            "ul",
            { class: "entries" },
            ...incidents.map((thing) =>
              el(
                "li",
                { class: thing.state === "open" ? "is-bad" : "" },
                el(
                  "div",
                  { class: "heading" },
                  el("a", { class: "which", href: historyLink("incident", thing.id) }, thing.id),
                  el(
                    "span",
                    { class: `tag ${thing.state === "open" ? "bad" : thing.state === "closed" ? "" : "warn"}` },
                    spokenWords(thing.state),
                  ),
                ),
                el("p", {}, label(withNames(thing.facts.why)), " ", clause(thing.facts.clause)),
              ),
            ),
          ),
        )
      : null,
    el(
      "section",
      { class: "panel", "aria-labelledby": "acts-title" },
      el(
        "div",
        { class: "heading" },
        el("h2", { id: "acts-title" }, "What was done"),
        el("span", { class: "hint" }, acts.length === 1 ? "1 act" : `${acts.length} acts`),
      ),
      acts.length ? el("ol", { class: "timeline" }, ...acts.map(act)) : el("p", { class: "muted" }, "Nothing yet."),
    ),
  );
  const wanted = document.getElementById(location.hash.slice(1)); // an act that another page led to
  wanted?.classList.add("is-wanted");
  wanted?.scrollIntoView();
}

/**
 * Links to the forms of a thing or of an act, all copies of each, for any printer of the browser.
 *
 * @param {(form: Server.FormName) => boolean} isMeant
 * @param {string} number
 */
function formLinks(isMeant, number) {
  return Object.entries(book.forms)
    .filter(([, form]) => !form.is_log && isMeant(form))
    .map(([key, form]) => formLink(key, number, "html", `Print: ${form.name.toLowerCase()}`));
}

/**
 * A link to the manual slips that an act had printed, all copies of each.
 *
 * @param {Server.PastAct} each
 */
const slipsLink = (each) =>
  el(
    "a",
    {
      class: "button",
      href: `/api/office/${here.office}/forms/${each.fields.form}/${each.things[0]}..${each.things.at(-1)}.pdf`,
      target: "_blank",
      rel: "noopener",
    },
    `Print: ${each.things.length === 1 ? each.things[0] : `${each.things[0]} to ${each.things.at(-1)}`}`,
  );

/**
 * One act: when, what, by whom, signed by whom, what it says, and from which paper.
 *
 * @param {Server.PastAct} each
 */
function act(each) {
  const rule = book.acts[each.act],
    isOwn = each.kind === kind && each.things.includes(id);
  const paper = each.paper?.reference ? `From the paper ${each.paper.reference}, received ${each.paper.received}` : "";
  return el(
    "li",
    {
      id: `act-${each.number}`,
      class: each.status === "taken back" ? "is-void" : each.status === "waits" ? "is-waiting" : "",
    },
    el(
      "div",
      { class: "heading" },
      el("strong", {}, each.name),
      el("span", { class: "hint" }, `No. ${each.number}`),
      el("time", { class: "hint grow" }, each.occurred ? `${each.occurred}, recorded ${each.at}` : each.at),
      each.is_late ? el("span", { class: "tag warn" }, "told late") : null,
      each.slip ? el("a", { class: "tag", href: historyLink("manual_slip", each.slip) }, `Slip ${each.slip}`) : null,
      each.status === "done"
        ? null
        : el("span", { class: `tag ${each.status === "waits" ? "warn" : "bad"}` }, words(each.status)),
      ...formLinks((form) => !form.thing && form.acts.includes(each.act), String(each.number)),
      ...(rule?.prints ? [slipsLink(each)] : []),
      ...each.corrected_by.map((number) =>
        el("a", { class: "tag warn", href: `#act-${number}` }, `Corrected by No. ${number}`),
      ),
      clause(each.clause),
    ),
    el(
      "p",
      {},
      `${each.by}, ${each.role.replaceAll("_", " ")}`,
      ...each.signatures.map((sign) => [
        el("br"),
        `${sign.name}, ${sign.role.replaceAll("_", " ")}: ${sign.part}`,
        el("span", { class: "hint" }, ` ${sign.at}`),
      ]),
      ...each.waits.map((part) => [el("br"), el("span", { class: "hint" }, `Waits for: ${part}`)]),
    ),
    !isOwn && each.things.length
      ? hintText(
          "Done to ",
          ...each.things.map((other) => [
            el("a", { class: "which", href: historyLink(each.kind, other) }, thingName(each.kind, other)),
            " ",
          ]),
        )
      : null,
    each.corrects
      ? el(
          "div",
          { class: "beside" },
          el(
            "div",
            {},
            el(
              "p",
              { class: "hint" },
              "Before, by ",
              el("a", { href: `#act-${each.corrects}` }, `No. ${each.corrects}`),
            ),
            factList(kind, each.was, rule?.fields),
          ),
          el("div", {}, el("p", { class: "hint" }, "Now"), factList(kind, each.fields, rule?.fields)),
        )
      : factList(kind, each.fields, rule?.fields),
    ...each.signatures
      .filter((sign) => Object.keys(sign.fields).length && each.status === "taken back")
      .map((sign) => el("div", {}, hintText(`${sign.name} counted:`), factList(kind, sign.fields, rule?.fields))),
    each.reason ? hintText(label(each.reason)) : null,
    paper ? hintText(paper) : null,
  );
}

trying(host, load);
