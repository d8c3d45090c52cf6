// A field for serial numbers: a scanner types like a keyboard, so Enter, space or a comma ends one and begins the next.

import { el } from "../elements.js";

/** A list of names that are typed or scanned.
 *
 * `check(name)` says what is wrong with one, "" if nothing; `known` are suggested; `one` takes a single name.
 */
export function scanner({ id, label, known = [], check = () => "", one = false, onchange = () => {}, describedby = null }) {
  let names = [];
  const list = el("ul", { class: "tokens", "aria-label": `${label}: taken` });
  const count = el("span", { class: "hint", role: "status" });
  const input = el("input", { id, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", enterkeyhint: "next",
    list: known.length ? `${id}-known` : null, "aria-describedby": describedby, placeholder: one ? "Scan, type or choose" : "Scan or type; Enter or space for the next" });
  const options = known.length ? el("datalist", { id: `${id}-known` }, ...known.slice(0, 500).map((name) => el("option", { value: name }))) : null;

  const show = () => {
    list.hidden = !names.length;
    list.replaceChildren(...names.map((name) => {
      const wrong = check(name);
      return el("li", { class: wrong ? "is-wrong" : "" }, el("span", {}, name), wrong ? el("span", { class: "why" }, wrong) : null,
        el("button", { type: "button", class: "plain", "aria-label": `Leave out ${name}`, onclick: () => { names = names.filter((other) => other !== name); show(); input.focus(); onchange(); } }, "×"));
    }));
    count.textContent = one || !names.length ? "" : `${names.length} taken`;
  };
  const take = () => {
    const typed = input.value.split(/[\s,;]+/).filter(Boolean);
    if (!typed.length) return false;
    input.value = "";
    add(typed);
    return true;
  };
  const add = (more) => {
    names = one ? more.slice(-1) : [...new Set([...names, ...more])];
    show();
    onchange();
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Backspace" && !input.value && names.length) { names = names.slice(0, -1); show(); onchange(); }
    if (event.key === " " || event.key === ",") { event.preventDefault(); take(); }
    if (event.key === "Enter" && take()) event.preventDefault(); // with nothing typed Enter goes on
  });
  input.addEventListener("change", take); // chosen from the list, or left
  input.addEventListener("paste", () => setTimeout(take));
  show();
  return { nodes: [input, options, count, list], input, add, take, read: () => { take(); return names; } };
}
