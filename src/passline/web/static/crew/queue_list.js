// The list of commands that were done last, are on their way, or wait.

import { el } from "../elements.js";

const STATES = {
  done: ["✓", "done"],
  sent: ["…", "on its way"],
  doubt: ["?", "not known yet, the server is asked"],
  waits: ["", "waits"],
};

/**
 * Draw what was done last, is on its way and waits.
 *
 * @param {import("./keyboard/queue.js").Shown[]} items
 */
export function drawQueue(items) {
  return items.map(({ says, state, sequence }, place) =>
    el(
      "li",
      {
        class: `is-${state}`,
        "data-sequence": sequence,
        title: sequence ? `entry ${sequence} of the log` : STATES[state][1],
      },
      el(
        "span",
        { class: "mark", "aria-hidden": "true" },
        STATES[state][0] || String(place + 1 - items.findIndex((item) => item.state === "waits")),
      ),
      says,
      el("span", { class: "spoken" }, `, ${STATES[state][1]}`),
    ),
  );
}
