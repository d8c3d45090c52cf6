// The crew keys in what players without a page of their own do with physical dice.

import { el, fill } from "../elements.js";
import { Refused } from "../http.js";
import { money } from "../money.js";
import { hasText } from "./chips.js";
import { act, field, form, panel, select, showSeats, submit } from "./panel.js";
import { chipsText } from "./payouts/chips.js";

/**
 * @typedef {object} PlayerAct what a player does with the dice
 * @property {"accept-dice" | "decline-dice" | "choose-dice" | "surrender-dice" | "decline-line-wager"} command
 * @property {string} key
 * @property {string} says
 * @property {{ chosen: number[] }} [more]
 * @property {Server.TableView["phase"]} [phase] in which alone it is done
 */
/** @typedef {{ at: string, seat: "offered_to" | "shooter", acts: PlayerAct[] }} Moment while the dice are somewhere */

/** @type {Moment[]} */
const MOMENTS = [
  {
    at: "offered",
    seat: "offered_to",
    acts: [
      { command: "accept-dice", key: "y", says: "accepts the dice" },
      { command: "decline-dice", key: "j", says: "declines" },
    ],
  },
  {
    at: "accepted",
    seat: "shooter",
    acts: [
      { command: "choose-dice", key: "i", says: "has picked two dice", more: { chosen: [1, 2] } },
      { command: "surrender-dice", key: "", says: "gives the dice up" },
    ],
  },
  {
    at: "held",
    seat: "shooter",
    acts: [
      { command: "surrender-dice", key: "", says: "gives the dice up" },
      { command: "decline-line-wager", key: "", says: "makes no line wager", phase: "come_out" },
    ],
  },
];

/** @type {{ [key: string]: string }} */
const KEYS = { y: "Dice accepted", j: "Dice declined", i: "Dice picked" };

/**
 * @param {import("./console.js").Console} console_
 * @returns {import("./panel.js").Panel}
 */
export function handPanel(console_) {
  const now = el("div", { class: "acts" });
  const who = select([]);
  const standing = el("p", { class: "standing", role: "status" });
  const what = select(
    /** @type {[string, string][]} */ ([
      ["leave-seat", "leaves the table"],
      ["dispute-faces", "disputes the faces"],
      ["stand-up", "gets up"],
      ["sit-down", "sits down again"],
    ]).filter(([command]) => console_.can(command)),
  );
  const element = panel(
    "What a player does",
    "",
    now,
    form(
      "What a player does",
      () =>
        console_.submit(
          `Seat ${who.value} ${what.selectedOptions[0].textContent}`,
          /** @type {Server.TableCommand} */ ({ command: what.value, seat: Number(who.value) }),
        ),
      field("Seat", who),
      field("Does", what, { size: "wide" }),
      submit("Key it in"),
    ),
    standing,
  );
  /** @type {(PlayerAct & { seat: number })[]} */
  let shown = [];
  /** @type {import("./panel.js").State | null} */
  let state = null;
  const showStanding = () => {
    const seat = Number(who.value);
    if (!state?.table.seats.length) return;
    const rack = state.own?.racks?.[seat];
    const leaves =
      what.value === "leave-seat" && rack !== undefined
        ? ` Leaves with ${money(rack)}${rack ? `: ${chipsText(rack, console_.card.chips, money)}` : ""}.`
        : "";
    standing.textContent = `${hasText(state, seat)}${leaves}`;
  };
  for (const list of [who, what]) list.addEventListener("change", showStanding);
  /**
   * @param {PlayerAct & { seat: number }} act
   * @returns {Server.TableCommand}
   */
  const commandOf = ({ command, seat, more }) => /** @type {Server.TableCommand} */ ({ command, seat, ...more });
  /** @param {(PlayerAct & { seat: number }) | undefined} item */
  const doing = (item) => item && console_.act(`Seat ${item.seat} ${item.says}`, commandOf(item));
  /** @param {string} key */
  const keyed = (key) => {
    if (!console_.isAhead) return doing(shown.find((item) => item.key === key));
    return console_.act(KEYS[key], () => {
      // who has the dice is known once those before are done
      const item = shown.find((each) => each.key === key);
      if (item) return commandOf(item);
      throw new Refused([{ clause: "", why: "No player can do this now." }]);
    });
  };
  return {
    element,
    update(given) {
      state = given;
      const { table } = given;
      const moment = MOMENTS.find((MOMENTS) => MOMENTS.at === table.dice_are);
      const seat = moment ? table[moment.seat] : 0;
      shown =
        moment && seat
          ? moment.acts
              .filter((act) => console_.can(act.command) && (!act.phase || act.phase === table.phase))
              .map((act) => ({ ...act, seat }))
          : [];
      fill(now, shown, () =>
        shown.map((item) =>
          act(`Seat ${seat} ${item.says}`, item.key, () => doing(item), { id: `hand-${item.command}` }),
        ),
      );
      showSeats(who, table);
      showStanding();
      element.hidden = !table.seats.length;
    },
    bindings: Object.entries(KEYS).map(([key, says]) => ({
      keys: key,
      says: says.toLowerCase(),
      on: () => keyed(key),
      when: () => shown.some((item) => item.key === key),
      ahead: true,
    })),
  };
}
