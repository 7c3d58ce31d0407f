// The model run again in the browser. What that takes is fetched when it is first used: few press
// for a proof, and a saved file has every script that another one names (explorer/saved.py).

/** @typedef {import("../kit/types.js").Again} Again */

/**
 * Runs the models of a server here; null if the page has none. @param {any} page
 * @param {string} assets @returns {Again|null}
 */
export function createAgain(page, assets) {
  const facts = page.shared;
  if (facts.saved || facts.published) return null;
  /** @type {Omit<Again, "compared">|null} */
  let rerunner = null;
  async function fetched() {
    const { createRerunner } = await import(`${assets}assets/shell/rerun.js`);
    rerunner ??= createRerunner(facts, assets);
    return /** @type {Omit<Again, "compared">} */ (rerunner);
  }
  return {
    compared: facts.compared,
    isOpen: (record) => rerunner?.isOpen(record) ?? false,
    measure: async (...about) => (await fetched()).measure(...about),
    run: async (...about) => (await fetched()).run(...about),
    lines: async (...about) => (await fetched()).lines(...about),
  };
}
