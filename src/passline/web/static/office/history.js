// The history of one thing: its acts in order, who did and signed them, and the papers that go with it.

import { byId } from "../dom.js";
import { el, setChildren, words } from "../elements.js";
import { book, clause, factList, here, historyLink, historyOf, loadBook, localText, named, thingName } from "./book.js";
import { label } from "./fields.js";
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
        el("span", { class: "tag plain" }, words(thing.state)),
        el("span", { class: "hint grow" }, `since ${localText(thing.since)}`),
      ),
      factList(kind, thing.facts),
      el(
        "div",
        { class: "buttons" },
        ...papers.map((one) =>
          el(
            "a",
            {
              class: "button",
              href: `/api/office/${here.office}/papers/${one.paper}/${encodeURIComponent(id)}.pdf`,
              target: "_blank",
              rel: "noopener",
            },
            `${one.name} (PDF)`,
          ),
        ),
        ...papers.map((one) =>
          el(
            "a",
            { class: "button", href: `/office/${here.office}/papers/${one.paper}/${encodeURIComponent(id)}` },
            `${one.name}: as a page`,
          ),
        ),
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
      ? el(
          "section",
          { class: "panel", "aria-labelledby": "its-incidents" },
          el("h2", { id: "its-incidents" }, "Incidents"),
          el(
            "ul",
            { class: "entries" },
            ...incidents.map((one) =>
              el(
                "li",
                { class: one.state === "open" ? "is-bad" : "" },
                el(
                  "div",
                  { class: "heading" },
                  el("a", { class: "which", href: historyLink("incident", one.id) }, one.id),
                  el(
                    "span",
                    { class: `tag ${one.state === "open" ? "bad" : one.state === "closed" ? "" : "warn"}` },
                    words(one.state),
                  ),
                ),
                el("p", {}, label(named(one.facts.why)), " ", clause(one.facts.clause)),
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
 * One act: when, what, by whom, signed by whom, what it says, and from which paper.
 *
 * @param {Server.PastAct} one
 */
function act(one) {
  const rule = book.acts[one.act],
    isOwn = one.kind === kind && one.things.includes(id);
  const paper = one.paper?.reference ? `From the paper ${one.paper.reference}, received ${one.paper.received}` : "";
  return el(
    "li",
    {
      id: `act-${one.number}`,
      class: one.status === "taken back" ? "is-void" : one.status === "waits" ? "is-waiting" : "",
    },
    el(
      "div",
      { class: "heading" },
      el("strong", {}, one.name),
      el("span", { class: "hint" }, `No. ${one.number}`),
      el("time", { class: "hint grow" }, one.occurred ? `${one.occurred}, recorded ${one.at}` : one.at),
      one.status === "done"
        ? null
        : el("span", { class: `tag ${one.status === "waits" ? "warn" : "bad"}` }, words(one.status)),
      clause(one.clause),
    ),
    el(
      "p",
      {},
      `${one.by}, ${one.role.replaceAll("_", " ")}`,
      ...one.signatures.map((sign) => [
        el("br"),
        `${sign.name}, ${sign.role.replaceAll("_", " ")}: ${sign.part}`,
        el("span", { class: "hint" }, ` ${sign.at}`),
      ]),
      ...one.waits.map((part) => [el("br"), el("span", { class: "hint" }, `Waits for: ${part}`)]),
    ),
    !isOwn && one.things.length
      ? el(
          "p",
          { class: "hint" },
          "Done to ",
          ...one.things.map((other) => [
            el("a", { class: "which", href: historyLink(one.kind, other) }, thingName(one.kind, other)),
            " ",
          ]),
        )
      : null,
    factList(kind, one.fields, rule?.fields),
    ...one.signatures
      .filter((sign) => Object.keys(sign.fields).length && one.status === "taken back")
      .map((sign) =>
        el("div", {}, el("p", { class: "hint" }, `${sign.name} counted:`), factList(kind, sign.fields, rule?.fields)),
      ),
    one.reason ? el("p", { class: "hint" }, label(one.reason)) : null,
    paper ? el("p", { class: "hint" }, paper) : null,
  );
}

trying(host, load);
