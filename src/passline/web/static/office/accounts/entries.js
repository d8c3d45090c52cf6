// The entries behind an account: what happened at a table from one entry of the log to another, in words.

import { buttonFor, el, setChildren } from "../../elements.js";
import { inWords } from "../../wording.js";
import { book, here, loadBook, localText } from "../book.js";
import { trying } from "../parts.js";
import { ask, asked, behindText, host, linkTo, spanText, title } from "./shared.js";

const { table = "", first = "1", last = "1", hand = "", day = "", player = "" } = asked;
/** @type {Server.WordedEntry[]} */
const shown = [];

async function load() {
  await loadBook();
  title(`Entries: ${table}${hand ? `, hand ${hand}` : ""}`);
  await more(last);
}

/**
 * Ask for entries until one; what is there already stays below them.
 *
 * @param {string | number} until
 */
async function more(until) {
  /** @type {Server.AccountEntries} */
  const found = await ask("accounts/entries", { table, first, last: until, player });
  shown.unshift(...found.entries);
  const of = `/tables/${encodeURIComponent(table)}/recall`;
  setChildren(
    host,
    el(
      "p",
      { class: "back" },
      day ? el("a", { class: "which", href: linkTo("", { day }) }, `Accounts of ${spanText(day)}`) : null,
      player ? el("a", { class: "which", href: linkTo("player", { player }) }, "The player") : null,
    ),
    el(
      "section",
      { class: "panel", "aria-labelledby": "entries-title" },
      el(
        "div",
        { class: "heading" },
        el(
          "h2",
          { id: "entries-title" },
          `Entries ${Number(first).toLocaleString("en-US")} to ${Number(last).toLocaleString("en-US")} of the ` +
            `log at ${table}${player ? ", as far as they are about the player" : ""}`,
        ),
        here.reads_log ? el("a", { class: "button small", href: `${of}#${first}` }, "Recall it on the layout") : null,
      ),
      found.earlier
        ? el(
            "p",
            {},
            buttonFor("Earlier entries", () => trying(host, () => more(found.earlier))),
          )
        : null,
      shown.length
        ? el("ol", { class: "log entries-log" }, ...shown.map(item))
        : el("p", { class: "muted" }, "No entry of this table is among them."),
      behindText(found),
    ),
  );
}

/** @param {Server.WordedEntry} entry */
function item(entry) {
  return el(
    "li",
    { id: `entry-${entry.sequence}` },
    here.reads_log
      ? el(
          "a",
          {
            class: "sequence",
            href: `/tables/${encodeURIComponent(table)}/recall#${entry.sequence}`,
            "aria-label": `Entry ${entry.sequence}, on the layout`,
          },
          String(entry.sequence),
        )
      : el("span", { class: "sequence" }, String(entry.sequence)),
    el("time", { datetime: entry.at, title: entry.at }, book.facility ? localText(entry.at) : entry.at),
    el(
      "span",
      { class: "who-did" },
      `${entry.name} `,
      el("span", { class: "hint" }, entry.role),
      entry.signed_by ? el("span", { class: "tag warn" }, `signed by ${entry.signer}`) : null,
    ),
    el("ul", { class: "lines" }, ...entry.lines.map((line) => el("li", {}, inWords(line)))),
  );
}

trying(host, load);
