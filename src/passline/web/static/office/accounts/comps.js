// Comps: what play was worth, what of it was earned, granted and given back, by patron, gaming day or month.

import { el, hintText, setChildren } from "../../elements.js";
import { currencySign } from "../../money.js";
import { loadBook } from "../book.js";
import { trying } from "../parts.js";
import {
  amount,
  ask,
  asked,
  behindText,
  choice,
  dayAsked,
  dayPicker,
  figure,
  host,
  ledger,
  linkTo,
  percent,
  periodAsked,
  periodChoice,
  spanOf,
  spanText,
  workbookLink,
} from "./shared.js";

const period = periodAsked(),
  by = asked.by || "patron";

async function load() {
  const [day] = await Promise.all([dayAsked(), loadBook()]);
  /** @type {Server.CompsAnswer} */
  const found = await ask("comps", { period, span: spanOf(day, period), by });
  /** @param {{ [key: string]: string }} change */
  const address = (change) =>
    linkTo("comps", { day, period: period === "day" ? "" : period, by: by === "patron" ? "" : by, ...change });
  setChildren(
    host,
    el(
      "div",
      { class: "asked" },
      dayPicker(day, (other) => address({ day: other })),
      periodChoice(period, (other) => address({ period: other })),
      choice(
        "By",
        [
          ["patron", "Patron"],
          ["day", "Gaming day"],
          ["month", "Month"],
        ],
        by,
        (item) => address({ by: item === "patron" ? "" : item }),
      ),
    ),
    el(
      "section",
      { class: "panel", "aria-labelledby": "comps-title" },
      el(
        "div",
        { class: "heading" },
        el("h2", { id: "comps-title" }, `Comps, ${spanText(found.span)}`),
        workbookLink("comps", { period, span: found.span, by }),
      ),
      ledger(
        "Comps",
        [
          by === "patron" ? "Patron" : by === "day" ? "Gaming day" : "Month",
          ...["Theoretical", "Earned", "Granted", "Given"].map((head) => `${head} ${currencySign()}`),
          "Reinvested",
        ],
        found.comps.map((comps) => row(comps, found, day)),
        { none: "No comps are on record of this time." },
      ),
      hintText(
        "Earned is the house's share of the theoretical win of gaming days that are over; granted is what an owner " +
          "let " +
          "a patron have besides. Reinvested is what was given, as a share of the theoretical win of the same time.",
      ),
      behindText(found),
    ),
  );
}

/**
 * @param {Server.Reinvestment} comps
 * @param {Server.CompsAnswer} found
 * @param {string} day
 */
function row(comps, found, day) {
  const name = found.names[comps.subject] ?? (by === "patron" ? comps.subject : spanText(comps.subject)),
    to =
      by === "patron"
        ? linkTo("player", { player: comps.subject, day })
        : linkTo("comps", { day: `${comps.subject}-01`.slice(0, 10), period: by === "day" ? "" : by });
  return {
    cells: [
      el("th", { scope: "row" }, el("a", { href: to }, name)),
      figure(amount(comps.theoretical), to, `Theoretical, ${name}`),
      figure(amount(comps.earned), to, `Earned, ${name}`),
      figure(amount(comps.granted), to, `Granted, ${name}`),
      figure(amount(comps.given), to, `Given, ${name}`),
      figure(percent(comps.rate), to, `Reinvested, ${name}`),
    ],
  };
}

trying(host, load);
