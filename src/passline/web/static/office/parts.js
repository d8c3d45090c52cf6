// A page in parts, one in view, chosen by the address: `<nav class="tabs"><a href="#log">` and `<section id="log" data-part>`.

export function parts(onshow = () => {}) {
  const all = [...document.querySelectorAll("[data-part]")];
  const links = [...document.querySelectorAll(".tabs a")];
  const show = () => {
    const name = all.some((part) => `#${part.id}` === location.hash) ? location.hash.slice(1) : all[0].id;
    for (const part of all) part.hidden = part.id !== name;
    for (const link of links) {
      if (link.hash === `#${name}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    onshow(name);
  };
  addEventListener("hashchange", show);
  show();
}
