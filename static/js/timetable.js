// Moves a match in the timetable: dragged with a finger or a mouse, or by keyboard (M, arrows, Enter). The
// server decides: where something is in conflict it says so, and asks. Without it, a match's own page does it.
"use strict";

(() => {
  const part = document.querySelector("[data-timetable]");
  if (!part) return;
  const form = part.querySelector("[data-drop]");
  const status = part.querySelector("[data-told]");
  const FAR = 8;
  let held = null;
  let target = null;
  let start = null;
  let isDragging = false;

  const tell = (words) => { status.textContent = words; };
  const point = (cell) => {
    target?.classList.remove("is-target");
    target = cell;
    target?.classList.add("is-target");
  };
  const letGo = () => {
    held?.classList.remove("is-held");
    held?.style.removeProperty("transform");
    point(null);
    held = null;
    start = null;
    isDragging = false;
  };
  const drop = () => {
    const [match, cell] = [held, target];
    const from = match.closest("td");
    letGo();
    if (!cell || cell === from) return;
    form.action = match.getAttribute("href");
    for (const name of ["day", "begins", "table"]) form.elements[name].value = cell.dataset[name];
    form.submit();
  };

  part.addEventListener("pointerdown", (event) => {
    const match = event.target.closest("[data-move]");
    if (!match || event.button !== 0 || held) return;
    // A finger scrolls; it drags after it has rested a moment.
    held = match;
    start = { x: event.clientX, y: event.clientY, id: event.pointerId, ready: event.pointerType === "mouse" };
    if (!start.ready) window.setTimeout(() => {
      if (start && held === match) { start.ready = true; match.classList.add("is-held"); }
    }, 350);
  });
  document.addEventListener("pointermove", (event) => {
    if (!start || event.pointerId !== start.id) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (!isDragging && Math.hypot(x, y) < FAR) return;
    if (!start.ready) { letGo(); return; }
    isDragging = true;
    held.classList.add("is-held");
    held.style.transform = `translate(${x}px, ${y}px)`;
    point(document.elementFromPoint(event.clientX, event.clientY)?.closest("td[data-table]") ?? null);
  });
  document.addEventListener("pointerup", (event) => {
    if (!start || event.pointerId !== start.id) return;
    if (!isDragging) { letGo(); return; }
    document.addEventListener("click", (click) => click.preventDefault(), { capture: true, once: true });
    drop();
  });
  document.addEventListener("pointercancel", letGo);
  part.addEventListener("touchmove", (event) => { if (isDragging || start?.ready) event.preventDefault(); }, { passive: false });
  part.addEventListener("dragstart", (event) => { if (event.target.closest("[data-move]")) event.preventDefault(); });

  const moved = (cell, key) => {
    const row = cell.parentElement;
    const rows = [...part.querySelectorAll("tbody tr")];
    const at = [...row.children].indexOf(cell);
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const next = row.children[at + (key === "ArrowLeft" ? -1 : 1)];
      return next?.matches("td[data-table]") ? next : cell;
    }
    return rows[rows.indexOf(row) + (key === "ArrowUp" ? -1 : 1)]?.children[at] ?? cell;
  };
  part.addEventListener("keydown", (event) => {
    const match = event.target.closest("[data-move]");
    if (!held) {
      if (!match || event.key.toLowerCase() !== "m" || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      held = match;
      held.classList.add("is-held");
      point(match.closest("td"));
      tell(status.dataset.taken);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      point(moved(target, event.key));
      target.scrollIntoView({ block: "nearest", inline: "nearest" });
      tell(`${target.dataset.begins}, ${status.dataset.at} ${target.dataset.table}`);
    } else if (event.key === "Enter") {
      event.preventDefault();
      drop();
    } else if (event.key === "Escape") {
      letGo();
      tell(status.dataset.back);
    }
  });
})();
