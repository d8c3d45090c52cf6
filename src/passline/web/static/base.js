// The log-out button of every page.
import { post } from "./http.js";

document.querySelector("[data-log-out]")?.addEventListener("click", async () => {
  await post("/api/log-out").catch(() => {});  // an expired session is logged out already
  location.assign("/");
});
