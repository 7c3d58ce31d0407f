// A channel to Python: one request at a time, numbered, and its reply. explorer/page.py makes two.

const QUIET = 20_000; // ms without a reply before the visitor gets a message
const LOADING = 130_000; // ms; a model that is still being loaded may take that long at the start

/** The request was not answered: the server is gone, the queue is full, or it took too long. */
export class NoReply extends Error {}

/** Gradio says that the request failed. It may have arrived all the same. */
export class Failed extends NoReply {}

/**
 * `request(body)` resolves to the reply of explorer/exchange/reply.py, or rejects with NoReply. The
 * next request waits for its turn. The very first reply may take longer, while the model is
 * loading.
 */
export function createChannel({ quiet = QUIET, loading = LOADING } = {}) {
  let isFirst = true;
  // The last number; and how many requests were given up here that the server may still fail.
  let [number, abandoned] = [0, 0];
  /** @type {{number: number, resolve: (reply: any) => void, reject: (error: Error) => void,
   *   timer: ReturnType<typeof setTimeout>, until: number}|null} */
  let running = null;
  /** @type {Promise<unknown>} */
  let before = Promise.resolve(); // the end of the previous request
  /** @type {(send: (request: object) => void) => void} */
  let connect = () => {};
  /** @type {Promise<(request: object) => void>} */
  const sender = new Promise((resolve) => {
    connect = resolve;
  });

  /** @param {object} body @param {() => boolean} isWanted when its turn comes; else it is not sent
   * and the reply is null @returns {Promise<any>} */
  function request(body, isWanted = () => true) {
    const turn = before.then(() => sender);
    const reply = turn.then((send) => (isWanted() ? dispatch(send, body) : null));
    before = reply.catch(() => {});
    return reply;
  }

  /** @param {(request: object) => void} send @param {object} body */
  function dispatch(send, body) {
    return new Promise((resolve, reject) => {
      number += 1;
      const timer = setTimeout(giveUp, isFirst ? loading : quiet);
      running = { number, resolve, reject, timer, until: Date.now() + loading };
      send({ ...body, number });
    });
  }

  /** A reply that is no longer awaited is dropped. @param {any} reply null if it was cut short */
  function receive(reply) {
    isFirst = false; // even a truncated reply comes from a loaded model
    if (reply === null) finish()?.reject(new NoReply("the reply was cut short"));
    else if (running !== null && reply.number === running.number) finish()?.resolve(reply);
    else if (abandoned > 0) abandoned -= 1;
  }

  /** It is waiting in the model's queue: the time without a reply starts again. While what it
   * needs is arriving, it may take as long as that. */
  function keepWaiting(isArriving = false) {
    if (running !== null && isArriving) running.until = Date.now() + loading;
    if (running === null || Date.now() + quiet > running.until) return;
    clearTimeout(running.timer);
    running.timer = setTimeout(giveUp, isFirst ? loading : quiet);
  }

  function giveUp() {
    abandoned += 1;
    finish()?.reject(new NoReply("no reply in time"));
  }

  /** Gradio says that a request failed, but not which: an abandoned one would have been first. */
  function fail() {
    if (abandoned > 0) abandoned -= 1;
    else finish()?.reject(new Failed("the request did not get through"));
  }

  function finish() {
    const ended = running;
    if (ended !== null) clearTimeout(ended.timer);
    running = null;
    return ended;
  }

  return { connect, request, receive, fail, keepWaiting };
}

/** The reply in a text of Python's; null if it was cut short. @param {string} text */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
