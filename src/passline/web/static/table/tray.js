// The tray: chips are chosen by click or keys 1 to 6, or dragged onto the layout.
import { money } from "../money.js";
import { trayChip } from "./chips.js";
import { html } from "./svg.js";

const DRAG_PX = 6;

// Fill the tray. `dropped(key)` is called with the key of the area that a chip was dragged onto.
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

function drag(start, cents, input, dropped) {
  let ghost = null;
  const areaAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".area");
  const mark = (group) => {
    for (const one of document.querySelectorAll(".area.target")) one.classList.remove("target");
    group?.classList.add("target");
  };
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
  const end = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    ghost?.remove();
    mark(null);
    const key = ghost && event.type === "pointerup" && areaAt(event)?.dataset.key;
    if (key) dropped(key);
  };
  if (start.pointerType === "touch") start.target.releasePointerCapture?.(start.pointerId);
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
