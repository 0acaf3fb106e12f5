// How a table's games stand as far as this phone knows: the table's kit and, on top of it and in order, what was
// entered here since the kit was made.

// The kit, each game with what was entered in it and where that leaves it; changes the kit that it is given.
export function derive(kit, entries) {
  for (const match of kit.matches) {
    for (const game of match.games) {
      const pending = entries.filter((entry) => entry.game === game.id && isNews(entry, game.version));
      Object.assign(game, ended(match, game, pending), {
        pending, after: pending.at(-1)?.id ?? "",
        by_cards: game.by_cards || pending.some((entry) => entry.kind === "enter" && !entry.ends),
        teams: [...new Set(game.seats.map((seat) => seat.team))].map((key) => kit.teams[key]),
      });
    }
    match.next = match.games.find((game) => !game.done);
    match.latest = latest(match);
  }
  return kit;
}

// What the kit knows already, or was withdrawn, is left out.
const isNews = (entry, version) =>
  entry.state === "waiting" || entry.state === "refused" || (entry.state === "saved" && entry.reached > version);

// Whether a game is over and how: each end counts until it is taken back, and then the next one.
function ended(match, game, pending) {
  let end = game.is_over ? { told: game.asked, line: game.line, check: game.check } : null;
  for (const entry of pending) {
    if (entry.ends) end = { told: entry.outcome ?? entry.told, line: entry.reached, check: "submitted", entry };
    else if (end?.line && entry.kind === "put-right" && lineOf(entry) === end.line) end = null;
  }
  const isRefused = end?.entry?.state === "refused";
  const asks = match.confirmed_by && end && !isRefused;
  return {
    is_queued: end?.entry?.state === "waiting",
    done: Boolean(end), result: end?.told ?? "", is_refused: isRefused,
    waits: Boolean(asks && end.check === "submitted"), is_disputed: Boolean(asks && end.check === "disputed"),
    undo: undo(game, end?.entry, end?.line),
  };
}

const lineOf = (entry) => Number(entry.fields.find(([name]) => name === "line")?.[1]);

// How an end is undone: on the phone if it never left it, else by a correction; not while it is on its way.
function undo(game, entry, line) {
  if (entry?.state === "waiting") return entry.isSent ? null : { order: entry.order };
  return entry?.state !== "refused" && line ? { take_back: `${game.address}take-back/`, line } : null;
}

// What was entered last here in a match, if the service hasn't told of it yet.
function latest(match) {
  const all = match.games.flatMap((game) => game.pending.map((entry) => ({ entry, game })));
  const { entry, game } = all.sort((one, other) => one.entry.order - other.entry.order).at(-1) ?? {};
  return entry && { number: game.number, told: entry.told, ...undo(game, entry, entry.ends && entry.reached) };
}
