// A live connection to a table. It reconnects, gets in step again, and asks after commands by their id until answered.
//
// A command is in doubt when its answer is late, when the connection is lost before it, or when the server itself does
// not know what became of it. Its id is kept, also when the page is loaded again, and the server is asked until it
// knows. Until then no other command is sent: a second click cannot do it twice.
//
//   const live = new Live({ table: "demo-1", role: "player" });
//   live.on("change", ({ detail }) => draw(live.table, live.own, detail.said));
//   live.on("connection", ({ detail }) => show(detail.state));   // connecting open waiting offline gone
//   live.start();
//   await live.send({ command: "make-wager", seat: 1, wager: "pass", number: 0, cents: 500 });   // or throws Refused
//
// The detail of `change` is {kind: "table" | "news", said: [{sequence, at, lines, call}], changed: {...}, touched:
// [wager, ...]}. `live.table`, `live.own` and `live.head` are always current.
import { metaContent } from "./dom.js";
import { freshId } from "./elements.js";
import { Refused } from "./http.js";
import { signWithAuthenticator } from "./second_factor.js";
import { unpackedSettled } from "./settled_news.js";
import { inWords } from "./wording.js";

const RETRY_MS = [200, 500, 1000, 2000, 4000, 8000];
// after so long without a message the whole table is requested, which also detects a dead connection
const QUIET_MS = 60_000;
const ANSWER_MS = 10_000;
const LATE_MS = 1000; // without an answer for so long, a command is in doubt: a person begins to click again
// for so long a command is sent again after reconnecting; later it is only asked what became of it
const REPEAT_MS = 15_000;
const ASK_MS = [500, 1000, 2000, 4000];
const UNKNOWN =
  "It is not known yet whether your last command was done. The server is being asked: wait for the answer.";

const BUSY = {
  clause: "",
  why:
    "The server is very busy, so this may have come late, and your screen may have been behind. Look at the table as " +
    "it is now, and try again if you still want it.",
};

/** @typedef {"connecting" | "open" | "waiting" | "offline" | "gone"} State of a connection */
/** @typedef {Pick<Server.WagerView, "seat" | "owner" | "kind" | "number">} WagerKey what names a wager on the layout */
/**
 * @typedef {object} Change what a message changed
 * @property {"table" | "news"} kind
 * @property {Server.Said[]} said
 * @property {Partial<Server.TableView>} changed
 * @property {WagerKey[]} touched
 */
/**
 * @typedef {object} LiveEvents what a page listens to, by name
 * @property {Change} change
 * @property {{ state: State }} connection
 * @property {{}} busy
 * @property {{ isDone: boolean, lines: string[] }} settled
 */
/**
 * @typedef {object} Pending a message without an answer yet
 * @property {Server.SocketMessage} message
 * @property {(answer: any) => void} resolve
 * @property {(why: Error) => void} reject
 * @property {number} late
 * @property {number} at
 * @property {number} tries
 * @property {number} [again]
 * @property {boolean} [isInDoubt]
 */

export class Live extends EventTarget {
  /** @type {WebSocket | null} */
  socket = null;
  /** Whether the whole table was requested. */
  asked = false;
  retry = 0;
  quiet = 0;
  doubt = 0;

  /** @param {{ table: string, role?: string }} options */
  constructor({ table, role = "player" }) {
    super();
    this.address = new URL(
      `/api/tables/${encodeURIComponent(table)}/live?role=${encodeURIComponent(role)}`,
      location.href,
    );
    this.address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    /** @type {Server.TableView | null} */
    this.table = null;
    /** @type {Server.OwnView | null} */
    this.own = null;
    /** @type {Server.Head | null} */
    this.head = null;
    this.sequence = -1;
    this.ahead = 0; // milliseconds by which this machine's clock is ahead of the server's
    /** @type {State} */
    this.state = "connecting";
    /** @type {Map<string, Pending>} */
    this.pending = new Map(); // by id: messages without an answer yet
    this.kept = `passline asked ${table} ${role} ${metaContent("account")}`;
    this.tries = 0;
    /** @type {number} */
    this.seen = -1;
    addEventListener("online", () => this.#connect());
    addEventListener("offline", () => {
      this.socket?.close();
      this.#lost();
    });
    addEventListener("pagehide", () => this.socket?.close());
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.#connect();
    });
  }

  /**
   * @template {keyof LiveEvents} Name
   * @param {Name} name
   * @param {(event: CustomEvent<LiveEvents[Name]>) => void} listener
   */
  on(name, listener) {
    this.addEventListener(name, /** @type {EventListener} */ (listener));
  }

  start() {
    for (const id of keptIds(this.kept)) this.#askAfter(id);
    this.#connect();
  }

  /** The table, for whoever acts at one that is shown; `table` is null until it has come. */
  get view() {
    if (!this.table) throw new Error("the table has not come yet");
    return this.table;
  }

  get isOpen() {
    return this.state === "open";
  }

  // The server's time in milliseconds, as far as it is known: hours run by its clock, not by this machine's.
  get now() {
    return Date.now() - this.ahead;
  }

  /**
   * Send a command. Resolves to the server's answer, or throws Refused with every clause.
   *
   * @param {Server.TableCommand} command
   * @param {Server.SignOff | null} [signOff]
   * @param {string} [id]
   * @returns {Promise<Server.DoneAnswer>}
   */
  async send(command, signOff = null, id = freshId()) {
    if (!this.isOpen) throw new Refused([{ clause: "", why: "No connection to the table: nothing was sent." }]);
    if (this.isInDoubt) throw new Refused([{ clause: "", why: UNKNOWN }]);
    this.#keep(id);
    try {
      return await this.#ask(id, { id, command, ...(signOff ? { sign_off: signOff } : {}) });
    } catch (refused) {
      const asked = signOff && !signOff.assertion && refused instanceof Refused ? refused.secondFactor : null;
      const assertion = asked ? await signWithAuthenticator(asked) : null;
      if (!signOff || !assertion) throw refused;
      return this.send(command, { ...signOff, assertion }, id);
    }
  }

  /**
   * Request where wagers may be made now.
   *
   * @returns {Promise<Server.Area[]>}
   */
  async areas() {
    const id = freshId();
    return (await this.#ask(id, { ask: "areas", id })).areas;
  }

  // Whether a command waits for its answer.
  get isBusy() {
    return [...this.pending.values()].some((order) => order.message.command);
  }

  // Whether it is not known what became of a command.
  get isInDoubt() {
    return [...this.pending.values()].some((order) => order.isInDoubt);
  }

  // Report the newest state this screen has drawn; it is recorded when the table is frozen over a dispute.
  confirm() {
    if (this.isOpen && this.sequence > this.seen) {
      this.seen = this.sequence;
      this.#write({ seen: this.sequence });
    }
  }

  /**
   * Send the shooter's nonce, once the entry that closed wagers is known.
   *
   * @param {string} nonce
   */
  reveal(nonce) {
    this.#write({ nonce });
  }

  /**
   * @param {string} id
   * @param {Server.SocketMessage} message
   * @returns {Promise<any>}
   */
  #ask(id, message) {
    return new Promise((resolve, reject) => {
      const late = message.command ? setTimeout(() => this.#doubt(id), LATE_MS) : 0;
      this.pending.set(id, { message, resolve, reject, late, at: performance.now(), tries: 0 });
      this.#write(message);
      this.#tell("busy", {});
    });
  }

  /**
   * Ask what became of a command of this page as it was before it was loaded again.
   *
   * @param {string} id
   */
  async #askAfter(id) {
    const asked = this.#ask(id, { ask: "outcome", id });
    this.#doubt(id);
    try {
      const { lines } = await asked;
      this.#tell("settled", { isDone: true, lines: lines ?? [] });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.isInDoubt) return; // the connection is gone: the id is kept for the next load
      this.#tell("settled", { isDone: false, lines: error.refusals.map((refusal) => refusal.why) });
    }
  }

  /** @param {string} id */
  #doubt(id) {
    const asked = this.pending.get(id);
    if (!asked) return;
    asked.isInDoubt = true;
    this.#tell("busy", {});
  }

  /**
   * The server does not know it either: ask again in a moment, and do not send the command itself again.
   *
   * @param {Pending} asked
   * @param {string} id
   */
  #askLater(asked, id) {
    this.#doubt(id);
    asked.message = { ask: "outcome", id };
    clearTimeout(asked.again);
    asked.again = setTimeout(() => this.#write(asked.message), ASK_MS[Math.min(asked.tries++, ASK_MS.length - 1)]);
  }

  /**
   * Send again what was not answered before the connection was lost, under the same id: harmless if it was done.
   *
   * @param {Pending} asked
   * @param {string} id
   */
  #writeAgain(asked, id) {
    if (asked.message.command) {
      if (performance.now() - asked.at > REPEAT_MS) asked.message = { ask: "outcome", id };
      else asked.message = { ...asked.message, again: true };
    }
    this.#write(asked.message);
  }

  /** @param {string} id */
  #keep(id) {
    sessionStorage.setItem(this.kept, JSON.stringify([...keptIds(this.kept), id]));
  }

  /** @param {string} id */
  #drop(id) {
    const left = keptIds(this.kept).filter((keptId) => keptId !== id);
    if (left.length) sessionStorage.setItem(this.kept, JSON.stringify(left));
    else sessionStorage.removeItem(this.kept);
  }

  /** @param {Server.SocketMessage} message */
  #write(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    if ("seen" in message || "nonce" in message) return;
    clearTimeout(this.doubt);
    this.doubt = setTimeout(() => this.socket?.close(), ANSWER_MS); // no answer: reconnect and send it again
  }

  #connect() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.#say("connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.socket) this.#hear(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.#lost(event.code);
    };
  }

  #lost(code = 0) {
    clearTimeout(this.quiet);
    clearTimeout(this.doubt);
    clearTimeout(this.retry);
    if (this.socket) this.socket.onclose = this.socket.onmessage = null;
    this.socket = null;
    for (const [id, item] of this.pending) if (item.message.command) this.#doubt(id);
    if (code === 1008 || (code >= 4400 && code < 4500)) return this.#gone();
    this.#say(navigator.onLine ? "waiting" : "offline");
    const wait = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)];
    // so that not all screens reconnect at once
    this.retry = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  // The server refuses this connection: no retry helps, and nothing pending will be answered.
  #gone() {
    this.#say("gone");
    const why =
      "The server closed this connection before it answered. Load the page again, and log in if it asks: it then " +
      "tells whether this was done.";
    for (const order of this.pending.values()) {
      clearTimeout(order.late);
      order.reject(new Refused([{ clause: "", why }], 0, true));
    }
    this.pending.clear();
  }

  /** @param {Server.ServerMessage} message */
  #hear(message) {
    clearTimeout(this.doubt);
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.#write({ ask: "table" }), QUIET_MS);
    if (message.kind === "table") this.#whole(message);
    else if (message.kind === "news") this.#news(message);
    else this.#answer(message);
  }

  /** @param {Server.WholeTable} message */
  #whole(message) {
    this.table = message.table;
    this.own = message.own;
    this.head = message.head;
    this.sequence = message.sequence;
    this.#setClock(message.at);
    this.asked = false;
    this.tries = 0;
    if (!this.isOpen) {
      this.seen = -1;
      this.#say("open");
      for (const [id, item] of this.pending) this.#writeAgain(item, id);
    }
    this.#tell("change", { kind: "table", said: [], changed: message.table, touched: message.table.wagers });
  }

  /** @param {Server.News} message */
  #news(message) {
    // known; limits that come into force are no entry
    if (message.from < this.sequence && message.sequence <= this.sequence) return;
    if (message.from !== this.sequence) {
      if (!this.asked) this.#write({ ask: "table" });
      this.asked = true;
      return;
    }
    const { settled, ...others } = message.changed;
    /** @type {Partial<Server.TableView>} */
    const changed = settled ? { ...others, settled: unpackedSettled(settled) } : others;
    const gone = new Set(message.wagers_gone.map((key) => key.join()));
    const up = new Map(message.wagers_up.map((wager) => [keyOf(wager), wager]));
    const before = /** @type {Server.TableView} */ (this.table);
    const kept = before.wagers
      .filter((wager) => !gone.has(keyOf(wager)))
      .map((wager) => {
        const newer = up.get(keyOf(wager));
        up.delete(keyOf(wager));
        return newer ?? wager;
      });
    this.table = { ...before, ...changed, wagers: [...kept, ...up.values()] };
    if (message.own !== undefined) this.own = message.own;
    this.#setClock(message.said?.at(-1)?.at);
    this.head = message.head ?? this.head;
    this.sequence = message.sequence;
    const touched = [
      ...message.wagers_up,
      ...message.wagers_gone.map(([seat, owner, kind, number]) => ({ seat, owner, kind, number })),
    ];
    const said = (message.said ?? []).map((message) => ({ ...message, lines: message.lines.map(inWords) }));
    this.#tell("change", { kind: "news", said, changed, touched });
  }

  /** @param {Server.AreasAnswer | Server.DoneAnswer | Server.RefusedAnswer | Server.InDoubtAnswer} message */
  #answer(message) {
    const asked = this.pending.get(message.id);
    if (!asked) return;
    if (message.kind === "in-doubt") return this.#askLater(asked, message.id);
    clearTimeout(asked.late);
    this.pending.delete(message.id);
    this.#drop(message.id);
    if (message.kind === "refused")
      asked.reject(
        new Refused(
          [...message.refusals.map(refusalInWords), ...(message.is_busy ? [BUSY] : [])],
          0,
          false,
          message.second_factor,
        ),
      );
    else asked.resolve("lines" in message ? { ...message, lines: message.lines.map(inWords) } : message);
    this.#tell("busy", {});
  }

  /** @param {string | undefined} at */
  #setClock(at) {
    if (at) this.ahead = Date.now() - Date.parse(at);
  }

  /** @param {State} state */
  #say(state) {
    if (state === this.state) return;
    this.state = state;
    this.#tell("connection", { state });
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/**
 * @param {WagerKey} wager
 * @returns {string}
 */
export function keyOf(wager) {
  return [wager.seat, wager.owner, wager.kind, wager.number].join();
}

/**
 * @param {Server.RefusalView} refusal
 * @returns {Server.RefusalView}
 */
const refusalInWords = (refusal) => ({ ...refusal, why: inWords(refusal.why) });

/**
 * The ids of commands that this page sent and that were not answered yet, also before it was loaded again.
 *
 * @param {string} key
 * @returns {string[]}
 */
function keptIds(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]");
  } catch {
    return [];
  }
}

const SETTLED_MS = 8000;
const STATES = {
  connecting: "Connecting",
  open: "Connected",
  waiting: "Connection lost, trying again",
  offline: "This device is offline",
  gone: "Disconnected: load the page again",
};

/**
 * Show the state of a live connection in an element with the class `connection`, and whether a command is in doubt.
 *
 * @param {Live} live
 * @param {HTMLElement} element
 */
export function showConnection(live, element) {
  let settled = "";
  const show = () => {
    const isInDoubt = live.isOpen && live.isInDoubt;
    element.dataset.state = isInDoubt ? "doubt" : live.state;
    element.textContent = isInDoubt
      ? "Asking whether your last command was done"
      : live.isOpen && settled
        ? settled
        : STATES[live.state];
  };
  live.on("connection", show);
  live.on("busy", show);
  live.on("settled", ({ detail }) => {
    settled = detail.isDone ? "Your last command was done" : "Your last command was not done";
    show();
    setTimeout(() => {
      settled = "";
      show();
    }, SETTLED_MS);
  });
  show();
}
