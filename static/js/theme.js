// Day, night or as the device says: kept on this device alone. Loaded in the head, so that no page flashes.
(function () {
  "use strict";
  const KEY = "tendone-theme";
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY) || "";
    } catch {
      return "";
    }
  }

  function show(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    document.querySelectorAll("[data-set-theme]").forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.dataset.setTheme === theme));
    });
  }

  function choose(theme) {
    try {
      if (theme) localStorage.setItem(KEY, theme);
      else localStorage.removeItem(KEY);
    } catch {
      // Without storage the choice holds for this page.
    }
    show(theme);
  }

  show(stored());
  function offer() {
    document.querySelectorAll("[data-theme-switch]").forEach(function (group) {
      group.hidden = false;
    });
    show(stored());
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest("[data-set-theme]");
    if (button) choose(button.dataset.setTheme);
  });
  document.addEventListener("DOMContentLoaded", offer);
  // A page that was put in place of another.
  document.addEventListener("tendone:page", offer);
})();
