// A player's part in a seat draw: a nonce that nobody else knows until the round is prepared. Its SHA-256 is promised
// before; the nonce itself is sent only when the draw waits for it, so nobody can choose an entry to suit it.
// It is kept until then, so that a page that is loaded again can still send it.

import { freshId } from "../elements.js";
import { post } from "../http.js";
import { toHex } from "../sha256.js";
import { digestOf } from "../table/proof.js";
import { api, here } from "./common.js";

const BYTES = 32,
  LIVE = ["entered", "in"];
let isBusy = false;

/**
 * Promise a nonce for every entry of one's own that has signed in, and say it when the draw waits for it.
 *
 * @param {Server.TournamentAnswer} now
 */
export async function addNonces(now) {
  if (isBusy || now.is_closed) return;
  isBusy = true;
  try {
    for (const entry of now.mine.filter(
      ({ status, has_signed_in }) => has_signed_in && LIVE.includes(status ?? "entered"),
    ))
      await addNonce(now.lot, entry.number);
  } catch {
    /* the draw goes without it */
  } finally {
    isBusy = false;
  }
}

/**
 * @param {Server.LotView} lot
 * @param {number} entry
 */
async function addNonce(lot, entry) {
  const key = `passline lot ${here.id} ${entry}`,
    kept = localStorage.getItem(key);
  if (lot.waits_for.includes(entry)) {
    if (kept) await give({ command: "reveal-nonce", entry, nonce: kept });
    localStorage.removeItem(key);
  } else if (!lot.promised.includes(entry) || !kept) {
    const nonce = toHex(crypto.getRandomValues(new Uint8Array(BYTES)));
    localStorage.setItem(key, nonce);
    await give({ command: "promise-nonce", entry, digest: digestOf(nonce) ?? "" });
  }
}

/** @param {{ command: string, entry: number, [field: string]: any }} command */
const give = (command) => post(api("/commands"), { id: freshId(), command, role: "player" });
