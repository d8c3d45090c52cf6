// The shooter's part of a throw: a nonce that nobody else knows until wagers are closed. `roll` carries its SHA-256;
// the nonce itself is sent only once the server has answered with the hash of the entry that closed wagers, so that
// nobody can choose that entry to suit the nonce. It is kept until the dice land, so that a page that is loaded again
// can still send it.
import { freshId } from "../elements.js";
import { post } from "../http.js";
import { toHex } from "../sha256.js";
import { digestOf } from "./proof.js";

/** @typedef {import("./proof.js").OwnThrow & { id: string, seat: number, begun: number }} Thrown by this page */

const BYTES = 32;

export class Throw {
  /** @param {{ live: import("../live.js").Live, table: string }} options */
  constructor({ live, table }) {
    this.live = live;
    this.table = table;
    this.kept = `passline throw ${table}`;
    /** @type {Thrown | null} */
    this.mine = JSON.parse(sessionStorage.getItem(this.kept) ?? "null");
    this.isAsked = false; // whether the answer of the command will come to this page
  }

  /**
   * The command of a new throw and its id. Pass the answer to `closed`.
   *
   * @param {number} seat
   * @returns {{ id: string, command: Server.Roll }}
   */
  begin(seat) {
    const nonce = toHex(crypto.getRandomValues(new Uint8Array(BYTES)));
    this.mine = {
      id: freshId(),
      number: this.live.view.commitment?.number ?? 0,
      seat,
      begun: Date.now(),
      nonce,
      hash: "",
    };
    this.isAsked = true;
    this.#keep();
    return { id: this.mine.id, command: commandOf(this.mine) };
  }

  /**
   * Wagers are closed by the entry with this hash: now, and not earlier, the nonce may be known.
   *
   * @param {{ id: string, hash: string }} answer
   */
  closed({ id, hash }) {
    if (id !== this.mine?.id || !hash) return;
    this.mine.hash = hash;
    this.#reveal();
  }

  /** @param {import("../http.js").Refused} error */
  refused(error) {
    this.isAsked = false;
    if (!error.isInDoubt) this.#forget();
  }

  // Follow a change: send the nonce again after a lost connection, and ask for the answer that a reload has lost.
  async follow() {
    const { mine } = this;
    if (!mine) return;
    const { closing, commitment } = this.live.view;
    if (commitment && commitment.number > mine.number) return this.#forget(); // the dice have landed
    if (!closing || closing.nonce_digest !== digest(mine.nonce)) return;
    if (mine.hash) return this.#reveal();
    if (this.isAsked) return;
    this.isAsked = true;
    try {
      this.closed(
        await post(`/api/tables/${encodeURIComponent(this.table)}/commands`, {
          id: mine.id,
          command: commandOf(mine),
          role: "player",
        }),
      );
    } catch {
      /* then the roll goes without it */
    }
  }

  #reveal() {
    if (!this.live.isOpen || !this.mine) return;
    this.mine.sentAfter ??= Date.now() - this.mine.begun;
    this.#keep();
    this.live.reveal(this.mine.nonce);
  }

  #keep() {
    sessionStorage.setItem(this.kept, JSON.stringify(this.mine));
  }

  #forget() {
    this.mine = null;
    sessionStorage.removeItem(this.kept);
  }
}

/**
 * @param {string} nonce
 * @returns {string}
 */
function digest(nonce) {
  return digestOf(nonce) ?? "";
}

/**
 * @param {Thrown} thrown
 * @returns {Server.Roll}
 */
function commandOf({ seat, nonce }) {
  return { command: "roll", seat, nonce_digest: digest(nonce) };
}
