// Electronic dice proved by the page: the published vectors, and every way in which a roll does not hold.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { fromHex, hmacSha256, sha256, toHex } from "../../../src/passline/web/static/sha256.js";
import { digestOf, ProofWatch, provableRoll } from "../../../src/passline/web/static/table/proof.js";
import { useStorage } from "./browser_storage.js";

/** @type {{ vectors: { key: string, digest: string, closing: string, nonce: string, roll: string }[] }} */
const { vectors } = JSON.parse(readFileSync(new URL("../../vectors/dice.json", import.meta.url), "utf-8"));
const [VECTOR] = vectors;
const SHOOTER_DIGEST = digestOf(VECTOR.nonce);

beforeEach(useStorage);

/** @param {string} hex */
const bytesOf = (hex) => fromHex(hex) ?? assert.fail(`${hex} is not in hex digits`);

test("the published vectors come out", () => {
  assert.ok(vectors.length > 10);
  for (const { key, digest, closing, nonce, roll } of vectors) {
    assert.equal(digestOf(key), digest);
    assert.equal(provableRoll(bytesOf(key), bytesOf(closing), bytesOf(nonce)).join("-"), roll);
  }
});

test("SHA-256 and its HMAC are those of node, at every length about a block", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 37 + length) % 256);
    assert.equal(toHex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
    assert.equal(toHex(hmacSha256(bytes, bytes)), createHmac("sha256", bytes).update(bytes).digest("hex"));
  }
});

test("what is not written in small hex digits has no bytes", () => {
  for (const text of ["0", "0g", "AA", null, 12]) assert.equal(fromHex(text), null);
});

/**
 * A table with electronic dice, as far as a proof looks at it.
 *
 * @param {object} [parts]
 * @returns {Server.TableView}
 */
const tableWith = (parts = {}) => {
  const commitment = { number: 1, digest: VECTOR.digest };
  return /** @type {any} */ ({ dice: "electronic", commitment, closing: null, proof: null, faces: [0, 0], ...parts });
};
const CLOSING = { version: 7, number: 1, nonce_digest: SHOOTER_DIGEST, nonce: null };
const PROOF = { number: 1, closing: 7, hash: VECTOR.closing, key: VECTOR.key, nonce: VECTOR.nonce };
const FACES = VECTOR.roll.split("-").map(Number);

/**
 * Watch a roll from the open table to the dice: `changes` are what a forger changes.
 *
 * @param {{ proof?: object, faces?: number[], closing?: object, commitment?: object }} [changes]
 */
function watched({ proof = {}, faces = FACES, closing = {}, commitment } = {}) {
  const watch = new ProofWatch("craps-1");
  const head = { sequence: 9, hash: VECTOR.closing, seal: "" };
  assert.equal(watch.follow({ table: tableWith(), head, sequence: 8 }), null);
  const closed = tableWith({ closing: { ...CLOSING, ...closing }, ...(commitment ? { commitment } : {}) });
  assert.equal(watch.follow({ table: closed, head, sequence: 9 }), null);
  const landed = tableWith({ proof: { ...PROOF, ...proof }, faces, commitment: { number: 2, digest: "00" } });
  return watch.follow({ table: landed, head: { ...head, sequence: 10, hash: "" }, sequence: 10 });
}

test("a roll that was watched from its digest on is proved wholly", () => {
  const checked = watched();
  assert.deepEqual(checked?.faults, []);
  assert.deepEqual(checked?.notes, []);
  assert.deepEqual(checked?.roll, FACES);
});

test("each forgery is told", () => {
  const other = (/** @type {string} */ hex) => (hex[0] === "0" ? "1" : "0") + hex.slice(1);
  /** @type {[RegExp, Parameters<typeof watched>[0]][]} */
  const forgeries = [
    [/The dice show/, { faces: [1 + (FACES[0] % 6), FACES[1]] }],
    [/The key is not the one whose digest/, { proof: { key: other(PROOF.key) } }],
    [/The hash is not that of the entry/, { proof: { hash: other(PROOF.hash) } }],
    [/The nonce is not the one that the shooter was bound to/, { proof: { nonce: other(PROOF.nonce) } }],
    [/is missing or damaged/, { proof: { key: "" } }],
    [/another closing of wagers/, { proof: { closing: 6 } }],
    [/The digest of key 1 was replaced/, { commitment: { number: 1, digest: "0".repeat(64) } }],
  ];
  for (const [why, changes] of forgeries) assert.match(watched(changes)?.faults.join(" ") ?? "", why);
});

test("a page that came later says what it did not see, and a roll is checked once", () => {
  const watch = new ProofWatch("craps-1");
  const table = tableWith({ proof: PROOF, faces: FACES, commitment: { number: 2, digest: "00" } });
  const shown = { table, head: null, sequence: 10 };
  const checked = watch.follow(shown);
  assert.deepEqual(checked?.faults, []);
  assert.deepEqual(checked?.notes, ["this page did not see the digest of its key before wagers closed"]);
  assert.equal(watch.follow(shown), null);
});

test("on the page that threw, the hash and the nonce must be its own", () => {
  const watch = new ProofWatch("craps-1");
  const shown = { table: tableWith({ proof: { ...PROOF, nonce: "" }, faces: [0, 0] }), head: null, sequence: 10 };
  const mine = { number: 1, nonce: VECTOR.nonce, hash: "ff", sentAfter: 100 };
  const checked = watch.follow(shown, mine);
  assert.match(checked?.faults.join(" ") ?? "", /The hash is not the one that this page was told/);
  assert.match(checked?.notes.join(" ") ?? "", /sent its nonce 0.1 s after the throw began, and it was not used/);
});
