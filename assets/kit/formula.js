// Formulas as MathML, from the text that people write: "10000^(40/256)", "d_k", "√d_k",
// "W^{Q}_{3}".

const NAMESPACE = "http://www.w3.org/1998/Math/MathML";
const NAME = "[\\p{L}\\d.]+";
const SCRIPT = `[_^](?:\\{[^}]*\\}|\\([^()]*\\)|[−-]?${NAME})`;
const ROOT = `√(?:\\(((?:[^()]|\\([^()]*\\))*)\\)|(${NAME}(?:${SCRIPT})*))`;
const PARTS = new RegExp(`${ROOT}|(${NAME}|\\))((?:${SCRIPT})+)`, "gu");
const SCRIPTS = new RegExp(`([_^])(?:\\{([^}]*)\\}|\\(([^()]*)\\)|([−-]?${NAME}))`, "gu");

/** A text with superscripts, subscripts and roots set as mathematics; the rest is unchanged.
 * @param {string} text @returns {(string|Node)[]} */
export function formula(text) {
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(PARTS)) {
    const [whole, wide, narrow, base, scripts] = found;
    pieces.push(text.slice(end, found.index));
    const root = wide ?? narrow;
    const part = root === undefined ? scripted(base, scripts) : node("msqrt", ...inner(root));
    pieces.push(node("math", part));
    end = found.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}

function node(/** @type {string} */ name, /** @type {(string|Node)[]} */ ...children) {
  const made = document.createElementNS(NAMESPACE, name);
  made.append(...children);
  return made;
}

/** A number, a letter or a word. */
function leaf(/** @type {string} */ text) {
  if (/^[\d.]+$/.test(text)) return node("mn", text);
  return node(/^\p{L}$/u.test(text) ? "mi" : "mtext", text);
}

/** A base with its superscript and subscript. */
function scripted(/** @type {string} */ base, /** @type {string} */ scripts) {
  let part = leaf(base);
  for (const [, sign, braced, rounded, plain] of scripts.matchAll(SCRIPTS)) {
    part = node(sign === "_" ? "msub" : "msup", part, leaf(braced ?? rounded ?? plain));
  }
  return part;
}

/** The content of a root. */
const inner = (/** @type {string} */ text) =>
  formula(text)
    .filter(String)
    .map((one) => {
      if (typeof one === "string") return leaf(one);
      return /** @type {Node} */ (one.firstChild);
    });
