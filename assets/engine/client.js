// The page's half of the engine: calls to the worker as promises.

/**
 * Starts a worker. `call(act, given, tell, signal)` returns a promise: `tell` receives progress,
 * aborting `signal` cancels it. On failure the error has the `key` and `values` of a Refusal; if
 * cancelled, its `name` is "AbortError".
 * @param {() => Worker} [start]
 */
export function startEngine(start = startWorker) {
  const worker = start();
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: any) => void,
   *   tell: (progress: any) => void}>} */
  const waiting = new Map();
  let last = 0;
  worker.onmessage = ({ data: { id, progress, ...end } }) => {
    const call = waiting.get(id);
    if (progress) return call?.tell(progress);
    waiting.delete(id);
    if ("result" in end) call?.resolve(end.result);
    else call?.reject(failure(end));
  };
  worker.onerror = ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message));
    waiting.clear();
  };
  return {
    /** @param {string} act @param {any} given @param {(progress: any) => void} [tell]
     * @param {AbortSignal} [signal] @returns {Promise<any>} */
    call(act, given, tell = () => {}, signal) {
      last += 1;
      const id = last;
      signal?.addEventListener("abort", () => worker.postMessage({ id, act: "cancel" }));
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, tell });
        worker.postMessage({ id, act, given });
        if (signal?.aborted) worker.postMessage({ id, act: "cancel" });
      });
    },
    end: () => worker.terminate(),
  };
}

const startWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** @param {{cancelled?: boolean, error?: any}} end */
function failure({ cancelled, error }) {
  if (cancelled) return new DOMException("The call was cancelled.", "AbortError");
  const { message, key, values } = error;
  return Object.assign(new Error(message), { key, values });
}
