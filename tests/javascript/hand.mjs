// What a visitor's eye and hand do on the page without a browser: find elements, read and press.
// A path is a list of steps: ["css", selector], ["text", part], ["nth", place].

const BLOCKS =
  /^(P|DIV|LI|UL|OL|H[1-6]|SECTION|FIGURE|FIGCAPTION|TR|TABLE|DETAILS|SUMMARY|DT|DD|OUTPUT)$/;

/** The elements at a path. @returns {any[]} */
export function at(window, path) {
  let places = [window.document];
  for (const [kind, value] of path) {
    if (kind === "css") {
      const found = places.flatMap((place) => [...place.querySelectorAll(value)]);
      places = [...new Set(found)];
    } else if (kind === "text")
      places = places.filter((el) => squeezed(el.textContent).includes(value));
    else if (kind === "exact") places = places.filter((el) => squeezed(el.textContent) === value);
    else if (kind === "visible") places = places.filter(isVisible);
    else if (kind === "nth") places = places.at(value) ? [places.at(value)] : [];
  }
  return places;
}

const squeezed = (text) => text.replace(/\s+/g, " ").trim();

/** True if nothing hides it: itself or something around it. */
export function isVisible(element) {
  for (let el = element; el?.nodeType === 1; el = el.parentElement) {
    if (el.hidden || el.style?.display === "none" || el.style?.visibility === "hidden")
      return false;
    const details = el.parentElement;
    if (details?.tagName === "DETAILS" && !details.open && el.tagName !== "SUMMARY") return false;
  }
  return element.isConnected;
}

/** The text as it is read: without what is hidden, one line for each block. */
function innerText(element) {
  const parts = [];
  const walk = (node) => {
    if (node.nodeType === 3) return parts.push(node.data.replace(/[ \t\r\n\f]+/g, " "));
    if (node.nodeType !== 1 || node.hidden || /^(STYLE|SCRIPT|TEMPLATE)$/i.test(node.tagName))
      return 0;
    const isBlock = BLOCKS.test(node.tagName);
    if (isBlock) parts.push("\n");
    if (node.tagName === "TD" || node.tagName === "TH") parts.push("\t");
    if (node.tagName === "BR") parts.push("\n");
    for (const child of node.childNodes) walk(child);
    return isBlock ? parts.push("\n") : 0;
  };
  for (const child of element.childNodes) walk(child);
  return parts
    .join("")
    .replace(/[ \t]*\n[\s]*/g, "\n")
    .replace(/ {2,}/g, " ")
    .trim();
}

const LOOKS = {
  count: (all) => all.length,
  texts: (all) => all.map((el) => el.textContent),
  inner_texts: (all) => all.map(innerText),
  text: ([el]) => el.textContent,
  inner_text: ([el]) => innerText(el),
  html: ([el]) => el.innerHTML,
  value: ([el]) => el.value,
  checked: ([el]) => el.checked,
  enabled: ([el]) => !el.disabled,
  attribute: ([el], name) => el.getAttribute(name),
  visible: (all) => all.some(isVisible),
  focused: ([el]) => el.ownerDocument.activeElement === el,
  box: ([el]) => el.getBoundingClientRect(),
  calls: ([el]) => el.getContext("2d").calls,
};

const MANY = new Set(["count", "texts", "inner_texts", "visible"]);

export function read(window, path, what, given) {
  const all = at(window, path);
  if (all.length === 0 && !MANY.has(what)) throw missing(path);
  return LOOKS[what](all, given);
}

/** The states of an element that tests wait for: how many there are, and whether one is visible. */
export function reveal(window, path) {
  const all = at(window, path);
  return { count: all.length, isVisible: all.some(isVisible) };
}

const missing = (path) => new Error(`nothing is at ${JSON.stringify(path)}`);

export function act(window, path, what, given) {
  const [element] = at(window, path);
  if (!element) throw missing(path);
  if (what !== "evaluate" && what !== "evaluate_all" && element.disabled)
    throw new Error(`disabled: ${JSON.stringify(path)}`);
  return DEEDS[what](window, what === "evaluate_all" ? at(window, path) : element, given);
}

const event = (window, kind, name, more = {}) =>
  new window[kind](name, { bubbles: true, cancelable: true, composed: true, ...more });

function press(window, element, keys) {
  for (const whole of [keys].flat()) {
    const names = whole.length > 1 ? whole.split(/\+(?=.)/) : [whole];
    const key = names.pop();
    const held = { Shift: "shiftKey", Control: "ctrlKey", Alt: "altKey", Meta: "metaKey" };
    const more = Object.fromEntries(names.map((name) => [held[name], true]));
    const down = event(window, "KeyboardEvent", "keydown", { key, ...more });
    const isFree = element.dispatchEvent(down);
    if (isFree && element.tagName === "BUTTON" && (key === "Enter" || key === " ")) element.click();
    if (isFree && element.tagName === "INPUT" && key === "Enter") element.form?.requestSubmit();
    if (isFree && element.type === "range") slide(window, element, key);
    element.dispatchEvent(event(window, "KeyboardEvent", "keyup", { key, ...more }));
  }
}

function slide(window, element, key) {
  const step = Number(element.step) || 1;
  const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[key];
  const ends = { Home: Number(element.min), End: Number(element.max) };
  if (by === undefined && !(key in ends)) return;
  const value = key in ends ? ends[key] : Number(element.value) + by;
  set(window, element, Math.min(Number(element.max), Math.max(Number(element.min), value)));
}

function set(window, element, value) {
  element.value = String(value);
  element.dispatchEvent(event(window, "Event", "input"));
  element.dispatchEvent(event(window, "Event", "change"));
}

function check(element, wanted) {
  const box = element.tagName === "LABEL" ? element.querySelector("input") : element;
  if (box.checked === wanted) return;
  box.click();
}

/** What an action meets, from the pointer's press to its click. */
function click(window, element, given = {}) {
  const { clientX: x, clientY: y } = given;
  for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup"])
    element.dispatchEvent(pointer(window, name, { x, y }));
  const field = element.closest("button, input, select, textarea, a, [tabindex]");
  field?.focus?.();
  element.dispatchEvent(event(window, "MouseEvent", "click", given));
}

function choose(window, element, value) {
  const fits = (o, i) => [o.value, o.textContent.trim(), i].includes(value);
  const option = [...element.options].find(fits);
  if (!option) throw new Error(`no option ${value} of ${[...element.options].map((o) => o.value)}`);
  set(window, element, option.value);
}

const DEEDS = {
  click,
  press,
  fill: set,
  check: (_, element) => check(element, true),
  uncheck: (_, element) => check(element, false),
  select: choose,
  focus: (_, element) => element.focus(),
  blur: (_, element) => element.blur(),
  hover: (window, element) => DEEDS.point(window, element, {}),
  /** The pointer moves to a place in the element, in px of its box. */
  point(window, element, where) {
    for (const name of ["pointerover", "pointerenter", "pointermove", "mouseover", "mousemove"])
      element.dispatchEvent(pointer(window, name, where));
  },
  dispatch: (window, element, { type, ...where }) =>
    element.dispatchEvent(pointer(window, type, where)),
  evaluate: async (_, element, [script, given]) => result(script, element, given),
  evaluate_all: async (_, all, [script, given]) => result(script, all, given),
};

/** An event of the pointer at a place in the element's box; further properties as they are given. */
function pointer(window, name, { x = 1, y = 1, ...more }) {
  const made = event(window, "MouseEvent", name, { clientX: x, clientY: y });
  const own = {
    offsetX: x,
    offsetY: y,
    pointerType: "mouse",
    pointerId: 1,
    isPrimary: true,
    ...more,
  };
  for (const [key, value] of Object.entries(own))
    Object.defineProperty(made, key, { value, configurable: true });
  return made;
}

async function result(script, subject, given) {
  // biome-ignore lint/security/noGlobalEval: the tests' own scripts
  const value = await globalThis.eval(`(${script})`)(subject, given);
  return value === undefined ? null : value;
}
