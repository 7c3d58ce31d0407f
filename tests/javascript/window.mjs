// A window without a screen: happy-dom's document, a clock that tests put forward, sizes that are
// given instead of laid out, and canvases that write down what is drawn on them.

import { Window } from "happy-dom";

const FRAME = 16; // ms
const EM = 16; // px
const LETTER = 0.55; // em, the width of a letter
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u; // 1 em
const GLOBALS = `document HTMLElement Element Node CustomEvent Event MutationObserver location history
  customElements DOMParser Comment DocumentFragment NodeFilter HTMLCanvasElement Image navigator
  SVGElement localStorage sessionStorage MouseEvent KeyboardEvent PointerEvent PopStateEvent Range
  addEventListener removeEventListener dispatchEvent matchMedia scrollBy scrollTo innerWidth
  innerHeight File FileReader HTMLTemplateElement Text CSSStyleSheet HTMLInputElement
  HTMLButtonElement HTMLDetailsElement XMLSerializer DOMRect`;
const real = { setTimeout, performance };

/** Time as the page sees it: it stands still until it is put forward. */
export class Clock {
  now = 0;
  #timers = new Map();
  #frames = new Map();
  #count = 0;

  later(act, wait = 0, every = null, ...given) {
    this.#count += 1;
    this.#timers.set(this.#count, { act: () => act(...given), at: this.now + (wait || 0), every });
    return this.#count;
  }
  frame(act) {
    this.#count += 1;
    this.#frames.set(this.#count, act);
    return this.#count;
  }
  cancel(number) {
    this.#timers.delete(number);
    this.#frames.delete(number);
  }
  clear() {
    this.#timers.clear();
    this.#frames.clear();
  }
  /** Timers that are due, then one frame. */
  tick(by = FRAME) {
    this.now += by;
    const due = [...this.#timers].filter(([, { at }]) => at <= this.now);
    for (const [number, timer] of due.sort(([, a], [, b]) => a.at - b.at)) {
      if (!this.#timers.has(number)) continue; // one before it has ended it
      if (timer.every === null) this.#timers.delete(number);
      else timer.at = this.now + Math.max(1, timer.every);
      attempt(timer.act);
    }
    const frames = [...this.#frames];
    this.#frames.clear();
    for (const [, act] of frames) attempt(() => act(this.now));
  }
}

function attempt(act) {
  try {
    act();
  } catch (error) {
    reportError(error);
  }
}

/** What `getContext("2d")` gives: `calls` has the name and the arguments of everything drawn, with
 * the colours and the font of that moment. */
function recorder(canvas) {
  const calls = [];
  const state = { fillStyle: "#000", strokeStyle: "#000", font: "10px sans-serif", globalAlpha: 1 };
  const pixels = (width, height) => ({
    width,
    height,
    data: new Uint8ClampedArray(4 * width * height),
  });
  let painted = null;
  const given = {
    canvas,
    calls,
    measureText: (text) => ({ width: ems(String(text)) * sizeOf(state.font) }),
    createImageData: (width, height) => pixels(width, height),
    putImageData(image) {
      painted = image;
      calls.push({ name: "putImageData", args: [image.width, image.height], ...state });
    },
    getImageData: (x, y, width, height) => cut(painted, x, y, width, height),
    createLinearGradient: () => ({ addColorStop() {} }),
    getTransform: () => ({ a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }),
    isPointInPath: () => false,
  };
  return new Proxy(given, {
    get(_, name) {
      if (name in given) return given[name];
      if (name in state) return state[name];
      return (...args) => {
        const width = name === "fillText" ? given.measureText(args[0]).width : undefined;
        calls.push({ name, args, width, ...state });
      };
    },
    set(_, name, value) {
      state[name] = value;
      return true;
    },
  });
}

const ems = (text) => [...text].reduce((sum, one) => sum + (WIDE.test(one) ? 1 : LETTER), 0);
const sizeOf = (font) => Number(/([\d.]+)px/.exec(font)?.[1] ?? EM);

function cut(image, x, y, width, height) {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let row = 0; image && row < height; row++) {
    const from = 4 * ((y + row) * image.width + x);
    data.set(image.data.subarray(from, from + 4 * width), 4 * row * width);
  }
  return { width, height, data };
}

/** What observes an element or its changes; it must not outlive its page. */
const observers = new Set();
/** An observer that tells of an element once, in the next frame, and again when the window does. */
const observerOf = (clock, entryOf) =>
  class {
    #targets = new Set();
    constructor(act) {
      this.act = act;
      observers.add(this);
    }
    observe(target) {
      this.#targets.add(target);
      clock.frame(() => this.#targets.has(target) && this.act([entryOf(target)], this));
    }
    unobserve(target) {
      this.#targets.delete(target);
    }
    disconnect() {
      this.#targets.clear();
      observers.delete(this);
    }
    tell() {
      const entries = [...this.#targets].map(entryOf);
      if (entries.length > 0) clock.frame(() => this.act(entries, this));
    }
  };

/** The style of an element as far as it is written on it; nothing is laid out. */
function styleOf(element) {
  const usual = { fontSize: `${EM}px`, fontFamily: "sans-serif", display: "block", opacity: "1" };
  return new Proxy(element.style ?? {}, {
    get(style, name) {
      if (name === "getPropertyValue") return (key) => element.style?.getPropertyValue(key) ?? "";
      return style[name] || usual[name] || "";
    },
  });
}

function size(window, element) {
  const own = (side) => parseFloat(element.style?.[side]) || Number(element.getAttribute?.(side));
  return {
    width: own("width") || Math.round(window.innerWidth * 0.66),
    height: own("height") || Math.round(window.innerHeight * 0.6),
  };
}

function giveSizes(window) {
  const define = (name, get) =>
    Object.defineProperty(window.HTMLElement.prototype, name, { configurable: true, get });
  for (const kind of ["client", "offset", "scroll"])
    for (const side of ["Width", "Height"])
      define(`${kind}${side}`, function () {
        return size(window, this)[side.toLowerCase()];
      });
  window.Element.prototype.getBoundingClientRect = function () {
    const { width, height } = size(window, this);
    return { x: 0, y: 0, left: 0, top: 0, right: width, bottom: height, width, height };
  };
  window.Element.prototype.scrollIntoView = () => {};
  window.Element.prototype.animate = () => ({
    finished: Promise.resolve(),
    cancel() {},
    finish() {},
  });
  window.Element.prototype.setPointerCapture = () => {};
  window.Element.prototype.releasePointerCapture = () => {};
  window.Element.prototype.hasPointerCapture = () => false;
  const element = window.SVGElement.prototype;
  element.getBBox = () => ({ x: 0, y: 0, width: 100, height: 20 });
  element.getComputedTextLength = function () {
    return this.textContent.length * LETTER * EM;
  };
  window.HTMLCanvasElement.prototype.getContext = function () {
    this.recorded ??= recorder(this);
    return this.recorded;
  };
  window.HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob(["a picture"]));
}

/** Makes the window the global one. @param {Clock} clock @param {(message: string) => void} report */
export function openWindow(clock, report) {
  const settings = { disableJavaScriptFileLoading: true, disableCSSFileLoading: true };
  const window = new Window({ width: 1366, height: 768, url: "http://stage/", settings });
  giveSizes(window);
  const listening = followListeners(window);
  const own = {
    window,
    self: window,
    getComputedStyle: styleOf,
    setTimeout: (act, wait, ...given) => clock.later(act, wait, null, ...given),
    setInterval: (act, wait, ...given) => clock.later(act, wait, wait, ...given),
    clearTimeout: (number) => clock.cancel(number),
    clearInterval: (number) => clock.cancel(number),
    requestAnimationFrame: (act) => clock.frame(act),
    cancelAnimationFrame: (number) => clock.cancel(number),
    performance: { now: () => clock.now, getEntriesByType: () => [], mark() {}, measure() {} },
    ResizeObserver: observerOf(clock, (target) => ({ target, contentRect: size(window, target) })),
    MutationObserver: class extends window.MutationObserver {
      constructor(act) {
        super(act);
        observers.add(this);
      }
    },
    IntersectionObserver: observerOf(clock, (target) => ({ target, isIntersecting: true })),
    matchMedia: (query) => ({ matches: media.has(query), media: query, addEventListener() {} }),
    reportError: (error) => report(error.stack ?? String(error)),
    CSS: { escape: (text) => text.replace(/[^\w-]/g, "\\$&") },
    ImageData: class {
      constructor(data, width, height) {
        Object.assign(this, { data, width, height: height ?? data.length / 4 / width });
      }
    },
  };
  for (const name of GLOBALS.split(/\s+/)) {
    const value = window[name];
    const isMethod = typeof value === "function" && !/^[A-Z]/.test(name);
    if (!(name in own)) own[name] = isMethod ? value.bind(window) : value;
  }
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    if (name !== "window" && name !== "self" && !(name in Window.prototype && name === "location"))
      Object.defineProperty(window, name, { value, configurable: true, writable: true });
  }
  return { window, listening, real };
}

/** Media queries that hold, by their text. */
export const media = new Set();

/** A window of another size; what watches sizes is told. */
export function resize(window, width, height) {
  for (const [name, value] of Object.entries({ innerWidth: width, innerHeight: height })) {
    for (const place of [window, globalThis])
      Object.defineProperty(place, name, { value, configurable: true, writable: true });
  }
  window.dispatchEvent(new window.Event("resize"));
  for (const observer of observers) observer.tell?.();
}

/** Listeners of what all pages share, which must not outlive the page that added them. */
function followListeners(window) {
  const added = [];
  const { document } = window;
  for (const target of [window, document, document.documentElement, document.body]) {
    const add = target.addEventListener.bind(target);
    target.addEventListener = (type, act, how) => {
      added.push([target, type, act, how]);
      add(type, act, how);
    };
  }
  return {
    end() {
      for (const [target, ...given] of added.splice(0)) target.removeEventListener(...given);
      for (const observer of [...observers]) observer.disconnect();
      observers.clear();
    },
  };
}
