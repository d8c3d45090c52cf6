// Setting up an office: the facility and its time, the figures left open, who acts for outside bodies, and where the
// office is kept.

import { byId } from "../dom.js";
import { buttonFor, el, hintText, setChildren, titledPanel } from "../elements.js";
import { get, post, refusalsIn } from "../http.js";
import { bodyKey } from "./body_keys.js";
import { book, clause, clauseOf, groupWords, here, loadBook, send } from "./book.js";
import { label } from "./fields.js";
import { showRefusals } from "./forms.js";
import { trying } from "./parts.js";
import { secondOwner } from "./second_owner.js";
import { closeSheet, commandForm, say, showSheet } from "./sheet.js";
import { STATES } from "./states.js";
import { openValue, valueWords } from "./values.js";
import { waivers } from "./waivers.js";

/** @import { Attributes } from "../elements.js" */
/** @import { Fault } from "./fields.js" */

const host = byId("set-up");
/** @type {[name: string, begins: string][]} */
const SHIFTS = [
  ["day", "06:00"],
  ["swing", "14:00"],
  ["grave", "22:00"],
];
let kept = "elsewhere";

/** The zone that the browser keeps; where it keeps none in particular, that of the regulation's state. */
function proposedZone() {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return own && !/UTC|GMT/.test(own) ? own : (here.place.zone ?? "");
}

/**
 * The code of a state by its code or its name.
 *
 * @param {string} typed
 * @returns {string}
 */
function stateCode(typed) {
  const text = typed.trim();
  const named = Object.entries(STATES).find(([, name]) => name.toLowerCase() === text.toLowerCase());
  return named ? named[0] : text.toUpperCase();
}

async function load() {
  await loadBook();
  ({ kept } = await get("/api/office"));
  byId("kept-elsewhere").hidden = kept === "here";
  const isSetUp = here.is_set_up || book.facility;
  setChildren(host, facility(), isSetUp ? values() : null, bodies(), isSetUp ? waivers(refresh) : null, keeping());
}
const refresh = () => trying(host, load);

// The facility

/**
 * @param {string} name
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
const row = (name, control, hint = "") =>
  el(
    "div",
    { class: "row" },
    el("label", { for: control.id }, name),
    control,
    hint ? el("span", { class: "hint" }, hint) : null,
  );
/**
 * @param {string} id
 * @param {string} value
 * @param {Attributes} [more]
 */
const field = (id, value, more = {}) => el("input", { id, value, autocomplete: "off", ...more });
/** @param {string} text */
const lines = (text) =>
  text
    .split("\n")
    .map((item) => item.trim())
    .filter(Boolean);

function facility() {
  const now = book.facility;
  const name = field("fac-name", now?.name ?? ""),
    zone = field("fac-zone", now?.zone ?? proposedZone(), {
      list: "zones",
      placeholder: "America/Phoenix",
      spellcheck: "false",
    });
  const country = field("fac-country", now?.country ?? "US", { maxlength: 2 }),
    state = field("fac-state", now?.subdivision ?? here.place.subdivision ?? "", { list: "states", maxlength: 40 });
  const begins = field("fac-begins", now?.day_begins ?? "06:00", { type: "time" });
  const areas = area("fac-areas", now?.areas ?? ["main floor"]),
    closed = area("fac-closed", now?.closed_days ?? []),
    business = area("fac-business", now?.business_days ?? []);
  const shifts = shiftRows(now?.shifts?.map((shift) => [shift.name, shift.begins]) ?? SHIFTS);
  const controls = Object.fromEntries(
    Object.entries({
      name,
      zone,
      country,
      day_begins: begins,
      areas,
      closed_days: closed,
      business_days: business,
    }).map(([key, input]) => [key, faultAt(input)]),
  );
  const [ofCountry, ofState] = [controls.country, faultAt(state)];
  controls.country = {
    focus: () => (state.value.trim() ? ofState : ofCountry).focus(),
    fault: (faults) => {
      const isOfState = Boolean(state.value.trim());
      ofState.fault(isOfState ? faults : []);
      ofCountry.fault(isOfState ? [] : faults);
    },
  };
  const second = secondOwner("set-up-office");
  const form = commandForm({
    label: "The facility",
    button: now ? "Change it" : "Set up the office",
    controls,
    nodes: [
      el(
        "div",
        { class: "columns" },
        el(
          "div",
          {},
          row("Name of the house", name),
          row("Time zone", zone, "Every deadline is reckoned in it."),
          el(
            "div",
            { class: "pair" },
            row("Country", country),
            row("State", state, "For its public holidays: AZ or Arizona."),
          ),
          row("Areas with tables, one a line", areas),
        ),
        el("div", {}, row("The gaming day begins at", begins), shifts.node),
      ),
      el(
        "div",
        { class: "columns" },
        row("Own days without business, one a line", closed, "Such as 2026-12-24."),
        row("Public holidays on which business is done, one a line", business),
      ),
      el(
        "datalist",
        { id: "zones" },
        ...(Intl.supportedValuesOf?.("timeZone") ?? []).map((item) => el("option", { value: item })),
      ),
      el(
        "datalist",
        { id: "states" },
        ...Object.entries(STATES).map(([code, name]) => el("option", { value: code }, name)),
      ),
      second.node,
    ],
    make: () => [
      {
        command: "set-up-office",
        facility: {
          name: name.value.trim(),
          zone: zone.value.trim(),
          country: country.value.trim().toUpperCase(),
          subdivision: stateCode(state.value),
          day_begins: begins.value,
          shifts: shifts.read(),
          areas: lines(areas.value),
          closed_days: lines(closed.value),
          business_days: lines(business.value),
        },
      },
      second.read(),
    ],
    ondone: (answer) => {
      say(answer.lines);
      here.is_set_up = true;
      if (!now) location.assign(`/office/${here.office}`);
      else refresh();
    },
  });
  form.querySelector(".ends > button:not([type=submit])")?.remove();
  if (!here.is_clerk)
    for (const control of form.querySelectorAll("input, textarea, button")) control.setAttribute("disabled", "");
  return titledPanel(
    "facility-title",
    "The facility",
    here.is_clerk ? null : hintText(`Changed by: ${groupWords(here.clerks)}.`),
    form,
  );
}

/**
 * @param {string} id
 * @param {string[]} all
 */
function area(id, all) {
  return el("textarea", { id, class: "prose", rows: 2, value: all.join("\n") });
}

/**
 * Show what is wrong under an input.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 */
function faultAt(input) {
  const wrong = el("p", { class: "field-fault", hidden: true });
  return {
    focus: () => input.focus(),
    fault: (/** @type {Fault[]} */ faults) => {
      if (!wrong.isConnected) input.after(wrong);
      wrong.hidden = !faults.length;
      wrong.textContent = faults.map((fault) => label(fault.why)).join("; ");
    },
  };
}

/**
 * The shifts of a gaming day: a name and the time each begins.
 *
 * @param {[name: string, begins: string][]} first
 */
function shiftRows(first) {
  const list = el("div", { class: "shifts" });
  /**
   * @param {string} [name]
   * @param {string} [begins]
   */
  const add = (name = "", begins = "") => {
    /** @type {HTMLElement} */
    const shift = el(
      "div",
      { class: "shift" },
      el("input", { value: name, "aria-label": "Name of the shift", autocomplete: "off" }),
      el("input", { type: "time", value: begins, "aria-label": "The shift begins at" }),
      buttonFor("×", () => shift.remove(), { class: "plain", "aria-label": "Leave this shift out" }),
    );
    list.append(shift);
  };
  for (const [name, begins] of first) add(name, begins);
  return {
    node: el(
      "fieldset",
      { class: "row" },
      el("legend", {}, "Shifts, the first with the gaming day"),
      list,
      buttonFor("Add a shift", () => {
        add();
        list.lastElementChild?.querySelector("input")?.focus();
      }),
    ),
    read: () =>
      [...list.children]
        .map((element) => {
          const [name, begins] = element.querySelectorAll("input");
          return { name: name.value.trim(), begins: begins.value };
        })
        .filter((item) => item.name || item.begins),
  };
}

// Figures and bodies

function values() {
  const all = Object.entries(book.asked);
  if (!all.length) return null;
  return titledPanel(
    "values-title",
    "Figures that the text leaves open",
    el(
      "ul",
      { class: "entries" },
      ...all.map(([key, rule]) =>
        el(
          "li",
          { class: "figure" },
          el(
            "p",
            {},
            el("strong", {}, label(rule.name)),
            " ",
            clause(clauseOf(rule)),
            el("br"),
            el(
              "span",
              { class: `tag ${book.values[key] === undefined ? "warn" : "on"}` },
              valueWords(rule, book.values[key]),
            ),
            rule.by?.length ? el("span", { class: "hint" }, ` set by the ${groupWords(rule.by)}`) : null,
          ),
          here.is_clerk
            ? buttonFor(book.values[key] === undefined ? "Set" : "Change", () => openValue(key, refresh))
            : null,
        ),
      ),
    ),
  );
}

function bodies() {
  const named = [
    ...new Set(
      Object.values(book.roles)
        .map((role) => role.body)
        .filter(Boolean),
    ),
  ].sort();
  if (!named.length || !book.facility) return null;
  const outside = book.people.filter((person) => book.bodies[person.account] || person.is_outside);
  return titledPanel(
    "bodies-title",
    "Outside bodies",
    hintText(
      "An account with the role regulator acts for one of them. Without an account its acts are recorded from " +
        "its papers.",
    ),
    outside.length
      ? el(
          "ul",
          { class: "entries" },
          ...outside.map((person) => {
            const choice = el(
              "select",
              {
                id: `body-${person.account}`,
                disabled: !here.is_clerk,
                onchange: () => {
                  assignBody(person, choice.value);
                },
              },
              el("option", { value: "" }, "no body"),
              ...named.map((body) => el("option", { value: body }, body)),
            );
            choice.value = book.bodies[person.account] ?? "";
            return el("li", { class: "pair" }, el("label", { for: choice.id }, person.name), choice);
          }),
        )
      : el("p", { class: "muted" }, "Nobody has the role regulator."),
    el("ul", { class: "entries" }, ...named.map((body) => bodyKey(body ?? "", here.is_owner, refresh))),
  );
}

/**
 * Say for which body somebody acts; where that takes two owners, the second one signs first.
 *
 * @param {{ account: string, name: string }} person
 * @param {string} body
 */
function assignBody(person, body) {
  const command = { command: "assign-body", account: person.account, body };
  const second = secondOwner("assign-body");
  const title = body ? `${person.name} acts for the ${body}` : `${person.name} acts for no body`;
  if (!second.node) {
    trying(host, async () => {
      say((await send(command)).lines);
      await load();
    });
    return;
  }
  const form = commandForm({
    label: title,
    nodes: [second.node],
    make: () => [command, second.read()],
    ondone: (answer) => {
      closeSheet();
      say(answer.lines);
    },
  });
  showSheet(title, [form], refresh);
}

// Where the office is kept

function keeping() {
  const is = kept === "here";
  const name = field("keep-name", "", { autocapitalize: "none", spellcheck: "false" }),
    pin = field("keep-pin", "", { type: "password", inputmode: "numeric" });
  const form = el(
    "form",
    {
      id: "kept",
      "aria-label": "Where the office is kept",
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          const answer = await post("/api/office", {
            where: is ? "elsewhere" : "here",
            sign_off: { name: name.value, pin: pin.value },
          });
          say(answer.lines);
          await load();
        } catch (refused) {
          showRefusals(form, refusalsIn(refused));
        }
        pin.value = "";
      },
    },
    el(
      "div",
      { class: "pair" },
      row("Signed off by", name, is ? "Another owner." : `Another ${here.signs_kept_here}.`),
      row("PIN", pin),
    ),
    el(
      "button",
      { type: "submit", class: is ? "bad" : "first" },
      is ? "Keep it elsewhere from now on" : "Keep it here from now on",
    ),
  );
  return titledPanel(
    "keep-title",
    "Where the house keeps its office",
    el(
      "p",
      {},
      is
        ? "Here: a table for money opens only when its opening list is green."
        : "Elsewhere: tables open without these lists. Keep it here and a table for money opens only when its list " +
            "is green.",
    ),
    is && here.is_sole_owner
      ? hintText(
          "Keeping it elsewhere takes two owners: without its lists nothing here holds a table back. This house has " +
            "no second one who could sign.",
        )
      : here.is_owner
        ? form
        : hintText("An owner can change this, signed off by another owner; a floorperson signs that it is kept here."),
  );
}

refresh();
