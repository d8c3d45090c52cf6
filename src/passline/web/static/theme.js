// Light or dark: as somebody has chosen, else as the device is set. It runs before the page is drawn, so that nothing
// flashes.
(() => {
  const KEPT = "passline theme";
  const root = document.documentElement;
  const device = matchMedia("(prefers-color-scheme: light)");
  const show = () => {
    root.dataset.theme = localStorage.getItem(KEPT) ?? (device.matches ? "light" : "dark");
    const other = root.dataset.theme === "light" ? "dark" : "light";
    for (const button of document.querySelectorAll("[data-other-theme]")) {
      button.setAttribute("aria-label", `Show the pages ${other}`);
      button.setAttribute("title", `Show the pages ${other}`);
    }
  };
  show();
  device.addEventListener("change", show);
  addEventListener("DOMContentLoaded", show);
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-other-theme]")) return;
    localStorage.setItem(KEPT, root.dataset.theme === "light" ? "dark" : "light");
    show();
  });
})();
