// Caches the published page, so that it opens without a network after the first visit.
// explorer/publish.py writes a line above: the folders whose files never change.

const CACHE = "headlight";
const worker = /** @type {any} */ (self);
/** @type {string} */
const SITE = worker.registration.scope;

const isKept = (/** @type {string} */ url) =>
  worker.folders.some((/** @type {string} */ folder) => url.startsWith(SITE + folder));

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(tidy().then(() => worker.clients.claim()));
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate" || request.url === SITE) event.respondWith(page(request));
  else if (isKept(request.url)) event.respondWith(file(request));
});

/** Deletes files of an earlier version. */
async function tidy() {
  const cache = await caches.open(CACHE);
  for (const { url } of await cache.keys())
    if (url !== SITE && !isKept(url)) await cache.delete(url);
}

/** The page itself, for any link: from the host, or the cached one if offline. */
async function page(/** @type {Request} */ request) {
  const cache = await caches.open(CACHE);
  try {
    const reply = await fetch(request);
    if (reply.ok && request.url.split(/[?#]/)[0] === SITE) await cache.put(SITE, reply.clone());
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
  const known = await cache.match(request.url);
  if (known !== undefined) return known;
  const reply = await fetch(request);
  if (reply.ok) await cache.put(request.url, reply.clone());
  return reply;
}
