// The commands of a console, one at a time and in the order in which they were given.
//
// A key may be typed before the table it is meant for is shown. Its command waits until those before it are
// acknowledged and the table they led to has arrived; only then is it made and sent. A refusal stops all that wait
// behind it: they are not sent, and `refused` is told which.
//
//   const refused = ({ title, refusals, left }) => show(...);
//   const queue = new Queue({ live, clock, store, kept, refused, changed: () => draw(queue.items) });
//   const done = await queue.add("Call the roll", () => ({ command: "call-roll", total: 7 }));   // the answer, or null

import { Refused } from "../../http.js";

const WAIT_MS = 15_000; // what could not be sent for so long is not sent later: the table has moved on
const KEPT_MAX = 6; // of those that are done, the newest

/** @typedef {Server.TableCommand | Server.TableCommand[]} Given */
/** @typedef {Given | (() => Given | Promise<Given>)} Making a command, or what makes it at its turn */
/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store */
/** @typedef {{ says: string, state: "done" | "sent" | "doubt" | "waits", sequence?: number }} Shown of a command */
/**
 * @typedef {object} Sender what the queue needs of a live table
 * @property {boolean} isOpen
 * @property {boolean} isInDoubt
 * @property {string} state
 * @property {number} sequence
 * @property {(command: Server.TableCommand, signOff?: Server.SignOff | null) => Promise<Server.DoneAnswer>} send
 * @property {(name: string, act: () => void) => void} addEventListener
 * @property {(name: string, act: () => void) => void} removeEventListener
 */
/**
 * @typedef {object} Item that waits, or is on its way
 * @property {string} says
 * @property {Making} command
 * @property {Server.SignOff | null} signOff
 * @property {string} about
 * @property {number} at
 * @property {boolean} isSent
 * @property {boolean} [isDone]
 * @property {number} [sequence]
 * @property {(answer: Server.DoneAnswer | null) => void} resolve
 */

export class Queue {
  /** @type {Item[]} */
  #waiting = []; // in order; the first may be on its way
  /** @type {Shown[]} */
  #done = [];
  #isRunning = false;

  /**
   * `kept` is the name under which `store` keeps what waits, so that a page that is loaded again can say what was not
   * sent; `clock` has now() in milliseconds and after(ms, act), which returns how to stop it.
   *
   * @param {{
   *   live: Sender,
   *   clock: import("./typed_dice.js").Clock,
   *   store: Store,
   *   kept: string,
   *   refused: (stopped: import("./notices.js").Stopped) => void,
   *   changed: () => void,
   * }} options
   */
  constructor({ live, clock, store, kept, refused, changed }) {
    this.live = live;
    this.clock = clock;
    this.store = store;
    this.kept = kept;
    this.refused = refused;
    this.changed = changed;
    for (const name of ["connection", "busy"])
      live.addEventListener(name, () => {
        if (this.isAhead) this.changed();
      });
  }

  /** Whether something is not acknowledged yet: keys are then meant for a table that this page does not show yet. */
  get isAhead() {
    return this.#waiting.length > 0;
  }

  /**
   * What was done last, is on its way, and waits: `[{says, state, sequence}]`.
   *
   * @returns {Shown[]}
   */
  get items() {
    return [
      ...this.#done,
      ...this.#waiting.map(({ says, sequence, ...item }) => ({ says, sequence, state: this.#stateOf(item) })),
    ];
  }

  /**
   * @param {Pick<Item, "isDone" | "isSent">} item
   * @returns {Shown["state"]}
   */
  #stateOf({ isDone, isSent }) {
    if (isDone) return "done";
    if (!isSent) return "waits";
    return this.live.isOpen && !this.live.isInDoubt ? "sent" : "doubt";
  }

  /** Whether something can still be taken back. */
  get hasUnsent() {
    return this.#waiting.some((item) => !item.isSent);
  }

  /**
   * Whether a command about the same thing is on its way or waits.
   *
   * @param {string} about
   * @returns {boolean}
   */
  has(about) {
    return this.#waiting.some((item) => item.about === about);
  }

  /** What the commands that are not acknowledged yet are about, oldest first. */
  get abouts() {
    return this.#waiting.map((item) => item.about);
  }

  /**
   * Give a command, or a function that makes it at its turn. Resolves to the answer, or to null if it was not done.
   * Several commands in one are given one after another: those that are refused do not stop the others.
   *
   * @param {string} says
   * @param {Making} command
   * @param {{ signOff?: Server.SignOff | null, about?: string }} [options]
   * @returns {Promise<Server.DoneAnswer | null>}
   */
  add(says, command, { signOff = null, about = "" } = {}) {
    return new Promise((resolve) => {
      this.#waiting.push({ says, command, signOff, about, at: this.clock.now(), isSent: false, resolve });
      this.#tell();
      this.#run();
    });
  }

  /**
   * Take back what was not sent yet.
   *
   * @returns {string[]}
   */
  takeBack() {
    const left = this.#waiting.filter((item) => !item.isSent);
    this.#waiting = this.#waiting.filter((item) => item.isSent);
    for (const item of left) item.resolve(null);
    this.#tell();
    return left.map((item) => item.says);
  }

  /**
   * What waited when this page was loaded again, by its words. It was not sent.
   *
   * @returns {string[]}
   */
  lost() {
    const left = JSON.parse(this.store.getItem(this.kept) ?? "[]");
    this.store.removeItem(this.kept);
    return left;
  }

  async #run() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting.length) await this.#next(this.#waiting[0]);
    this.#isRunning = false;
  }

  /** @param {Item} item */
  async #next(item) {
    try {
      await this.#until(() => this.live.isOpen && !this.live.isInDoubt, item);
      if (this.#waiting[0] !== item) return; // it was taken back
      const command = typeof item.command === "function" ? await item.command() : item.command;
      if (this.#waiting[0] !== item) return; // it was taken back meanwhile
      item.isSent = true;
      this.#tell();
      const done = Array.isArray(command) ? await this.#sendAll(command) : await this.live.send(command, item.signOff);
      item.isDone = true;
      item.sequence = done.sequence;
      item.resolve(done);
      this.#tell();
      await this.#until(() => this.live.sequence >= done.sequence);
      this.#waiting.shift();
      /** @type {Shown} */
      const shown = { says: item.says, state: "done", sequence: done.sequence };
      this.#done = [...this.#done, shown].slice(-KEPT_MAX);
      this.#tell();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#stop(item, error);
    }
  }

  /**
   * Send several commands. Throws all refusals together once every one was tried; what is in doubt stops at once.
   *
   * @param {Server.TableCommand[]} commands
   * @returns {Promise<Server.DoneAnswer>}
   */
  async #sendAll(commands) {
    /** @type {Server.RefusalView[]} */
    const refusals = [];
    /** @type {Server.DoneAnswer | null} */
    let done = null;
    for (const command of commands) {
      try {
        /** @type {Server.DoneAnswer} */
        const answer = await this.live.send(command);
        /** @type {string[]} */
        const before = done?.lines ?? [];
        done = { ...answer, lines: [...before, ...(answer.lines ?? [])] };
      } catch (error) {
        if (!(error instanceof Refused) || error.isInDoubt || commands.length === 1) throw error;
        refusals.push(
          ...error.refusals.map((refusal) => ({ ...refusal, why: `${subjectOf(command)}: ${refusal.why}` })),
        );
      }
    }
    if (refusals.length || !done) throw new Refused(refusals);
    return done;
  }

  /**
   * @param {Item} item
   * @param {Refused} error
   */
  #stop(item, error) {
    const left = this.#waiting.filter((each) => each !== item);
    this.#waiting = [];
    this.#tell();
    const title = error.isInDoubt ? `${item.says}: not known whether it was done` : `${item.says}: refused`;
    this.refused({ title, refusals: error.refusals, left: left.map((item) => item.says) });
    for (const each of [item, ...left]) each.resolve(null);
  }

  /**
   * Wait until something is so. What was not sent in time is refused; what was sent is waited for without end.
   *
   * @param {() => boolean} isSo
   * @param {Item | null} [item]
   */
  async #until(isSo, item = null) {
    const { live } = this;
    while (!isSo()) {
      if (item && this.#waiting[0] !== item) return;
      const left = item ? item.at + WAIT_MS - this.clock.now() : WAIT_MS;
      if (item && (left <= 0 || live.state === "gone"))
        throw new Refused([{ clause: "", why: "There was no connection to the table: it was not sent." }]);
      if (live.state === "gone") return;
      await new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
        const go = () => {
          stopWaiting();
          for (const name of HEARD) live.removeEventListener(name, go);
          resolve();
        };
        const stopWaiting = this.clock.after(left, go);
        for (const name of HEARD) live.addEventListener(name, go);
      });
    }
  }

  #tell() {
    const left = this.#waiting.filter((item) => !item.isSent).map((item) => item.says);
    if (left.length) this.store.setItem(this.kept, JSON.stringify(left));
    else this.store.removeItem(this.kept);
    this.changed();
  }
}

/**
 * What a command is about: "Seat 3, place win 6".
 *
 * @param {Server.TableCommand} command
 * @returns {string}
 */
function subjectOf(command) {
  const { seat = "", wager = "", number = "" } = /** @type {Partial<Server.MakeWager>} */ (command);
  return `Seat ${seat}, ${wager.replaceAll("_", " ")} ${number || ""}`;
}

const HEARD = ["change", "connection", "busy"];
