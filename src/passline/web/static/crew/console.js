// The crew console of one table: the panels of a role, its keys, the latest actions and refusals.

import { el, embedded, fill, timeOf, words } from "../elements.js";
import { get, Refused } from "../http.js";
import { Live, showConnection } from "../live.js";
import { money } from "../money.js";
import { watchHouse } from "../new_house.js";
import { SHUT } from "../table/play.js";
import { ProofWatch } from "../table/proof.js";
import { ProofShown } from "../table/proof_shown.js";
import { callNow } from "../wording.js";
import { buyInPanel, cagePanel, seatsPanel, wagerPanel } from "./chips.js";
import { conductPanel } from "./conduct.js";
import { correctPanel } from "./correct.js";
import { ratingPanel, slipPanel } from "./counted.js";
import { dicePanel, noRollPanel } from "./dice.js";
import { decidePanel, freezePanel } from "./dispute.js";
import { handPanel } from "./hand.js";
import { CrewKeys, diceText } from "./keyboard/crew_keys.js";
import { CLOCK, listen } from "./keys.js";
import { limitsPanel } from "./limits.js";
import { payoutPanel } from "./payouts/panel.js";
import { Picture } from "./picture.js";
import { drawQueue } from "./queue_list.js";
import { showNotices } from "./refusals.js";
import { seatPanel } from "./seat.js";
import { shiftPanel } from "./shift.js";
import { orderPanel, stepsPanel } from "./steps.js";
import { diceSetNow, diceSetPanel } from "./supervision/dice_set.js";
import { irregularitiesPanel } from "./supervision/irregularities.js";
import { wagersPanel } from "./wagers/panel.js";
import { waitingPanel } from "./waiting.js";

const ACTS_MAX = 40;
const TICK_MS = 1000;

/** Why play stands still, in the words of the banner; empty if it does not. */
function statusText(table, set) {
  if (table.status === "frozen") return `FROZEN: ${table.frozen?.reason ?? ""}`;
  if (table.stopped) return `STOPPED: ${table.stopped}`;
  if (table.is_disputed) return "The faces are disputed";
  if (table.status !== "open") return `The table is ${table.status}`;
  return set?.mark === "bad" ? `NO THROW: ${set.why} [${set.clause}]` : "";
}

class Console {
  constructor(page) {
    Object.assign(this, {
      table: page.table,
      role: page.role,
      card: page.card,
      dice: page.dice,
      may: page.may,
      signs: page.signs,
      sees_people: page.sees_people,
      isKeyed: page.is_keyed,
      isBySlip: page.is_by_slip,
    });
    this.live = new Live({ table: page.table, role: page.role });
    const isStick = this.role === "stickperson" || (this.role === "dealer" && !this.card.stickperson);
    this.keysDice = isStick && this.can("key-dice");
    this.acts = [];
    this.mine = new Map(); // by sequence: what was done on this console, also if it is not public
    this.crew = this.#crewKeys();
    this.keys = this.crew.modes;
    this.refusals = this.crew.notices;
    this.queue = this.crew.queue;
    this.showNotices = showNotices(document.getElementById("refused"), this.refusals);
    this.watch = new ProofWatch(page.table);
    this.proof = new ProofShown({
      advise: () => [
        el(
          "p",
          {},
          "Freeze the table over a dispute, and call a supervisor. Keep this page open: it shows what they need.",
        ),
      ],
    });
    document.getElementById("proof").append(this.proof.mark, this.proof.spoken);
    document.getElementById("proof-panel").replaceWith(this.proof.panel);
    document.getElementById("unproved").append(this.proof.alarm);
    this.panels = this.#panels();
    this.picture = new Picture(document.getElementById("picture"), page.table, this.wagers);
    for (const one of this.panels) document.getElementById(one.home).append(one.element);
    if (this.wagers) document.getElementById("codes").append(this.wagers.codes);
    this.keys.base = [
      ...this.panels.flatMap((one) => one.bindings),
      { keys: "?", says: "show or hide all keys", on: () => this.#toggleHelp(), always: true },
      {
        keys: "Esc",
        says: "take back what is not sent yet",
        on: () => this.crew.takeBack(),
        when: () => this.queue.hasUnsent,
      },
    ];
    listen((event) => this.crew.press(event));
    this.live.addEventListener("change", ({ detail }) => this.#changed(detail));
    this.live.addEventListener("connection", () => this.#showPanels());
    this.live.addEventListener("settled", ({ detail }) => {
      if (!detail.isDone)
        this.refuse("Your last command", { refusals: detail.lines.map((why) => ({ clause: "", why })) });
    });
    showConnection(this.live, document.getElementById("connection"));
    const lost = this.queue.lost();
    if (lost.length) this.crew.stop({ title: "The page was loaded again before everything was sent", left: lost });
    watchHouse(this.live, this.table);
    this.live.start();
    setInterval(() => this.#tick(), TICK_MS);
  }

  /** What the keys do, apart from this page. */
  #crewKeys() {
    const { card, live, table } = this;
    return new CrewKeys({
      live,
      card,
      clock: CLOCK,
      store: sessionStorage,
      kept: `passline waiting ${table} ${this.role}`,
      keysDice: this.keysDice,
      takesWagers: this.isKeyed && this.can("make-wager"),
      areasOf: async (seat) => (await get(`/api/tables/${encodeURIComponent(table)}/areas?seat=${seat}`)).areas,
      made: (command) => this.#made(command),
      given: (done, { says, undo }) => this.#given(done, says, undo),
      halted: () => (this.panels ?? []).map((one) => one.stop?.()),
      changed: () => this.#showTyped(),
      told: (text) => this.#addAct({ lines: [text], at: new Date(live.now).toISOString(), isNotDone: true }),
    });
  }

  /** Whether commands of this console are not acknowledged yet, so that keys are meant for a table not shown yet. */
  get isAhead() {
    return this.queue.isAhead;
  }

  /** Whether a command about something is on its way or waits. */
  isOnItsWay(about) {
    return this.queue.has(about);
  }

  /** Whether this role may give a command at this table, by the server's table of duties. */
  can(command) {
    return this.may.includes(command);
  }

  /** The panels of this role: those of every roll first, then for players, then for chips and records. */
  #panels() {
    const { card, role } = this;
    this.wagers = this.crew.wagers ? wagersPanel(this) : null;
    const players = [this.can("seat-player") && seatPanel(this), this.can("buy-in") && buyInPanel(this)];
    const wager = this.can("make-wager") && wagerPanel(this);
    const hand = this.can("accept-dice") && handPanel(this);
    const first = [
      this.keysDice && dicePanel(this),
      this.can("decide-dispute") && card.dispute.by.includes(role) && decidePanel(this),
      this.isKeyed && stepsPanel(this),
      (this.can("confirm-wager") || this.can("place-button")) && waitingPanel(this),
      this.isKeyed && payoutPanel(this),
    ];
    const play = [
      hand,
      this.can("call-no-roll") && card.no_roll.by.includes(role) && noRollPanel(this),
      !hand && wager,
    ];
    const desk = [
      this.can("correct-roll") && correctPanel(this),
      ...players,
      hand && wager,
      this.can("order-dice-passed") && card.order.by.includes(role) && orderPanel(this),
      card.dice_sets && this.can("condemn-dice") && diceSetPanel(this),
      card.irregularities && this.can("report-irregularity") && irregularitiesPanel(this),
      this.can("freeze-table") && freezePanel(this),
      this.can("fill") && cagePanel(this),
      this.isBySlip && slipPanel(this),
      this.can("rate-player") && ratingPanel(this),
      ["boxperson", "floorperson", "owner"].includes(role) && shiftPanel(this),
      this.can("notice-limits") && limitsPanel(this),
      this.can("report-conduct") && card.conduct.length > 0 && conductPanel(this),
    ];
    const homes = [
      [first, "first"],
      [play, "play"],
      [desk, "desk"],
      [[this.isKeyed && seatsPanel(this)], "seats"],
      [[this.wagers], "wagers"],
    ];
    return homes.flatMap(([panels, home]) => panels.filter(Boolean).map((one) => Object.assign(one, { home })));
  }

  /** Give a command by a key or a button. Returns whether it was done. */
  async act(says, command, options) {
    return Boolean(await this.crew.give(says, command, options));
  }

  /** Give a command by a form. Returns whether it was done. */
  async submit(says, command, options) {
    return Boolean(await this.crew.submit(says, command, options));
  }

  #given(done, says, undo) {
    this.mine.set(done.sequence, { lines: done.lines?.length ? done.lines : [says], undo });
    this.#showActs();
  }

  #made(command) {
    if (this.live.table?.closing)
      throw new Refused([{ clause: "", why: `${SHUT}. They land in a moment; then do it again.` }]);
    return typeof command === "function" ? command() : command;
  }

  /** Show a refusal above the panels. It stays until it is dismissed. */
  refuse(says, refused) {
    this.crew.stop({ says, refusals: refused.refusals ?? [{ clause: "", why: String(refused) }] });
  }

  #changed({ kind, said }) {
    const { live } = this;
    // opened again with other dice, which need other panels
    if (live.table.dice !== this.dice) return void location.reload();
    for (const entry of said) this.#addAct(entry);
    this.crew.follow(live.table);
    this.#showState();
    const checked = this.watch.follow(live);
    this.#showPanels();
    this.proof.show(live.table, checked);
    this.#showActs();
    this.#showKeys();
    this.picture.show(live.table);
    const call = callNow(live.table, { kind, said });
    if (call !== null) document.getElementById("call").textContent = call;
    live.confirm();
  }

  /** Show what changes with time alone. */
  #tick() {
    if (!this.live.table) return;
    this.#showState();
    for (const one of this.panels) one.tick?.();
  }

  #showPanels() {
    const { table, own } = this.live;
    if (!table) return;
    for (const one of this.panels) one.update({ table, own });
    this.#shut(Boolean(table.closing));
  }

  #addAct(entry) {
    this.acts = [entry, ...this.acts].slice(0, ACTS_MAX);
  }

  /** Show what was typed and given last, and what became of it; panels offer more while something is on its way. */
  #showTyped() {
    if (!this.panels) return;
    this.showNotices();
    this.#showActs();
    const { items } = this.queue;
    const list = document.getElementById("queue");
    list.hidden = !items.length;
    fill(list, items, () => drawQueue(items));
    list.scrollLeft = list.scrollWidth; // the newest
    this.#showPanels();
    this.#showKeys();
  }

  /**
   * While electronic dice are out the server refuses everything: disable the buttons, and leave the fields to be typed
   * in.
   */
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
    const set = diceSetNow(this.card, own, this.live.now);
    const facts = [
      ["Puck", table.puck ? `ON ${table.puck}` : "OFF", table.puck ? "on" : ""],
      ["Roll", { come_out: "Come-out", point: "Point", clearing: "Clearing" }[table.phase] ?? words(table.phase), ""],
      ["Shooter", table.shooter ? `Seat ${table.shooter}${shooter ? ` ${shooter.name}` : ""}` : "none", ""],
      ["Dice", `${diceText(table.dice_are)}${offered}`, table.dice_are === "air" ? "warn" : ""],
      ...(set ? [["Dice set", `${set.number}: ${set.left}`, set.mark]] : []),
      ["Hand, roll", `${table.hand}, ${table.roll}`, ""],
      ["Limits", `${money(table.limits.min)} to ${money(table.limits.max)}`, ""],
      ...(own?.not_covered
        ? [["Bank", "not covered", ""]]
        : own?.bank === undefined
          ? []
          : own.owes
            ? [["Bank owes", money(own.owes), "warn"]]
            : [["Bank", money(own.bank), ""]]),
    ];
    fill(document.getElementById("state"), facts, () =>
      facts.map(([name, value, mark]) =>
        el("div", { class: mark ? `fact is-${mark}` : "fact" }, el("dt", {}, name), el("dd", {}, value)),
      ),
    );
    const status = document.getElementById("status");
    const says = statusText(table, set);
    status.hidden = !says;
    if (status.textContent !== says) status.textContent = says;
    fill(document.getElementById("rolls"), table.rolls, () =>
      (table.rolls ?? [])
        .slice(-14)
        .map((roll) =>
          el(
            "li",
            { title: roll.call },
            el("b", {}, String(roll.first + roll.second)),
            ` ${roll.first}-${roll.second}`,
          ),
        ),
    );
  }

  /** Show the latest actions, newest first; beside one's own newest, how to undo it. */
  #showActs() {
    const newest = Math.max(0, ...this.mine.keys());
    fill(document.getElementById("acts"), [this.acts, newest], () =>
      this.acts.length
        ? this.acts.map((entry) => this.#act(entry, entry.sequence === newest))
        : el("li", { class: "muted" }, "Nothing on this screen yet."),
    );
  }

  #act(entry, isNewest) {
    const mine = this.mine.get(entry.sequence);
    const lines = entry.lines.length ? entry.lines : (mine?.lines ?? ["not public; it is in the log"]);
    const call = entry.call ? el("b", {}, `“${entry.call}” `) : null;
    const said = el("span", {}, call, lines.join(" · "));
    return el(
      "li",
      { class: entry.isNotDone ? "is-not-done" : "" },
      timeOf(entry.at),
      said,
      isNewest && mine?.undo ? el("span", { class: "tag" }, mine.undo) : null,
    );
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
      fill(document.getElementById("all-keys"), all, () =>
        all.map(({ keys, says, isNow }) =>
          el("li", { class: isNow ? "" : "not-now" }, el("kbd", {}, keys), ` ${says}${isNow ? "" : " (not now)"}`),
        ),
      );
    }
    const mode = document.getElementById("mode");
    const name = this.keys.mode || (this.crew.wagers?.isThrowing ? "Dice" : "");
    mode.hidden = !name;
    mode.textContent = name;
    fill(document.getElementById("legend"), [this.keys.mode, this.keys.legend], () =>
      this.keys.legend.map(({ keys, says }) => el("li", {}, el("kbd", {}, keys), ` ${says}`)),
    );
  }
}

new Console(embedded("console"));
