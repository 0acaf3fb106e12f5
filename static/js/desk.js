// Keys of the desk: arrows go from row to row of a list, `?` opens the page of keys, `g` and a letter lead to a
// page. Letters are for who isn't typing, and can be turned off on the page of keys. Without it everything is
// reached by Tab.
"use strict";

(() => {
  const OFF = "tendone-keys-off";
  const links = () => [...document.querySelectorAll("a[data-key]")];
  let isGoing = 0;

  const isOff = () => {
    try {
      return localStorage.getItem(OFF) === "yes";
    } catch {
      return false;
    }
  };

  const isTyping = (element) =>
    element.isContentEditable || element.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=submit])");

  const go = (key) => {
    const link = links().find((each) => each.dataset.key === key);
    if (link) location.assign(link.href);
    return Boolean(link);
  };

  // The main button of the row before or after.
  const step = (element, by) => {
    const list = element.closest("[data-rows]");
    if (!list) return false;
    const buttons = [...list.querySelectorAll(":scope > li")].map((row) => row.querySelector("button, a")).filter(Boolean);
    const here = buttons.findIndex((button) => button.closest("li") === element.closest("li"));
    buttons[here + by]?.focus();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!(at instanceof Element) || isTyping(at)) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (step(at, event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
      return;
    }
    if (isOff()) return;
    if (performance.now() < isGoing) {
      isGoing = 0;
      if (go(event.key.toLowerCase())) event.preventDefault();
    } else if (event.key === "g") {
      isGoing = performance.now() + 1500;
    } else if (event.key === "?") {
      event.preventDefault();
      go("?");
    }
  });

  // After a call the next row is at hand: once the browser has gone to the place that the address names, since
  // that takes the focus away.
  const takeUp = () => {
    const row = location.hash.startsWith("#table-") ? document.getElementById(location.hash.slice(1)) : null;
    const list = row?.closest("[data-rows]");
    if (!list || document.activeElement !== document.body) return;
    const open = [...list.children].find((each) => !each.classList.contains("is-called"));
    (open ?? row).querySelector("button")?.focus();
  };
  window.addEventListener("load", () => requestAnimationFrame(() => window.setTimeout(takeUp)));

  const toggle = document.querySelector("[data-keys-off]");
  if (toggle) {
    toggle.hidden = false;
    const box = toggle.querySelector("input");
    box.checked = isOff();
    box.addEventListener("change", () => {
      try {
        localStorage.setItem(OFF, box.checked ? "yes" : "no");
      } catch {
        box.checked = false;
      }
    });
  }
})();
