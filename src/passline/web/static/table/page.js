// The page of a table: it connects the live table, the views of the layout and the player's actions.
import { byId as at, firstOf } from "../dom.js";
import { get } from "../http.js";
import { Live, showConnection } from "../live.js";
import { useCurrency, usePoints } from "../money.js";
import { watchHouse } from "../new_house.js";
import { keepHead } from "../player/heads.js";
import { callNow } from "../wording.js";
import { Bar } from "./bar.js";
import { Board } from "./board.js";
import { Cards } from "./card.js";
import { useColours } from "./chips.js";
import { Coach } from "./coach.js";
import { Costs } from "./costs.js";
import { DiceShown } from "./dice.js";
import { Effects } from "./effects.js";
import { isSideWager, keyOfArea } from "./felt.js";
import { Names } from "./names.js";
import { Notices } from "./notices.js";
import { Orders } from "./orders.js";
import { addToLog, sayCall, showPanels } from "./panel.js";
import { Play } from "./play.js";
import { ProofWatch } from "./proof.js";
import { ProofShown } from "./proof_shown.js";
import { netOf, ownOutcomes, showResult } from "./result.js";
import { askBuyIn, askDispute, askLeave, askPick, showSit } from "./seat.js";
import { Senses } from "./senses.js";
import { Sheets } from "./sheets.js";
import { html } from "./svg.js";
import { Throw } from "./throw.js";
import { fillTray } from "./tray.js";

const SAT = "passline sat";
const stage = firstOf(".stage");
const { table: id = "", role, demo, loggedIn, account, tournament } = stage.dataset;
if (tournament) usePoints();
const UPRIGHT = "(max-width: 1000px) and (orientation: portrait) and (pointer: coarse)";
const phone = matchMedia(`(max-width: 760px), ${UPRIGHT}, (max-height: 500px) and (orientation: landscape)`);
const lying = matchMedia("(max-height: 500px) and (min-width: 640px) and (orientation: landscape)");

/** @type {Server.Layout} */
const layout = await get(`/api/tables/${encodeURIComponent(id)}/layout`);
useColours(layout.colours);
useCurrency(layout.currency);
const live = new Live({ table: id, role });
const dice = new DiceShown(at("dice"), { felt: () => at("felt").getBoundingClientRect() });
const senses = new Senses();
const throwing = new Throw({ live, table: id });
const watch = new ProofWatch(id);
const proof = new ProofShown({ advise: adviseDispute });
const notices = new Notices({ host: at("notices"), table: id });
const dialog = at("dialog", HTMLDialogElement);
/** @type {Board[]} */
let boards = [];
const sheets = new Sheets({ board: (name) => boards[name === "centre" ? 1 : 2] });
/** @type {number | null} */
let rolled = null;
let isWaiting = false; // while the dice tumble, the result is not shown
let areasAsked = false;
let areasStale = false;
let isSitting = false;
let isSeated = false; // whether the areas are buttons, as they are for a seated player

const play = new Play({
  live,
  layout,
  areaOf: (wager) => everywhere.areaOf(wager),
  told: {
    busy: (area, isBusy) => {
      for (const board of boards) board.busy(keyOfArea(area), isBusy);
    },
    done: (_area, command, done) => {
      if (command.command === "roll") throwing.closed(done);
      else if ("wager" in command) senses.chip();
      cards.dismiss();
      draw();
    },
    refused: (area, refusals, command, error) => {
      if (error && command?.command === "roll") throwing.refused(error);
      cards.refuse(area, area && rectOf(area), refusals, command);
    },
  },
});
const everywhere = new Board({ view: layout.table, chips: layout.chips, label: "" }); // not shown; it knows every area
const names = new Names({ areas: layout.table.areas, areaOf: (wager) => everywhere.areaOf(wager) });
const nameOfWager = (/** @type {{ kind: string, number: number }} */ wager) => names.ofWager(wager);
const costs = new Costs({ table: id, live, play, panel: at("cost-panel"), place: at("cost"), isWanted: !tournament });
const cards = new Cards({
  card: at("card"),
  refused: at("refused"),
  chosen: at("chosen"),
  sit: at("sit"),
  play,
  calls: layout.calls,
  costs,
});
const orders = new Orders({ live, play, layout, table: id });
const bar = new Bar({ live, play, orders });
const coach = new Coach({ place: at("coach"), says: layout.coach, live, play });
const effects = new Effects({
  rectOf: (wager) => {
    const area = everywhere.areaOf(wager);
    return area && rectOf(area);
  },
  bank: () => {
    const { left, top, width } = at("felt").getBoundingClientRect();
    return { left: left + width * 0.62, top: top - 6, width: 36, height: 36 };
  },
  rack: () => at("rack").getBoundingClientRect(),
  mark: (wager, how, ms) => {
    const area = everywhere.areaOf(wager);
    if (area) for (const board of boards) board.light(keyOfArea(area), how, ms);
  },
});
/** @type {import("./board.js").Act} */
const act = {
  make: (area) => {
    cards.choose(area);
    return area.printed.picks.length
      ? askPick(dialog, area, { play, chip: () => play.chip })
      : play.make(area, play.chip);
  },
  takeDown: (area) => {
    cards.choose(area);
    play.takeDown(area);
  },
  select: (area, isHover) => {
    // on a phone the bar would grow under the finger, so there only a tap chooses
    if (!isHover && !phone.matches) cards.choose(area);
    const isLooked = isHover || (!phone.matches && document.activeElement?.matches(":focus-visible"));
    if (live.table && isLooked) cards.show(area, rectOf(area), live.table.limits);
  },
  leave: () => cards.hide(),
  key: (event, area) => {
    const does = { u: () => play.make(area, play.unitOf(area)), p: () => play.press(area), o: () => play.call(area) }[
      event.key.toLowerCase()
    ];
    if (!does || !play.seat || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) does();
  },
};

/**
 * @param {Server.LayoutArea} area
 * @returns {DOMRect | null}
 */
function rectOf(area) {
  return boards.map((board) => board.rectOf(keyOfArea(area))).find((rect) => rect?.width) ?? null;
}

// Lay out the views that fit this screen: the whole table, or its end and two sheets.
function lay() {
  isSeated = Boolean(play.seat);
  /**
   * @param {Server.View} view
   * @param {string} label
   */
  const make = (view, label) => new Board({ view, chips: layout.chips, label, act: isSeated ? act : null, look: act });
  sheets.close();
  at("sheets").hidden = !phone.matches;
  // within reach of the thumb
  (phone.matches && !lying.matches ? at("sheets") : firstOf(".head")).append(at("ends"));
  if (phone.matches) {
    boards = [
      make(lying.matches ? layout.lying : layout.half, "Layout"),
      make(layout.centre, "Centre wagers"),
      make(layout.numbers, "Buy, lay and lose"),
    ];
  } else boards = [make(layout.table, "Layout")];
  at("felt").replaceChildren(boards[0].element);
  draw();
  if (isSeated && justSat()) begin();
}

// Move the focus to the felt; on a phone, scroll it above the bar.
function begin() {
  boards[0].focus("pass:0");
  measureBar();
  if (phone.matches) at("felt").scrollIntoView({ block: "end" });
}

// Set the height of the bar: on a phone a sheet stands on it, and the page leaves room for it.
function measureBar() {
  document.documentElement.style.setProperty("--bar-height", `${at("bar").offsetHeight}px`);
  document.documentElement.style.setProperty("--strip-height", `${firstOf(".calls").offsetHeight}px`);
  uncoverLine();
}

let isScrolled = false; // by the player, who looks at something else

// On a phone the bar lies over the page: scroll as far as the pass line and the odds behind it need.
function uncoverLine() {
  if (!phone.matches || isScrolled || !document.body.classList.contains("seated")) return;
  const bar = at("bar").getBoundingClientRect(),
    felt = at("felt").getBoundingClientRect(),
    line = at("felt").querySelector('[data-key="pass:0"]')?.getBoundingClientRect();
  const isBeside = bar.left > felt.left + 1; // on its side the phone has bar and strip on the right
  const low = isBeside ? innerHeight : bar.top,
    high = isBeside ? 0 : firstOf(".calls").getBoundingClientRect().bottom;
  if (felt.bottom > low) scrollBy({ top: Math.ceil(felt.bottom - low), behavior: "instant" });
  else if (line && line.top < high) scrollBy({ top: Math.floor(line.top - high), behavior: "instant" });
}
for (const kind of ["touchmove", "wheel"])
  addEventListener(
    kind,
    () => {
      isScrolled = true;
    },
    { passive: true },
  );
addEventListener("orientationchange", () => {
  isScrolled = false;
});

// Whether the player has just sat down, here or by a button that loaded this page.
function justSat() {
  const isNew = isSitting || sessionStorage.getItem(SAT) === id;
  isSitting = false;
  sessionStorage.removeItem(SAT);
  return isNew;
}

// Draw everything that changes with the table.
function draw() {
  const { table, own } = live;
  if (!table || isWaiting) return;
  const { seat } = play;
  if (isSeated !== Boolean(seat)) return lay();
  for (const board of boards) board.update({ table, seat, states: seat ? play.statesNow() : new Map() });
  showPanels(table, {
    seat,
    account: own?.account ?? "",
    nameOfWager,
    nameOfKind: (kind) => names.ofKind(kind),
    charges: names.charges,
  });
  if (tournament) showRound(table.points);
  at("bar").hidden = !seat;
  at("ends").hidden = !seat;
  at("sit").hidden = Boolean(seat) || Boolean(tournament);
  document.body.classList.toggle("seated", Boolean(seat));
  if (!seat)
    showSit(at("sit-body"), {
      table,
      play,
      isLoggedIn: Boolean(loggedIn),
      hasAccount: Boolean(account),
      isDemo: Boolean(demo),
      sitting: () => {
        isSitting = true;
        sessionStorage.setItem(SAT, id);
      },
    });
  else if (own) bar.draw(table, own);
  showResult(at("result"), table, { account: own?.account ?? "", nameOfWager });
  coach.draw(table);
  cards.refresh();
  live.confirm();
}

/**
 * The strip of a tournament: what is left of the round, and the way to one's rank. No seat is taken or left here.
 *
 * @param {Server.PointsView | null} round
 */
function showRound(round) {
  const left = round?.rolls_left ?? -1;
  at("round-left").textContent = !round
    ? "The round is over."
    : left < 0
      ? "The round is played by the clock."
      : left
        ? `${left} ${left === 1 ? "roll" : "rolls"} left.`
        : "The last roll is made.";
  at("buy-in").hidden = at("leave").hidden = true;
}

/**
 * What to do about a roll that is not proved.
 *
 * @returns {HTMLElement[]}
 */
function adviseDispute() {
  if (!play.seat)
    return [html("p", {}, "Tell a supervisor of the house, and keep this page open: it shows what you need.")];
  return [
    html(
      "p",
      {},
      "Make no more wagers. Press Dispute: the table stops, what you saw is recorded, and a supervisor must " +
        "decide. Keep this page open.",
    ),
    html(
      "button",
      { type: "button", class: "first", onclick: () => askDispute(dialog, { own: live.own, play }) },
      "Dispute",
    ),
  ];
}

// Request where wagers may be made: one request at a time, and another if the table changed meanwhile.
async function askAreas() {
  if (!play.seat || !live.isOpen) return;
  areasStale = true;
  if (areasAsked) return;
  areasAsked = true;
  while (areasStale) {
    areasStale = false;
    play.judge(await live.areas());
  }
  areasAsked = false;
  draw();
  await orders.follow();
}

/**
 * Do something that depends on what may come down now: the list may still be from before the last roll.
 *
 * @param {() => unknown} act
 */
async function withFreshAreas(act) {
  if (play.seat && live.isOpen)
    await live.areas().then(
      (areas) => play.judge(areas),
      () => {},
    );
  return act();
}

/**
 * Whether a change can affect where this player may wager. Other players' wagers do only if they are side wagers, whose
 * number is limited.
 *
 * @param {import("../live.js").Change} change
 * @returns {boolean}
 */
function isAboutAreas({ changed, touched }) {
  const isMine = (/** @type {import("../live.js").WagerKey} */ wager) =>
    wager.seat === play.seat || isSideWager(everywhere.areaOf(wager));
  return Object.keys(changed).length > 0 || touched.some(isMine);
}

live.on("change", async ({ detail }) => {
  const table = live.view;
  play.follow(detail);
  const checked = watch.follow(live, throwing.mine);
  throwing.follow();
  addToLog(detail.said);
  if (detail.kind === "table" || detail.said.some((message) => message.has_notices)) notices.ask(live.sequence);
  if (!play.isShut && isAboutAreas(detail))
    askAreas().catch(() => {
      areasAsked = false;
    });
  const call = callNow(table, detail);
  const isRolled = rolled !== null && table.roll !== rolled && detail.kind === "news";
  if (isRolled) {
    rolled = table.roll;
    isWaiting = true;
    if (!dice.isOut) senses.thrown();
    await dice.tumble(table.faces);
    isWaiting = false;
    if (play.isShut) dice.begin();
  } else if (play.isShut) {
    if (!dice.isOut) senses.thrown();
    dice.begin();
  } else if (!isWaiting) dice.rest(table.faces);
  rolled = table.roll;
  proof.show(live.view, checked);
  sayCall(call);
  draw();
  if (play.seat) keepHead(id, live.head);
  if (!isRolled) return;
  senses.decided(call, netOf(ownOutcomes(live.view, live.own?.account ?? "")));
  effects.roll(live.view, live.own?.account ?? "");
});
live.on("busy", () => stage.classList.toggle("busy", live.isBusy));
live.on("connection", draw);

function roll() {
  const button = at("roll", HTMLButtonElement);
  if (button.hidden || button.disabled) return;
  const { id: throwId, command } = throwing.begin(play.seat);
  play.do(command, throwId);
}

function listen() {
  at("undo").addEventListener("click", () => play.undo());
  at("clear").addEventListener("click", () => withFreshAreas(() => play.clear()));
  at("repeat").addEventListener("click", () => play.repeat());
  at("odds").addEventListener("click", () => play.fullOdds());
  for (const name of ["across", "inside"]) at(name).addEventListener("click", () => orders.spread(name));
  at("winners").addEventListener("click", () => {
    orders.turn();
    draw();
  });
  at("roll").addEventListener("click", roll);
  at("accept").addEventListener("click", () => play.do({ command: "accept-dice" }));
  at("decline").addEventListener("click", () => play.passDice());
  at("dispute").addEventListener("click", () => askDispute(dialog, { own: live.own, play }));
  at("leave").addEventListener("click", () =>
    withFreshAreas(() => live.own && askLeave(dialog, { own: live.own, play, nameOfWager })),
  );
  at("buy-in").addEventListener("click", () => askBuyIn(dialog, { table: live.view, play }));
  addEventListener("keydown", (event) => {
    dice.skip();
    if (dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && sheets.shown) sheets.close();
    if (event.target instanceof Element && event.target.closest("input:not([type=radio]), textarea, select")) return;
    // then keys belong to what has it
    const hasFocus = document.activeElement && document.activeElement !== document.body;
    if (event.key === " " && !hasFocus) {
      event.preventDefault();
      if (!event.repeat) roll();
    }
    if (!hasFocus && cards.area) {
      if (event.key !== "Delete" && event.key !== "Backspace") act.key?.(event, cards.area);
      else if (!event.repeat) act.takeDown(cards.area);
    }
    if (event.key.toLowerCase() === "w" && play.seat && !event.repeat) at("winners").click();
    const cents = layout.chips[Number(event.key) - 1];
    if (cents && play.seat) at(`chip-${cents}`).click();
  });
  addEventListener("pointerdown", () => dice.skip());
  for (const size of [phone, lying]) size.addEventListener("change", lay);
  const sizes = new ResizeObserver(measureBar);
  for (const element of [at("bar"), firstOf(".calls"), at("coach"), at("felt")]) sizes.observe(element);
}

at("proof").append(proof.mark, proof.spoken);
at("proof-panel").replaceWith(proof.panel);
at("unproved").append(proof.alarm);
at("senses").append(senses.panel(), coach.setting());
fillTray(at("tray"), {
  layout,
  play,
  dropped: (key) => {
    const area = boards.flatMap((board) => board.view.areas).find((item) => keyOfArea(item) === key);
    if (area) act.make(area);
  },
});
listen();
lay();
showConnection(live, at("connection"));
watchHouse(live, id);
live.start();

const sideWagers = layout.table.areas.filter((area) => area.printed.lines.length);
at("side-panel").hidden = !sideWagers.length;
at("pay-tables").append(
  ...sideWagers.map((area) =>
    html(
      "section",
      {},
      html("h3", {}, area.printed.title),
      html("ul", {}, ...area.printed.lines.map((line) => html("li", {}, line))),
    ),
  ),
);
