// The line to the server's class, see explorer/classroom/routes.py. A request for news waits for
// its reply until there are some; where something between cannot bear that, a page asks every two
// seconds.

const WAIT = 15; // s for which the server may keep a reply back
const PATIENCE = 10_000; // ms for which a reply may be late beyond that
const PAUSE = 2_000; // ms between two plain requests, and after a failure
const FAILURES = 2; // in a row, after which a page asks plainly
const PLAIN = 30; // plain requests, a minute, before one may wait for its reply again
const GONE = 404; // the server was replaced by another version

/** @typedef {{code: string, secret?: string, id?: string}} Pass what a page of a class shows */
/**
 * @typedef {{text: string, count: number}} Sentence `count`: of the pages that handed it in
 * @typedef {{version: number, presses: number, calls: number, reveals: number, state: string,
 *   here?: number,
 *   guessed?: number, changes?: number, sentences?: Sentence[], handed?: string|null,
 *   question: import("./question.js").Question|null}} News
 */

/** Returns the page's way to its class. Rejects with an Error whose `reason` is a key of the words
 * if the class refused, with a different Error if it was not reached. @param {string} assets */
export function createLine(assets) {
  /** @param {string} name @param {object} given @param {AbortSignal} [signal]
   * @returns {Promise<any>} */
  return async (name, given, signal) => {
    const response = await fetch(`${assets}class/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(given),
      signal: signal ?? AbortSignal.timeout(PATIENCE),
    });
    if (response.status === GONE) throw refusal("class.error.none");
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const { payload, message, reason } = await response.json();
    if (payload === undefined) throw Object.assign(refusal(reason), { sentence: message });
    return payload;
  };
}

/** @param {string|null} reason */
const refusal = (reason) => Object.assign(new Error("the class refused"), { reason });

/**
 * Listens until the class refuses or `signal` ends it: `tell` gets the news, `lost` whether the
 * server is out of reach. Resolves to the refusal; null if it was ended here.
 * @param {{line: ReturnType<typeof createLine>, pass: Pass, tell: (news: News) => void,
 *   lost: (isLost: boolean) => void, signal: AbortSignal}} given
 */
export async function listen({ line, pass, tell, lost, signal }) {
  let [failures, plain] = [0, 0]; // in a row; requests that are yet to be plain
  /** @type {{since: number, here?: number, guessed?: number, changes?: number}} */
  let known = { since: -1 };
  while (!signal.aborted) {
    const isPlain = plain > 0;
    const request = startRequest(signal);
    try {
      const asked = { ...pass, ...known, wait: isPlain ? 0 : WAIT };
      const news = await line("news", asked, request.signal);
      lost(false);
      if (isPlain) plain -= 1;
      else failures = 0;
      const { version: since, here, guessed, changes } = news;
      known = { since, here, guessed, changes };
      tell(news);
      if (isPlain) await pause(signal);
    } catch (error) {
      if (signal.aborted) return null; // it has left, and hears no refusal either
      if (error.reason !== undefined) return error;
      if (request.signal.reason === AWAKE) continue;
      failures += 1;
      if (failures >= FAILURES) plain = PLAIN;
      // Where plain requests are answered, nothing is lost with one that had to wait.
      if (isPlain || failures <= FAILURES) lost(true);
      await pause(signal);
    } finally {
      request.done();
    }
  }
  return null;
}

const AWAKE = "awake";

/** A request that ends with the class, when its reply is too late, and when a phone wakes up that
 * may have slept through it. @param {AbortSignal} signal */
function startRequest(signal) {
  const request = new AbortController();
  const end = () => request.abort();
  const wake = () => document.visibilityState === "visible" && request.abort(AWAKE);
  const timer = setTimeout(end, WAIT * 1000 + PATIENCE);
  signal.addEventListener("abort", end);
  document.addEventListener("visibilitychange", wake);
  return {
    signal: request.signal,
    done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      document.removeEventListener("visibilitychange", wake);
    },
  };
}

/** @param {AbortSignal} signal */
const pause = (signal) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve(undefined);
    };
    const timer = setTimeout(end, PAUSE);
    signal.addEventListener("abort", end);
  });
