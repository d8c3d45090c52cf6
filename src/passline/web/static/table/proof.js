// Checks every roll of electronic dice on this page, with nothing but what the page itself was shown. Before wagers
// close the server shows the SHA-256 of a key; then an entry closes them; then the roll reveals the key. The dice
// follow from key, hash of that entry and the shooter's nonce:
//
//   const watch = new ProofWatch("craps-1");
//   live.on("change", () => { const checked = watch.follow(live, mine); if (checked) show(checked); });
//
// `checked` is {number, roll, faults, notes, proof, digest}: it is proved if there are no faults, wholly if no notes
// either.
import { fromHex, hmacSha256, joined, sha256, toHex } from "../sha256.js";

const TAG = new TextEncoder().encode("passline dice/1\0");
const BYTES = 32;
const IN_TIME_MS = 2500; // the server waits 3 s for a nonce
const FACES = 36n;
const WORDS = 2n ** 32n;
const SPAN = FACES ** 5n;
const REJECTED = WORDS % SPAN;

/**
 * The roll of a key, the hash of the entry that closed wagers, and a nonce (empty: none), all as bytes.
 *
 * @param {Uint8Array} key
 * @param {Uint8Array} closing
 * @param {Uint8Array} nonce
 * @returns {[number, number]}
 */
export function provableRoll(key, closing, nonce) {
  for (let block = 0; ; block += 1) {
    const digest = new DataView(
      hmacSha256(key, joined(TAG, closing, nonce, block ? bigEndian(block) : new Uint8Array())).buffer,
    );
    for (let at = 0; at < BYTES; at += 4) {
      const scaled = BigInt(digest.getUint32(at)) * SPAN;
      if (scaled % WORDS < REJECTED) continue;
      const digit = Number(scaled / WORDS / FACES ** 4n);
      return [Math.floor(digit / 6) + 1, (digit % 6) + 1];
    }
  }
}

/**
 * @param {number} number
 * @returns {Uint8Array}
 */
function bigEndian(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/**
 * @param {string} hex
 * @returns {string | null}
 */
export function digestOf(hex) {
  const bytes = fromHex(hex);
  return bytes && toHex(sha256(bytes));
}

/** @typedef {{ number: number, nonce: string, hash: string, sentAfter?: number }} OwnThrow of this page */
/**
 * @typedef {object} Checked a roll: it is proved if there are no faults, wholly if no notes either
 * @property {number} number
 * @property {[number, number] | null} roll
 * @property {string[]} faults
 * @property {string[]} notes
 * @property {Server.DiceRevealed} proof
 * @property {string} digest
 */

export class ProofWatch {
  /** @param {string} table */
  constructor(table) {
    this.kept = `passline digest ${table}`;
    const { number, digest } = JSON.parse(sessionStorage.getItem(this.kept) ?? "{}");
    /** @type {Map<number, string>} */
    this.digests = new Map(number ? [[number, digest]] : []); // by number: shown here while wagers were open
    /** @type {(Server.Closing & { hash: string }) | null} */
    this.closing = null; // the newest that was shown here, with its hash where the head tells it
    this.changed = ""; // why a digest cannot be trusted, once one was replaced
    this.last = 0; // the number of the newest roll that was checked
    this.isFirst = true;
  }

  /**
   * Take over the table as it is now. Returns the check of its last roll if that is new, otherwise null. `mine` is this
   * page's own throw, if it made one: {number, nonce, hash, sentAfter}.
   *
   * @param {{ table: Server.TableView | null, head: Server.Head | null, sequence: number }} shown
   * @param {OwnThrow | null} [mine]
   * @returns {Checked | null}
   */
  follow({ table, head, sequence }, mine = null) {
    if (table?.dice !== "electronic") return null;
    this.#seeCommitment(table);
    if (table.closing && table.closing.version !== this.closing?.version) {
      this.closing = { ...table.closing, hash: head?.sequence === sequence && !this.isFirst ? head.hash : "" };
    }
    this.isFirst = false;
    const { proof } = table;
    if (!proof || proof.number === this.last) return null;
    this.last = proof.number;
    return this.#check(proof, shownDice(table), mine?.number === proof.number ? mine : null);
  }

  /**
   * Remember a digest that is shown while wagers are open; one that is replaced later proves nothing.
   *
   * @param {Server.TableView} table
   */
  #seeCommitment({ commitment, closing }) {
    if (!commitment) return;
    const known = this.digests.get(commitment.number);
    if (known && known !== commitment.digest)
      this.changed = `The digest of key ${commitment.number} was replaced after this page had seen it.`;
    if (known || closing) return;
    this.digests.set(commitment.number, commitment.digest);
    sessionStorage.setItem(this.kept, JSON.stringify(commitment));
  }

  /**
   * @param {Server.DiceRevealed} proof
   * @param {number[] | null} dice
   * @param {OwnThrow | null} mine
   * @returns {Checked}
   */
  #check(proof, dice, mine) {
    /** @type {[string[], string[]]} */
    const [faults, notes] = [[], []];
    const [key, hash, nonce] = [proof.key, proof.hash, proof.nonce].map(fromHex);
    const isNonce = nonce?.length === BYTES || nonce?.length === 0;
    const isWhole = key?.length === BYTES && hash?.length === BYTES && isNonce;
    const roll = isWhole ? provableRoll(key, hash, nonce) : null;
    const digest = this.digests.get(proof.number) ?? "";
    if (!roll) faults.push("The key, the hash or the nonce of this roll is missing or damaged.");
    if (this.changed) faults.push(this.changed);
    if (roll && digest && digestOf(proof.key) !== digest)
      faults.push(`The key is not the one whose digest this page saw before wagers closed.`);
    if (roll && dice && dice.join() !== roll.join())
      faults.push(`The dice show ${dice.join("-")}, but key, hash and nonce give ${roll.join("-")}.`);
    if (!digest) notes.push("this page did not see the digest of its key before wagers closed");
    if (roll && !dice) notes.push("this page did not see these dice");
    if (roll) this.#checkClosing(proof, faults, notes);
    if (roll && mine) checkOwn(proof, mine, faults, notes);
    for (const number of this.digests.keys()) if (number <= proof.number) this.digests.delete(number);
    this.changed = "";
    return { number: proof.number, roll, faults, notes, proof, digest };
  }

  /**
   * @param {Server.DiceRevealed} proof
   * @param {string[]} faults
   * @param {string[]} notes
   */
  #checkClosing(proof, faults, notes) {
    const closing = this.closing?.number === proof.number ? this.closing : null;
    if (!closing) return;
    if (closing.version !== proof.closing)
      faults.push("The roll names another closing of wagers than the one that this page saw.");
    if (closing.hash && closing.hash !== proof.hash)
      faults.push("The hash is not that of the entry that closed wagers on this page.");
    if (proof.nonce && digestOf(proof.nonce) !== closing.nonce_digest)
      faults.push("The nonce is not the one that the shooter was bound to.");
    if (!proof.nonce && closing.nonce_digest) notes.push("the shooter's nonce did not come in time");
  }
}

/**
 * On the page that threw: the entry must be the one it was told of, and the nonce its own.
 *
 * @param {Server.DiceRevealed} proof
 * @param {OwnThrow} mine
 * @param {string[]} faults
 * @param {string[]} notes
 */
function checkOwn(proof, mine, faults, notes) {
  if (mine.hash && mine.hash !== proof.hash)
    faults.push("The hash is not the one that this page was told when wagers closed.");
  if (proof.nonce && proof.nonce !== mine.nonce) faults.push("The nonce is not the one that this page made.");
  if (!proof.nonce && mine.sentAfter !== undefined && mine.sentAfter < IN_TIME_MS)
    notes.push(
      `this page sent its nonce ${(mine.sentAfter / 1000).toFixed(1)} s after the throw began, and it was not used`,
    );
}

/**
 * The dice that lie on the table, or those of the last roll while new ones are out; null if neither is shown.
 *
 * @param {Server.TableView} table
 * @returns {number[] | null}
 */
function shownDice(table) {
  if (table.faces[0]) return table.faces;
  const last = table.rolls?.at(-1);
  return last ? [last.first, last.second] : null;
}
