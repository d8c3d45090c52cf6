// What every page has: the log-out button, buttons that print it, and all that is folded laid open on paper.
import { post } from "./http.js";

document.querySelector("[data-log-out]")?.addEventListener("click", async () => {
  await post("/api/log-out").catch(() => {}); // an expired session is logged out already
  location.assign("/");
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-print]")) print();
});
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main details:not([open])")].filter(
    (one) => !one.closest("[hidden], .results, .log"),
  );
  for (const one of opened) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of opened) one.open = false;
});
