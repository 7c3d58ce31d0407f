// What the browser remembers of a visitor's choices. A browser that forbids it just forgets.

const PREFIX = "headlight.";

export function recall(name) {
  try {
    return window.localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    window.localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}
