// Fields that are papers: a sign or package as it would be printed now, and a house file with its elections.

import { el } from "../elements.js";
import { get, post, refusalsIn } from "../http.js";
import { inThousands } from "../money.js";
import { book, clause, here } from "./book.js";

/** @import { Control, Making } from "./fields.js" */
/** @typedef {{ ids: () => string[], value: (name: string) => any }} Current what the form of an act says now */

/**
 * A paper of the office as it stands: it is looked at, and its digest goes on record.
 *
 * @param {Making} making
 * @returns {Control}
 */
export function sheetControl({ id, field, act, current, describedby }) {
  let digest = "";
  const shown = el("div", { class: "paper-shown", role: "status" });
  const box = el("input", { id: `${id}-same`, type: "checkbox" });
  const same = el(
    "label",
    { class: "box", hidden: true },
    box,
    el("span", {}, "This is the paper: as it is shown here"),
  );
  const look = el(
    "button",
    {
      id,
      type: "button",
      "aria-describedby": describedby,
      onclick: async () => {
        const [thing = ""] = current?.ids() ?? [],
          paper = field.of?.[0] ?? "",
          kind = book.papers?.[paper]?.thing ?? "";
        const asked = new URLSearchParams({
          kind: act.thing ?? "",
          thing,
          of: kind ? (current?.value(kind) ?? "") : "",
        });
        try {
          /** @type {Server.PaperSheet} */
          const sheet = await get(`/api/office/${here.office}/papers/${paper}?${asked}`);
          digest = sheet.digest;
          same.hidden = !digest;
          const printed = sheet.missing.length
            ? ""
            : el(
                "p",
                {},
                el(
                  "a",
                  {
                    href: `/api/office/${here.office}/papers/${paper}.pdf?${asked}`,
                    target: "_blank",
                    rel: "noopener",
                  },
                  "Print it (PDF)",
                ),
              );
          shown.replaceChildren(
            printed,
            sheet.missing.length
              ? el(
                  "div",
                  { class: "refused" },
                  el(
                    "ul",
                    {},
                    ...sheet.missing.map((part) =>
                      el("li", {}, `Cannot be printed: ${part.name} is missing `, clause(part.clause)),
                    ),
                  ),
                )
              : "",
            ...sheet.parts.map((part) =>
              el(
                "details",
                {},
                el("summary", {}, part.name, clause(part.clause)),
                ...part.lines.map((line) => el("p", {}, inThousands(line))),
              ),
            ),
          );
        } catch (refused) {
          shown.textContent = refusalsIn(refused)[0].why;
        }
      },
    },
    "Show the paper as it is now",
  );
  return {
    nodes: [look, shown, same],
    input: look,
    isGroup: true,
    missing: "Show the paper, look at it, and tick that it is the paper",
    read: () => (box.checked ? digest : ""),
  };
}

/**
 * A house file: the elections of a house as TOML, from the regulation's defaults or from a file, checked by the server.
 *
 * @param {Making} making
 * @returns {Control}
 */
export function houseControl({ id, label: name, describedby }) {
  const input = el("textarea", {
    id,
    "aria-label": name,
    class: "elections",
    spellcheck: "false",
    rows: 10,
    "aria-describedby": describedby,
  });
  const file = el("input", {
    id: `${id}-file`,
    type: "file",
    accept: ".toml",
    "aria-label": "Take the house from a file",
    onchange: async () => {
      const [chosen] = file.files ?? [];
      if (chosen) input.value = await chosen.text();
    },
  });
  const asked = new URLSearchParams({ regulation: here.office });
  get(`/house/elections?${asked}`).then(
    ({ toml }) => {
      const name = book.facility?.name; // printed on the layout
      input.value ||= name ? toml.replace(/^name = ".*"$/m, () => `name = ${JSON.stringify(name)}`) : toml;
    },
    () => {},
  ); // without it the file is typed
  return {
    nodes: [
      el(
        "p",
        {},
        "It starts as the regulation's own defaults, under the name of this house. ",
        el("a", { class: "button", href: `/elections?${asked}` }, "Choose each election in a form"),
      ),
      el(
        "details",
        { class: "file" },
        el("summary", {}, "As a file (TOML), if you would rather write it"),
        input,
        file,
      ),
    ],
    isGroup: true,
    read: async () => {
      if (!input.value.trim()) return "";
      return (await post("/house/check", { toml: input.value, regulation: here.office, game: "" })).house;
    },
  };
}
