// A table that changes to another house: everybody at it is told, and the page draws the new layout.

import { firstOf } from "./dom.js";
import { buttonFor, el } from "./elements.js";
import { inWords } from "./wording.js";

const TOLD = "This table is dealt by another house now. Its layout, limits and rules are as shown here.";

/**
 * Watch a table for another house. The page loads again with its layout, and says so until it is closed.
 *
 * @param {import("./live.js").Live} live
 * @param {string} id
 */
export function watchHouse(live, id) {
  const kept = `passline house ${id}`;
  const told = sessionStorage.getItem(kept);
  if (told) showNews(told, id, () => sessionStorage.removeItem(kept));
  let layout = "";
  live.on("change", ({ detail }) => {
    const now = live.table?.layout ?? "";
    if (layout && now !== layout) {
      const line = detail.said
        .flatMap((message) => message.lines)
        .find((item) => item.includes("another house is dealt here"));
      sessionStorage.setItem(kept, line ? `${inWords(line).replace(/^./, (first) => first.toUpperCase())}.` : TOLD);
      location.reload();
    }
    layout = now;
  });
}

/**
 * @param {string} text
 * @param {string} id
 * @param {() => void} forget
 */
function showNews(text, id, forget) {
  const banner = el(
    "aside",
    { class: "banner warn new-house", role: "status", "aria-label": "Another house" },
    el("span", {}, text),
    " ",
    el("a", { href: `/tables/${encodeURIComponent(id)}/rules`, target: "_blank", rel: "noopener" }, "Its rules"),
    " ",
    buttonFor(
      "Close",
      () => {
        forget();
        banner.remove();
      },
      { class: "plain" },
    ),
  );
  firstOf("main").before(banner);
}
