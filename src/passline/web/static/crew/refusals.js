// Refusals, questions and notes as the console shows them, with what was not done because of them.

import { el } from "../elements.js";
import { refusalList } from "../http.js";
import { keyName } from "./keyboard/notices.js";

/**
 * Show what the crew is told in an element; it hears "dismissed" once nothing stops the keys any more.
 *
 * @param {HTMLElement} element
 * @param {import("./keyboard/notices.js").Notices} notices
 */
export function showNotices(element, notices) {
  let wasShown = false;
  /**
   * @param {string} label
   * @param {string} key
   * @param {() => void} onclick
   */
  const button = (label, key, onclick) =>
    el("button", { type: "button", class: "act", onclick }, label, el("kbd", {}, key));
  return () => {
    const { stops, notes, question, keys } = notices.shown;
    const isStop = stops.length > 0;
    const parts = stops.flatMap(({ title, refusals, left }) => [
      el("b", {}, title),
      refusalList(refusals),
      left.length ? el("p", { class: "left" }, el("b", {}, "Not done: "), left.join(", ")) : null,
    ]);
    const asked = question ? [el("b", {}, question.title), el("p", { class: "left" }, question.why)] : [];
    const noted = notes.map((text) => el("p", { class: "note" }, text));
    const since = keys.length
      ? el(
          "p",
          { class: "left" },
          el("b", {}, "Not taken since: "),
          ...keys.flatMap((key) => [el("kbd", {}, keyName(key)), " "]),
        )
      : null;
    const buttons =
      question && !isStop
        ? [
            button(`Record ${question.yes.says.toLowerCase()}`, "Shift+Enter", () => notices.answer(true)),
            button("Drop it", "Esc", () => notices.answer(false)),
          ]
        : [button("Dismiss", "Esc", () => notices.dismiss())];
    const isAny = isStop || question || notes.length > 0;
    element.hidden = !isAny;
    element.classList.toggle("is-question", Boolean(question) && !isStop);
    element.classList.toggle("is-note", !isStop && !question);
    element.replaceChildren(
      ...(isAny
        ? [el("div", {}, ...parts, ...asked, ...noted, since), el("div", { class: "answers" }, ...buttons)]
        : []),
    );
    if (wasShown && !notices.isShown) element.dispatchEvent(new Event("dismissed"));
    wasShown = notices.isShown;
  };
}
