// Answers that come line by line, as JSON.

import { metaContent } from "../dom.js";
import { Refused } from "../http.js";

/**
 * Splits what comes in pieces into whole lines.
 *
 * @param {(line: any) => void} take
 */
export function lineReader(take) {
  let rest = "";
  return (/** @type {string} */ piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) take(JSON.parse(line));
  };
}

/**
 * Ask, and take each line as it comes; resolves when the last one has. Breaking off the signal ends the question.
 *
 * @param {string} path
 * @param {object} body
 * @param {(line: Server.LabLine) => void} take
 * @param {AbortSignal} signal
 */
export async function askLines(path, body, take, signal) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF": metaContent("csrf") };
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      credentials: "same-origin",
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refused([{ clause: "", why: "The server cannot be reached. Try again." }]);
  }
  if (!response.ok || !response.body) {
    const answer = await response.json().catch(() => ({}));
    const why = `The server answered ${response.status} ${response.statusText}`;
    throw new Refused(answer.refusals ?? [{ clause: "", why }], response.status);
  }
  const read = lineReader(take);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    read(value);
  }
}
