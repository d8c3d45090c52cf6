// What every page has: the log-out button, buttons that print it, and all that is folded laid open on paper.
import { post } from "./http.js";

const menu = document.querySelector("[data-menu]"); // on a phone the links of the head are behind it
menu?.addEventListener("click", () => {
  menu.setAttribute("aria-expanded", String(menu.getAttribute("aria-expanded") !== "true"));
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") menu?.setAttribute("aria-expanded", "false");
});

document.querySelector("[data-log-out]")?.addEventListener("click", async () => {
  await post("/api/log-out").catch(() => {}); // an expired session is logged out already
  location.assign("/");
});

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-print]")) print();
});
/** @type {HTMLDetailsElement[]} */
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main details")]
    .filter((part) => part instanceof HTMLDetailsElement)
    .filter((part) => !part.open && !part.closest("[hidden], .results, .log"));
  for (const part of opened) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of opened) part.open = false;
});
