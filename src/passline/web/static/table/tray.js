// The tray: chips are chosen by click or keys 1 to 6, or dragged onto the layout.
import { money } from "../money.js";
import { trayChip } from "./chips.js";
import { html } from "./svg.js";

const DRAG_PX = 6;

/**
 * Fill the tray. `dropped(key)` is called with the key of the area that a chip was dragged onto.
 *
 * @param {HTMLElement} tray
 * @param {{ layout: Server.Layout, play: import("./play.js").Play, dropped: (key: string) => void }} options
 */
export function fillTray(tray, { layout, play, dropped }) {
  for (const [index, cents] of layout.chips.entries()) {
    const input = html("input", {
      type: "radio",
      name: "chip",
      id: `chip-${cents}`,
      value: cents,
      "aria-keyshortcuts": String(index + 1),
    });
    input.checked = cents === play.chip;
    input.addEventListener("change", () => {
      play.chip = cents;
    });
    const label = html(
      "label",
      { for: `chip-${cents}`, class: "chip-choice" },
      trayChip(cents),
      html("span", { class: "spoken" }, `${money(cents)} chip`),
    );
    label.addEventListener("pointerdown", (event) => drag(event, cents, input, dropped));
    label.addEventListener("click", (event) => {
      if (event.detail) setTimeout(() => input.blur());
    }); // space still rolls
    tray.append(html("div", {}, input, label));
  }
  if (!layout.has_tips) return;
  const tip = html("input", { type: "checkbox", id: "tip" });
  tip.addEventListener("change", () => {
    play.owner = tip.checked ? "crew" : "player";
  });
  tray.append(html("label", { class: "tip", for: "tip" }, tip, " For the crew"));
}

/**
 * @param {PointerEvent} start
 * @param {number} cents
 * @param {HTMLElement} input
 * @param {(key: string) => void} dropped
 */
function drag(start, cents, input, dropped) {
  /** @type {HTMLElement | null} */
  let ghost = null;
  /**
   * @param {PointerEvent} event
   * @returns {Element | null}
   */
  const areaAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".area") ?? null;
  /** @param {Element | null} group */
  const mark = (group) => {
    for (const element of document.querySelectorAll(".area.target")) element.classList.remove("target");
    group?.classList.add("target");
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!ghost && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < DRAG_PX) return;
    if (!ghost) {
      ghost = html("div", { class: "ghost" }, trayChip(cents));
      document.body.append(ghost);
      input.click();
    }
    ghost.style.transform = `translate(${event.clientX - 22}px, ${event.clientY - 22}px)`;
    mark(areaAt(event));
  };
  /** @param {PointerEvent} event */
  const end = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    ghost?.remove();
    mark(null);
    const key = ghost && event.type === "pointerup" && areaAt(event)?.getAttribute("data-key");
    if (key) dropped(key);
  };
  if (start.pointerType === "touch" && start.target instanceof Element)
    start.target.releasePointerCapture(start.pointerId);
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
