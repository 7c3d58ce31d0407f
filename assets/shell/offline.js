// Caches the published page, so that it opens without a network after the first visit.
// explorer/publish.py writes a line above: the files that never change, whose paths are made of
// what is in them.

const worker = /** @type {any} */ (self);
/** @type {string} */
const SITE = worker.registration.scope;
// Sites of one origin share their caches: each has its own, and leaves the others alone.
const CACHE = `headlight ${SITE}`;
const EARLIER = "headlight"; // of all sites, before each had its own
const KEPT = new Set(worker.files.map((/** @type {string} */ path) => SITE + path));

/** An address without a query or a place in the page: the same file. */
const plain = (/** @type {string} */ url) => url.split(/[?#]/)[0];

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(tidy().then(() => worker.clients.claim()));
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate" || request.url === SITE) event.respondWith(page(request));
  else if (KEPT.has(plain(request.url))) event.respondWith(file(request));
});

/** Deletes files of an earlier version of this site. */
async function tidy() {
  const isStale = (/** @type {string} */ url) => url !== SITE && !KEPT.has(url);
  const cache = await caches.open(CACHE);
  for (const { url } of await cache.keys()) if (isStale(url)) await cache.delete(url);
  if (!(await caches.has(EARLIER))) return;
  const earlier = await caches.open(EARLIER);
  for (const { url } of await earlier.keys()) if (url.startsWith(SITE)) await earlier.delete(url);
}

/** The page itself, for any link: from the host, or the cached one if offline. */
async function page(/** @type {Request} */ request) {
  const cache = await caches.open(CACHE);
  try {
    const reply = await fetch(request);
    if (reply.ok && plain(request.url) === SITE) await cache.put(SITE, reply.clone());
    return reply;
  } catch (error) {
    const last = await cache.match(SITE);
    if (last === undefined) throw error;
    return last;
  }
}

/** A file with a version in its path: from the cache if fetched before. */
async function file(/** @type {Request} */ request) {
  const cache = await caches.open(CACHE);
  const address = plain(request.url);
  const known = await cache.match(address);
  if (known !== undefined) return known;
  const reply = await fetch(request);
  if (reply.ok) await cache.put(address, reply.clone());
  return reply;
}
