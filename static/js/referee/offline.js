// Pages without a network, made of the table's kit and of what waits on this phone. Which ends a game can have and
// how they are told stands in the kit; what a card is, in the page's templates. No rule of the game is here: what can
// be tapped in a game is asked of the engine, if it is on the phone; without it what happened is written down unchecked.

import { derive } from "./derived.js";
import { freshId } from "./ids.js";
import * as pages from "./pages.js";
import * as pocket from "./pocket.js";
import * as queue from "./queue.js";
import * as recorder from "./recorder.js";
import * as store from "./store.js";

const SHELL = "shell:";
const KIT = "kit:";
const HERE = "here";
const memory = new Map();
let hasLooked = false;

const language = () => document.documentElement.lang;
const codeOf = (path) => path.match(/\/t\/([^/]+)\//)?.[1] ?? "";
const line = () => document.getElementById("line");

async function recall(key) {
  if (!memory.has(key)) memory.set(key, await store.kept(key).catch(() => undefined));
  return memory.get(key);
}

async function keep(key, value) {
  memory.set(key, value);
  await store.keep(key, value).catch(() => {});
}

// The page with the templates, of the edition of this page if somebody answers; else the one that is kept, if any is.
async function templates() {
  const kept = await recall(SHELL + language());
  const { edition, templates: address } = line()?.dataset ?? {};
  if (kept && (kept.edition === edition || document.body.dataset.offline)) return kept.html;
  try {
    const answer = await fetch(address, { cache: "no-cache", credentials: "same-origin", signal: AbortSignal.timeout(15000) });
    if (answer.ok) await useShell(parsed(await answer.text()));
  } catch {
    // It stays as it is.
  }
  return anyShell();
}

// What is kept in this page's language; else in another one, which is better than nothing.
async function recallInAnyLanguage(keyIn) {
  const keys = [...memory.keys(), ...await store.keptKeys().catch(() => [])];
  const others = keys.filter((key) => key.startsWith(SHELL) || key.startsWith(KIT)).map((key) => key.split(":")[1]);
  for (const each of new Set([language(), ...others])) {
    const found = await recall(keyIn(each));
    if (found) return found;
  }
  return undefined;
}

const anyShell = async () => (await recallInAnyLanguage((each) => SHELL + each))?.html;

// Brings the kit of this page's table and the templates up to date, if somebody answers.
export async function refresh() {
  const address = line()?.dataset.kit;
  if (!address) return;
  const key = `${KIT}${language()}:${codeOf(address)}`;
  const asked = new Date().toISOString();
  try {
    await templates();
    const known = await recall(key);
    const response = await fetch(await asking(address), {
      headers: { Accept: "application/json", ...queue.heading(), ...(known && { "If-None-Match": known.tag }) },
      cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(15000),
    });
    if (response.status === 403) return await forget();
    if (response.ok) await keep(key, { tag: response.headers.get("ETag"), kit: await response.json() });
    if (!response.ok && response.status !== 304) return;
  } catch {
    return;
  }
  // From now on this table goes on without a network.
  document.documentElement.dataset.kept = codeOf(address);
  (window.requestIdleCallback ?? setTimeout)(() => pocket.prepare());
  const { kit } = await recall(key);
  await keep(HERE, { home: kit.home, writer: kit.writer });
  const hasLost = await queue.compare(kit, asked);
  if (hasLost || !hasLooked) await lookElsewhere(codeOf(address));
  if (kit.is_over) {
    await queue.forgetSaved(kit.event);
    await forget();
  }
}

// A kit's address with what this phone wants to know of: whether the service has what was saved last.
async function asking(address) {
  const last = await queue.lastSaved(codeOf(address));
  return last.length ? `${address}?${new URLSearchParams(last.map((id) => ["last", id]))}` : address;
}

// What was saved from this phone at other tables the service may have lost as well: its games are compared once for
// each page that is loaded, and whenever something is missing.
async function lookElsewhere(here) {
  hasLooked = true;
  const saved = (await store.entries()).filter((entry) => entry.state === "saved" && entry.code !== here);
  for (const code of new Set(saved.map((entry) => entry.code))) {
    const asked = new Date().toISOString();
    try {
      const address = new URL(`../../${code}/kit/`, new URL(line().dataset.kit, location.href));
      const response = await fetch(await asking(address.pathname), {
        headers: { Accept: "application/json", ...queue.heading() }, cache: "no-store", signal: AbortSignal.timeout(15000),
      });
      if (response.ok) await queue.compare(await response.json(), asked);
    } catch {
      return;
    }
  }
}

// This phone isn't the event's any more: names don't stay on it.
export async function forget() {
  for (const key of memory.keys()) if (!key.startsWith(SHELL)) memory.delete(key);
  await store.forgetKept().catch(() => {});
}

async function kitOf(path) {
  const code = codeOf(path);
  const found = await recallInAnyLanguage((each) => `${KIT}${each}:${code}`);
  return found ? derive(structuredClone(found.kit), await store.entries()) : null;
}

// The page that all others are drawn on, if it is the one that was loaded.
export async function useShell(page) {
  const { edition } = page.getElementById("line").dataset;
  await keep(SHELL + page.documentElement.lang, { edition, html: `<!doctype html>${page.documentElement.outerHTML}` });
}

// Draws what an address would show; false if this phone hasn't got what that takes. `isUnsent`: something was to be
// sent there that can't wait. `isEntered`: something was entered in the address's game, so it goes on from there.
export async function draw(address, { back = false, isUnsent = false, isEntered = false } = {}) {
  const here = await recall(HERE);
  const asked = new URL(address, location.href);
  // The app opens where tables are chosen: without a network that is the one where this phone was last.
  const url = asked.pathname.endsWith("/t/") && here ? new URL(here.home, location.href) : asked;
  const shell = await anyShell();
  if (!shell) return false;
  if (url.pathname.endsWith("/t/phone/")) return phonePage(shell, url, back);
  const kit = await kitOf(url.pathname);
  const page = parsed(shell);
  let [name, data] = !kit ? ["nothing", { home: here?.home }] : isUnsent ? unsent(kit, url) : view(kit, url, isEntered);
  const guided = name === "cards" && await pocket.guidedView(kit, data, url, language());
  if (guided) [name, data] = ["guided", guided];
  fill(page, name, data, kit ? { kit: `${kit.home}kit/`, event: kit.event } : {});
  pages.place(isUnsent ? location.href : data.address && name === "match" ? data.address : url.href, back);
  pages.put(page);
  return true;
}

// The game of an address, and the match: that of the game, the one that is named, or the one that is on.
function found(kit, url) {
  const game = kit.matches.flatMap((match) => match.games).find((each) => url.pathname.includes(each.id));
  const match = kit.matches.find((each) => (game ? each.games.includes(game) : url.pathname.includes(each.id))) ??
    kit.matches.find((each) => each.next);
  return [game, match];
}

// The template of an address, and what stands in it.
function view(kit, url, isEntered) {
  const [game, match] = found(kit, url);
  if (!match) return ["idle", { where: kit.where, home: kit.home, last: kit.matches.at(-1)?.address }];
  if (!game || (isEntered && game.done) || !(game.done || game.is_needed)) return matchView(kit, match);
  const told = { ...game, confirmed_by: match.confirmed_by, back: match.address, fresh: freshId() };
  if (game.done) return doneView(told, url);
  const cards = `${game.address}cards/`;
  if (url.pathname.endsWith("/confirm/")) {
    const asked = [url.searchParams.get("reason") ?? "result", query(url)];
    const ending = game.endings.find((each) => each.reason === asked[0] && each.query === asked[1]);
    if (ending) return ["confirm", { ...told, ...endingOf(kit, game, ending), back: game.address }];
  }
  const offered = game.endings.map((each) => endingOf(kit, game, each));
  const of = (reason) => offered.filter((each) => each.reason === reason);
  if (url.pathname.endsWith("/end/")) {
    const won = game.by_cards ? of("result") : [];
    return ["end", {
      ...told, won: won.length && { won }, time: of("time"), forfeit: of("forfeit"), abandoned: of("abandoned"),
      bell: !game.ranked && `${game.address}bell/`, back: game.address,
      by_bell: game.ranked && `${game.ranked.places}?reason=time`, to_end: game.ranked && game.by_cards && game.ranked.places,
    }];
  }
  const isAsked = /\/(places|bell)\/$/.test(url.pathname);
  if (game.ranked && (isAsked || !(game.by_cards || url.pathname.endsWith("/cards/")))) {
    return ["places", { ...told, ...placesOf(kit, game, url), cards, back: isAsked ? game.address : told.back }];
  }
  if (url.pathname.endsWith("/bell/")) {
    const time = of("time").filter((each) => each.query || !match.bell.plays_on);
    return ["bell", { ...told, ...match.bell, time, game: game.address, back: `${game.address}end/` }];
  }
  if (game.by_cards || url.pathname.endsWith("/cards/")) {
    return ["cards", { ...recorder.show(kit, game, told), cards }];
  }
  return ["game", { ...told, cards, end: `${game.address}end/`, choices: of("result") }];
}

// Who came where, or the points that say it; what they enter is worked out once it arrives.
function placesOf(kit, game, url) {
  const { sides, places, counts_points: counts } = game.ranked;
  const reason = url.pathname.endsWith("/bell/") ? "time" : url.searchParams.get("reason") ?? "result";
  const byPoints = counts && url.searchParams.get("by") === "points";
  const absent = new Set(sides.filter((side) => side.is_absent).map((side) => side.number));
  const asked = byPoints
    ? { points: game.seats.flatMap((seat, number) => (absent.has(seat.side) ? [] : { name: seat.name, field: `points-${number}` })) }
    : { sides: sides.map((side) => ({ ...side, banner: kit.teams[side.team].banner, field: `places-${side.number}` })) };
  return {
    ...asked, absent: [...absent].join(" "), places_part: !byPoints && {}, ranking: JSON.stringify({ type: "game_closed", reason, winner: null }),
    by_points: counts && !byPoints && `${places}?by=points&reason=${reason}`, by_places: byPoints && `${places}?reason=${reason}`,
    end: `${game.address}end/`,
  };
}

function matchView(kit, match) {
  const next = match.next && { ...match.next, go: match.next.address + (match.next.by_cards ? "cards/" : "") };
  const following = next ? null : kit.matches.find((each) => each.next)?.address;
  const waits = match.games.some((game) => game.waits);
  const games = match.games.filter((game) => game.done || game.is_needed);
  const isOver = Boolean(match.series && !next);
  const isUnsure = isOver && !match.is_sure;
  const isToConfirm = isUnsure && waits;
  const isToSend = isUnsure && !waits && match.games.some((game) => game.is_queued);
  const isDecided = isOver && !isToConfirm && !isToSend;
  const home = !next && !following && kit.home;
  const heading = { isDecided, isToConfirm, isToSend, isOpen: !isOver };
  return ["match", { ...match, ...heading, games, next, following, home, waits, back: "" }];
}

// A game that is over: how it ended, whether that counts yet, and the way to take it back.
function doneView(told, url) {
  if (url.pathname.endsWith("/take-back/") && told.undo?.take_back) {
    return ["take-back", { ...told, ...told.undo, back: told.address }];
  }
  return ["done", told];
}

// Instead of what was to be sent at once: a confirmation speaks of what the service has now.
function unsent(kit, url) {
  const [game, match] = found(kit, url);
  if (game?.done && /\/(confirm-result|dispute)\/$/.test(url.pathname)) {
    return ["done", { ...game, confirmed_by: match.confirmed_by, back: match.address, is_unsent: true }];
  }
  return ["nothing", { home: kit.home }];
}

function endingOf(kit, game, ending) {
  const query = `reason=${ending.reason}${ending.query && `&${ending.query}`}`;
  return {
    ...ending, banner: kit.teams[ending.team]?.banner ?? "", event: JSON.stringify(ending.event),
    link: `${game.address}confirm/?${query}`, ends: "1",
    points: ending.points.length && {
      seats: ending.points.map((number) => {
        const { name, side } = game.seats[number];
        const canMiss = ending.asks_absent && side !== game.seats[ending.event.winner]?.side;
        return {
          number, name, field: `points-${number}`, side: `${side}`, can_miss: canMiss,
          is_absent: ending.absent.includes(side), points_needed: ending.points_needed && !canMiss,
        };
      }),
    },
  };
}

function query(url) {
  const found = new URLSearchParams(url.search);
  found.delete("reason");
  return found.toString();
}

// Who writes from this phone, as far as that is known without a network; what was entered is put in like elsewhere.
async function phonePage(shell, url, back) {
  const page = parsed(shell);
  const here = await recall(HERE);
  fill(page, "phone", { home: here?.home, writer: here?.writer }, here && { kit: `${here.home}kit/` });
  pages.place(url.href, back);
  pages.put(page);
  return true;
}

// Puts what this phone has entered into the places for it on this page: `open` has what isn't stored yet, those first
// that somebody has to decide about, and `kept` the rest.
export async function showEntries({ isLeaving = false } = {}) {
  const places = document.querySelectorAll("[data-entered]");
  if (!places.length) return;
  const shell = await templates();
  const all = (await store.entries().catch(() => [])).reverse().map((entry) => ({
    ...entry, wasThere: entry.problem?.is_there, time: new Date(entry.at).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  }));
  const { isOut, why } = queue.link;
  const seen = [isOut, why, ...all.map((entry) => entry.order + entry.state)].join();
  if (!shell || (seen === places[0].dataset.seen && !isLeaving)) return;
  const some = (state) => {
    const list = all.filter((entry) => entry.state === state);
    return list.length && { list };
  };
  const waiting = some("waiting");
  const pair = isOut && waiting && new URL("../../../pair/", new URL(waiting.list[0].to, location.href)).pathname;
  const data = {
    refused: all.filter((entry) => entry.state === "refused").map((entry) => refusedOf(entry, all)),
    waiting, isLeaving, isOut, isIn: !isOut, out: pair && { pair }, outage: why && { why }, again: all.some((entry) => entry.wasLost),
    saved: some("saved"), withdrawn: some("withdrawn"), none: !all.length, plain: !isSecureContext,
  };
  const page = parsed(shell);
  for (const place of places) {
    place.replaceChildren(instance(page.getElementById(`offline-${place.dataset.entered}`), data));
    place.dataset.seen = seen;
  }
}

function refusedOf(entry, all) {
  const { problem } = entry;
  const { again } = problem;
  // What only counts later, if at all: once the desk has corrected the match or taken its result back,
  // or the service has mended its fault.
  const isLater = ["match-decided", "game-not-followed", "result-from-paper"].includes(problem.code);
  return {
    ...entry, ...problem, now: problem.now?.join(" "),
    rest: all.filter((each) => each.game === entry.game && each.state === "waiting").length || "",
    // What can only be looked at first has an address and no fields.
    look: again && !again.fields.length && again.to,
    isLater,
    can: again ? again.fields.length > 0
      : !isLater && !problem.is_same && !problem.is_over && (entry.kind === "enter" || problem.code !== "conflict"),
  };
}

const parsed = (shell) => new DOMParser().parseFromString(shell, "text/html");

// Templates: `data-text` and `data-html` say what stands in an element, `data-set` its attributes ("href:link"),
// `data-if` whether it is there; a template `data-each` is there once for each of a list, or once for an object.

function fill(page, name, data, line = {}) {
  const template = page.getElementById(`offline-${name}`);
  const made = instance(template, { plain: !isSecureContext, ...data });
  for (const part of made.querySelectorAll("[data-part]")) {
    page.querySelector(part.dataset.part).replaceChildren(...part.childNodes);
  }
  Object.assign(page.getElementById("line").dataset, line);
  page.body.dataset.offline = name;
  page.querySelectorAll("template").forEach((each) => each.remove());
  page.querySelector("[data-shell]").removeAttribute("data-shell");
}

function instance(template, data) {
  const made = template.content.cloneNode(true);
  for (const element of made.querySelectorAll("[data-if]")) {
    if (!data[element.dataset.if]) element.remove();
  }
  for (const element of made.querySelectorAll("[data-text]")) element.textContent = data[element.dataset.text] ?? "";
  for (const element of made.querySelectorAll("[data-html]")) element.innerHTML = data[element.dataset.html] ?? "";
  for (const element of made.querySelectorAll("[data-flag]")) {
    const [attribute, field] = element.dataset.flag.split(":");
    element.toggleAttribute(attribute, Boolean(data[field]));
  }
  for (const element of made.querySelectorAll("[data-set]")) {
    for (const pair of element.dataset.set.split(" ")) {
      const [attribute, field] = pair.split(":");
      element.setAttribute(attribute, data[field] ?? "");
    }
  }
  // Last, so that each part is filled once, with what is its own.
  for (const each of made.querySelectorAll("template[data-each]")) {
    const items = [data[each.dataset.each] ?? []].flat().filter(Boolean);
    each.replaceWith(...items.map((item) => instance(each, { ...data, ...item })));
  }
  return made;
}
