// The crew console of one table: the panels of a role, its keys, the latest actions and refusals.

import { byId } from "../dom.js";
import { el, embedded, fill, timeOf } from "../elements.js";
import { get, Refused } from "../http.js";
import { Live, showConnection } from "../live.js";
import { money, usePoints } from "../money.js";
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

/**
 * Why play stands still, in the words of the banner; empty if it does not.
 *
 * @param {Server.TableView} table
 * @param {import("./supervision/dice_set.js").SetNow | null} set
 * @returns {string}
 */
function statusText(table, set) {
  if (table.status === "frozen") return `FROZEN: ${table.frozen?.reason ?? ""}`;
  if (table.stopped) return `STOPPED: ${table.stopped}`;
  if (table.is_disputed) return "The faces are disputed";
  if (table.status !== "open") return `The table is ${table.status}`;
  return set?.mark === "bad" ? `NO THROW: ${set.why} [${set.clause}]` : "";
}

/** @typedef {import("./keyboard/queue.js").Making} Making */
/** @typedef {import("./keyboard/crew_keys.js").GiveOptions} GiveOptions */
/** @typedef {import("./panel.js").Panel} Panel */
/**
 * @typedef {object} Act that the list of latest actions shows
 * @property {string[]} lines
 * @property {string} at
 * @property {number} [sequence]
 * @property {string} [call]
 * @property {boolean} [isNotDone]
 */

export class Console {
  /** @type {(Panel & { home: string })[] | null} */
  panels = null;
  /** @type {import("./wagers/panel.js").WagersPanel | null} */
  wagers = null;
  /** @type {Picture | null} */
  picture = null;
  isHelp = false;

  /** @param {Server.ConsoleData} page */
  constructor(page) {
    this.table = page.table;
    this.role = page.role;
    this.card = page.card;
    this.dice = page.dice;
    this.may = page.may;
    this.signs = page.signs;
    this.sees_people = page.sees_people;
    this.sees_shift = page.sees_shift;
    this.players = page.players;
    this.isKeyed = page.is_keyed;
    this.isBySlip = page.is_by_slip;
    this.live = new Live({ table: page.table, role: page.role });
    this.keysDice = this.can("key-dice");
    /** @type {Act[]} */
    this.acts = [];
    /** @type {Map<number, { lines: string[], undo: string }>} */
    this.mine = new Map(); // by sequence: what was done on this console, also if it is not public
    this.crew = this.#crewKeys();
    this.keys = this.crew.modes;
    this.refusals = this.crew.notices;
    this.queue = this.crew.queue;
    this.showNotices = showNotices(byId("refused"), this.refusals);
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
    byId("proof").append(this.proof.mark, this.proof.spoken);
    byId("proof-panel").replaceWith(this.proof.panel);
    byId("unproved").append(this.proof.alarm);
    this.panels = this.#panels();
    this.picture = new Picture(byId("picture"), page.table, this.wagers);
    for (const panel of this.panels) byId(panel.home).append(panel.element);
    if (this.wagers) byId("codes").append(this.wagers.codes);
    this.keys.base = [
      ...this.panels.flatMap((panel) => panel.bindings),
      { keys: "?", says: "show or hide all keys", on: () => this.#toggleHelp(), always: true },
      {
        keys: "Esc",
        says: "take back what is not sent yet",
        on: () => this.crew.takeBack(),
        when: () => this.queue.hasUnsent,
      },
    ];
    listen((event) => this.crew.press(event));
    this.live.on("change", ({ detail }) => this.#changed(detail));
    this.live.on("connection", () => this.#showPanels());
    this.live.on("settled", ({ detail }) => {
      if (!detail.isDone)
        this.crew.stop({ says: "Your last command", refusals: detail.lines.map((why) => ({ clause: "", why })) });
    });
    showConnection(this.live, byId("connection"));
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
      halted: () => (this.panels ?? []).map((panel) => panel.stop?.() ?? ""),
      changed: () => this.#showTyped(),
      told: (text) => this.#addAct({ lines: [text], at: new Date(live.now).toISOString(), isNotDone: true }),
    });
  }

  /** Whether commands of this console are not acknowledged yet, so that keys are meant for a table not shown yet. */
  get isAhead() {
    return this.queue.isAhead;
  }

  /**
   * Whether a command about something is on its way or waits.
   *
   * @param {string} about
   * @returns {boolean}
   */
  isOnItsWay(about) {
    return this.queue.has(about);
  }

  /**
   * Whether this role may give a command at this table, by the server's table of duties.
   *
   * @param {string} command
   * @returns {boolean}
   */
  can(command) {
    return this.may.includes(command);
  }

  /**
   * The panels of this role: those of every roll first, then for players, then for chips and records.
   *
   * @returns {(Panel & { home: string })[]}
   */
  #panels() {
    const { card } = this;
    this.wagers = this.crew.wagers ? wagersPanel(this, this.crew.wagers) : null;
    const players = [this.can("seat-player") && seatPanel(this), this.can("buy-in") && buyInPanel(this)];
    const wager = this.can("make-wager") && wagerPanel(this);
    const hand = this.can("accept-dice") && handPanel(this);
    const payouts = this.isKeyed && payoutPanel(this);
    const first = [
      this.crew.stick && dicePanel(this, this.crew.stick),
      this.can("decide-dispute") && decidePanel(this),
      this.isKeyed && stepsPanel(this),
      (this.can("confirm-wager") || this.can("place-button")) && waitingPanel(this),
      !this.crew.stick && payouts,
    ];
    const play = [hand, this.can("call-no-roll") && noRollPanel(this), !hand && wager];
    const desk = [
      this.crew.stick && payouts, // beside the dice, in view without scrolling
      this.can("correct-roll") && correctPanel(this),
      ...players,
      hand && wager,
      this.can("order-dice-passed") && orderPanel(this),
      card.dice_sets && this.can("condemn-dice") && diceSetPanel(this, card.dice_sets),
      card.irregularities && this.can("report-irregularity") && irregularitiesPanel(this, card.irregularities),
      this.can("freeze-table") && freezePanel(this),
      this.can("fill") && cagePanel(this),
      this.isBySlip && slipPanel(this),
      this.can("rate-player") && ratingPanel(this),
      this.sees_shift && shiftPanel(this),
      this.can("notice-limits") && limitsPanel(this),
      this.can("report-conduct") && card.conduct.length > 0 && conductPanel(this),
    ];
    /** @type {[panels: (Panel | false | null)[], home: string][]} */
    const homes = [
      [first, "first"],
      [play, "play"],
      [desk, "desk"],
      [[this.isKeyed && seatsPanel()], "seats"],
      [[this.wagers], "wagers"],
    ];
    return homes.flatMap(([panels, home]) =>
      panels.filter((panel) => panel !== false && panel !== null).map((panel) => Object.assign(panel, { home })),
    );
  }

  /**
   * Give a command by a key or a button. Returns whether it was done.
   *
   * @param {string} says
   * @param {Making} command
   * @param {GiveOptions} [options]
   * @returns {Promise<boolean>}
   */
  async act(says, command, options) {
    return Boolean(await this.crew.give(says, command, options));
  }

  /**
   * Give a command by a form. Returns whether it was done.
   *
   * @param {string} says
   * @param {Making} command
   * @param {GiveOptions} [options]
   * @returns {Promise<boolean>}
   */
  async submit(says, command, options) {
    return Boolean(await this.crew.submit(says, command, options));
  }

  /**
   * @param {Server.DoneAnswer} done
   * @param {string} says
   * @param {string} undo
   */
  #given(done, says, undo) {
    this.mine.set(done.sequence, { lines: done.lines?.length ? done.lines : [says], undo });
    this.#showActs();
  }

  /** @param {Making} command */
  #made(command) {
    if (this.live.table?.closing)
      throw new Refused([{ clause: "", why: `${SHUT}. They land in a moment; then do it again.` }]);
    return typeof command === "function" ? command() : command;
  }

  /**
   * Show a refusal above the panels. It stays until it is dismissed.
   *
   * @param {string} says
   * @param {unknown} refused
   */
  refuse(says, refused) {
    this.crew.stop({
      says,
      refusals: refused instanceof Refused ? refused.refusals : [{ clause: "", why: String(refused) }],
    });
  }

  /** @param {import("../live.js").Change} change */
  #changed(change) {
    const { live } = this;
    const table = live.view;
    // opened again with other dice, which need other panels
    if (table.dice !== this.dice) return void location.reload();
    for (const entry of change.said) this.#addAct(entry);
    this.crew.follow(table);
    this.#showState();
    const checked = this.watch.follow(live);
    this.#showPanels();
    this.proof.show(table, checked);
    this.#showActs();
    this.#showKeys();
    this.picture?.show(table);
    const call = callNow(table, change);
    if (call !== null) byId("call").textContent = call;
    live.confirm();
  }

  /** Show what changes with time alone. */
  #tick() {
    if (!this.live.table) return;
    this.#showState();
    for (const panel of this.panels ?? []) panel.tick?.();
  }

  #showPanels() {
    const { table, own } = this.live;
    if (!table) return;
    for (const panel of this.panels ?? []) panel.update({ table, own });
    this.#shut(Boolean(table.closing));
  }

  /** @param {Act} entry */
  #addAct(entry) {
    this.acts = [entry, ...this.acts].slice(0, ACTS_MAX);
  }

  /** Show what was typed and given last, and what became of it; panels offer more while something is on its way. */
  #showTyped() {
    if (!this.panels) return;
    this.showNotices();
    this.#showActs();
    const { items } = this.queue;
    const list = byId("queue");
    list.hidden = !items.length;
    fill(list, items, () => drawQueue(items));
    list.scrollLeft = list.scrollWidth; // the newest
    this.#showPanels();
    this.#showKeys();
  }

  /**
   * While electronic dice are out the server refuses everything: disable the buttons, and leave the fields to be typed
   * in.
   *
   * @param {boolean} isShut
   */
  #shut(isShut) {
    for (const panel of this.panels ?? []) {
      for (const button of panel.element.querySelectorAll("button")) {
        if (isShut ? button.disabled : !button.hasAttribute("data-shut")) continue;
        button.disabled = isShut;
        button.toggleAttribute("data-shut", isShut);
      }
    }
    byId("out").textContent = isShut ? SHUT : "";
  }

  #showState() {
    const { view: table, own } = this.live;
    const shooter = table.seats.find((seat) => seat.seat === table.shooter);
    const offered = table.dice_are === "offered" ? ` to seat ${table.offered_to}` : "";
    const set = diceSetNow(this.card, own, this.live.now);
    /** @type {[name: string, value: string, mark: string][]} */
    const facts = [
      ["Puck", table.puck ? `ON ${table.puck}` : "OFF", table.puck ? "on" : ""],
      ["Roll", { come_out: "Come-out", point: "Point", clearing: "Clearing" }[table.phase], ""],
      ["Shooter", table.shooter ? `Seat ${table.shooter}${shooter ? ` ${shooter.name}` : ""}` : "none", ""],
      ["Dice", `${diceText(table.dice_are)}${offered}`, table.dice_are === "air" ? "warn" : ""],
      ...(set ? [/** @type {[string, string, string]} */ (["Dice set", `${set.number}: ${set.left}`, set.mark])] : []),
      ["Hand, roll", `${table.hand}, ${table.roll}`, ""],
      ...roundFacts(table.points),
      table.points && !table.points.has_limits
        ? ["Wagers", "no limit", ""]
        : ["Limits", `${money(table.limits.min)} to ${money(table.limits.max)}`, ""],
      ...(table.points ? [] : bankFact(own)),
    ];
    fill(byId("state"), facts, () =>
      facts.map(([name, value, mark]) =>
        el("div", { class: mark ? `fact is-${mark}` : "fact" }, el("dt", {}, name), el("dd", {}, value)),
      ),
    );
    const status = byId("status");
    const says = statusText(table, set);
    status.hidden = !says;
    if (status.textContent !== says) status.textContent = says;
    fill(byId("rolls"), table.rolls, () =>
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
    fill(byId("acts"), [this.acts, newest], () =>
      this.acts.length
        ? this.acts.map((entry) => this.#act(entry, entry.sequence === newest))
        : el("li", { class: "muted" }, "Nothing on this screen yet."),
    );
  }

  /**
   * @param {Act} entry
   * @param {boolean} isNewest
   * @returns {HTMLElement}
   */
  #act(entry, isNewest) {
    const mine = this.mine.get(entry.sequence ?? -1);
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
    const help = byId("help");
    help.hidden = !this.isHelp;
    if (this.isHelp) help.scrollIntoView({ block: "nearest" });
  }

  #showKeys() {
    if (this.isHelp) {
      const all = this.keys.all;
      fill(byId("all-keys"), all, () =>
        all.map(({ keys, says, isNow }) =>
          el("li", { class: isNow ? "" : "not-now" }, el("kbd", {}, keys), ` ${says}${isNow ? "" : " (not now)"}`),
        ),
      );
    }
    const mode = byId("mode");
    const name = this.keys.mode || (this.crew.wagers?.isThrowing ? "Dice" : "");
    mode.hidden = !name;
    mode.textContent = name;
    fill(byId("legend"), [this.keys.mode, this.keys.legend], () =>
      this.keys.legend.map(({ keys, says }) => el("li", {}, el("kbd", {}, keys), ` ${says}`)),
    );
  }
}

/**
 * How long the round of a tournament still goes; nothing at a table for money.
 *
 * @param {Server.PointsView | null} round
 * @returns {[name: string, value: string, mark: string][]}
 */
function roundFacts(round) {
  if (!round) return [];
  const left = round.rolls_left;
  return [["Round", left < 0 ? "by the clock" : `${left} ${left === 1 ? "roll" : "rolls"} left`, left ? "" : "warn"]];
}

/**
 * The bank, as far as whoever uses the console sees it.
 *
 * @param {Server.OwnView | null} own
 * @returns {[name: string, value: string, mark: string][]}
 */
function bankFact(own) {
  if (own?.not_covered) return [["Bank", "not covered", ""]];
  if (own?.bank === undefined) return [];
  return own.owes ? [["Bank owes", money(own.owes), "warn"]] : [["Bank", money(own.bank), ""]];
}

/** @type {Server.ConsoleData} */
const data = embedded("console");
if (data.tournament) usePoints();
new Console(data);
