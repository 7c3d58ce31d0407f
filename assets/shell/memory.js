// A visitor's choices stored in the browser; without storage, they are lost.

const PREFIX = "headlight.";

export function recall(/** @type {string} */ name) {
  try {
    return window.localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function remember(/** @type {string} */ name, /** @type {string} */ value) {
  try {
    window.localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

const DRAFT = `${PREFIX}draft`;

/** Text typed but not sent before a reload (Gradio reloads after a lost connection), or null. */
export function draft() {
  try {
    const [navigation] = performance.getEntriesByType("navigation");
    const isReload = /** @type {any} */ (navigation)?.type === "reload";
    return isReload ? window.sessionStorage.getItem(DRAFT) : null;
  } catch {
    return null;
  }
}

/** @param {string} text */
export function keepDraft(text) {
  try {
    window.sessionStorage.setItem(DRAFT, text);
  } catch {
    // As above; the draft is then lost with the page.
  }
}
