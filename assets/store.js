// A value that many views watch. Watchers are told once, after all changes of the moment are in.

export function createStore(initial) {
  let value = initial;
  let told = true;
  const watchers = new Set();

  function tell() {
    told = true;
    for (const watcher of watchers) {
      // One view that fails must not leave the others stale.
      try {
        watcher(value);
      } catch (error) {
        reportError(error);
      }
    }
  }

  function set(next) {
    if (next === value) return;
    value = next;
    if (told) {
      told = false;
      queueMicrotask(tell);
    }
  }

  return {
    get: () => value,
    set,
    merge(changes) {
      const same = Object.keys(changes).every((key) => Object.is(value[key], changes[key]));
      if (!same) set({ ...value, ...changes });
    },
    // Calls `watcher` now and after every change; gives back what ends that.
    watch(watcher) {
      watchers.add(watcher);
      watcher(value);
      return () => watchers.delete(watcher);
    },
  };
}
