// Heads that this browser keeps: the end of the log as a table's page was told of it, signed by the house.
/** @typedef {Server.Head & { table: string, at: string }} KeptHead when it was kept, and at which table */

const KEPT = "passline heads";
const KEPT_MAX = 20;

/** @returns {KeptHead[]} */
export function keptHeads() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * Keep the newest head of a table: one for each table, the newest first.
 *
 * @param {string} table
 * @param {Server.Head | null} head
 */
export function keepHead(table, head) {
  if (!head?.hash) return;
  const others = keptHeads().filter((keptHead) => keptHead.table !== table);
  localStorage.setItem(
    KEPT,
    JSON.stringify([{ table, at: new Date().toISOString(), ...head }, ...others].slice(0, KEPT_MAX)),
  );
}

/**
 * A head as `passline verify --head` takes it.
 *
 * @param {Server.Head} head
 * @returns {string}
 */
export function headText({ sequence, hash, seal }) {
  return `${sequence}:${hash}:${seal}`;
}
