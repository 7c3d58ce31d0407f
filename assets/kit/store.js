// A value that many views watch. Watchers are called once, after all pending changes.

/**
 * @template T
 * @param {T} initial
 * @returns {import("./types.js").Store<T>}
 */
export function createStore(initial) {
  let value = initial;
  let isSettled = true;
  /** @type {Set<(value: T) => void>} */
  const watchers = new Set();

  function notify() {
    isSettled = true;
    for (const watcher of [...watchers]) {
      // One view that fails must not leave the others stale.
      try {
        if (watchers.has(watcher)) watcher(value);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** @param {T} next */
  function set(next) {
    if (next === value) return;
    value = next;
    if (isSettled) {
      isSettled = false;
      queueMicrotask(notify);
    }
  }

  return {
    get: () => value,
    set,
    merge(changes) {
      const keys = /** @type {(keyof T)[]} */ (Object.keys(changes));
      const same = keys.every((key) => Object.is(value[key], changes[key]));
      if (!same) set({ ...value, ...changes });
    },
    watch(watcher) {
      const own = (/** @type {T} */ now) => watcher(now);
      watchers.add(own);
      own(value);
      return () => watchers.delete(own);
    },
  };
}
