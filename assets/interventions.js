// What is changed on the running model: the fields of Interventions in model/config.py, numbers from
// 0. Pure functions. Only what differs from the untouched model is written down.

import { KINDS } from "./selection.js";

export const UNTOUCHED = Object.freeze({
  heads_off: [], cross_off: [], causal_mask: true, padding: 0, padding_mask: true, cells: [],
  scaling: true, positions: "kept", sides: "both", shift: 0, position_seed: 0,
});

const MOST_ENTRIES = 2000; // of one field in an address
const MOST = 4096; // a number in an address; what the model does not have is refused by Python
const whole = (value) => Number.isInteger(value) && value >= 0 && value <= MOST;
const head = (one) => Array.isArray(one) && one.length === 3 && KINDS.includes(one[0]) && one.slice(1).every(whole);
const cell = (one) => Array.isArray(one) && one.length === 4 && KINDS.includes(one[0])
  && one.slice(1, 3).every(whole) && typeof one[3] === "boolean";
const listOf = (check) => (value) => Array.isArray(value) && value.length <= MOST_ENTRIES && value.every(check);
const oneOf = (...names) => (value) => names.includes(value);
const isFlag = (value) => typeof value === "boolean";

const CHECKS = {
  heads_off: listOf(head), cross_off: listOf(whole), causal_mask: isFlag, padding: whole,
  padding_mask: isFlag, cells: listOf(cell), scaling: isFlag,
  positions: oneOf("kept", "none", "shuffled", "shifted"), sides: oneOf("source", "target", "both"),
  shift: whole, position_seed: (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32,
};

// Every field, those that are not given as in the untouched model.
export const filled = (some) => ({ ...UNTOUCHED, ...some });

// Only the fields that change something: {} is the untouched model.
export function differences(some) {
  const all = filled(some);
  const differs = (name) => JSON.stringify(all[name]) !== JSON.stringify(UNTOUCHED[name]);
  const idle = new Set(all.padding === 0 ? ["padding_mask"] : []);
  if (all.positions === "kept") for (const name of ["sides", "shift", "position_seed"]) idle.add(name);
  return Object.fromEntries(Object.keys(UNTOUCHED)
    .filter((name) => differs(name) && !idle.has(name)).map((name) => [name, all[name]]));
}

export const isUntouched = (some) => Object.keys(differences(some)).length === 0;

// What is changed, a part each, for words `changed.<name>`: [{name, n}].
export function parts(some) {
  const found = differences(some);
  return ["heads_off", "cross_off", "causal_mask", "padding", "padding_mask", "cells", "scaling", "positions"]
    .filter((name) => name in found)
    .map((name) => ({ name, n: Array.isArray(found[name]) ? found[name].length : Number(found[name]) || 0 }));
}

// As it stands in the address: compact JSON, "" for the untouched model.
export function toText(some) {
  return isUntouched(some) ? "" : JSON.stringify(differences(some));
}

// Back from the address; a field that is absent, unknown or absurd is left out.
export function fromText(text) {
  let raw = null;
  try {
    raw = JSON.parse(text ?? "");
  } catch {
    return {};
  }
  if (raw === null || typeof raw !== "object" || Array.isArray(raw)) return {};
  return Object.fromEntries(Object.keys(CHECKS)
    .filter((name) => Object.hasOwn(raw, name) && CHECKS[name](raw[name])).map((name) => [name, raw[name]]));
}
