// What a house does without: items of good practice that no clause asks for. Owners choose, two where two must agree.

import { buttonFor, el, hintText, titledPanel } from "../elements.js";
import { book, here } from "./book.js";
import { secondOwner } from "./second_owner.js";
import { closeSheet, commandForm, say, showSheet } from "./sheet.js";

/** @param {() => void} then */
export function waivers(then) {
  const out = book.left_out;
  return titledPanel(
    "waivers-title",
    "What the house does without",
    hintText(
      "Items of good practice that no clause asks for. Everybody who verifies the log sees which, and who chose.",
    ),
    out.length
      ? el("ul", { class: "entries" }, ...out.map((item) => el("li", {}, nameOf(item))))
      : el("p", { class: "muted" }, "Nothing: every item of good practice holds."),
    here.is_owner ? buttonFor("Choose", () => openWaivers(then)) : null,
  );
}

/** @param {string} item */
const nameOf = (item) => book.practice[item] ?? item;

/** @param {() => void} then */
function openWaivers(then) {
  const second = secondOwner("leave-out");
  const boxes = Object.entries(book.practice).map(([item, name]) => {
    const box = el("input", { type: "checkbox", value: item, checked: book.left_out.includes(item) });
    return { box, node: el("li", {}, el("label", {}, box, ` ${name}`)) };
  });
  const form = commandForm({
    label: "What the house does without",
    button: "Do without these",
    nodes: [
      el(
        "fieldset",
        { class: "row" },
        el("legend", {}, "Done without, where it is ticked"),
        el("ul", { class: "entries" }, ...boxes.map(({ node }) => node)),
      ),
      second.node,
    ],
    make: () => [
      { command: "leave-out", items: boxes.filter(({ box }) => box.checked).map(({ box }) => box.value) },
      second.read(),
    ],
    ondone: (answer) => {
      closeSheet();
      say(answer.lines);
      then();
    },
  });
  showSheet("What the house does without", [form]);
  boxes[0]?.box.focus();
}
