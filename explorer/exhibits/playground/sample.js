// Examples of a task and the size of its model, requested when the settings stop changing.

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const REST = 150; // ms without a change

/**
 * Gives sample(settings): {pairs, parameters}, or {error: Message}, or null at first; the last one
 * stays while the next is pending.
 * @param {Page} page
 * @param {() => void} changed
 */
export function createSampler(page, changed) {
  const now = { key: "", sample: /** @type {any} */ (null), timer: 0 };
  page.signal.addEventListener("abort", () => clearTimeout(now.timer));

  async function ask(key, settings) {
    /** @type {any} */
    let sample;
    try {
      sample = await page.call("playground_examples", { settings });
    } catch (error) {
      const { sentence } = /** @type {any} */ (error);
      sample = { error: sentence ? { sentence } : { words: "error.unreachable" } };
    }
    if (now.key !== key || page.signal.aborted) return;
    now.sample = sample;
    changed();
  }

  return (/** @type {Record<string, any>} */ settings) => {
    const key = JSON.stringify(settings);
    if (key !== now.key) {
      clearTimeout(now.timer);
      now.timer = window.setTimeout(() => ask(key, settings), now.key === "" ? 0 : REST);
      now.key = key;
    }
    return now.sample;
  };
}
