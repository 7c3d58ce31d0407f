// What a published site keeps in the browser, and for whom.

import { readFileSync } from "node:fs";
import { assert, test } from "./check.mjs";

const SCRIPT = readFileSync(new URL("../../assets/shell/offline.js", import.meta.url), "utf-8");
const ORIGIN = "https://example.org";

/** The caches of one origin, which all of its sites share. */
function openCaches() {
  const all = new Map();
  const cacheOf = (entries) => ({
    keys: async () => [...entries.keys()].map((url) => ({ url })),
    match: async (url) => entries.get(url),
    put: async (url, reply) => void entries.set(url, reply),
    delete: async (url) => entries.delete(url),
  });
  return {
    all,
    has: async (name) => all.has(name),
    open: async (name) => {
      if (!all.has(name)) all.set(name, new Map());
      return cacheOf(all.get(name));
    },
    urls: () => [...all.values()].flatMap((entries) => [...entries.keys()]).sort(),
  };
}

/** A site's worker: `get` is a request of its page. */
function site(caches, scope, files, online = { fetched: 0, isOff: false }) {
  const handlers = {};
  const self = {
    files,
    registration: { scope: `${ORIGIN}${scope}` },
    addEventListener: (name, act) => Object.assign(handlers, { [name]: act }),
    skipWaiting() {},
    clients: { claim: async () => {} },
  };
  const fetched = async ({ url }) => {
    if (online.isOff) throw new Error("offline");
    online.fetched += 1;
    const reply = { ok: true, url, clone: () => reply };
    return reply;
  };
  new Function("self", "caches", "fetch", SCRIPT)(self, caches, fetched);
  return {
    online,
    async get(path, mode = "cors") {
      let reply = null;
      const request = { method: "GET", mode, url: `${ORIGIN}${scope}${path}` };
      const respondWith = (found) => {
        reply = found;
      };
      handlers.fetch({ request, respondWith });
      return reply;
    },
    async activate() {
      const waits = [];
      handlers.activate({ waitUntil: (one) => waits.push(one) });
      await Promise.all(waits);
    },
  };
}

test("a file is fetched once, whatever its query", async () => {
  const caches = openCaches();
  const one = site(caches, "/a/", ["models/x/1/sheet.json"]);
  for (let i = 0; i < 30; i += 1) await one.get(`models/x/1/sheet.json?v=${i}`);
  for (let i = 0; i < 30; i += 1) await one.get(`?v=${i}`, "navigate");
  assert.equal(one.online.fetched, 31);
  assert.deepEqual(caches.urls(), [`${ORIGIN}/a/`, `${ORIGIN}/a/models/x/1/sheet.json`]);
});

test("what is not on the list is not kept, though it lies beside", async () => {
  const caches = openCaches();
  const one = site(caches, "/a/", ["models/x/1/sheet.json"]);
  assert.equal(await one.get("models/x/1/other.json"), null);
  assert.equal(await one.get("models/x/1/sheet.json/more"), null);
  await one.get("nothing-here", "navigate");
  assert.deepEqual(caches.urls(), []);
});

test("two sites of one origin keep and tidy their own", async () => {
  const caches = openCaches();
  const sites = ["/a/", "/b/", "/", "/a/b/"].map((scope) => site(caches, scope, ["x.js"]));
  for (const one of sites) {
    await one.get("x.js");
    await one.get("", "navigate");
  }
  assert.equal(caches.urls().length, 8);
  for (const one of sites) await one.activate();
  assert.equal(caches.urls().length, 8);
  await site(caches, "/a/", ["y.js"]).activate(); // a new release of it
  assert.deepEqual(
    caches.urls().filter((url) => url.startsWith(`${ORIGIN}/a/`)),
    [`${ORIGIN}/a/`, `${ORIGIN}/a/b/`, `${ORIGIN}/a/b/x.js`],
  );
  sites[1].online.isOff = true;
  assert.equal((await sites[1].get("x.js")).url, `${ORIGIN}/b/x.js`);
});

test("the cache that all sites shared loses the files of this one", async () => {
  const caches = openCaches();
  const earlier = await caches.open("headlight");
  for (const path of ["/a/old.js", "/b/old.js"]) await earlier.put(`${ORIGIN}${path}`, {});
  await site(caches, "/a/", []).activate();
  assert.deepEqual(caches.urls(), [`${ORIGIN}/b/old.js`]);
});
