// Keeps the part of a page that is marked `data-live` fresh: asks every few seconds (three, or `data-every`)
// whether the page has changed, and puts the new part in its place. Without it, the page is as fresh as its last loading.
"use strict";

(() => {
  const live = document.querySelector("[data-live]");
  if (!live) return;
  const EVERY = Number(live.dataset.every ?? 3) * 1000;
  let tag = null;
  let timer = 0;

  // What has the focus is found again by its address or its form after the part was replaced.
  const mark = (element) =>
    element.id ? `#${CSS.escape(element.id)}` :
    element.getAttribute("href") ? `a[href="${CSS.escape(element.getAttribute("href"))}"]` :
    element.form ? `form[action="${CSS.escape(element.form.getAttribute("action"))}"] button` : null;

  // A form's token is written differently each time, and a clock is counted down by itself.
  const said = (part) => {
    const copy = part.cloneNode(true);
    copy.querySelectorAll("[data-clock]").forEach((each) => each.replaceWith(each.dataset.state));
    copy.querySelectorAll("[data-clock-sound]").forEach((each) => each.remove());
    return copy.innerHTML.replaceAll(' open=""', "").replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
  };

  // What is being filled in is kept.
  const filled = () => [
    ...[...live.querySelectorAll("input[id]:not([type=hidden])")].filter((each) => each.value !== each.defaultValue),
    ...[...live.querySelectorAll("select[id]")].filter((each) => !each.selectedOptions[0]?.defaultSelected),
  ].map((each) => [each.id, each.value]);

  const put = (html) => {
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(`[data-live="${live.dataset.live}"]`);
    if (!fresh || said(fresh) === said(live)) return;
    const focused = live.contains(document.activeElement) ? mark(document.activeElement) : null;
    const places = [...live.querySelectorAll(".scroll")].map((each) => [each.scrollLeft, each.scrollTop]);
    const opened = [...live.querySelectorAll("details")].map((each) => each.open);
    const typed = filled();
    live.replaceChildren(...fresh.childNodes);
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      const fits = field && (!field.options || [...field.options].some((option) => option.value === value));
      if (fits) field.value = value;
    }
    [...live.querySelectorAll(".scroll")].forEach((each, index) => {
      if (places[index]) [each.scrollLeft, each.scrollTop] = places[index];
    });
    [...live.querySelectorAll("details")].forEach((each, index) => { each.open = opened[index] ?? each.open; });
    if (focused) live.querySelector(focused)?.focus({ preventScroll: true });
  };

  const ask = async () => {
    window.clearTimeout(timer);
    if (!document.hidden) {
      try {
        const answer = await fetch(location.href, {
          headers: tag ? { "If-None-Match": tag } : {},
          cache: "no-store",
          credentials: "same-origin",
          redirect: "error",
        });
        if (answer.ok) {
          tag = answer.headers.get("ETag");
          put(await answer.text());
        }
      } catch {
        // No connection: the next round asks again.
      }
    }
    timer = window.setTimeout(ask, EVERY);
  };

  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  timer = window.setTimeout(ask, EVERY);
})();
