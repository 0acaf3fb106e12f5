// What ends a match before its last game, as formats/match_lengths.py has it: a test compares the two. A `kind` has its
// `length`, `games` and whether it is `decisive`; an end has its `winner` (a side, or null) and how it was `closed`.

// The points of so many sides after these ends, and once the match is over its `winner` (null where it is level).
export function standing(kind, sides, ends) {
  const points = Array(sides).fill(0);
  for (const [place, end] of ends.entries()) {
    if (end.closed === "shared") for (let side = 0; side < sides; side++) points[side]++;
    else if (end.winner !== null) points[end.winner]++;
    if (isOver(kind, points, place + 1, end)) return { points, isOver: true, winner: leading(points) };
  }
  return { points, isOver: false, winner: null };
}

function isOver({ length, games, decisive }, points, played, last) {
  if (last.closed === "forfeit" && last.winner === null) return true;
  const [best, second] = [...points].sort((one, other) => other - one);
  if (length === "first_to") return best >= games && (best > second || !decisive);
  const left = games - played;
  return best - second > Math.max(left, 0) || (left <= 0 && !decisive);
}

function leading(points) {
  const best = Math.max(...points);
  return points.filter((each) => each === best).length === 1 ? points.indexOf(best) : null;
}

// Whether a game that isn't over is needed: `ends` are those of all games by number, null for each that is open. One
// that is begun is, too, if an end of it would make another winner.
export function isNeeded(kind, sides, ends, number, isBegun) {
  if (kind.length === "one_game" && number === 1) return true;
  const others = ends.filter((end, place) => end && place !== number - 1);
  const decided = standing(kind, sides, others);
  if (!decided.isOver || !isBegun) return !decided.isOver;
  const before = ends.slice(0, number - 1).filter(Boolean).length;
  const possible = [{ winner: null, closed: "bell" }];
  for (let side = 0; side < sides; side++) possible.push({ winner: side, closed: "played" });
  return possible.some((end) => {
    const found = standing(kind, sides, [...others.slice(0, before), end, ...others.slice(before)]);
    return !found.isOver || found.winner !== decided.winner;
  });
}
