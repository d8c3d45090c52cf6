// Requests to the HTTP API. A refusal is thrown as an error with every clause.

import { askFor } from "./asked.js";
import { metaContent } from "./dom.js";
import { signWithAuthenticator } from "./second_factor.js";

/** @import { Challenge } from "./second_factor.js" */

export class Refused extends Error {
  /**
   * @param {Server.RefusalView[]} refusals
   * @param {number} [status]
   * @param {boolean} [isInDoubt]
   * @param {Challenge | null} [secondFactor]
   */
  constructor(refusals, status = 0, isInDoubt = false, secondFactor = null) {
    super(refusals.map(({ why, clause }) => (isClause(clause) ? `${why} [${clause}]` : why)).join("; "));
    this.refusals = refusals;
    this.status = status;
    this.isInDoubt = isInDoubt; // whether it may have been done all the same
    this.secondFactor = secondFactor; // what the signer's authenticator signs before the same is sent again
  }
}

/**
 * Why something failed: every refusal with its clause, or the error itself.
 *
 * @param {unknown} error
 * @returns {Server.RefusalView[]}
 */
export function refusalsIn(error) {
  if (error instanceof Refused) return error.refusals;
  return [{ clause: "", why: error instanceof Error ? error.message : String(error) }];
}

/**
 * Whether what was sent may have been done although no answer came.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export const isInDoubt = (error) => error instanceof Refused && error.isInDoubt;

const AGAIN = 3; // how often a page asks again by itself while the server is busy, or is being started again

/**
 * Ask for something; while the server says when to ask again, do so then.
 *
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
  const options = { headers: { Accept: "application/json" } };
  for (let left = AGAIN; ; left--) {
    const response = await request(path, options, "The server cannot be reached. Try again.");
    const seconds = Number(response.headers.get("Retry-After"));
    if (response.status !== 503 || !(seconds > 0) || !left) return readAnswer(response);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

const newest = new WeakMap(); // what was asked for last, by the place that shows it

/**
 * Ask for what a place of the page shows; resolves to null if something else was asked for there meanwhile.
 *
 * @param {object} place
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function getFor(place, path) {
  const asking = get(path);
  newest.set(place, asking);
  const isNewest = () => newest.get(place) === asking;
  try {
    const found = await asking;
    return isNewest() ? found : null;
  } catch (refused) {
    if (isNewest()) throw refused;
    return null;
  }
}

/**
 * Send something; if the server first asks for a PIN or a signature, ask whoever is there, and send it again with it.
 *
 * @param {string} path
 * @param {{ [key: string]: any }} [body]
 * @returns {Promise<any>}
 */
export async function post(path, body = {}) {
  try {
    return await postOnce(path, body);
  } catch (refused) {
    const given = refused instanceof Refused ? await givenFor(refused, body) : null;
    if (!given) throw refused;
    return post(path, { ...body, ...given });
  }
}

/**
 * What a refusal asks for, from whoever is there: an authenticator's signature, a PIN, a second person's name and PIN.
 *
 * @param {Refused} refused
 * @param {{ [key: string]: any }} body
 * @returns {Promise<object | null>}
 */
async function givenFor(refused, body) {
  if (!refused.secondFactor || !body.sign_off) return askFor(refused.refusals);
  const assertion = await signWithAuthenticator(refused.secondFactor);
  return assertion && { sign_off: { ...body.sign_off, assertion } };
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
async function postOnce(path, body) {
  const csrf = metaContent("csrf");
  return readAnswer(
    await request(
      path,
      {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRF": csrf },
        body: JSON.stringify(body),
      },
      "The server did not answer, so it is not known whether this was done. Look whether it was before you send " +
        "it again.",
      true,
    ),
  );
}

/**
 * Attach a document to the office; resolves to its digest. Storing it twice is the same as once.
 *
 * @param {Blob} file
 * @returns {Promise<string>}
 */
export async function attach(file) {
  const csrf = metaContent("csrf");
  const headers = { "Content-Type": "application/octet-stream", Accept: "application/json", "X-CSRF": csrf };
  return (
    await readAnswer(
      await request(
        "/api/office/documents",
        { method: "POST", headers, body: file },
        "The server cannot be reached: the document is not stored. Choose it again.",
      ),
    )
  ).digest;
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @param {string} why
 * @param {boolean} [isInDoubt]
 * @returns {Promise<Response>}
 */
async function request(path, options, why, isInDoubt = false) {
  try {
    return await fetch(path, { credentials: "same-origin", ...options });
  } catch {
    throw new Refused([{ clause: "", why }], 0, isInDoubt);
  }
}

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function readAnswer(response) {
  const text = await response.text();
  /** @type {{ in_doubt?: boolean, refusals?: Server.RefusalView[], second_factor?: Challenge }} */
  let body = {};
  try {
    body = text ? JSON.parse(text) : {};
  } catch {
    /* such as the error page of a proxy */
  }
  if (response.ok) return body;
  const why = `The server answered ${response.status} ${response.statusText}`;
  const isInDoubt = body.in_doubt ?? response.status >= 500; // a proxy's error page says nothing about the request
  const refusals = Array.isArray(body.refusals) ? body.refusals : [{ clause: "", why }];
  throw new Refused(refusals, response.status, isInDoubt, body.second_factor);
}

/**
 * Whether a citation is a clause of a regulation or a numbered standard such as `nigc 542.15`; `practice`, `form` or
 * `duties` are words of ours, which say nothing.
 *
 * @param {string | undefined} cited
 * @returns {boolean}
 */
export function isClause(cited) {
  return /[A-Z\d]/.test(cited ?? "");
}

/**
 * A list of refusals with their clauses.
 *
 * @param {Server.RefusalView[]} refusals
 * @returns {HTMLUListElement}
 */
export function refusalList(refusals) {
  const list = document.createElement("ul");
  for (const refusal of refusals) {
    const item = document.createElement("li");
    item.append(refusal.why);
    if (isClause(refusal.clause)) {
      const clause = document.createElement("span");
      clause.className = "clause";
      clause.textContent = ` [${refusal.clause}]`;
      item.append(clause);
    }
    list.append(item);
  }
  return list;
}
