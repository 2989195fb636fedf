// Keys, filter and colours of a scan's page. Everything can be read without this.
"use strict";
(() => {
  const root = document.documentElement;
  const filter = document.querySelector("#filter");
  const none = document.querySelector("#none");
  const theme = document.querySelector("#theme");
  const cards = [...document.querySelectorAll("details.card")];
  const seen = () => cards.filter((card) => !card.hidden);
  const head = (card) => card.querySelector("summary");

  // The theme: as the system has it, until somebody chooses. What was chosen is kept where the browser allows it.
  const kept = (value) => {
    try {
      if (value !== undefined) localStorage.setItem("hardwon-theme", value);
      return localStorage.getItem("hardwon-theme");
    } catch {
      return null;
    }
  };
  const system = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const now = () => root.dataset.theme || system();
  const label = () => {
    theme.textContent = now() === "dark" ? "Light" : "Dark";
    theme.setAttribute("aria-label", `Use ${now() === "dark" ? "light" : "dark"} colours`);
  };
  const choose = () => {
    root.dataset.theme = now() === "dark" ? "light" : "dark";
    kept(root.dataset.theme);
    label();
  };
  if (["dark", "light"].includes(kept())) root.dataset.theme = kept();
  theme.hidden = false;
  theme.addEventListener("click", choose);
  label();

  // The filter: every word has to stand somewhere in the card.
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const card of cards) {
      const text = card.textContent.toLowerCase();
      card.hidden = !words.every((word) => text.includes(word));
    }
    for (const part of document.querySelectorAll("section[data-part]")) {
      part.hidden = ![...part.querySelectorAll("details.card")].some((card) => !card.hidden);
    }
    none.hidden = words.length === 0 || seen().length > 0;
  };
  if (filter) {
    filter.closest(".bar").hidden = false;
    filter.addEventListener("input", apply);
  }

  const move = (by) => {
    const list = seen();
    if (list.length === 0) return;
    const at = list.findIndex((card) => card.contains(document.activeElement));
    const to = at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + by));
    head(list[to]).focus();
    head(list[to]).scrollIntoView({ block: "nearest" });
  };
  const openAll = () => {
    const open = seen().some((card) => !card.open);
    for (const card of seen()) card.open = open;
  };
  const keys = {
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    o: openAll,
    t: choose,
    "/": () => filter && filter.focus(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === filter) {
      if (event.key === "Escape") {
        filter.value = "";
        apply();
        filter.blur();
      } else if (event.key === "ArrowDown" || event.key === "Enter") {
        event.preventDefault();
        filter.blur();
        move(1);
      }
      return;
    }
    // Arrows scroll where no card has the focus, as on any page.
    const inCard = cards.some((card) => card.contains(document.activeElement));
    if (event.key.startsWith("Arrow") && !inCard) return;
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  // Paper has no keys: everything is open on it.
  let before = [];
  addEventListener("beforeprint", () => {
    before = cards.map((card) => card.open);
    for (const card of cards) card.open = true;
  });
  addEventListener("afterprint", () => cards.forEach((card, at) => (card.open = before[at])));
})();
