// What a page shows of the proof of each roll: a small mark, a panel with all that is needed to check it, and an alarm
// that stays if a roll does not hold. The page appends `mark`, `panel` and `alarm` where it wants them.
import { buttonFor, copyButton, el } from "../elements.js";

const HOW =
  "HMAC-SHA-256 under the key, of “passline dice/1”, a zero byte, the hash and the nonce. The house's log has " +
  "every roll: passline verify throws all of them again.";

export class ProofShown {
  /**
   * `advise` returns what whoever uses the page can do about a roll that does not hold: texts and buttons.
   *
   * @param {{ advise: () => (string | HTMLElement)[] }} options
   */
  constructor({ advise }) {
    this.advise = advise;
    this.mark = el("button", { type: "button", class: "proof-mark", hidden: true, onclick: () => this.#open() });
    this.spoken = el("span", { class: "spoken", role: "status" });
    this.body = el("div", { class: "proof-body" });
    this.panel = el(
      "details",
      { class: "panel proof-panel", hidden: true },
      el("summary", {}, "Proof of the dice"),
      this.body,
    );
    this.alarm = el("div", { class: "unproved", role: "alert" });
    /** @type {import("./proof.js").Checked | null} */
    this.checked = null;
    this.next = ""; // the digest that the panel shows
    /** @type {string[]} */
    this.failed = [];
  }

  /**
   * Show the table's next key, and the check of its last roll if there is a new one.
   *
   * @param {Server.TableView} table
   * @param {import("./proof.js").Checked | null} checked
   */
  show(table, checked) {
    if (checked) {
      this.checked = checked;
      if (checked.faults.length) this.#sound(checked);
      this.#showMark(checked);
    }
    this.mark.hidden = !table.proof || table.dice !== "electronic" || !this.checked;
    this.panel.hidden = table.dice !== "electronic" || !table.commitment;
    const { commitment } = table;
    if (commitment && !this.panel.hidden && (checked || commitment.digest !== this.next)) {
      this.next = commitment.digest;
      this.body.replaceChildren(...this.#details(commitment));
    }
  }

  /** @param {import("./proof.js").Checked} checked */
  #showMark(checked) {
    const { faults, notes } = checked;
    const state = faults.length ? "not" : notes.length ? "part" : "all";
    this.mark.dataset.state = state;
    this.mark.title = proofText(checked);
    this.mark.replaceChildren(
      { all: "Roll proved", part: "Proved from the key", not: "Not proved" }[state],
      el("span", { class: "spoken" }, " (details)"),
    );
    this.spoken.textContent = state === "all" ? "Roll proved" : proofText(checked);
  }

  /**
   * @param {Server.DiceCommitted} commitment
   * @returns {HTMLElement[]}
   */
  #details(commitment) {
    const next = row(`Next roll, key ${commitment.number}: digest`, commitment.digest);
    if (!this.checked)
      return [
        el(
          "p",
          {},
          "The digest of the next key is shown before wagers close. When the dice land, the key is revealed and " +
            "this page throws them again.",
        ),
        el("dl", {}, ...next),
      ];
    const { number, roll, faults, proof, digest } = this.checked;
    return [
      el("p", { class: faults.length ? "bad" : "" }, proofText(this.checked)),
      el(
        "dl",
        {},
        ...row("Key number", String(number), false),
        ...(roll ? row("Dice from the proof", roll.join("-"), false) : []),
        ...row("Key, revealed with the roll", proof.key),
        ...row("Its SHA-256, shown before wagers closed", digest || "not seen by this page", Boolean(digest)),
        ...row("Hash of the entry that closed wagers", proof.hash),
        ...row("The shooter's nonce", proof.nonce || "none", Boolean(proof.nonce)),
        ...next,
      ),
      el("p", { class: "muted" }, HOW),
      copyButton(() => JSON.stringify({ ...proof, digest }), "Copy the proof"),
    ];
  }

  /**
   * Say that a roll does not hold. The message stays, also when later rolls do.
   *
   * @param {import("./proof.js").Checked} checked
   */
  #sound(checked) {
    this.failed.push(...checked.faults.map((fault) => `Key ${checked.number}: ${fault}`));
    this.alarm.replaceChildren(
      el("h2", {}, "This roll is not proved"),
      el("ul", {}, ...this.failed.map((fault) => el("li", {}, fault))),
      ...this.advise(),
      buttonFor("Show the proof", () => this.#open()),
    );
    this.alarm.classList.add("shown");
    this.alarm.scrollIntoView({ block: "center" });
  }

  #open() {
    this.panel.open = true;
    this.panel.scrollIntoView({ block: "nearest" });
    this.panel.querySelector("summary")?.focus();
  }
}

/**
 * A check in one sentence.
 *
 * @param {{ faults: string[], notes: string[] }} checked
 * @returns {string}
 */
export function proofText({ faults, notes }) {
  if (faults.length) return `Not proved. ${faults.join(" ")}`;
  if (notes.length) return `The roll follows from its key; ${notes.join("; ")}.`;
  return "Roll proved: the key was fixed before wagers closed, and the dice follow from it.";
}

/**
 * @param {string} name
 * @param {string} value
 * @param {boolean} [isCode]
 * @returns {HTMLElement[]}
 */
function row(name, value, isCode = true) {
  return [el("dt", {}, name), el("dd", {}, isCode ? el("code", {}, value) : value)];
}
