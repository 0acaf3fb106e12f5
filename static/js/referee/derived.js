// How a table's games stand as far as this phone knows: the table's kit and, on top of it and in order, what was
// entered here since the kit was made.

import { isNeeded, standing as pointsOf } from "./series.js";

// The kit, each game with what was entered in it and where that leaves it; changes the kit that it is given.
export function derive(kit, entries) {
  for (const match of kit.matches) {
    for (const game of match.games) {
      const own = entries.filter((entry) => entry.game === game.id).map((entry) => withLine(entry, entries));
      const pending = own.filter((entry) => isNews(entry, game.version));
      const standing = standingOf(pending);
      Object.assign(game, ended(match, game, pending), {
        pending, standing, after: pending.at(-1)?.id ?? "",
        newest: standing ? standing.at(-1) ?? own.find((entry) => isLast(entry, game)) : pending.at(-1),
        by_cards: game.by_cards || pending.some((entry) => entry.kind === "enter" && !entry.ends),
        named_sides: namedSides(kit, game),
      });
    }
    count(match);
    match.next = match.games.find((game) => !game.done && game.is_needed);
    match.latest = latest(match);
  }
  return kit;
}

// The sides of a game by their teams; by the players at a table of many, and where teams wouldn't tell them apart.
function namedSides(kit, game) {
  const seats = new Map();
  for (const seat of game.seats) seats.set(seat.side, [...seats.get(seat.side) ?? [], seat]);
  const sides = [...seats.values()];
  const isByTeam = !game.ranked && new Set(sides.map(([seat]) => seat.team)).size === sides.length;
  return sides.map((held) => ({
    ...kit.teams[held[0].team], ...!isByTeam && { name: held.map((seat) => seat.name).join(", ") },
  }));
}

// Which games a match needs, its score, and whether results that the service has and that count decide it: what
// waits to be confirmed makes games needless, and isn't counted yet.
function count(match) {
  const { kind, sides, games } = match;
  const ends = games.map((game) => game.end);
  for (const game of games) {
    const isBegun = game.version > 0 || game.pending.length > 0;
    game.is_needed = !kind || Boolean(game.end) || isNeeded(kind, sides, ends, game.number, isBegun);
  }
  const counted = games.filter((game) => game.end && !game.waits && !game.is_disputed);
  const endsOf = (some) => some.map((game) => game.end);
  match.score = kind ? pointsOf(kind, sides, endsOf(counted)).points.join(" – ") : "";
  const sent = counted.filter((game) => !game.is_queued);
  match.is_sure = Boolean(kind && pointsOf(kind, sides, endsOf(sent)).isOver);
}

// What the kit knows already, or was withdrawn, is left out.
const isNews = (entry, version) =>
  entry.state === "waiting" || entry.state === "refused" || (entry.state === "saved" && entry.reached > version);

// Whether an entry of this phone is the last one that the kit knows.
const isLast = (entry, game) => entry.kind === "enter" && entry.state === "saved" && entry.reached === game.version;

// A correction with the line that it takes back: that of an entry of this phone is known once that is saved.
function withLine(entry, entries) {
  if (entry.kind !== "put-right") return entry;
  const undone = entries.find((each) => each.id === entry.undoes);
  return { ...entry, line: undone?.reached ?? Number(entry.fields.find(([name]) => name === "line")?.[1]) };
}

const takesBack = (entry, id, line) => (id && entry.undoes === id) || entry.line === line;

// What follows on the kit once corrections have taken back theirs; null where only the service can say that.
function standingOf(pending) {
  const left = [];
  for (const entry of pending) {
    if (entry.state === "refused") return null;
    if (entry.kind === "enter") left.push(entry);
    else {
      const place = left.findIndex((each) => takesBack(entry, each.id, each.reached));
      if (place < 0 || entry.fields.some(([name]) => name === "event")) return null;
      left.splice(place, 1);
    }
  }
  return left;
}

// Whether a game is over and how: each end counts until it is taken back, and then the next one.
function ended(match, game, pending) {
  let end = game.is_over ? { told: game.asked, line: game.line, check: game.check, counts: game.end } : null;
  for (const entry of pending) {
    if (entry.ends) {
      const counts = entry.state === "refused" ? end?.counts : endBy(game, entry);
      end = { told: entry.outcome ?? entry.told, line: entry.reached, check: "submitted", entry, counts };
    } else if (end && entry.kind === "put-right" && takesBack(entry, end.entry?.id, end.line)) end = null;
  }
  const isRefused = end?.entry?.state === "refused";
  const asks = match.confirmed_by && end && !isRefused;
  return {
    is_queued: end?.entry?.state === "waiting", end: end?.counts ?? null,
    done: Boolean(end), result: end?.told ?? "", is_refused: isRefused,
    waits: Boolean(asks && end.check === "submitted"), is_disputed: Boolean(asks && end.check === "disputed"),
    undo: undo(game, end?.entry, end?.line),
  };
}

// How an entry that ends a game counts for the match: the engine has said who won, or the kit has that end.
function endBy(game, entry) {
  if ("winner" in entry) {
    const winner = game.seats[entry.winner]?.side ?? null;
    return { winner, closed: winner === null ? "bell" : "played" };
  }
  const event = JSON.parse(Object.fromEntries(entry.fields).event);
  if (game.ranked && event.winner === null && event.reason !== "abandoned") return endByPlaces(game, event.places ?? {});
  const isSame = (name, other) => (other[name] ?? null) === (event[name] ?? null);
  return game.endings.find((each) => ["reason", "winner", "team"].every((name) => isSame(name, each.event)))?.end;
}

// By points in place of places only the service knows who has won.
function endByPlaces(game, places) {
  const [first, ...others] = Object.keys(places).filter((side) => places[side] === 1);
  const winner = first && !others.length ? game.seats[first].side : null;
  return { winner, closed: winner === null ? "bell" : "played" };
}

// Whether an entry left this phone, or may have.
export const hasLeft = (entry) => entry.state === "saved" || Boolean(entry.isSent);

// How an entry is undone here: it is withdrawn if it never left the phone, else a correction follows it.
export function undoOf(entry) {
  const isOpen = entry && entry.state !== "refused" && (entry.kind === "enter" || !hasLeft(entry));
  return isOpen ? { order: entry.order } : null;
}

// How an end is undone. Of one that is saved a page asks why.
function undo(game, entry, line) {
  if (entry?.state === "waiting") return undoOf(entry);
  return entry?.state !== "refused" && line ? { take_back: `${game.address}take-back/`, line } : null;
}

// What was entered last here in a match, if the service hasn't told of it yet.
function latest(match) {
  const all = match.games.flatMap((game) => game.pending.map((entry) => ({ entry, game })));
  const { entry, game } = all.sort((one, other) => one.entry.order - other.entry.order).at(-1) ?? {};
  return entry && { number: game.number, told: entry.told, ...undo(game, entry, entry.ends && entry.reached) };
}
