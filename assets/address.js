// The page's address: a query string that restores what is on show. Pure functions.

import { fromText, isUntouched, toText } from "./interventions.js";
import { FIRST, KINDS } from "./selection.js";

// Settings as they stand in the address, with how each is read back.
const NUMBERS = ["beam_size", "length_penalty", "temperature", "top_k", "top_p", "seed"];
const NAMES = ["method", "penalty_form"];

// {text, lang, shown, settings, wish, selection} of a query string; what is absent or absurd is left out.
export function read(query) {
  const from = new URLSearchParams(query);
  const settings = {};
  for (const name of NAMES) if (from.get(name)) settings[name] = from.get(name);
  for (const name of NUMBERS) {
    const value = Number(from.get(name) || NaN);
    if (Number.isFinite(value)) settings[name] = value;
  }
  const selection = {};
  if (KINDS.includes(from.get("kind"))) selection.kind = from.get("kind");
  if (from.get("rows") === "reads") selection.labels = "reads";
  if (/^[a-z_]{1,20}$/.test(from.get("view") ?? "")) selection.exhibit = from.get("view");
  for (const name of ["layer", "head", "step", "src"]) {
    const value = fromOne(from.get(name));
    if (value !== null) selection[name] = value;
  }
  return {
    text: from.get("text"), lang: from.get("lang"),
    shown: fromOne(from.get("hypothesis")) ?? 0, settings, selection, wish: readWish(from),
  };
}

// The forced beginning and the node of the tree, where the address has them.
function readWish(from) {
  const wish = {};
  const prefix = (from.get("prefix") ?? "").split(".").filter((id) => /^\d{1,7}$/.test(id)).map(Number);
  if (prefix.length > 0) wish.prefix = prefix;
  const [step, candidate] = (from.get("node") ?? "").split(".").map(fromOne);
  if (Number.isInteger(step) && Number.isInteger(candidate)) wish.node = [step, candidate];
  const changes = fromText(from.get("changes"));
  if (!isUntouched(changes)) wish.interventions = changes;
  return wish;
}

// The query string of what is on show; settings that are the model's defaults are left out.
export function write({ text, lang, shown, settings, prefix = [], node = null, interventions = {}, selection }, defaults, others = "") {
  const to = new URLSearchParams(others);
  const own = [...NAMES, ...NUMBERS, "text", "lang", "kind", "layer", "head", "step", "src", "rows",
    "view", "hypothesis", "prefix", "node", "changes"];
  for (const name of own) to.delete(name);
  to.set("text", text);
  to.set("lang", lang);
  for (const name of [...NAMES, ...NUMBERS]) {
    if (settings[name] !== undefined && settings[name] !== defaults[name]) to.set(name, settings[name]);
  }
  if (shown > 0) to.set("hypothesis", shown + 1);
  if (prefix.length > 0) to.set("prefix", prefix.join("."));
  if (node !== null) to.set("node", node.map((index) => index + 1).join("."));
  if (!isUntouched(interventions)) to.set("changes", toText(interventions));
  to.set("kind", selection.kind);
  for (const name of ["layer", "head", "step", "src"]) to.set(name, selection[name] + 1);
  if (selection.labels === "reads") to.set("rows", "reads");
  if (selection.exhibit !== FIRST.exhibit) to.set("view", selection.exhibit);
  return to.toString();
}

// People count from 1, in the address too.
function fromOne(text) {
  return /^\d{1,4}$/.test(text ?? "") && Number(text) > 0 ? Number(text) - 1 : null;
}
