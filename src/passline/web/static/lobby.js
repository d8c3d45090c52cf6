// The lobby reads without script; with it, a newcomer sits down in one click.
import { Refused, post, refusalList } from "./http.js";

for (const button of document.querySelectorAll("[data-sit]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post("/api/demo/sit", { table: button.dataset.sit });
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
