// Entries on their way to the service. Each is kept on the phone first, then sent: of every game one batch in order.
// An entry's id makes it count once, however often it arrives. The first that is refused stops its game, and no
// other, until the referee decides. Saved ones are kept: a service that was restored from a backup gets them again.

import { freshId } from "./ids.js";
import * as store from "./store.js";

const PATIENCE = 20000;
const LONGEST_PAUSE = 30000;
// Entries that go together at most; the service takes twice as many.
const LONGEST_BATCH = 200;

// Whether the service answered last; `isOut`: it answered that this phone may not write; `why`: its sentence when it
// answered that nothing can be stored just now.
export const link = { isUp: true, isOut: false, waiting: 0, why: "" };

// The desk's list says how many entries wait on each phone.
export const heading = () => ({ "Tendone-Queue": String(link.waiting) });

let token = "";
let hasToken = false;
let sending = null;
let isAsked = false;
let failures = 0;
let timer = 0;

// Other tabs of this phone hear of it, too.
const tabs = "BroadcastChannel" in self ? new BroadcastChannel("tendone") : null;
const hear = () => document.dispatchEvent(new Event("tendone:queue"));
tabs?.addEventListener("message", hear);
const tell = () => {
  tabs?.postMessage("queue");
  hear();
};
const waiting = (entry) => entry.state === "waiting";
const refused = (entry) => entry.state === "refused";

export const useToken = (fresh) => { token = fresh || token; };

export async function add(entry) {
  await store.add({ ...entry, state: "waiting" });
  tell();
  send();
}

// Sends what waits. What comes in meanwhile is sent in the same go.
export function send() {
  isAsked = true;
  clearTimeout(timer);
  sending ??= locked(async () => {
    while (isAsked) {
      isAsked = false;
      await sendAll();
    }
  }).catch(() => { link.isUp = false; }).finally(() => {
    sending = null;
    again();
    tell();
  });
  return sending;
}

// One tab at a time, where the browser can say so; the ids protect anyway.
const locked = (work) => (navigator.locks ? navigator.locks.request("tendone-queue", work) : work());

async function again() {
  const left = await toSend();
  if (!left.length || sending) return;
  const pause = link.isOut ? LONGEST_PAUSE : Math.min(1000 * 2 ** failures, LONGEST_PAUSE);
  clearTimeout(timer);
  timer = setTimeout(send, pause * (0.75 + Math.random() / 2));
}

async function toSend() {
  const all = await store.entries();
  const stopped = new Set(all.filter(refused).map((entry) => entry.game));
  return all.filter((entry) => waiting(entry) && !stopped.has(entry.game));
}

async function sendAll() {
  const entries = await toSend();
  if (!entries.length) return;
  // A batch of which nobody knows whether it arrived can't be undone on the phone: first see whether anybody hears.
  // A page that was opened without a network has no token: it comes with that answer.
  if ((!link.isUp || !navigator.onLine || !token) && !(await isHeard(entries[0]))) return failed();
  const games = [...new Set(entries.map((entry) => entry.game))];
  // Of several that lack the token at once each would be given another one.
  const done = hasToken ? [] : [await sendGame(games.shift())];
  done.push(...await Promise.all(games.map(sendGame)));
  link.isOut = done.includes("out");
  if (done.includes(false)) failed();
  else {
    failures = 0;
    link.isUp = true;
    link.why = "";
  }
}

function failed() {
  failures++;
  link.isUp = false;
}

async function isHeard(entry) {
  try {
    const address = new URL("../../../kit/", new URL(entry.to, location.href));
    const answer = await fetch(address, {
      headers: { Accept: "application/json", ...heading(), ...(token ? {} : { "Tendone-Token": "wanted" }) },
      cache: "no-store", signal: AbortSignal.timeout(PATIENCE),
    });
    useToken(answer.headers.get("Tendone-Token"));
    return answer.status < 500;
  } catch {
    return false;
  }
}

// Sends batch after batch of a game; false if no answer came, "out" if this phone may not write.
async function sendGame(game) {
  for (;;) {
    const all = (await store.entries()).filter((entry) => entry.game === game);
    const batch = next(all);
    if (!batch.length) return true;
    await store.change(batch.map((entry) => Object.assign(entry, { isSent: true })));
    const undone = all.find((each) => each.id === batch[0].undoes);
    const answer = await post(batch, base(all, batch[0]), undone?.reached);
    if (!answer) return false;
    if (answer.code === "not-admitted") return "out";
    await settle(batch, answer);
    tell();
    if (answer.code) return true;
  }
}

// The first entries of a game that can go together: each was made with the one before it in sight.
function next(all) {
  if (all.some(refused)) return [];
  const left = all.filter(waiting);
  const batch = left.slice(0, 1);
  if (batch[0]?.kind !== "enter") return batch;
  for (const entry of left.slice(1, LONGEST_BATCH)) {
    if (entry.kind !== "enter" || entry.after !== batch.at(-1).id) break;
    batch.push(entry);
  }
  return batch;
}

// The version that an entry was made from: what the entry before it made, if it was made with that in sight.
function base(all, entry) {
  const before = all.find((each) => each.id === entry.after);
  return before?.reached ?? entry.version;
}

async function post(batch, version, line) {
  const fields = new URLSearchParams([["version", version]]);
  if (line) fields.append("line", line);
  for (const entry of batch) {
    fields.append("id", entry.id);
    for (const [name, value] of entry.fields) fields.append(name, value);
  }
  for (let tries = 0; tries < 2; tries++) {
    try {
      const response = await fetch(batch[0].to, {
        method: "POST", body: fields, credentials: "same-origin", cache: "no-store",
        headers: { Accept: "application/json", "X-CSRFToken": token, ...heading() }, signal: AbortSignal.timeout(PATIENCE),
      });
      if (response.status >= 500 || response.status === 429) {
        link.why = response.status === 503 ? (await response.json().catch(() => ({}))).sentence ?? "" : "";
        return null;
      }
      const answer = await response.json();
      hasToken = answer.code !== "csrf";
      if (hasToken) return answer;
      token = answer.token;
    } catch {
      return null;
    }
  }
  return null;
}

async function settle(batch, answer) {
  const reached = new Map(answer.accepted.map((each) => [each.id, each.version]));
  const now = new Date().toISOString();
  for (const entry of batch) {
    if (!reached.has(entry.id)) continue;
    Object.assign(entry, { state: "saved", reached: reached.get(entry.id), savedAt: now, next: answer.next });
    delete entry.problem;
  }
  const first = batch.find(waiting);
  if (first && answer.code) Object.assign(first, { state: answer.is_there ? "withdrawn" : "refused", problem: answer });
  await store.change(batch);
  // What somebody else has entered alike, or was taken back meanwhile, needn't be decided about.
  const isUndoing = (entry) => waiting(entry) && entry.undoes === first.id;
  const undoing = first && answer.code && (await store.entries()).find(isUndoing);
  if (undoing || answer.is_there) await withdraw([first, undoing].filter(Boolean));
  // How a game stands after a correction only the service can say: the table's kit is asked for anew.
  if (!first && batch[0].kind !== "enter") document.dispatchEvent(new Event("tendone:fresh"));
}

// What becomes of an entry within so many milliseconds: it itself, saved, refused or still waiting.
export async function outcome(id, patience) {
  const end = performance.now() + patience;
  for (;;) {
    const entry = (await store.entries()).find((each) => each.id === id);
    const left = end - performance.now();
    if (!entry || !waiting(entry) || left <= 0 || (!sending && !link.isUp)) return entry;
    await Promise.race([sending ?? Promise.resolve(), new Promise((done) => setTimeout(done, Math.min(left, 250)))]);
  }
}

// Decisions about what was refused

// Enter it all the same, on top of what is there now. The service says under which id: its own may be taken there.
export async function insist(entry) {
  const { problem, ...kept } = entry;
  const again = problem.again;
  const id = again?.fields.find(([name]) => name === "id")[1] ?? entry.id;
  const following = (await store.entries()).filter((each) => each.after === entry.id);
  const changed = { ...kept, id, state: "waiting", after: null, version: problem.version ?? entry.version };
  // What can only be put right becomes a correction.
  if (again && !again.to.endsWith("/enter/")) {
    const fields = again.fields.filter(([name]) => name !== "version" && name !== "id");
    Object.assign(changed, { kind: "put-right", to: again.to, fields, isSent: false });
  }
  await store.change([changed, ...following.map((each) => ({ ...each, after: id }))]);
  tell();
  send();
}

// Not to be entered any more; it stays on the list. Who was made with it in sight comes after what was before it.
export async function withdraw(withdrawn) {
  const ids = new Map(withdrawn.map((entry) => [entry.id, entry]));
  const changed = withdrawn.map((entry) => ({ ...entry, state: "withdrawn" }));
  for (const entry of await store.entries()) {
    if (ids.has(entry.id) || !waiting(entry) || !ids.has(entry.after)) continue;
    let before = ids.get(entry.after);
    while (ids.has(before.after)) before = ids.get(before.after);
    const version = before.problem?.version ?? before.version;
    changed.push({ ...entry, after: before.problem ? null : before.after, version });
  }
  await store.change(changed);
  tell();
  send();
}

// Takes back what may have left this phone: a correction goes after it. Its line is known when it is sent.
export async function takeBack(entry, told) {
  const own = (await store.entries()).filter((each) => each.game === entry.game && each.state !== "withdrawn");
  if (own.some((each) => each.undoes === entry.id)) return;
  const { code, game, event, where, version } = entry;
  await add({
    code, game, event, where, version, told, id: freshId(), kind: "put-right", undoes: entry.id, ends: false,
    to: entry.to.replace(/enter\/$/, "put-right/"), fields: [["reason", "typing-error"]],
    at: new Date().toISOString(), after: own.at(-1).id,
  });
}

// What was saved last in each game at a table: the service says in its kit which of these it lacks.
export async function lastSaved(code) {
  const saved = (await store.entries()).filter((entry) => entry.state === "saved" && entry.code === code);
  const last = new Map();
  for (const entry of saved) if (!(last.get(entry.game)?.reached > entry.reached)) last.set(entry.game, entry);
  return [...last.values()].map((entry) => entry.id);
}

// A service that lacks what it said was saved was restored from a backup. Then all of that game is sent again (what is
// there counts once), and the referee is told. Looked at is what was saved before the kit was `asked` for (a time):
// whether it has the last entry of each game, since another may stand in its place. True if something is missing.
export async function compare({ versions, lacks }, asked) {
  const saved = (await store.entries()).filter(
    (entry) => entry.state === "saved" && entry.savedAt < asked && entry.game in versions);
  const isGone = (entry) => entry.reached > versions[entry.game] || lacks.includes(entry.id);
  const games = new Set(saved.filter(isGone).map((entry) => entry.game));
  const lost = saved.filter((entry) => games.has(entry.game));
  if (!lost.length) return false;
  for (const entry of lost) {
    Object.assign(entry, { state: "waiting", wasLost: isGone(entry) });
    delete entry.reached;
  }
  await store.change(lost);
  tell();
  send();
  return true;
}

// The event is over: what is saved needn't be kept here any more.
export async function forgetSaved(event) {
  const done = (await store.entries()).filter(
    (entry) => entry.event === event && (entry.state === "saved" || entry.state === "withdrawn"));
  await store.remove(done.map((entry) => entry.order));
  tell();
}

addEventListener("online", () => {
  failures = 0;
  send();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) send();
});
