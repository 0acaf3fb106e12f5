// Keeps the parts of a page that are marked `data-live` fresh. What it asks every second and a half is whether
// anything has changed: of the address in `data-asks`, with the mark that the page was made with (`data-mark`),
// or of the page itself where there is no such address. Only then it fetches the page and puts its parts in
// place. Without it, the page is as fresh as its last loading. Pages that are published may come a moment after
// the mark that tells of them: a page that is older than its mark is asked for again, at first each time, then
// ever more rarely, until it has come or there is another mark.
//
// A part that has a line marked `data-moved` is kept while somebody is in the middle of something there: a step
// of a choice (`data-held`), a field with the focus or filled in. That line is shown instead, once
// `data-version` is another one. In other parts what is filled in is filled in again.
"use strict";

(() => {
  const EVERY = 1500;
  const RARELY = 15000;
  const QUIET = 5 * 60 * 1000;
  const GIVE_UP = 15000;
  const PATIENCE = 6;
  let timer = 0;
  let isAsking = false;
  let failed = 0;
  let took = 0;
  let settled = null;
  let behind = 0;
  let marked = null;
  let again = Infinity;
  let isKept = false;
  let finger = false;
  let stirred = performance.now();

  const parts = () => [...document.querySelectorAll("[data-live]")];
  // Nothing will come any more of what asks every 0 seconds.
  const isOver = () => asker()?.dataset.every === "0";
  const asker = () => document.querySelector("[data-live][data-asks]") ?? document.querySelector("[data-live]");

  // What has the focus is found again by its address or its form after the part was replaced.
  const mark = (element) => {
    if (element.id) return `#${CSS.escape(element.id)}`;
    if (element.getAttribute("href")) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
    if (!element.form) return null;
    const form = `form[action="${CSS.escape(element.form.getAttribute("action"))}"]`;
    return element.value ? `${form} [name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]` : `${form} button`;
  };

  // A form's token and id are written differently each time, and a clock is counted down by itself.
  const said = (part) => {
    const copy = part.cloneNode(true);
    copy.querySelectorAll("[data-clock]").forEach((each) => each.replaceWith(each.dataset.state));
    copy.querySelectorAll("[data-clock-sound]").forEach((each) => each.remove());
    copy.querySelectorAll("[data-moved], [data-tell]").forEach((each) => each.setAttribute("hidden", ""));
    return copy.innerHTML.replaceAll(' open=""', "").replaceAll(' aria-busy="true"', "")
      .replace(/name="(csrfmiddlewaretoken|id|at)" value="[^"]*"/g, "");
  };

  const isFilled = (field) =>
    field.options ? !field.selectedOptions[0]?.defaultSelected && field.selectedIndex > 0 :
    ["radio", "checkbox"].includes(field.type) ? field.checked !== field.defaultChecked :
    field.value !== field.defaultValue;
  const FIELDS = "input:not([type=hidden]), select, textarea";
  const filled = (part) => [...part.querySelectorAll(FIELDS)].filter(isFilled);

  const isInTheMiddle = (part) =>
    part.querySelector("[data-moved]") !== null &&
    ("held" in part.dataset || filled(part).length > 0 || part.querySelector(":is(input, select, textarea):focus") !== null);

  const replace = (part, fresh) => {
    const focused = part.contains(document.activeElement) ? mark(document.activeElement) : null;
    const places = [...part.querySelectorAll(".scroll")].map((each) => [each.scrollLeft, each.scrollTop]);
    const details = () => [...part.querySelectorAll("details")].map((each, index) => [each.id || index, each]);
    const opened = new Map(details().map(([name, each]) => [name, each.open]));
    const typed = filled(part).filter((each) => each.id).map((each) => [each.id, each.value, each.checked]);
    for (const name of ["held", "version", "every"]) {
      if (name in fresh.dataset) part.dataset[name] = fresh.dataset[name];
      else delete part.dataset[name];
    }
    part.className = fresh.className;
    part.replaceChildren(...fresh.childNodes);
    for (const [id, value, isChecked] of typed) {
      const field = document.getElementById(id);
      if (!field) continue;
      if (["radio", "checkbox"].includes(field.type)) field.checked = isChecked;
      else if (!field.options || [...field.options].some((option) => option.value === value)) field.value = value;
    }
    [...part.querySelectorAll(".scroll")].forEach((each, index) => {
      if (places[index]) [each.scrollLeft, each.scrollTop] = places[index];
    });
    details().forEach(([name, each]) => { each.open = opened.get(name) ?? each.open; });
    if (focused) (part.querySelector(focused) ?? document.getElementById("main"))?.focus({ preventScroll: true });
  };

  // What is said once in a session.
  const tell = () => {
    document.querySelectorAll("[data-tell]").forEach((each) => {
      try {
        each.hidden = sessionStorage.getItem("told") === each.dataset.tell;
        sessionStorage.setItem("told", each.dataset.tell);
      } catch {
        each.hidden = false;
      }
    });
  };

  // Whether all parts are as the page says now; false where one is kept for who is in the middle of it.
  const put = (html, isHere) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    let all = true;
    let isNew = false;
    const first = asker();
    for (const part of isInTheMiddle(first) ? [first] : parts()) {
      const fresh = page.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`) ??
        (part.dataset.asks ? page.querySelector(`.${part.className.split(" ")[0]}`) : null);
      if (!fresh) continue;
      if (isInTheMiddle(part)) {
        all = false;
        const isOther = !isHere || fresh.dataset.version !== part.dataset.version;
        if (isOther) part.querySelectorAll("[data-moved]").forEach((each) => { each.hidden = false; });
      } else if (said(fresh) !== said(part) || fresh.dataset.version !== part.dataset.version) {
        replace(part, fresh);
        isNew = true;
      }
    }
    if (isNew && page.title) document.title = page.title;
    if (isNew) {
      tell();
      document.dispatchEvent(new Event("tendone:fresh"));
    }
    return all;
  };

  const isOlder = (html, now) => {
    const its = new DOMParser().parseFromString(html, "text/html").querySelector("[data-asks]")?.dataset.mark;
    return Boolean(its) && its !== now;
  };

  const get = async (address, headers) => {
    const stop = new AbortController();
    const limit = window.setTimeout(() => stop.abort(), GIVE_UP);
    try {
      const answer = await fetch(address, { headers, cache: "no-store", credentials: "same-origin", signal: stop.signal });
      return [answer, answer.status === 304 ? "" : await answer.text()];
    } finally {
      window.clearTimeout(limit);
    }
  };

  const look = async () => {
    const part = asker();
    const address = location.href;
    const known = settled ?? part.dataset.mark;
    const isWanted = (isKept && !parts().some(isInTheMiddle)) || performance.now() >= again;
    const tag = known && !isWanted ? { "If-None-Match": known } : {};
    const phone = { "Tendone-Clock": String(Date.now()) };
    // How many entries wait on a referee's phone, which the desk is told.
    const queue = document.querySelector("[data-queue]")?.dataset.queue;
    if (queue) phone["Tendone-Queue"] = queue;
    let answer = null;
    let html = "";
    if (part.dataset.asks) {
      [answer] = await get(part.dataset.asks, { ...tag, ...phone });
      if (answer.status !== 200) return answer.status === 304;
      const now = answer.headers.get("ETag");
      let page = null;
      [page, html] = await get(address, {});
      // Of the page itself it also matters that it is closed to this phone, or gone.
      if (![200, 403, 404].includes(page.status)) return false;
      if (address !== location.href || !part.isConnected) return true;
      const isHere = page.ok && !page.redirected;
      if (finger || document.querySelector("[aria-busy=true]")) return true;
      isKept = !put(html, isHere);
      behind = isHere && isOlder(html, now) ? (now === marked ? behind : 0) + 1 : 0;
      marked = now;
      settled = behind && behind <= PATIENCE ? null : now;
      again = behind > PATIENCE ? performance.now() + Math.min(RARELY, EVERY * 2 ** (behind - PATIENCE)) : Infinity;
      if (page.redirected && !isKept && page.ok) history.replaceState(history.state, "", page.url);
    } else {
      [answer, html] = await get(address, tag);
      if (answer.status === 304) return true;
      if (!answer.ok || answer.redirected) return false;
      isKept = !put(html, true);
      settled = answer.headers.get("ETag");
    }
    stirred = performance.now();
    return true;
  };

  const next = () => {
    window.clearTimeout(timer);
    if (document.hidden || isOver()) return;
    const often = Number(asker()?.dataset.every ?? EVERY / 1000) * 1000;
    // Weak wifi is normal: who waits long for an answer asks the less often.
    const calm = performance.now() - stirred > QUIET ? 3 : 1;
    const pause = Math.min(RARELY, Math.max(often * calm, took * 4, failed ? often * 2 ** failed : 0));
    timer = window.setTimeout(ask, pause);
  };

  const ask = async () => {
    window.clearTimeout(timer);
    if (isAsking || document.hidden || isOver()) return;
    if (asker() && !finger && !document.querySelector("[aria-busy=true]")) {
      isAsking = true;
      const sent = performance.now();
      try {
        failed = (await look()) ? 0 : Math.min(failed + 1, 5);
      } catch {
        // No connection: it asks again, and goes on from there.
        failed = Math.min(failed + 1, 5);
      }
      took = performance.now() - sent;
      isAsking = false;
    }
    next();
  };

  const anew = () => {
    settled = null;
    again = Infinity;
    isKept = false;
    stirred = performance.now();
    tell();
    next();
  };

  const touched = () => {
    const wasQuiet = performance.now() - stirred > QUIET;
    stirred = performance.now();
    if (wasQuiet) next();
  };

  document.addEventListener("pointerdown", () => { finger = true; touched(); }, true);
  for (const name of ["pointerup", "pointercancel"]) {
    // What was tapped is sent a moment later.
    document.addEventListener(name, () => window.setTimeout(() => { finger = false; }, 250), true);
  }
  document.addEventListener("keydown", touched, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-heard]")) event.target.closest("[data-tell]").hidden = true;
  });
  document.addEventListener("tendone:page", anew);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  window.addEventListener("online", () => { failed = 0; ask(); });
  tell();
  next();
})();
