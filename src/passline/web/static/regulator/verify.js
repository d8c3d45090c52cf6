// The newest head, ready to copy, and the verification of the whole log.

import { byId } from "../dom.js";
import { copyButton, el, hintText, setChildren } from "../elements.js";
import { post, refusalList, refusalsIn } from "../http.js";

/**
 * What the verification of a log found.
 *
 * @typedef {object} Report
 * @property {boolean} [is_intact]
 * @property {number} [entries]
 * @property {number} [seconds]
 * @property {{ sequence?: number, what?: string, why?: string }[]} [faults]
 * @property {string[]} [remarks]
 * @property {{ lines?: string[], warnings?: string[] }} [dealt]
 */

/** @type {Server.NewestHead | null} */
let head = null;

/**
 * A head as `passline verify --head` takes it.
 *
 * @param {Server.Head} head
 */
export function headText(head) {
  return `${head.sequence}:${head.hash}:${head.seal}`;
}

/** @param {Server.NewestHead} newest */
export function showHead(newest) {
  if (!newest || newest.sequence === head?.sequence) return;
  head = newest;
  byId("head-sequence").textContent = `Entry ${head.sequence.toLocaleString("en-US")}`;
  byId("head-hash").textContent = head.hash;
  byId("head-seal").textContent = head.seal;
  byId("head-key").textContent = head.public_key;
  byId("head-command").textContent = `passline verify LOG --head ${headText(head)} --key ${head.public_key}`;
}

export function startVerify() {
  byId("head-copy").append(
    copyButton(() => (head ? headText(head) : ""), "Copy the head"),
    copyButton(() => head?.public_key ?? "", "Copy the key"),
    copyButton(() => byId("head-command").textContent, "Copy the command"),
  );
  byId("verify").addEventListener("click", verify);
}

async function verify() {
  const button = byId("verify");
  if (button.getAttribute("aria-disabled")) return;
  button.setAttribute("aria-disabled", "true");
  const bar = el("progress", { "aria-label": "Verification" }); // indeterminate: it runs until the answer comes
  byId("verified").replaceChildren(
    el(
      "p",
      {},
      `Verifying ${head?.sequence.toLocaleString("en-US") ?? "all"} entries: the chain, the seals, every ` +
        "settlement and the vault …",
    ),
    bar,
  );
  try {
    show(
      await post(
        "/api/log/verify",
        head ? { head: { sequence: head.sequence, hash: head.hash, seal: head.seal } } : {},
      ),
    );
  } catch (refused) {
    byId("verified").replaceChildren(el("div", { class: "refused" }, refusalList(refusalsIn(refused))));
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

// Which program and rulebook dealt what, and where those that verified it are others.
/** @param {Report} report */
function dealtBy(report) {
  const { lines = [], warnings = [] } = report.dealt ?? {};
  return [
    ...warnings.map((text) => hintText(`Note: ${text}`)),
    lines.length ? el("ul", { class: "muted remarks" }, ...lines.map((text) => el("li", {}, text))) : null,
  ];
}

// What is no fault and somebody should know: keys given up, rolls without a nonce, clock jumps, broken glass, anchors.
/** @param {Report} report */
function remarksOf(report) {
  const remarks = report.remarks ?? [];
  return remarks.length
    ? [
        el("h3", {}, "To know"),
        el(
          "ul",
          { class: "remarks" },
          ...remarks.map((text) =>
            el(
              "li",
              { class: /^(warning|notice|note):|not checked/.test(text) ? "is-marked" : "" },
              text.replace(/^./, (first) => first.toUpperCase()),
            ),
          ),
        ),
      ]
    : [];
}

// The verdict is the verifier's own, never a count made here.
/** @param {Report} report */
function show(report) {
  const faults = report.faults ?? [];
  const entries = Number(report.entries ?? 0).toLocaleString("en-US");
  const seconds = report.seconds ? ` (verified in ${report.seconds} s)` : "";
  const verdict =
    report.is_intact === true
      ? el(
          "p",
          { class: "said" },
          `Intact: the chain, seals and settlements of ${entries} entries and the vault are correct${seconds}.`,
        )
      : el(
          "div",
          { class: "refused" },
          el(
            "b",
            {},
            `NOT INTACT: ${faults.length} fault${faults.length === 1 ? "" : "s"} in ${entries} entries and the ` +
              `vault${seconds}`,
          ),
          el(
            "ol",
            { class: "faults" },
            ...faults.map((fault) =>
              el("li", {}, fault.sequence ? `Entry ${fault.sequence}: ` : "", fault.what ?? fault.why ?? String(fault)),
            ),
          ),
        );
  setChildren(byId("verified"), verdict, ...remarksOf(report), ...dealtBy(report));
}
