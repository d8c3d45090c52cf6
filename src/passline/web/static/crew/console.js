// The crew console of one table: the panels of a role, its keys, the latest actions and refusals.

import { el, embedded, fill, timeOf, words } from "../elements.js";
import { refusalList } from "../http.js";
import { Live, showConnection } from "../live.js";
import { money } from "../money.js";
import { SHUT } from "../table/play.js";
import { ProofWatch } from "../table/proof.js";
import { ProofShown } from "../table/proof_shown.js";
import { callNow } from "../wording.js";
import { buyInPanel, cagePanel, seatsPanel, wagerPanel } from "./chips.js";
import { conductPanel } from "./conduct.js";
import { correctPanel } from "./correct.js";
import { dicePanel, noRollPanel } from "./dice.js";
import { decidePanel, freezePanel } from "./dispute.js";
import { handPanel } from "./hand.js";
import { Keys } from "./keys.js";
import { limitsPanel } from "./limits.js";
import { Picture } from "./picture.js";
import { seatPanel } from "./seat.js";
import { orderPanel, stepsPanel } from "./steps.js";
import { payoutPanel, waitingPanel } from "./waiting.js";

const ACTS_MAX = 40;
const DICE_ARE = {
  cup: "in the cup", offered: "offered", accepted: "with the shooter, who picks two", held: "with the shooter",
  air: "in the air", rest: "at rest", called: "called", centre: "at the centre",
};

class Console {
  constructor(page) {
    Object.assign(this, { table: page.table, role: page.role, card: page.card, dice: page.dice, may: page.may, signs: page.signs, sees_people: page.sees_people });
    this.keys = new Keys();
    this.live = new Live({ table: page.table, role: page.role });
    this.picture = new Picture(document.getElementById("picture"), page.table);
    this.watch = new ProofWatch(page.table);
    this.proof = new ProofShown({ advise: () => [el("p", {}, "Freeze the table over a dispute, and call a supervisor. Keep this page open: it shows what they need.")] });
    document.getElementById("proof").append(this.proof.mark, this.proof.spoken);
    document.getElementById("proof-panel").replaceWith(this.proof.panel);
    document.getElementById("unproved").append(this.proof.alarm);
    this.acts = [];
    this.mine = new Map(); // by sequence: what was done on this console, also if it is not public
    this.refused = document.getElementById("refused");
    this.panels = this.#panels();
    for (const one of this.panels) document.getElementById(one.home).append(one.element);
    this.keys.base = [...this.panels.flatMap((one) => one.bindings), { keys: "?", says: "show or hide all keys", on: () => this.#toggleHelp() }];
    this.keys.onchange(() => this.#showKeys());
    this.live.addEventListener("change", ({ detail }) => this.#changed(detail));
    showConnection(this.live, document.getElementById("connection"));
    this.live.start();
  }

  /** Whether this role may give a command at this table, by the server's table of duties. */
  can(command) {
    return this.may.includes(command);
  }

  /** The panels of this role: for dice and players, then for chips and records, in two columns of about one height. */
  #panels() {
    const { card, role } = this;
    const keysDice = this.can("key-dice") && (role === "stickperson" || (role === "dealer" && !card.stickperson));
    const players = [this.can("seat-player") && seatPanel(this), this.can("buy-in") && buyInPanel(this)];
    const wager = this.can("make-wager") && wagerPanel(this);
    const hand = this.can("accept-dice") && handPanel(this);
    const play = [
      this.can("decide-dispute") && card.dispute.by.includes(role) && decidePanel(this),
      keysDice && dicePanel(this),
      stepsPanel(this),
      (this.can("confirm-wager") || this.can("place-button")) && waitingPanel(this),
      hand,
      this.can("call-no-roll") && card.no_roll.by.includes(role) && noRollPanel(this),
      ...(keysDice ? [] : players), // without keyed dice there is room here
      !hand && wager,
    ];
    const desk = [
      payoutPanel(this),
      this.can("correct-roll") && correctPanel(this),
      ...(keysDice ? players : []),
      hand && wager,
      this.can("order-dice-passed") && card.order.by.includes(role) && orderPanel(this),
      this.can("freeze-table") && freezePanel(this),
      this.can("fill") && cagePanel(this),
      this.can("notice-limits") && limitsPanel(this),
      this.can("report-conduct") && card.conduct.length > 0 && conductPanel(this),
    ];
    const homes = [[play, "play"], [desk, "desk"], [[seatsPanel(this)], "seats"]];
    return homes.flatMap(([panels, home]) => panels.filter(Boolean).map((one) => ({ ...one, home })));
  }

  /** Give a command. Returns whether it was done; a refusal is shown above the panels with its clauses. */
  async act(says, command, { signOff = null, undo = "" } = {}) {
    if (this.live.table?.closing) {
      this.#sayRefused(says, [{ clause: "", why: `${SHUT}. They land in a moment; then do it again.` }]);
      return false;
    }
    try {
      const done = await this.live.send(command, signOff);
      this.#sayRefused("", []);
      this.mine.set(done.sequence, { lines: done.lines?.length ? done.lines : [says], undo });
      this.#showActs();
      return true;
    } catch (refused) {
      this.refuse(says, refused);
      return false;
    }
  }

  /** Show a refusal above the panels. */
  refuse(says, refused) {
    this.#sayRefused(says, refused.refusals ?? [{ clause: "", why: String(refused) }]);
  }

  #sayRefused(says, refusals) {
    this.refused.hidden = !refusals.length;
    this.refused.replaceChildren(...(refusals.length ? [el("b", {}, `${says}: refused`), refusalList(refusals)] : []));
  }

  #changed({ kind, said }) {
    const { live } = this;
    if (live.table.dice !== this.dice) return void location.reload(); // opened again with other dice, which need other panels
    for (const entry of said) this.acts.unshift(entry);
    this.acts.length = Math.min(this.acts.length, ACTS_MAX);
    this.#showState();
    const checked = this.watch.follow(live);
    for (const one of this.panels) one.update({ table: live.table, own: live.own });
    this.#shut(Boolean(live.table.closing));
    this.proof.show(live.table, checked);
    this.#showActs();
    this.#showKeys();
    this.picture.show(live.table);
    const call = callNow(live.table, { kind, said });
    if (call !== null) document.getElementById("call").textContent = call;
    live.confirm();
  }

  /** While electronic dice are out the server refuses everything: disable the buttons, and leave the fields to be typed in. */
  #shut(isShut) {
    for (const one of this.panels) {
      for (const button of one.element.querySelectorAll(isShut ? "button:not(:disabled)" : "button[data-shut]")) {
        button.disabled = isShut;
        button.toggleAttribute("data-shut", isShut);
      }
    }
    document.getElementById("out").textContent = isShut ? SHUT : "";
  }

  #showState() {
    const { table, own } = this.live;
    const shooter = table.seats.find((one) => one.seat === table.shooter);
    const offered = table.dice_are === "offered" ? ` to seat ${table.offered_to}` : "";
    const facts = [
      ["Puck", table.puck ? `ON ${table.puck}` : "OFF", table.puck ? "on" : ""],
      ["Roll", { come_out: "Come-out", point: "Point", clearing: "Clearing" }[table.phase] ?? words(table.phase), ""],
      ["Shooter", table.shooter ? `Seat ${table.shooter}${shooter ? ` ${shooter.name}` : ""}` : "none", ""],
      ["Dice", `${DICE_ARE[table.dice_are] ?? table.dice_are}${offered}`, table.dice_are === "air" ? "warn" : ""],
      ["Hand, roll", `${table.hand}, ${table.roll}`, ""],
      ["Limits", `${money(table.limits.min)} to ${money(table.limits.max)}`, ""],
      ...(own?.bank === undefined ? [] : own.owes ? [["Bank owes", money(own.owes), "warn"]] : [["Bank", money(own.bank), ""]]),
    ];
    fill(document.getElementById("state"), facts, () => facts.map(([name, value, mark]) => el("div", { class: mark ? `fact is-${mark}` : "fact" }, el("dt", {}, name), el("dd", {}, value))));
    const status = document.getElementById("status");
    status.hidden = table.status === "open" && !table.is_disputed && !table.stopped;
    status.textContent = table.status === "frozen" ? `FROZEN: ${table.frozen?.reason ?? ""}` : table.stopped ? `STOPPED: ${table.stopped}` : table.is_disputed ? "The faces are disputed" : `The table is ${table.status}`;
    fill(document.getElementById("rolls"), table.rolls, () => (table.rolls ?? []).slice(-14).map((roll) => el("li", { title: roll.call }, el("b", {}, String(roll.first + roll.second)), ` ${roll.first}-${roll.second}`)));
  }

  /** Show the latest actions, newest first; beside one's own newest, how to undo it. */
  #showActs() {
    const newest = Math.max(0, ...this.mine.keys());
    fill(document.getElementById("acts"), [this.acts, newest], () => this.acts.length
      ? this.acts.map((entry) => this.#act(entry, entry.sequence === newest)) : el("li", { class: "muted" }, "Nothing on this screen yet."));
  }

  #act(entry, isNewest) {
    const mine = this.mine.get(entry.sequence);
    const lines = entry.lines.length ? entry.lines : mine?.lines ?? ["not public; it is in the log"];
    return el("li", {}, timeOf(entry.at), el("span", {}, entry.call ? el("b", {}, `“${entry.call}” `) : null, lines.join(" · ")),
      isNewest && mine?.undo ? el("span", { class: "tag" }, mine.undo) : null);
  }

  /** Show or hide all keys. */
  #toggleHelp() {
    this.isHelp = !this.isHelp;
    this.#showKeys();
    const help = document.getElementById("help");
    help.hidden = !this.isHelp;
    if (this.isHelp) help.scrollIntoView({ block: "nearest" });
  }

  #showKeys() {
    if (this.isHelp) {
      const all = this.keys.all;
      fill(document.getElementById("all-keys"), all, () => all.map(({ keys, says, isNow }) => el("li", { class: isNow ? "" : "not-now" }, el("kbd", {}, keys), ` ${says}${isNow ? "" : " (not now)"}`)));
    }
    const mode = document.getElementById("mode");
    mode.hidden = !this.keys.mode;
    mode.textContent = this.keys.mode;
    fill(document.getElementById("legend"), [this.keys.mode, this.keys.legend], () => this.keys.legend.map(({ keys, says }) => el("li", {}, el("kbd", {}, keys), ` ${says}`)));
  }
}

new Console(embedded("console"));
