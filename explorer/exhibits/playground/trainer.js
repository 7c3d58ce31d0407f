// Runs that the page follows: polled several times a second, stored frame by frame.

import { KINDS } from "../../../assets/kit/selection.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Message} Message */

/**
 * @typedef {object} Frame
 * @property {number} update
 * @property {number} loss
 * @property {number|null} teacher_forced_accuracy null if the task has no inputs to spare
 * @property {number|null} free_accuracy
 * @property {number[]} gradients
 * @property {string} written
 * @property {number} seconds
 * @property {Uint8Array} weights a byte for each weight: kind, layer, head, query, key
 */

/**
 * @typedef {object} Run
 * @property {Record<string, any>} settings
 * @property {"next"|"waiting"|"running"|"done"|"failed"|"stopped"} state
 * @property {number} place in the line
 * @property {any} about
 * @property {string} key under which its model can be opened on the page
 * @property {Frame[]} frames
 * @property {any} result without scores if it diverged, or has no inputs to spare
 * @property {Message|null} error
 */

const PACE = { waiting: 400, running: 70 }; // ms between two questions
const TRIES = 4; // questions in a row without a reply

/** @param {Record<string, any>} settings @returns {Run} */
const fresh = (settings) => ({
  settings,
  state: "next",
  place: 0,
  about: null,
  key: "",
  frames: [],
  result: null,
  error: null,
});

const rest = (/** @type {Run} */ { state }) =>
  new Promise((resolve) => setTimeout(resolve, PACE[state] ?? PACE.running));

/** A name that no other visitor can guess: anyone who knows it can stop the run. */
const secretName = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

/**
 * Trains runs for a view, one after the other. `changed` is called whenever something is new.
 * @param {Page} page
 * @param {() => void} changed
 */
export function createTrainer(page, changed) {
  const visitor = secretName();
  const state = { runs: /** @type {Run[]} */ ([]), isPaused: false, round: 0 };
  const leave = () => page.call("playground_leave", { visitor }).catch(() => {});
  const isActive = () => state.runs.some(({ state: one }) => !isOver(one));

  function stop() {
    if (!isActive()) return;
    state.round += 1;
    for (const run of state.runs) if (!isOver(run.state)) run.state = "stopped";
    leave();
    changed();
  }
  window.addEventListener("pagehide", stop, { signal: page.signal });
  page.signal.addEventListener("abort", stop, { once: true });

  /** @param {Record<string, any>[]} all @param {Run[]} kept earlier runs that stay visible */
  async function start(all, kept = []) {
    state.round += 1;
    const mine = state.round;
    const added = all.map(fresh);
    Object.assign(state, { runs: [...kept, ...added], isPaused: false });
    changed();
    for (const run of added) {
      await follow(page, run, {
        visitor,
        isPaused: () => state.isPaused,
        isMine: () => mine === state.round,
        changed,
      });
      if (mine !== state.round) return;
    }
  }

  return {
    start,
    stop,
    clear() {
      state.runs = [];
    },
    pause(/** @type {boolean} */ isPaused) {
      state.isPaused = isPaused;
      changed();
    },
    get runs() {
      return state.runs;
    },
    get isPaused() {
      return state.isPaused;
    },
    get isActive() {
      return isActive();
    },
  };
}

/** Polls a run for news until it is over. @param {Page} page @param {Run} run */
async function follow(page, run, { visitor, isPaused, isMine, changed }) {
  run.state = "waiting";
  for (let failures = 0; isMine() && !isOver(run.state); ) {
    const asked = { visitor, settings: run.settings, since: run.frames.length, paused: isPaused() };
    try {
      const reply = await page.call("playground_follow", asked);
      failures = 0;
      if (!isMine()) return;
      take(run, reply);
      if (run.frames.length === reply.total && !isOver(run.state)) await rest(run);
    } catch (error) {
      failures += 1;
      const { sentence } = /** @type {any} */ (error);
      if (sentence || failures >= TRIES) {
        run.state = "failed";
        run.error = sentence ? { sentence } : { words: "error.unreachable" };
      } else await rest(run);
    }
    changed();
  }
}

/** @param {Run} run @param {any} reply */
function take(run, reply) {
  run.about ??= reply.about;
  run.key = reply.key;
  run.place = reply.place;
  run.frames.push(...reply.frames.map(decoded));
  run.result = reply.result;
  const isWhole = run.frames.length >= reply.total;
  if (reply.state !== "done" || isWhole) run.state = reply.state;
  if (reply.error) run.error = { words: "playground.broken" };
}

const decoded = (frame) => ({
  ...frame,
  weights: Uint8Array.from(atob(frame.weights), (letter) => letter.charCodeAt(0)),
});

export const isOver = (/** @type {string} */ state) =>
  ["done", "failed", "stopped"].includes(state);

/**
 * One head's weights in a frame, row by row; NaN where the mask forbids. {cells, rows, columns}
 * @param {Run} run @param {Frame} frame
 * @param {{kind: string, layer: number, head: number}} which
 */
export function headOf({ settings, about }, frame, { kind, layer, head }) {
  const [src, tgt] = [about.src, about.tgt_in];
  const sizes = { encoder_self: [src, src], decoder_self: [tgt, tgt], cross: [tgt, src] };
  const { layers, heads } = settings;
  let from = 0;
  for (const one of KINDS.slice(0, KINDS.indexOf(kind))) {
    from += layers * heads * sizes[one][0].length * sizes[one][1].length;
  }
  const [rows, columns] = sizes[kind];
  const size = rows.length * columns.length;
  from += (layer * heads + head) * size;
  const cells = Float32Array.from(frame.weights.subarray(from, from + size), (byte) => byte / 255);
  if (kind === "decoder_self" && settings.causal_mask) {
    const isLater = (/** @type {number} */ i) =>
      i % columns.length > Math.floor(i / columns.length);
    for (let i = 0; i < size; i += 1) if (isLater(i)) cells[i] = NaN;
  }
  return { cells, rows, columns };
}

/** The differences between two settings: [{name, first, second}]. */
export const differences = (first, second) =>
  Object.keys(first)
    .filter((name) => first[name] !== second[name])
    .map((name) => ({ name, first: first[name], second: second[name] }));
