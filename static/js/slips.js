// A round of paper slips by keyboard: Enter and the arrows go from row to row, who has won by what is typed is
// named beside it, and what can't be is marked at once.
// Without it the page is one form that is sent whole. What the service says of a row stands there until
// something else is typed in it.
"use strict";

(() => {
  const form = document.querySelector("[data-slips]");
  if (!form) return;
  const store = form.querySelector("[data-store]");
  const rows = () => [...form.querySelectorAll("input[data-answers]")];
  const isWinner = (field) => field.dataset.answers !== undefined;

  const typed = (field) => field.value.replace(/\s/g, "").toUpperCase();

  // Which of the sides has won by what is typed; -1 for nobody.
  const winner = (field) => {
    const [who, ...rest] = typed(field);
    const letters = [...field.dataset.answers];
    if (!who || !["", "F", "T"].includes(rest.join(""))) return -1;
    return letters.findIndex((letter, index) => who === letter || who === String(index + 1));
  };

  // The order of all sides at a table that ranks them, each level with those who share it; null if it isn't one.
  const order = (field) => {
    const [, named, rest] = typed(field).match(/^((?:=?[A-S0-9])*)([-–]?)T?$/) ?? [];
    if (!named || named.startsWith("=")) return null;
    const letters = [...field.dataset.answers];
    const levels = named.replace(/=/g, "").length && named.match(/[A-S0-9](?:=[A-S0-9])*/g)
      .map((level) => level.split("=").map((sign) => letters.findIndex((letter, index) => sign === letter || sign === String(index + 1))));
    const all = levels.flat();
    const isWhole = rest || all.length === letters.length;
    return isWhole && !all.includes(-1) && new Set(all).size === all.length ? levels : null;
  };

  const isAnswer = (field) => "ranks" in field.dataset
    ? ["", "X"].includes(typed(field)) || order(field) !== null
    : ["", "T", "X"].includes(typed(field)) || winner(field) >= 0;

  // Who is named by what is typed: the winner, or everybody in order.
  const named = (field) => {
    const sides = field.closest("tr").querySelectorAll(".slip-sides li > span");
    if (!("ranks" in field.dataset)) return sides[winner(field)]?.textContent ?? "";
    return (order(field) ?? []).map((level) => level.map((side) => sides[side].textContent).join(" = ")).join(", ");
  };

  const check = (field) => {
    const isRight = isAnswer(field);
    field.closest("tr").classList.toggle("is-wrong", !isRight);
    field.toggleAttribute("aria-invalid", false);
    if (!isRight) field.setAttribute("aria-invalid", "true");
    const note = document.getElementById(field.getAttribute("aria-describedby"));
    const signs = "ranks" in field.dataset ? ["=", "-", "X"] : ["T", "X"];
    note.textContent = isRight ? named(field) : [...field.dataset.answers, ...signs].join(" · ");
    return isRight;
  };

  const cells = (field) => [...field.closest("tr").querySelectorAll("input:not([type=hidden])")];

  // The same column of another row that is open; beyond the last one what stores everything.
  const go = (field, step) => {
    const all = rows();
    const column = cells(field).indexOf(field);
    const target = all[all.indexOf(cells(field)[0]) + step];
    if (target) {
      const other = cells(target);
      const next = other[Math.min(column, other.length - 1)];
      next.focus();
      next.select();
    } else if (step > 0) {
      store.focus();
    }
  };

  form.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      // Wherever the focus is: after the last row it is on the button.
      event.preventDefault();
      form.requestSubmit(store);
      return;
    }
    if (!field.matches?.("input:not([type=hidden])")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      const across = cells(field);
      const next = across[across.indexOf(field) + 1];
      if (isWinner(field) && !check(field)) return;
      if (next && !next.value) next.focus();
      else go(across[0], 1);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      go(field, event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape" && field.value) {
      event.preventDefault();
      field.value = "";
      if (isWinner(field)) check(field);
    }
  });

  form.addEventListener("input", (event) => {
    if (isWinner(event.target)) check(event.target);
  });

  const first = form.querySelector("[aria-invalid=true]") ?? rows().find((field) => !field.value);
  if (first && !location.hash) {
    first.focus({ preventScroll: !first.matches("[aria-invalid=true]") });
    if (first.value) first.select();
  }
})();
