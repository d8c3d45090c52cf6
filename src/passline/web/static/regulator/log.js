// The log as it grows, newest first: each entry with who did it, in which role, and who signed it off.

import { el, timeOf, words } from "../elements.js";
import { get } from "../http.js";
import { worded } from "../wording.js";

const PAGE = 100;
const EVERY_MS = 2000;

export class LogTail {
  #entries = []; // newest first
  #newest = 0;
  #isFollowing = true;
  #names = {};

  constructor(onhead) {
    this.onhead = onhead;
    this.list = document.getElementById("entries");
    this.filters = document.getElementById("filters");
    this.count = document.getElementById("log-count");
    this.follow = document.getElementById("follow");
    this.follow.addEventListener("click", () => this.#following(!this.#isFollowing));
    this.filters.addEventListener("submit", (event) => { event.preventDefault(); this.#restart(); });
    for (const id of ["stream", "hand", "text"]) document.getElementById(id).addEventListener("input", () => this.#show());
    document.getElementById("older").addEventListener("click", () => this.#older());
  }

  set names(names) {
    this.#names = names;
    this.#show();
  }

  async start() {
    await this.#restart();
    setInterval(() => { if (!document.hidden) this.#tick().catch(() => {}); }, EVERY_MS);
  }

  async #restart() {
    const from = Number.parseInt(document.getElementById("from").value, 10);
    const head = await get("/api/log/head");
    this.onhead(head);
    const after = Number.isNaN(from) ? Math.max(0, (head.sequence ?? 0) - PAGE) : from;
    this.#following(Number.isNaN(from));
    this.#entries = [];
    this.#newest = after;
    await this.#take(after);
  }

  #following(isFollowing) {
    this.#isFollowing = isFollowing;
    this.follow.setAttribute("aria-pressed", String(isFollowing));
  }

  async #tick() {
    const head = await get("/api/log/head");
    this.onhead(head);
    if (this.#isFollowing && head.sequence > this.#newest) await this.#take(this.#newest);
  }

  async #take(after) {
    const { entries } = await get(`/api/log?after=${after}&limit=${PAGE}`);
    for (const entry of entries) if (entry.sequence > this.#newest) this.#entries.unshift(entry);
    this.#newest = Math.max(this.#newest, ...entries.map((entry) => entry.sequence));
    this.#show();
  }

  async #older() {
    const oldest = this.#entries.at(-1)?.sequence ?? this.#newest + 1;
    const after = Math.max(0, oldest - 1 - PAGE);
    const { entries } = await get(`/api/log?after=${after}&limit=${PAGE}`);
    this.#entries.push(...entries.filter((entry) => entry.sequence < oldest).reverse());
    this.#show();
  }

  #show() {
    const [stream, hand, text] = ["stream", "hand", "text"].map((id) => document.getElementById(id).value.trim());
    this.#showStreams();
    const shown = this.#entries.filter((entry) => (!stream || entry.stream === stream) && (!hand || String(entry.hand) === hand)
      && (!text || JSON.stringify(entry).toLowerCase().includes(text.toLowerCase())));
    this.count.textContent = `${shown.length} shown of ${this.#entries.length} read`;
    this.list.replaceChildren(...(shown.length ? shown.map((entry) => this.#item(entry)) : [el("li", { class: "muted" }, "No entry matches.")]));
  }

  #showStreams() {
    const select = document.getElementById("stream");
    const known = new Set([...select.options].map((option) => option.value));
    for (const { stream } of this.#entries) {
      if (known.has(stream)) continue;
      known.add(stream);
      select.append(el("option", { value: stream }, stream));
    }
  }

  #item(entry) {
    const name = (account) => this.#names[account] ?? account;
    const signed = entry.signed_by ? el("span", { class: "tag warn" }, `signed by ${name(entry.signed_by)}`) : null;
    return el("li", { id: `entry-${entry.sequence}` }, el("span", { class: "sequence" }, String(entry.sequence)), timeOf(entry.at),
      el("span", {}, entry.stream, entry.hand ? el("span", { class: "hint" }, ` hand ${entry.hand}`) : null),
      el("span", { class: "who-did" }, `${name(entry.actor)} `, el("span", { class: "hint" }, entry.role), signed ? " " : null, signed),
      el("ul", { class: "lines" }, ...linesOf(entry).map((line) => el("li", {}, line))), whole(entry));
  }
}

function linesOf(entry) {
  if (entry.lines?.length) return entry.lines.map(worded);
  return (entry.events ?? []).map((event) => words(String(event.event).split("/")[0]));
}

/** The entry as it is stored in the log, rendered when opened. */
function whole(entry) {
  const pre = el("pre", { tabindex: 0 });
  return el("details", { ontoggle: () => { pre.textContent ||= JSON.stringify(entry, null, 1); } }, el("summary", { class: "small" }, `Entry ${entry.sequence} as written`), pre);
}
