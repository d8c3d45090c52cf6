// The log, newest first: followed as it grows, or searched on the server from its newest entry to its first.

import { byId, fieldById } from "../dom.js";
import { el, timeOf, words } from "../elements.js";
import { get } from "../http.js";
import { inWords } from "../wording.js";

const PAGE = 100;
const EVERY_MS = 2000;
const TYPING_MS = 300;

export class LogTail {
  /** @type {Server.LogEntry[]} */
  #entries = []; // newest first
  #newest = 0; // everything up to this entry was asked for
  #next = 0; // entries before this one were not searched yet; 0: all were
  #behind = 0;
  #isFollowing = true;
  #run = 0; // counts the searches: an answer to an earlier one is dropped
  #typing = 0;

  /**
   * @param {(head: Server.NewestHead) => void} onhead
   * @param {(act: () => unknown) => unknown} trying
   */
  constructor(onhead, trying) {
    this.onhead = onhead;
    this.trying = trying;
    this.list = byId("entries");
    this.count = byId("log-count");
    this.follow = byId("follow");
    this.older = byId("older");
    this.follow.addEventListener("click", () => this.#setFollowing(!this.#isFollowing));
    byId("filters").addEventListener("submit", (event) => {
      event.preventDefault();
      this.trying(() => this.#restart());
    });
    for (const id of ["stream", "hand", "text", "from"])
      fieldById(id).addEventListener("input", () => {
        clearTimeout(this.#typing);
        this.#typing = setTimeout(() => this.trying(() => this.#restart()), TYPING_MS);
      });
    this.older.addEventListener("click", () => this.trying(() => this.#older()));
  }

  async start() {
    await this.#restart();
    setInterval(() => {
      if (!document.hidden) this.#tick().catch(() => {});
    }, EVERY_MS);
  }

  /** What is asked for, as the query of a request; empty without a filter. */
  #query() {
    const given = ["stream", "hand", "text"].map((id) => [id, fieldById(id).value.trim()]);
    return new URLSearchParams(given.filter(([, value]) => value));
  }

  async #restart() {
    const run = ++this.#run;
    const from = Number.parseInt(fieldById("from").value, 10) || 0;
    const [head, { streams }] = await Promise.all([get("/api/log/head"), get("/api/log/streams")]);
    if (run !== this.#run) return;
    this.onhead(head);
    this.#showStreams(Object.keys(streams));
    this.#setFollowing(!from);
    this.#entries = [];
    this.#newest = Math.max(from, head.sequence);
    await this.#ask(run, { after: from, before: this.#newest + 1 }, true);
  }

  /** @param {boolean} isFollowing */
  #setFollowing(isFollowing) {
    this.#isFollowing = isFollowing;
    this.follow.setAttribute("aria-pressed", String(isFollowing));
  }

  async #tick() {
    const head = await get("/api/log/head");
    this.onhead(head);
    if (!this.#isFollowing || head.sequence <= this.#newest) return;
    const after = this.#newest;
    this.#newest = head.sequence;
    await this.#ask(this.#run, { after, before: head.sequence + 1 }, false);
  }

  async #older() {
    const from = Number.parseInt(fieldById("from").value, 10) || 0;
    if (this.#next) await this.#ask(this.#run, { after: from, before: this.#next }, true);
  }

  /**
   * Ask for the newest entries between two; `isOlder` says whether they go below those on the page, or above.
   *
   * @param {number} run
   * @param {{ after: number, before: number }} span
   * @param {boolean} isOlder
   */
  async #ask(run, span, isOlder) {
    const asked = this.#query();
    const isSearch = asked.size > 0;
    for (const [name, value] of Object.entries({ ...span, limit: PAGE })) asked.set(name, String(value));
    /** @type {Server.LogPage} */
    const answer = await get(`/api/log?${asked}`);
    if (run !== this.#run) return;
    this.#behind = answer.behind;
    if (isSearch) this.#newest = Math.min(this.#newest, answer.as_of); // the next tick searches what was not read yet
    if (isOlder) {
      this.#entries.push(...answer.entries);
      this.#next = answer.next;
    } else
      this.#entries.unshift(...answer.entries.filter((entry) => entry.sequence > (this.#entries[0]?.sequence ?? 0)));
    this.#show();
  }

  #show() {
    /** @param {number} value */
    const number = (value) => value.toLocaleString("en-US");
    const shown = `${number(this.#entries.length)} shown`;
    const reach = this.#next ? `, searched back to entry ${number(this.#next)}` : ", the whole log searched";
    const behind = this.#behind ? `; ${number(this.#behind)} newer entries are still being read` : "";
    this.count.textContent = shown + reach + behind;
    this.older.hidden = !this.#next;
    this.list.replaceChildren(
      ...(this.#entries.length
        ? this.#entries.map((entry) => item(entry))
        : [el("li", { class: "muted" }, this.#next ? "No entry matches so far." : "No entry matches.")]),
    );
  }

  /** @param {string[]} streams */
  #showStreams(streams) {
    const select = byId("stream", HTMLSelectElement);
    const known = new Set([...select.options].map((option) => option.value));
    select.append(
      ...streams
        .filter((stream) => !known.has(stream))
        .sort()
        .map((stream) => el("option", { value: stream }, stream)),
    );
  }
}

/** @param {Server.LogEntry} entry */
function item(entry) {
  const signed = entry.signed_by ? el("span", { class: "tag warn" }, `signed by ${entry.signer}`) : null;
  return el(
    "li",
    { id: `entry-${entry.sequence}` },
    el("span", { class: "sequence" }, String(entry.sequence)),
    timeOf(entry.at),
    el("span", {}, entry.stream, entry.hand ? el("span", { class: "hint" }, ` hand ${entry.hand}`) : null),
    el(
      "span",
      { class: "who-did" },
      `${entry.name} `,
      el("span", { class: "hint" }, entry.role),
      signed ? " " : null,
      signed,
    ),
    el("ul", { class: "lines" }, ...linesOf(entry).map((line) => el("li", {}, line))),
    whole(entry),
  );
}

/** @param {Server.LogEntry} entry */
function linesOf(entry) {
  if (entry.lines?.length) return entry.lines.map(inWords);
  return (entry.events ?? []).map((event) => words(String(event.event).split("/")[0]));
}

/**
 * The entry as it is stored in the log, rendered when opened.
 *
 * @param {Server.LogEntry} entry
 */
function whole(entry) {
  const pre = el("pre", { tabindex: 0 });
  return el(
    "details",
    {
      ontoggle: () => {
        pre.textContent ||= JSON.stringify(entry, null, 1);
      },
    },
    el("summary", { class: "small" }, `Entry ${entry.sequence} as written`),
    pre,
  );
}
