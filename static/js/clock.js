// The shared clock: counts down from what the service says is left, so that a device's own wrong clock doesn't
// matter. Asks every few seconds whether somebody has touched it, and puts the new part of the page in its place.
// Without this, pages say when the bell rings.
(function () {
  "use strict";
  const RESYNC = 60000;
  const MOST = 5;
  const clocks = new Map();
  let sound = null;

  function elements() {
    return [...document.querySelectorAll("[data-clock]")];
  }

  function phaseOf(clock) {
    return clock.phase === "running" && performance.now() >= clock.until ? "rung" : clock.phase;
  }

  function leftOf(clock) {
    const left = clock.phase === "running" ? clock.until - performance.now() : clock.left;
    const seconds = Math.max(0, Math.ceil(left / 1000));
    return Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
  }

  function put(element, name, value) {
    if (element[name] !== value) element[name] = value;
  }

  function show() {
    for (const element of elements()) {
      const clock = clocks.get(element.dataset.clock);
      // What was started since this was written waits for its own words.
      if (!clock || !clock.phase || element.dataset.state.split(" ")[0] !== String(clock.version)) continue;
      const phase = phaseOf(clock);
      put(element, "className", element.className.replace(/\bis-\w+/, "is-" + phase));
      put(element, "hidden", phase === "stopped" || !(clock.isShown || "always" in element.dataset));
      element.querySelectorAll("[data-left]").forEach((each) => put(each, "textContent", leftOf(clock)));
      element.querySelectorAll("[data-when]").forEach((each) => {
        put(each, "hidden", !each.dataset.when.split(" ").includes(phase));
      });
    }
    document.querySelectorAll("[data-clock-sound]").forEach((button) => {
      put(button, "hidden", !window.AudioContext);
      button.setAttribute("aria-pressed", String(sound !== null));
    });
  }

  // Two soft strokes, and only where somebody asked for them on this page.
  function strike() {
    if (!sound) return;
    [0, 1.2].forEach((after) => {
      const tone = sound.createOscillator();
      const volume = sound.createGain();
      const at = sound.currentTime + after;
      tone.frequency.value = 660;
      volume.gain.setValueAtTime(0.3, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + 2);
      tone.connect(volume).connect(sound.destination);
      tone.start(at);
      tone.stop(at + 2);
    });
  }

  function rings() {
    for (const [address, clock] of clocks) {
      const phase = phaseOf(clock);
      if (clock.seen === "running" && phase === "rung") {
        strike();
        // Not all devices at the same moment.
        look(address, 500 + Math.random() * Math.min(clock.every, 5000));
      }
      clock.seen = phase;
    }
  }

  // The desk's live parts hear of a bell by themselves.
  function isDesks(element) {
    return element.closest(".desk [data-live]") !== null;
  }

  async function fresh() {
    const answer = await fetch(location.href, { cache: "no-store", credentials: "same-origin" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelectorAll("[data-clock][id], [data-clock-part][id]").forEach((each) => {
      const next = page.getElementById(each.id);
      if (next && !isDesks(each)) each.replaceWith(next);
    });
  }

  function isOld(address, clock) {
    const state = [clock.version, clock.phase, clock.isShown].join(" ");
    const old = elements().some(
      (each) => each.dataset.clock === address && each.dataset.state !== state && !isDesks(each));
    if (clock.tried !== state) [clock.tried, clock.times] = [state, 0];
    // The answer to a form can't be fetched again.
    return old && clock.times++ < MOST;
  }

  async function ask(address) {
    const clock = clocks.get(address);
    clearTimeout(clock.timer);
    if (!document.hidden) {
      try {
        const sent = performance.now();
        const known = clock.tag && sent - clock.synced < RESYNC ? { "If-None-Match": clock.tag } : {};
        const answer = await fetch(address, { headers: known, cache: "no-store", credentials: "same-origin" });
        if (answer.ok) {
          const told = await answer.json();
          const received = performance.now();
          clock.tag = answer.headers.get("ETag");
          clock.synced = received;
          clock.version = told.version;
          clock.phase = told.phase;
          clock.isShown = told.is_shown;
          clock.left = told.remaining_ms;
          clock.until = received - (received - sent) / 2 + told.remaining_ms;
        }
        if (clock.phase && isOld(address, clock)) await fresh();
      } catch {
        // No connection: it goes on counting, and asks again.
      }
      rings();
      show();
    }
    look(address, clock.every);
  }

  function look(address, after) {
    const clock = clocks.get(address);
    clearTimeout(clock.timer);
    clock.timer = setTimeout(ask, after, address);
  }

  function meet() {
    for (const element of elements()) {
      if (clocks.has(element.dataset.clock)) continue;
      clocks.set(element.dataset.clock, { every: Number(element.dataset.every) * 1000, phase: null, seen: null });
      ask(element.dataset.clock);
    }
    show();
  }

  document.addEventListener("click", function (event) {
    if (!event.target.closest("[data-clock-sound]")) return;
    if (sound) {
      sound.close();
      sound = null;
    } else {
      sound = new AudioContext();
    }
    show();
  });
  document.addEventListener("visibilitychange", function () {
    if (document.hidden) return;
    for (const [address, clock] of clocks) {
      clock.tag = null;
      ask(address);
    }
  });
  // A page that has changed may have changed because the bell rang.
  document.addEventListener("tendone:fresh", function () {
    for (const address of clocks.keys()) ask(address);
  });
  // What other scripts put in place is right before it is seen.
  new MutationObserver(meet).observe(document.body, { childList: true, subtree: true });
  setInterval(function () {
    rings();
    show();
  }, 250);
  meet();
})();
