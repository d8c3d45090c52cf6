// Notices for the player: corrections, findings of disputes, wagers that went back. Each stays until it is marked as
// seen, also when the page is loaded again.
import { metaContent } from "../dom.js";
import { get } from "../http.js";
import { money } from "../money.js";
import { momentText } from "../wording.js";
import { html } from "./svg.js";

/** @type {{ [kind: string]: string }} */
const TITLES = {
  correction: "A roll was corrected",
  finding: "A dispute was decided",
  returned: "A wager was returned",
};
const [AGAIN_MS, AGAIN_MS_MAX] = [400, 30_000];
const NEVER = new Set([401, 403, 404]); // asking again would be answered the same
const SEEN_MAX = 200;

export class Notices {
  /** @param {{ host: HTMLElement, table: string }} options */
  constructor({ host, table }) {
    this.host = host;
    this.account = metaContent("account");
    this.path = `/api/tables/${encodeURIComponent(table)}/notices`;
    this.kept = `passline seen ${table} ${this.account}`;
    this.wanted = 0;
    this.isAsking = false;
  }

  /**
   * Ask for the notices up to an entry, less and less often, until the server has read that far or has refused to
   * answer.
   *
   * @param {number} sequence
   */
  async ask(sequence) {
    this.wanted = Math.max(this.wanted, sequence);
    if (!this.account || this.isAsking) return;
    this.isAsking = true;
    try {
      for (let wait = AGAIN_MS; ; wait = Math.min(2 * wait, AGAIN_MS_MAX)) {
        const answer = await get(this.path).catch((error) => error);
        if (answer.notices) this.#show(answer.notices);
        if (answer.as_of >= this.wanted || NEVER.has(answer.status)) return;
        await new Promise((resolve) => {
          setTimeout(resolve, wait);
        }); // the server is behind, or the connection is lost just now
      }
    } finally {
      this.isAsking = false;
    }
  }

  /** @returns {string[]} */
  #seen() {
    try {
      return JSON.parse(localStorage.getItem(this.kept) ?? "[]");
    } catch {
      return [];
    }
  }

  /** @param {Server.PlayerNotice[]} notices */
  #show(notices) {
    const seen = new Set(this.#seen());
    const unseen = notices.filter((notice) => !seen.has(keyOf(notice)));
    const shown = new Set([...this.host.children].map((node) => node.getAttribute("data-key")));
    const keys = new Set(unseen.map(keyOf));
    for (const node of [...this.host.children]) if (!keys.has(node.getAttribute("data-key") ?? "")) node.remove();
    this.host.append(...unseen.filter((notice) => !shown.has(keyOf(notice))).map((notice) => this.#node(notice)));
  }

  /**
   * @param {Server.PlayerNotice} notice
   * @returns {HTMLElement}
   */
  #node(notice) {
    const { kind, at, says, lines, cents, clause } = notice;
    const moved = cents
      ? html(
          "p",
          { class: `moved ${cents > 0 ? "up" : "down"}` },
          cents > 0 ? `${money(cents)} back into your rack` : `${money(-cents)} out of your rack`,
        )
      : "";
    return html(
      "section",
      { class: `notice-card ${kind}`, "data-key": keyOf(notice) },
      html("h2", {}, TITLES[kind] ?? "Notice", html("time", { datetime: at }, momentText(at))),
      html("p", {}, says, clause ? html("span", { class: "clause" }, ` [${clause}]`) : ""),
      ...(lines.length ? [html("ul", {}, ...lines.map((line) => html("li", {}, line)))] : []),
      moved,
      html("button", { type: "button", onclick: () => this.#dismiss(notice) }, "Seen"),
    );
  }

  /** @param {Server.PlayerNotice} notice */
  #dismiss(notice) {
    const seen = [...this.#seen(), keyOf(notice)].slice(-SEEN_MAX);
    try {
      localStorage.setItem(this.kept, JSON.stringify(seen));
    } catch {
      /* without storage it comes back when the page is loaded again */
    }
    [...this.host.children].find((node) => node.getAttribute("data-key") === keyOf(notice))?.remove();
  }
}

/**
 * @param {Server.PlayerNotice} notice
 * @returns {string}
 */
function keyOf({ sequence, kind, says }) {
  return `${sequence} ${kind} ${says}`;
}
