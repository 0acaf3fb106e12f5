// A whole palio by the generated client: every body is checked before it is sent, every answer when it comes.
//
// SERVICE is where the service is, TOKEN an organizer's token, LOG the text of a log of a game of two seats.
// What was found stands in one line of JSON at the end; whatever goes wrong ends the program with a status.
import { createClient, type Client } from "./client/client/index.js";
import * as api from "./client/sdk.gen.js";
import { zProblem } from "./client/zod.gen.js";

// The types of Node are too many for these two.
declare const process: { env: Record<"SERVICE" | "TOKEN" | "LOG", string> };
const PATIENCE = 120_000;

function caller(authorization?: string): Client {
  return createClient({
    baseUrl: process.env.SERVICE,
    // By itself the client only adds a token where it is asked for one.
    headers: authorization ? { Authorization: authorization } : {},
  });
}

const desk = caller(`Bearer ${process.env.TOKEN}`);
const everybody = caller();
const key = () => ({ "Idempotency-Key": crypto.randomUUID() });

type Answer<T> = { data: T; error: undefined } | { data: undefined; error: unknown };

// The answer of a call that has to succeed. What doesn't fit the description is an `error`, too.
async function done<T>(call: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const answer = await call;
  if (answer.error !== undefined || answer.data == null) {
    console.error(answer.error);
    throw new Error("a call failed, or it isn't as described");
  }
  return answer.data;
}

// The problem of a call that has to be refused, compared with its description.
async function refused(call: Promise<Answer<unknown>>): Promise<string> {
  const { error } = await call;
  return zProblem.parse(error).code;
}

// Ask until the answer is ready: standings are computed after a result was answered.
async function when<T>(ask: () => Promise<Answer<T>>, ready: (found: NonNullable<T>) => boolean) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const { data, error } = await ask();
    if (data != null && ready(data)) return data;
    if (error !== undefined) zProblem.parse(error);
    if (Date.now() > end) throw new Error("it was never ready");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// Set up.
const event = await done(
  api.eventsCreate({
    client: desk,
    headers: key(),
    body: { name: "Palio", starts_on: "2026-09-05", min_age: 7, max_age: 14 },
  }),
);
const inEvent = { event_id: event.id };
const teams = [];
for (const name of ["Superiore", "Centro", "Inferiore"]) {
  teams.push(await done(api.teamsCreate({ client: desk, headers: key(), path: inEvent, body: { name } })));
}
const taken = await refused(
  api.teamsCreate({ client: desk, headers: key(), path: inEvent, body: { name: "Centro" } }),
);

// Entries: one by hand, the others by import.
await done(
  api.entriesCreate({
    client: desk,
    headers: key(),
    path: inEvent,
    body: { team: teams[0].id, last_name: "Rossi", first_name: "Ada", birth_date: "2016-05-01" },
  }),
);
const rows = ["cognome;nome;data di nascita;contrada", "Bini;Ugo;05/03/2016;Centro", "Neri;Ivo;06/03/2015;Inferiore"];
const file = btoa(rows.join("\n"));
const looked = await done(api.entriesPreviewImport({ client: desk, path: inEvent, body: { file } }));
await done(
  api.entriesImport({ client: desk, headers: key(), path: inEvent, body: { file, digest: looked.digest } }),
);
const entries = await done(api.entriesList({ client: desk, path: inEvent }));

// The draw.
const tournament = await done(
  api.tournamentsCreate({
    client: desk,
    headers: key(),
    path: inEvent,
    body: {
      name: "Torneo",
      settings: { format: "triangle", rounds: 1, tables: 1, metrics: ["points"], tie_policy: "lots" },
    },
  }),
);
const inTournament = { tournament_id: tournament.id };
const hook = await done(
  api.webhooksCreate({
    client: desk,
    headers: key(),
    path: inEvent,
    body: { url: "https://palio.example/news", kinds: ["result.entered"] },
  }),
);
const preview = await done(api.drawsPreview({ client: desk, path: inTournament, query: { seed: "palio" } }));
await done(
  api.drawsMake({ client: desk, headers: key(), path: inTournament, body: { seed: preview.seed } }),
);
await done(api.drawsPublish({ client: desk, headers: key(), path: inTournament, body: {} }));
const hidden = await refused(api.tournamentsRead({ client: everybody, path: inTournament }));
await done(api.eventsChange({ client: desk, path: inEvent, body: { is_published: true } }));

// A referee's phone.
const referee = await done(
  api.refereesCreate({ client: desk, headers: key(), path: inEvent, body: { first_name: "Ivo" } }),
);
const asked = await done(
  api.pairingsAsk({ client: everybody, headers: key(), path: inEvent, body: { referee: referee.id } }),
);
const { pin } = await done(api.pairingsSetDayPin({ client: desk, headers: key(), path: inEvent, body: {} }));
const phone = caller(`Pairing ${asked.secret}`);
await done(api.pairingsAdmitByPin({ client: phone, body: { pin } }));

// Results: one game by its cards, one by its winner, one that is corrected. Each contrada wins one.
const matches = await done(api.matchesList({ client: everybody, path: inTournament }));
const games = matches.results.flatMap((match) => match.games.map((game) => game.id));
const [first, second, third] = games.map((game) => ({ game_id: game }));
const seats = async (path: { game_id: string }) =>
  (await done(api.gamesRead({ client: phone, path }))).seats.map((seat) => seat.team);
await done(
  // A log goes as it is, not as a text in JSON.
  api.gamesUploadLog({ client: phone, path: first, body: process.env.LOG, bodySerializer: null }),
);
const opening = (await done(api.gamesRead({ client: phone, path: first }))).winner_team;
const [ofSecond, ofThird] = [await seats(second), await seats(third)];
const pairs = ofSecond.flatMap((one) => ofThird.map((other) => [one, other]));
const [next, last] = pairs.find((pair) => new Set([opening, ...pair]).size === 3)!;
const once = {
  client: phone,
  headers: key(),
  path: second,
  body: { winner_team: next, expected_version: 0 },
};
await done(api.gamesEnterResult(once));
const again = await done(api.gamesEnterResult(once));
const batch = [{ id: crypto.randomUUID(), event: { type: "dealer_named" as const, seat: 0 } }];
await done(api.gamesAppend({ client: phone, path: third, body: { expected_version: 0, entries: batch } }));
const legal = await done(api.gamesLegal({ client: phone, path: third }));
const wrong = ofThird.find((team) => team !== last)!;
await done(api.gamesEnterResult({ client: phone, headers: key(), path: third, body: { winner_team: wrong } }));

// The correction.
const right = { type: "game_closed" as const, reason: "result" as const, winner: ofThird.indexOf(last) };
const correction = { line: 3, replacement: [right], reason: "wrong-winner" as const };
const plan = await done(api.gamesPreviewCorrection({ client: desk, path: third, body: correction }));
await done(
  api.gamesCorrect({
    client: desk,
    headers: key(),
    path: third,
    body: { ...correction, expected_version: plan.version },
  }),
);

// Standings, close.
const read = () => api.standingsRead({ client: everybody, path: inTournament });
await when(read, (table) => table.rows.every((row) => row.games_won === 1));
const tied = await refused(
  api.tournamentsClose({ client: desk, headers: key(), path: inTournament, body: {} }),
);
await done(api.tournamentsDrawLots({ client: desk, headers: key(), path: inTournament, body: {} }));
await done(api.tournamentsClose({ client: desk, headers: key(), path: inTournament, body: {} }));
const table = await when(read, (found) => found.version.is_final);
await done(
  api.palioSetUp({
    client: desk,
    headers: key(),
    path: inEvent,
    body: { rules: { disciplines: [{ kind: "tournament", id: tournament.id }] } },
  }),
);
const palio = await when(
  () => api.palioReadStandings({ client: everybody, path: inEvent }),
  (found) => found.rows.length === 3,
);
const changes = await done(api.changesList({ client: desk, path: inEvent }));
const checked = await done(api.receiptsVerify({ client: desk, path: inEvent, body: {} }));
await done(api.receiptsList({ client: desk, path: inEvent }));
await done(api.webhooksDeliveries({ client: desk, path: { webhook_id: hook.id } }));
await done(api.eventsList({ client: everybody }));

console.log(
  JSON.stringify({
    entries: entries.count,
    seed: preview.seed,
    games: games.length,
    refusals: [taken, hidden, tied],
    again: again.version,
    legal: legal.options.some((option) => option.type === "game_closed"),
    corrected: [plan.before?.team === wrong, plan.after?.team === last],
    places: table.rows.map((row) => row.place),
    points: table.rows.map((row) => row.placement_points),
    palio: palio.rows.map((row) => row.place),
    // One that is corrected within a moment is told once.
    results: new Set(
      changes.changes.filter((change) => change.kind.startsWith("result.")).map((change) => change.subject.id),
    ).size,
    findings: checked.findings,
  }),
);
