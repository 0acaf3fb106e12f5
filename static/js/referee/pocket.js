// Asks the engine on the phone what can be tapped next. It is loaded after a page is usable: a service worker keeps its
// parts, and it starts when a page has to be drawn without a network. Where it can't be, there is no guided page.

import { undoOf } from "./derived.js";
import * as queue from "./queue.js";
import * as store from "./store.js";

const PATIENCE = 6000;

const isPossible = Boolean(window.Worker);
const questions = new Map();
let worker = null;
let asked = 0;

const address = () => document.getElementById("line")?.dataset.engine;

// Has the parts kept; without a service worker the engine starts now, while there is a network.
export async function prepare() {
  if (worker || !isPossible || !address()) return;
  if (!navigator.serviceWorker) return start();
  (await navigator.serviceWorker.ready).active.postMessage("keep-engine");
}

function start() {
  if (worker || !isPossible || !address()) return;
  worker = new Worker(address(), { type: "module" });
  worker.onerror = broken;
  worker.onmessage = ({ data: { number, answer, problem } }) => {
    if (problem) return broken(console.warn(problem));
    questions.get(number)?.(answer ?? null);
    questions.delete(number);
  };
}

// It isn't there, or not yet: the next page tries again.
function broken() {
  worker?.terminate();
  worker = null;
  for (const answer of questions.values()) answer(null);
  questions.clear();
}

function guided(kit, language) {
  start();
  if (!worker) return null;
  const number = ++asked;
  const root = document.documentElement;
  root.setAttribute("aria-busy", "true");
  return new Promise((resolve) => {
    questions.set(number, resolve);
    setTimeout(() => resolve(null), PATIENCE);
    worker.postMessage({ number, language, kit });
  }).finally(() => root.removeAttribute("aria-busy"));
}

// The page of a game's cards as the engine says it; null without an engine, or where the game stands otherwise than
// the kit and this phone's entries can tell.
export async function guidedView(kit, game, url, language) {
  if (!game.snapshot || !game.standing) return null;
  const query = {};
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  const teams = Object.entries(kit.teams);
  const answerTo = (entries) => guided({
    query, snapshot: game.snapshot,
    events: entries.map((entry) => JSON.parse(entry.fields[0][1])),
    names: game.seats.map((seat) => seat.name), plates: game.seats.map((seat) => seat.plate), teams: game.seats.map((seat) => seat.team),
    banners: Object.fromEntries(teams.map(([key, team]) => [key, team.look])),
    team_names: Object.fromEntries(teams.map(([key, team]) => [key, team.name])),
  }, language);
  let { standing, newest: last, after } = game;
  let why = "";
  let answer = await answerTo(standing);
  const isTyped = document.body.dataset.offline === "guided" && last?.state === "waiting" && !last.isSent;
  if (isTyped && answer?.refused === standing.length - 1) {
    // What is tapped is legal; points that are typed in needn't be, and are asked for again.
    why = answer.why;
    await queue.withdraw([last]);
    standing = standing.slice(0, -1);
    after = last.after ?? "";
    last = standing.at(-1);
    answer = await answerTo(standing);
  }
  if (!answer || "refused" in answer || answer.is_lost) return null;
  // The last card ends a game: the next one can begin.
  if (answer.is_over && standing.length && !last.ends) {
    await store.change([{ ...last, ends: true, outcome: answer.asked, winner: answer.winner }]);
  }
  const drawn = (item) => ({ ...item, banner: kit.teams[item.team]?.banner ?? "" });
  return {
    ...game, ...answer, why, after, last: answer.last || last?.told,
    undo: undoOf(last), hasNone: !last && !game.version, mover: kit.teams[answer.mover]?.banner,
    isLater: !answer.is_first && !answer.is_over, more: answer.is_first && `${game.cards}?do=more`,
    back: answer.is_first || answer.is_over ? game.back : game.cards,
    groups: answer.groups.map((group) => ({
      ...group, layout: `taps ${group.layout}`,
      taps: group.taps.map((tap) => ({ ...drawn(tap), kind: tap.is_main ? "tap main" : "tap" })),
    })),
    hands: answer.hands.map((hand) => ({ ...drawn(hand), field: `points-${hand.seat}`, said: hand.name })),
  };
}
