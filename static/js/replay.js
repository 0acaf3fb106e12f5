// A game on the same page: steps are fetched and put in place; it plays by itself, a slider leads anywhere, arrow
// keys leaf. Without this every step is a page. A game that is still being played is followed from its end: there
// the address has no step, and js/live.js brings what is new.
(function () {
  "use strict";
  const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  const PARTS = [".replay-table", ".replay-steps", ".replay-turning", ".steps-list"];
  const MOST_KEPT = 40;
  // One looks longer at a turning point.
  const LINGER = 1.8;
  const kept = new Map();
  let asked = 0;
  let timer = 0;
  let isPlaying = false;
  let speed = "1";

  const root = () => document.querySelector("[data-replay]");
  const link = (name) => root().querySelector(`[data-go="${name}"][href]`);
  const isOver = () => root().dataset.over === "true";

  async function page(address) {
    // What is over stays as it is; of another game the same step may be told anew.
    if (kept.has(address)) return kept.get(address);
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    const html = await answer.text();
    if (isOver()) {
      kept.set(address, html);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
    }
    return html;
  }

  async function go(address, remember) {
    const mine = ++asked;
    let html;
    try {
      html = await page(address);
    } catch {
      stop();
      if (remember !== "quietly") location.assign(address);
      return false;
    }
    // Who leafs fast sees the last step asked for, whatever comes first.
    if (mine !== asked) return false;
    const coming = new DOMParser().parseFromString(html, "text/html").querySelector("[data-replay]");
    if (!coming) {
      location.assign(address);
      return false;
    }
    const focused = document.activeElement && document.activeElement.dataset.go;
    const here = root();
    const isOnward = Number(coming.dataset.number) === Number(here.dataset.number) + 1;
    // The sentence stays the same element, so that it is read out.
    here.querySelector(".replay-say").replaceChildren(...coming.querySelector(".replay-say").childNodes);
    for (const name of PARTS) here.querySelector(name).replaceWith(coming.querySelector(name));
    for (const name of ["number", "last", "over"]) here.dataset[name] = coming.dataset[name];
    if (isOnward) here.querySelector(".table-pile")?.classList.add("lands");
    if (remember === "push") history.pushState(null, "", address);
    if (remember === "replace" || remember === "quietly") history.replaceState(null, "", address);
    show();
    const again = focused && root().querySelector(`[data-go="${focused}"]`);
    if (again) again.focus();
    return true;
  }

  // What only works with this script, and where the game is.
  function show() {
    const here = root();
    const list = here.querySelector(".steps-list");
    const line = list.querySelector(".is-here");
    if (line) list.scrollTop = line.offsetTop - list.clientHeight / 3;
    const player = here.querySelector("[data-player]");
    player.classList.remove("is-without");
    const slider = player.querySelector("[data-slider]");
    if (document.activeElement !== slider || !slider.dataset.held) {
      slider.max = here.dataset.last;
      slider.value = here.dataset.number;
    }
    slider.setAttribute("aria-valuetext", `${here.dataset.number}: ${here.querySelector(".replay-say").textContent}`);
    player.querySelector("[data-speed]").value = speed;
    player.querySelector("[data-full]").hidden = !document.fullscreenEnabled;
    for (const button of player.querySelectorAll("[data-play]")) {
      button.hidden = (button.dataset.play === "pause") !== isPlaying;
    }
  }

  function stop() {
    clearTimeout(timer);
    if (!isPlaying) return;
    isPlaying = false;
    const hadFocus = document.activeElement?.dataset.play;
    show();
    if (hadFocus) root().querySelector('[data-play="play"]').focus();
  }

  function pause() {
    const line = root().querySelector(".steps-list .is-here");
    const length = Math.min(2.2, 0.8 + root().querySelector(".replay-say").textContent.length / 60);
    return (1000 * length * (line?.classList.contains("is-turning") ? LINGER : 1)) / Number(speed);
  }

  function later() {
    clearTimeout(timer);
    const next = link("next");
    if (!next) {
      stop();
      return;
    }
    // The next step is here when its time comes.
    page(next.href).catch(() => {});
    timer = setTimeout(async () => {
      const onward = link("next");
      if (isPlaying && onward && (await go(onward.href, "quietly"))) later();
      else stop();
    }, pause());
  }

  async function play() {
    isPlaying = true;
    show();
    root().querySelector('[data-play="pause"]').focus();
    const first = link("first");
    if (!link("next") && first && !(await go(first.href, "replace"))) return;
    later();
  }

  document.addEventListener("click", function (event) {
    const told = event.target.closest('[data-replay] a[href^="?"]');
    if (told && !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      stop();
      go(told.href, "push");
      return;
    }
    const button = event.target.closest("[data-play]");
    if (button) button.dataset.play === "play" ? play() : stop();
    if (event.target.closest("[data-full]")) {
      document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    }
  });
  document.addEventListener("input", function (event) {
    if (event.target.matches("[data-speed]")) speed = event.target.value;
    if (!event.target.matches("[data-slider]")) return;
    // Under the finger the sentences pass by; the table is fetched where it stays.
    stop();
    event.target.dataset.held = "true";
    const step = root().querySelector(`.steps-list a[href="?step=${event.target.value}"]`);
    root().querySelector(".replay-place b").textContent = event.target.value;
    if (step) root().querySelector(".replay-say").textContent = step.textContent;
    clearTimeout(timer);
    const address = new URL(`?step=${event.target.value}`, location.href).href;
    timer = setTimeout(() => go(address, "replace"), 120);
  });
  document.addEventListener("change", function (event) {
    if (event.target.matches("[data-slider]")) delete event.target.dataset.held;
  });
  document.addEventListener("fullscreenchange", function () {
    document.documentElement.classList.toggle("is-replay-full", Boolean(document.fullscreenElement));
  });
  document.addEventListener("keydown", function (event) {
    if (!root() || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, .steps-list")) return;
    if (event.key === " " && !event.target.closest("a, button, summary")) {
      event.preventDefault();
      isPlaying ? stop() : play();
      return;
    }
    const target = KEYS[event.key] && link(KEYS[event.key]);
    if (!target) return;
    event.preventDefault();
    stop();
    go(target.href, "push");
  });
  addEventListener("popstate", function () {
    stop();
    go(location.href, "stay");
  });
  // Something new was put in place by js/live.js.
  document.addEventListener("tendone:fresh", function () {
    if (!root()) return;
    show();
    if (isPlaying) later();
  });
  show();
})();
