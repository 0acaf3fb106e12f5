// A referee's pages on a phone: links and forms work in place, entries go through the phone's own queue, and one calm
// line says how that stands. Without this every tap is sent as a form, and counts once all the same.

import { hasLeft } from "./derived.js";
import * as offline from "./offline.js";
import * as pages from "./pages.js";
import * as places from "./places.js";
import { counted } from "./plural.js";
import * as queue from "./queue.js";
import * as recorder from "./recorder.js";
import * as store from "./store.js";

const QUEUED = /\/t\/(?!practice\/)([^/]+)\/games\/([0-9a-f-]+)\/(enter|put-right)\/$/;
const PATIENCE = 6000;
const REFRESH = 30000;
// Views that give way to the service's own page as soon as everything has arrived.
const PASSING = ["match", "idle", "cards", "guided", "nothing", "game", "done", "phone"];

const line = () => document.getElementById("line");
const phone = () => line().closest("a").href;

// Going somewhere

async function follow(address, { back = false, body } = {}) {
  if (await pages.go(address, { back, body, isHasty: !queue.link.isUp })) return;
  queue.link.isUp = false;
  if (body) await offline.draw(address, { isUnsent: true });
  else await offline.draw(address, { back });
  show();
}

document.addEventListener("click", (event) => {
  const decided = event.target.closest("[data-decide]");
  if (decided) decide(decided);
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (!pages.isHere(url) || (url.hash && url.pathname === location.pathname)) return;
  event.preventDefault();
  follow(url.href);
});

addEventListener("popstate", () => follow(location.href, { back: true }));

// Forms

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const address = new URL(form.getAttribute("action") || location.href, location.href);
  if (event.defaultPrevented || !pages.isHere(address)) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  try {
    if (form.method !== "post") {
      address.search = new URLSearchParams(new FormData(form, event.submitter));
      await follow(address.href);
    } else if (QUEUED.test(address.pathname) && form.elements.version && form.elements.id) {
      await enter(form, event.submitter, address);
    } else {
      await post(form, event.submitter, address);
    }
  } finally {
    form.removeAttribute("aria-busy");
  }
});

async function post(form, submitter, address) {
  const isLeaving = /\/(pair|phone)\/leave\/$/.test(address.pathname);
  if (isLeaving && (await store.entries().catch(() => [])).some((each) => each.state === "waiting")) {
    if (!document.querySelector("[data-entered]")) await follow(phone());
    await offline.showEntries({ isLeaving });
    return scrollTo(0, 0);
  }
  if (isLeaving) await offline.forget();
  await follow(address.href, { body: new URLSearchParams(new FormData(form, submitter)) });
}

async function enter(form, submitter, address) {
  const entry = entryOf(form, submitter, address);
  try {
    await queue.add(entry);
  } catch (error) {
    // The same tap again is on its way already; where nothing can be kept it is sent as it is.
    if (error.name !== "ConstraintError") return follow(address.href, { body: asForm(entry) });
  }
  // Without a network who writes down a game goes on at once: the line says how that stands.
  const least = form.matches("[data-recorder], [data-guided]") ? 0 : 1000;
  const done = await queue.outcome(entry.id, queue.link.isUp ? PATIENCE : least);
  if (done?.state === "saved") return follow(done.next);
  if (done?.state === "refused") return follow(phone());
  const game = address.pathname.replace(/[^/]+\/$/, "");
  // Somebody else has entered the same: the game shows it.
  if (done?.state === "withdrawn") return follow(game);
  await offline.draw(entry.ends || entry.kind !== "enter" ? game : `${game}cards/`, { isEntered: true });
  // It may have arrived by now.
  moved();
}

const asForm = (entry) => new URLSearchParams([
  ["version", entry.version], ["id", entry.id], ...entry.fields, ["csrfmiddlewaretoken", freshToken()]]);

// What a form would send, as an entry of the queue.
function entryOf(form, submitter, address) {
  const [, code, game, kind] = address.pathname.match(QUEUED);
  const data = new FormData(form, submitter);
  const at = new Date().toISOString();
  const isRecorded = form.matches("[data-recorder]");
  const fields = kind === "enter"
    ? [["event", JSON.stringify({ ...(isRecorded ? recorder.eventOf(form, submitter) : eventOf(data)), at })]]
    : [...data].filter(([name]) => !["csrfmiddlewaretoken", "version", "id", "at", "after"].includes(name));
  return {
    id: data.get("id"), code, game, kind, to: address.pathname, fields, at,
    event: line()?.dataset.event ?? "", version: Number(data.get("version")), after: data.get("after") || null,
    told: isRecorded ? recorder.toldBy(form, submitter) : toldBy(form, submitter),
    ends: fields.some(([name, value]) => name === "event" && value.includes('"game_closed"')),
    where: whereFrom(document.querySelector(".where [data-where]")),
  };
}

// What the list of entries says of where one was made: pages of a game leave out the round for want of room.
const whereFrom = (place) => place?.querySelector("[data-in-full]")?.dataset.inFull || place?.textContent.trim() || "";

// The log event of a form: it stands there whole, or is put together from fields, with a result's points or places and who
// wasn't there.
function eventOf(data) {
  const numbered = (name) => [...data].filter(([each, value]) => each.startsWith(name) && value.trim())
    .map(([each, value]) => [each.slice(name.length), value.trim()]);
  const number = (value) => (/^\d+$/.test(value) ? Number(value) : value);
  if (data.get("type") === "dealer_cut") return { type: "dealer_cut", cards: Object.fromEntries(numbered("cut-")) };
  if (data.get("type") === "hand_shown") {
    return { type: "hand_shown", seat: number(data.get("seat")), points: number(data.get("points").trim()) };
  }
  const event = JSON.parse(data.get("event"));
  for (const [prefix, name] of [["points-", "scores"], ["places-", "places"]]) {
    const typed = numbered(prefix).map(([which, value]) => [which, number(value)]);
    if (typed.length) event[name] = Object.fromEntries(typed);
  }
  if (data.has("absent")) event.absent = (data.getAll("absent").join(" ").match(/\d+/g) ?? []).map(Number);
  return event;
}

// What a form enters, in the page's words; `data-told-as` has them for what is taken back.
function toldBy(form, submitter) {
  if (submitter?.dataset.said) return submitter.dataset.said;
  const marked = form.querySelector("[data-told]") ?? document.querySelector("main [data-told]");
  const words = recorder.words(marked ?? submitter);
  return marked?.dataset.toldAs?.replace("{entry}", words) ?? words;
}

// Decisions about what waits or was refused

async function decide(button) {
  if (button.dataset.decide === "again") return follow(location.href, { back: true });
  const all = await store.entries();
  const entry = all.find((each) => each.order === Number(button.dataset.order));
  if (!entry || button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  const rest = all.filter((each) => each.game === entry.game && each.state === "waiting");
  switch (button.dataset.decide) {
    case "insist": return queue.insist(entry);
    case "withdraw-all": return queue.withdraw([entry, ...rest]);
    // Whatever may have arrived already is taken back by a correction.
    case "undo":
      if (hasLeft(entry)) {
        if (entry.kind === "enter") await queue.takeBack(entry, button.dataset.toldAs.replace("{entry}", entry.told));
        break;
      }
    // falls through
    case "withdraw": await queue.withdraw([entry]);
  }
  if (button.dataset.decide === "undo") offline.draw(location.href, { back: true });
}

// The line

const freshToken = () => document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";

async function show() {
  const place = line();
  if (!place) return;
  const words = place.dataset;
  const entries = await store.entries().catch(() => []);
  const count = (state) => entries.filter((entry) => entry.state === state).length;
  const [refused, waiting] = [count("refused"), count("waiting")];
  queue.link.waiting = refused + waiting;
  place.dataset.queue = refused + waiting;
  const [look, text] = refused ? ["refused", counted(words.refused, refused)]
    : waiting && queue.link.isOut ? ["refused", words.out]
    : waiting ? ["waiting", [counted(words.waiting, waiting), queue.link.why].filter(Boolean).join(": ")]
    : ["saved", words.saved];
  place.className = `line is-${look}`;
  if (place.textContent !== text) place.textContent = text;
}

async function moved() {
  show();
  const view = document.body.dataset.offline;
  await offline.showEntries();
  if (PASSING.includes(view) && queue.link.isUp && !document.querySelector("main input:checked, main [data-begun]")) {
    const isWaiting = (await store.entries()).some((entry) => entry.state === "waiting");
    // Where somebody is going somewhere else, this page needn't be fresh any more.
    if ((!isWaiting || queue.link.isOut) && !pages.isUnderWay()) await follow(location.href, { back: true });
  }
}

let refreshed = { at: -REFRESH, address: "" };

function arrived() {
  places.prepare();
  queue.useToken(freshToken());
  show();
  offline.showEntries();
  if (!line()?.dataset.kit || document.body.dataset.offline) return;
  queue.link.isUp = true;
  // Let in again: what could not be sent needn't wait for the next try.
  if (queue.link.isOut) queue.send();
  const address = line().dataset.kit;
  if (refreshed.address === address && performance.now() - refreshed.at < REFRESH) return;
  refreshed = { at: performance.now(), address };
  offline.refresh();
}

document.addEventListener("tendone:page", arrived);
document.addEventListener("tendone:queue", moved);
// What another phone has changed: a table's kit changes with it.
document.addEventListener("tendone:fresh", () => {
  refreshed.address = "";
  arrived();
});
addEventListener("online", () => setTimeout(moved, 1000));
// Back from another site, what was sent from here isn't busy any more.
addEventListener("pageshow", () => {
  document.querySelectorAll("form[aria-busy]").forEach((form) => form.removeAttribute("aria-busy"));
});

// A browser looks for a new edition when it likes to: each page that is loaded asks for it.
if (isSecureContext && line()) {
  navigator.serviceWorker?.register(line().dataset.worker).then((worker) => worker.update()).catch(() => {});
}

// The service worker's answer to any address without a network is the page that everything is drawn on.
if (document.querySelector("[data-shell]")) {
  offline.useShell(document).then(() => {
    if (location.pathname === new URL(line().dataset.templates, location.href).pathname) return follow(phone());
    queue.link.isUp = false;
    return offline.draw(location.href, { back: true });
  });
} else {
  arrived();
}
queue.send();
