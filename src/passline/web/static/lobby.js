// Sitting down from the lobby in one click, and keeping its cards current. The lobby also works without it.
import { byId } from "./dom.js";
import { post, Refused, refusalList } from "./http.js";

for (const button of document.querySelectorAll("[data-sit]")) {
  if (button instanceof HTMLButtonElement) listen(button, button.dataset.sit ?? "");
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} table
 */
function listen(button, table) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post("/api/demo/sit", { table });
      sessionStorage.setItem("passline sat", table);
      location.assign(`/tables/${encodeURIComponent(table)}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const place = byId("refused");
      place.replaceChildren(refusalList(error.refusals));
      place.hidden = false;
      button.disabled = false;
    }
  });
}

// Refresh the cards, unless the keyboard focus is in one of them.
const REFRESH_MS = 5000;
setInterval(async () => {
  const cards = document.querySelector(".tables");
  if (document.hidden || !cards || cards.contains(document.activeElement)) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const newer = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".tables");
  if (newer && newer.innerHTML !== cards.innerHTML) cards.replaceWith(document.adoptNode(newer));
}, REFRESH_MS);
