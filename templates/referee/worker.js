// Opens a referee's pages without a network: keeps what they are made of, and answers with the page on which
// js/referee/offline.js draws. What is about an event isn't here: the pages keep that, and forget it with the event.
"use strict";

const CACHE = "tendone-{{ version }}";
const SHELL = "{{ shell|escapejs }}";
const ASSETS = [{% for each in assets %}"{{ each|escapejs }}", {% endfor %}];
// The engine for a game without a network: big, so a page asks for it once it is usable.
const LATER = [{% for each in later %}"{{ each|escapejs }}", {% endfor %}];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE)
    .then((cache) => cache.addAll([...ASSETS, SHELL].map((address) => new Request(address, { cache: "reload" }))))
    .then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name !== CACHE && name.startsWith("tendone-") && await isMine(name)) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("message", (event) => {
  if (event.data === "keep-engine") event.waitUntil(keepEngine().catch(() => {}));
});

async function keepEngine() {
  const cache = await caches.open(CACHE);
  for (const address of LATER) {
    if (!(await cache.match(address, { ignoreVary: true }))) await cache.add(new Request(address, { cache: "reload" }));
  }
}

// Each language has a worker, and each worker its cache.
async function isMine(name) {
  return Boolean(await (await caches.open(name)).match(SHELL, { ignoreVary: true }));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(shell));
  else if ([...ASSETS, ...LATER].includes(new URL(request.url).pathname)) event.respondWith(asset(request));
  else if (new URL(request.url).pathname === SHELL) event.respondWith(fetch(request).catch(shell));
});

async function shell() {
  return await (await caches.open(CACHE)).match(SHELL, { ignoreVary: true }) ?? Response.error();
}

async function asset(request) {
  return await (await caches.open(CACHE)).match(new URL(request.url).pathname, { ignoreVary: true }) ?? fetch(request);
}
