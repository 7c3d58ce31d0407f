// What moves: a zoom keeps the part that is opened or closed on the screen, and vectors travel from
// where they were computed to where they are used. Nothing where the visitor prefers so.

const LONGEST = 300; // ms
const EASE = "cubic-bezier(0.3, 0, 0.2, 1)";

const NAMES = ["zoom", "block", "arrow", "head"]; // of parts: no copy may be taken for one

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @typedef {{depth: number, keys: string[]}} Level how deep, and what is open */
/** @typedef {{way: string, sheet: {url: string, wide: number, at: number}, wide: number, tall: number}} Traveller */

/** Gives {leave, arrive, travel}: `leave` before a picture is drawn, `arrive` after it. */
export function createMotion() {
  /** @type {Level|null} */
  let last = null;
  /** @type {{ghost: Element, from: DOMRect, key: string}|null} */
  let left = null;
  return {
    leave(/** @type {Element} */ el, /** @type {Level} */ level) {
      const before = last;
      last = level;
      if (before === null || isStill() || String(before.keys) === String(level.keys)) return;
      const key = changed(before, level);
      const [body, part] = partsOf(el, key);
      if (body && part) left = { ghost: copyOf(body), from: part, key };
    },
    arrive(/** @type {Element} */ el) {
      if (left === null) return;
      const { ghost, from, key } = left;
      left = null;
      const [body, to] = partsOf(el, key);
      if (body && to) zoom(body, ghost, from, to);
    },
    travel(/** @type {Element} */ host, /** @type {Traveller[]} */ all) {
      if (!isStill()) for (const one of all) move(host, one);
    },
  };
}

/** What one of two levels has and the other has not, of the deeper one first. */
function changed(/** @type {Level} */ before, /** @type {Level} */ after) {
  const [deep, flat] = before.depth > after.depth ? [before, after] : [after, before];
  const own = (one, other) => one.keys.find((key) => !other.keys.includes(key));
  return own(deep, flat) ?? own(flat, deep) ?? "";
}

/** The picture, and where in it the part stands.
 * @returns {[Element|null, DOMRect|null]} */
function partsOf(/** @type {Element} */ el, /** @type {string} */ key) {
  const body = el.querySelector(".hl-figure-body:not(.hl-figure-ghost)");
  const part = body?.querySelector(
    `[data-zoom="${key}"], [data-frame="${key}"], [data-pick="${key}"]`,
  );
  if (!body || !part) return [body ?? null, null];
  const [outer, own] = [body.getBoundingClientRect(), part.getBoundingClientRect()];
  return [body, new DOMRect(own.x - outer.x, own.y - outer.y, own.width, own.height)];
}

function copyOf(/** @type {Element} */ body) {
  const ghost = /** @type {HTMLElement} */ (body.cloneNode(true));
  ghost.classList.add("hl-figure-ghost");
  ghost.setAttribute("aria-hidden", "true");
  ghost.inert = true;
  for (const one of ghost.querySelectorAll("[data-zoom], [data-block], [data-arrow], [data-head]"))
    for (const name of NAMES) one.removeAttribute(`data-${name}`);
  return ghost;
}

/**
 * The old picture grows or shrinks until the part stands where it is now; the new one comes with
 * it.
 */
function zoom(body, ghost, from, to) {
  body.after(ghost);
  const how = { duration: LONGEST, easing: EASE };
  const none = { transform: "none" };
  const out = ghost.animate(
    [
      { ...none, opacity: 1 },
      { transform: onto(from, to), opacity: 0 },
    ],
    how,
  );
  body.animate(
    [
      { transform: onto(to, from), opacity: 0 },
      { ...none, opacity: 1 },
    ],
    how,
  );
  body.classList.add("hl-figure-zooming");
  const end = () => {
    ghost.remove();
    body.classList.remove("hl-figure-zooming");
  };
  out.finished.then(end, end);
}

/** Moves one rectangle onto another, without changing its shape. */
function onto(/** @type {DOMRect} */ one, /** @type {DOMRect} */ other) {
  const scale = Math.sqrt((other.width * other.height) / Math.max(1, one.width * one.height));
  const x = other.x + other.width / 2 - scale * (one.x + one.width / 2);
  const y = other.y + other.height / 2 - scale * (one.y + one.height / 2);
  return `translate(${x}px, ${y}px) scale(${scale})`;
}

/** A vector on its way. */
function move(/** @type {Element} */ host, { way, sheet, wide, tall }) {
  const vector = document.createElement("i");
  vector.className = "hl-figure-vector";
  Object.assign(vector.style, {
    width: `${wide}px`,
    height: `${tall}px`,
    offsetPath: `path("${way}")`,
    backgroundImage: `url("${sheet.url}")`,
    backgroundSize: `${sheet.wide}px ${tall}px`,
    backgroundPosition: `${-sheet.at}px 0`,
  });
  host.append(vector);
  const frames = [{ offsetDistance: "0%" }, { offsetDistance: "100%" }];
  const run = vector.animate(frames, { duration: LONGEST, easing: EASE, fill: "forwards" });
  const end = () => vector.remove();
  run.finished.then(end, end);
}
