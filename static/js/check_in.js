// The list of the morning, found by typing. The field has no name and is never sent: a child's name stands in no
// address. Enter checks in the one who is left; the arrow keys go through the buttons that are shown.
"use strict";

(() => {
  const finder = document.querySelector("[data-finder]");
  const field = document.getElementById("find");
  const only = document.getElementById("only-missing");
  const nobody = document.querySelector("[data-nobody]");
  const teams = [...document.querySelectorAll("button.presence-team")];
  if (!finder || !field) return;

  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const rows = [...document.querySelectorAll(".arrivals > li")].map((row) => ({
    row,
    words: plain([...row.querySelectorAll("[data-name]")].map((each) => each.textContent).join(" ")),
  }));
  let team = "";

  const button = (row) => row.querySelector(".arrival-here");
  const shown = () => rows.filter(({ row }) => !row.hidden);

  const sift = () => {
    const parts = plain(field.value).split(/\s+/).filter(Boolean);
    for (const { row, words } of rows) {
      const said = words.split(/\s+/);
      const fits = parts.every((part) => said.some((word) => word.startsWith(part)));
      const isAsked = (!team || row.dataset.team === team) && (!only.checked || row.dataset.state === "missing");
      row.hidden = !(fits && isAsked);
    }
    const left = shown();
    nobody.hidden = left.length > 0;
    const ready = left.filter(({ row }) => button(row));
    rows.forEach(({ row }) => row.classList.toggle("is-meant", parts.length > 0 && ready.length === 1 && row === ready[0].row));
    try {
      sessionStorage.setItem("check-in", JSON.stringify([location.pathname, team, only.checked]));
    } catch { /* nothing is kept, then */ }
  };

  const step = (from, by) => {
    const buttons = shown().map(({ row }) => row.querySelector(".arrival-do button, .arrival-do a")).filter(Boolean);
    const at = buttons.findIndex((each) => each.closest("li") === from?.closest("li"));
    const next = buttons[at + by] ?? (by < 0 ? field : buttons[at]);
    next?.focus();
  };

  field.addEventListener("input", sift);
  only.addEventListener("change", sift);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      const ready = shown().filter(({ row }) => button(row));
      event.preventDefault();
      if (ready.length === 1) button(ready[0].row).form.requestSubmit();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      step(null, 1);
    } else if (event.key === "Escape") {
      field.value = "";
      sift();
    }
  });
  document.querySelector(".arrivals").addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.target, event.key === "ArrowDown" ? 1 : -1);
    }
  });
  teams.forEach((each) => each.addEventListener("click", () => {
    team = team === each.dataset.team ? "" : each.dataset.team;
    teams.forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.team === team)));
    sift();
  }));

  finder.hidden = false;
  try {
    const [path, kept, isOnly] = JSON.parse(sessionStorage.getItem("check-in") ?? "[]");
    if (path === location.pathname) {
      team = kept;
      only.checked = isOnly;
      teams.forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.team === team)));
    }
  } catch { /* as it is without */ }
  sift();
  if (matchMedia("(pointer: fine)").matches) {
    const take = () => field.focus({ preventScroll: true });
    const takeBack = (event) => { if (!event.relatedTarget && document.hasFocus()) take(); };
    take();
    // The browser takes the focus away when it goes to the row that the address names; the next name is typed already.
    field.addEventListener("blur", takeBack);
    window.addEventListener("load", () => requestAnimationFrame(() => window.setTimeout(() => field.removeEventListener("blur", takeBack))));
  }
})();
