// Sitting down from the lobby in one click, and keeping its cards current. The lobby also works without it.
import { post, Refused, refusalList } from "./http.js";

for (const button of document.querySelectorAll("[data-sit]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post("/api/demo/sit", { table: button.dataset.sit });
      sessionStorage.setItem("passline sat", button.dataset.sit);
      location.assign(`/tables/${encodeURIComponent(button.dataset.sit)}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const place = document.getElementById("refused");
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
