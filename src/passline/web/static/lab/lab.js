// The page of the laboratory: what is chosen, what is asked, and where the answers are shown. Its address holds it all.

import { byId, fieldById } from "../dom.js";
import { copyButton, el } from "../elements.js";
import { get, isClause, Refused, refusalList } from "../http.js";
import { centsFrom, useCurrency } from "../money.js";
import { BestPanel } from "./best.js";
import { Editor } from "./editor.js";
import { askLines } from "./lines.js";
import { LETTERS, nameInFile, playedName, showPlayed } from "./played_list.js";
import { Results } from "./results.js";
import { Shooters } from "./shooters.js";
import { firstState, fragmentOf, hasStops, STRATEGIES_MAX, sessionAsked, stateIn } from "./state.js";

/** @typedef {import("./state.js").LabState} LabState */

const TYPING_MS = 350;
const BLANK = `name = "mine"
description = "What it does, in one line."
source = "written in the laboratory"

[parameters]
unit = { default = 10_00, about = "cents on the line" }

[[wish]]
make = "pass"
when = "come_out"
cents = "unit"

[[wish]]
make = "pass_odds"
when = "point_on"
cents = "2 * unit"
`;

const regulation = byId("lab").dataset.regulation ?? "";
const fields = {
  bankroll: fieldById("bankroll"),
  count: fieldById("count"),
  counted: fieldById("counted"),
  goal: fieldById("goal"),
  loss: fieldById("loss"),
  stopLoss: fieldById("stop-loss"),
  trailing: fieldById("trailing"),
  wins: fieldById("wins"),
  losses: fieldById("losses"),
  short: fieldById("short"),
};
/** @type {LabState} */
let state = firstState(regulation);
/** @type {Server.LabCatalogue} */
let known = { regulations: [], strategies: [] };
/** @type {AbortController | null} */
let solving = null;
/** @type {AbortController | null} */
let checking = null;
let edited = -1; // the strategy that is open in the editor
let typing = 0;
let keeping = 0;
let isOwn = ""; // the fragment that this page has written itself

const editor = new Editor(byId("editor"), { changed: fileChanged, closed: closeEditor });
const results = new Results(byId("results"));
const shooters = new Shooters(byId("shooters"), { ask: playHands, moved: keepShooter });

const bestPanel = new BestPanel(byId("best"), { ask: findBest });

// What is on the page

function showState() {
  const { house, session, pace, strategies } = state;
  const chosen = `${house.regulation} ${house.game || gamesOf(house.regulation)[0] || ""}`.trim();
  fieldById("regulation").value = chosen;
  fieldById("elections").value = house.elections;
  fieldById("pace").value = String(pace);
  for (const [key, field] of Object.entries(fields)) field.value = session[/** @type {keyof typeof fields} */ (key)];
  const details = document.getElementById("more-terms");
  if (details && (house.elections || hasStops(session) || pace !== 100)) details.setAttribute("open", "");
  showStrategies();
  useCurrency(known.regulations.find(({ name }) => name === house.regulation)?.currency ?? "");
  shooters.choose(strategies.map(playedName));
}

function showStrategies() {
  showPlayed(byId("played-list"), state.strategies, {
    named: (at, played) => {
      state.strategies[at] = { played };
      keep();
    },
    edit,
    remove: (at) => {
      state.strategies.splice(at, 1);
      closeEditor();
      showStrategies();
      keep();
    },
    about: aboutPlayed,
  });
  for (const id of ["add", "write"]) byId(id, HTMLButtonElement).disabled = state.strategies.length >= STRATEGIES_MAX;
  shooters.choose(state.strategies.map(playedName));
}

/** @param {string} name */
const gamesOf = (name) => known.regulations.find((item) => item.name === name)?.games ?? [];

/** @param {string} played */
function aboutPlayed(played) {
  const names = played.split("+").map((part) => part.split(":")[0].trim().toLowerCase().replaceAll("-", "_"));
  const found = names.map((name) => known.strategies.find((strategy) => strategy.name === name));
  if (found.length === 1 && found[0]) {
    const parameters = Object.entries(found[0].parameters).map(([key, value]) => `${key}=${value}`);
    return `${found[0].description}${parameters.length ? ` Parameters: ${parameters.join(", ")}` : ""}`;
  }
  const missing = names.find((name, at) => name && !found[at]);
  return missing ? `The catalogue has no ${missing.slice(0, 40)}` : "";
}

/** Read the fields into the state. */
function readState() {
  const [name, game = ""] = fieldById("regulation").value.split(" ");
  state.house = { regulation: name, game, elections: fieldById("elections").value };
  for (const [key, field] of Object.entries(fields)) /** @type {any} */ (state.session)[key] = field.value.trim();
  state.pace = Number(fieldById("pace").value) || state.pace;
  useCurrency(known.regulations.find((item) => item.name === name)?.currency ?? "");
}

/** Write the state into the address, so that the page can be linked to and loaded again. */
function keep() {
  clearTimeout(keeping);
  keeping = setTimeout(writeAddress, TYPING_MS);
}

async function writeAddress() {
  readState();
  isOwn = `#${await fragmentOf(state)}`;
  history.replaceState(null, "", isOwn);
  return location.href;
}

// Asking

/** @param {unknown} error */
function fail(error) {
  const refusals =
    error instanceof Refused
      ? error.refusals
      : [{ clause: "", why: String(/** @type {any} */ (error).message ?? error) }];
  byId("failed").replaceChildren(el("div", { class: "refused" }, refusalList(refusals)));
}

async function solve() {
  solving?.abort();
  byId("failed").replaceChildren();
  readState();
  keep();
  /** @type {Server.LawsAsked} */
  let asked;
  try {
    asked = {
      house: state.house,
      session: sessionAsked(state.session, centsFrom),
      strategies: state.strategies,
      pace: state.pace,
    };
  } catch (error) {
    return fail(error);
  }
  const mine = new AbortController();
  solving = mine;
  const many = state.strategies.length;
  let at = 0;
  working(true, "Asking the laboratory \u2026");
  results.begin(state.strategies.map(playedName), asked.session.bankroll_cents);
  try {
    await askLines(
      "/api/lab/laws",
      asked,
      (line) => {
        if (mine.signal.aborted) return;
        if (line.line === "next") at = line.strategy;
        else if (line.line === "waiting") say(waitingText(line.before));
        else if (line.line === "progress") say(progressText(line, at, many));
        else if (line.line === "law") results.law(at, line);
        else if (line.line === "fan") results.fan(at, line);
        else if (line.line === "refused") results.refused(at, line.refusals);
      },
      mine.signal,
    );
    say(results.summary());
  } catch (error) {
    if (mine.signal.aborted) return;
    fail(error);
    say("");
  } finally {
    if (solving === mine) {
      solving = null;
      working(false);
    }
  }
}

/** @param {number} before */
const waitingText = (before) =>
  before === 1 ? "One question comes first \u2026" : `${before} questions come first \u2026`;

/**
 * @param {Server.LabProgress} line
 * @param {number} at
 * @param {number} many
 */
function progressText({ what, done, of }, at, many) {
  const count = of ? `${done.toLocaleString("en-US")} of ${of.toLocaleString("en-US")}` : done.toLocaleString("en-US");
  return `${many > 1 ? `Strategy ${LETTERS[at]}, ` : ""}${what}: ${count}`;
}

/** @param {string} words */
function say(words) {
  byId("progress").textContent = words;
}

/**
 * @param {boolean} isBusy
 * @param {string} [words]
 */
function working(isBusy, words) {
  byId("cancel").hidden = !isBusy;
  byId("results").toggleAttribute("data-busy", isBusy);
  if (words !== undefined) say(words);
}

/** @param {import("./shooters.js").Shown} shown */
async function playHands(shown) {
  readState();
  shooters.say("Dealing \u2026");
  try {
    await askLines(
      "/api/lab/hands",
      {
        house: state.house,
        session: sessionAsked(state.session, centsFrom),
        strategy: state.strategies[Math.min(shown.strategy, state.strategies.length - 1)],
        seed: shown.seed,
      },
      (line) => {
        if (line.line === "hands") shooters.open(line, shown);
        else if (line.line === "waiting") shooters.say(waitingText(line.before));
        else if (line.line === "refused") shooters.say(wordsOf(line.refusals));
      },
      new AbortController().signal,
    );
  } catch (error) {
    shooters.say(error instanceof Refused ? wordsOf(error.refusals) : String(error));
  }
}

/** @param {import("./best.js").Wanted} wanted */
async function findBest(wanted) {
  readState();
  state.best = wanted;
  keep();
  bestPanel.say("Looking for it \u2026");
  try {
    const { bankroll_cents, goal_cents, rolls: limit } = sessionAsked(state.session, centsFrom);
    const unit = centsFrom(wanted.unit);
    if (!unit) throw new RangeError(`In units of: "${wanted.unit.slice(0, 20)}" is not an amount`);
    const rolls = wanted.purpose === "goal" ? null : (limit ?? null);
    await askLines(
      "/api/lab/best",
      { house: state.house, bankroll_cents, goal_cents, ...wanted, rolls, unit_cents: unit, unit: undefined },
      (line) => {
        if (line.line === "best") bestPanel.show(line);
        else if (line.line === "waiting") bestPanel.say(waitingText(line.before));
        else if (line.line === "progress") bestPanel.say(progressText(line, 0, 1));
        else if (line.line === "refused") bestPanel.say(wordsOf(line.refusals));
      },
      new AbortController().signal,
    );
  } catch (error) {
    bestPanel.say(error instanceof Refused ? wordsOf(error.refusals) : String(/** @type {any} */ (error).message));
  }
}

/** @param {import("./shooters.js").Shown} shown */
function keepShooter(shown) {
  state.shooter = shown;
  keep();
}

/** @param {Server.RefusalView[]} refusals */
const wordsOf = (refusals) =>
  refusals.map(({ why, clause }) => (isClause(clause) ? `${why} [${clause}]` : why)).join("; ");

// The editor

/** @param {number} at */
function edit(at) {
  const strategy = state.strategies[at];
  if (strategy.file === undefined) {
    const name = (strategy.played ?? "").split(":")[0].trim().toLowerCase().replaceAll("-", "_");
    const found = known.strategies.find((item) => item.name === name);
    if (!found)
      return fail(
        new Refused([{ clause: "", why: `${strategy.played}: only one strategy of the catalogue opens as a file` }]),
      );
    state.strategies[at] = { file: found.text };
    showStrategies();
    keep();
  }
  openEditor(at);
}

/** @param {number} at */
function openEditor(at) {
  edited = at;
  const text = state.strategies[at].file ?? "";
  editor.open(`Strategy ${LETTERS[at]}: ${nameInFile(text)}`, text);
  check(true);
  byId("editor").scrollIntoView({ block: "nearest" });
}

/** @param {string} text */
function fileChanged(text) {
  if (edited < 0) return;
  state.strategies[edited] = { file: text };
  editor.title.textContent = `Strategy ${LETTERS[edited]}: ${nameInFile(text)}`;
  keep();
  clearTimeout(typing);
  typing = setTimeout(() => check(false), TYPING_MS);
}

/** @param {boolean} withCosts */
async function check(withCosts) {
  checking?.abort();
  const mine = new AbortController();
  checking = mine;
  const file = editor.text;
  readState();
  try {
    await askLines(
      "/api/lab/check",
      { house: state.house, strategy: { file }, with_costs: withCosts },
      (line) => {
        if (mine.signal.aborted || editor.text !== file) return;
        if (line.line === "check") editor.show(line);
        else if (line.line === "refused") editor.fail(wordsOf(line.refusals));
      },
      mine.signal,
    );
    if (!withCosts && !mine.signal.aborted && editor.text === file)
      typing = setTimeout(() => check(true), 3 * TYPING_MS);
  } catch (error) {
    if (!mine.signal.aborted && error instanceof Refused) editor.fail(wordsOf(error.refusals));
  }
}

function closeEditor() {
  checking?.abort();
  clearTimeout(typing);
  edited = -1;
  editor.close();
  showStrategies();
}

// Beginning

function chooseable() {
  fieldById("regulation").replaceChildren(
    ...known.regulations.flatMap(({ name, title, games }) =>
      games.map((game) => el("option", { value: `${name} ${game}` }, `${title}: ${game.replaceAll("_", " ")}`)),
    ),
  );
  byId("catalogue").replaceChildren(
    ...known.strategies.map(({ name, description }) => el("option", { value: name }, description)),
  );
}

async function begin() {
  state = (await stateIn(location.hash, regulation)) ?? firstState(regulation);
  showState();
  await solve();
  if (state.shooter) await playHands(state.shooter);
  if (state.best) {
    bestPanel.fill(state.best);
    await findBest(state.best);
  }
}

byId("set-up").addEventListener("submit", (event) => {
  event.preventDefault();
  solve();
});
byId("set-up").addEventListener("change", keep);
byId("cancel").addEventListener("click", () => {
  solving?.abort();
  working(false, "Cancelled.");
});
byId("add").addEventListener("click", () => {
  state.strategies.push({ played: "" });
  showStrategies();
  byId(`played-${state.strategies.length - 1}`).focus();
});
byId("write").addEventListener("click", () => {
  state.strategies.push({ file: BLANK });
  showStrategies();
  keep();
  openEditor(state.strategies.length - 1);
});
const copy = copyButton(() => location.href, "Copy the link");
copy.addEventListener("pointerdown", () => void writeAddress());
byId("copy-link").replaceWith(copy);
addEventListener("hashchange", () => {
  if (location.hash !== isOwn) begin();
});

try {
  known = await get("/api/lab");
  chooseable();
  await begin();
} catch (error) {
  fail(error);
}
