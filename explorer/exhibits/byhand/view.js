// Attention by hand: small matrices to edit, every step with its numbers, and the origin of each
// number.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { flag, local, menu } from "../../../assets/kit/fields.js";
import { flag as isFlag, orNull } from "../../../assets/kit/keep.js";
import { percentText } from "../../../assets/kit/numbers.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, keyed, nothing } from "../../../assets/vendor/lit-html.js";
import { changedIn, isChosen, isTyped, presetOf, restored, UNCHANGED } from "./kept.js";
import { at, compute, HEADS } from "./maths.js";
import { computedMatrix, parsed, typedMatrix } from "./matrices.js";
import { numberText, origin } from "./origin.js";
import { MAX_SIZE, PRESETS, resized, sizesOf } from "./presets.js";

const STEPS = ["scores", "scaled", "masked", "weights", "output"];
const CLOSE = 1e-9; // two weights that differ by less count as equal

/** A switch that follows its example while null. */
const ownFlag = (/** @type {string} */ name) => ({
  ...flag(false),
  first: UNCHANGED[name],
  fits: orNull(isFlag),
  control: (given) => {
    const { state } = given.scene;
    const set = (value) => change(given.scene, () => ({ [name]: value }));
    return flag(false).control?.({ ...given, value: state[name], set });
  },
});

export const { mount } = exhibit({
  name: "byhand",
  fields: () => ({
    preset: menu(Object.keys(PRESETS), {
      first: "self",
      also: { ...UNCHANGED, matrices: null, edit: null },
    }),
    causal: ownFlag("causal"),
    scaling: ownFlag("scaling"),
    given: { first: null, fits: orNull(isTyped) },
    chosen: { first: null, fits: orNull(isChosen) },
    matrices: local(null), // the same numbers, with those that a smaller size hides
    edit: local(null), // {name, row, col, text} of the cell being typed
  }),
  scene,
  finding,
  picture: (s) => html`<div class="hl-byhand-${s.state.mode} hl-byhand-all hl-scrolls"
    style="--lanes:${lanesOf(s)}">
    ${given(s)} ${steps(s)} ${words(s)}</div>`,
  controls: [
    "preset",
    ({ state }) => (state.mode === "weights" ? nothing : "causal"),
    ({ state }) => (["weights", "scores"].includes(state.mode) ? nothing : "scaling"),
  ],
  adjust: [sizes],
  numbers: ({ t, state, result }) => [
    {
      name: t("all"),
      rows: rowsOf(state, result),
      columns: {
        matrix: { text: true, cell: ([name]) => name },
        head: { cell: ([, head]) => head },
        row: { cell: ([, , row]) => row },
        column: { cell: ([, , , column]) => column },
        value: {
          cell: ([, , , , value]) => (typeof value === "number" ? numberText(value) : "−∞"),
          csv: ([, , , , value]) => value,
        },
      },
    },
  ],
  reading: ({ t, state }) => html`<p>${t(`note.${state.preset}`)}</p>`,
  files: () => ({ svg: null }),
});

/** The results for the numbers shown, and the parts of the chosen one. */
function scene(/** @type {any} */ { matrices, edit, ...kept }) {
  const preset = presetOf(/** @type {any} */ (kept));
  const own = restored(/** @type {any} */ ({ ...kept, preset }));
  const state = { ...PRESETS[preset](), ...own, preset, edit };
  if (matrices !== null && kept.given !== null) state.given = matrices;
  const result = compute(state);
  if (!exists(result, state.chosen)) state.chosen = { name: "output", row: 0, col: 0 };
  const made = origin(result, state.chosen, state, shownOf(state));
  return { state, result, made, from: made.from };
}

/**
 * Applies changes to the state as it is now, which may not be drawn yet; the link keeps the
 * differences from the example.
 * @param {any} s @param {(state: any) => object} changesOf
 */
const change = (s, changesOf) =>
  s.set((/** @type {any} */ now) => {
    const { state } = scene(now);
    const { edit = null, ...next } = { ...state, edit: null, ...changesOf(state) };
    return { ...changedIn(/** @type {any} */ (next)), matrices: next.given, edit };
  });

/** The keys that the chosen row reads. */
function finding({ t, state, result }) {
  const { head = 0 } = state.chosen;
  const weights = result.heads ? result.heads[head].weights : result.weights;
  const row = Math.min(state.chosen.row, weights.rows - 1);
  const own = Array.from({ length: weights.columns }, (_, col) => at(weights, row, col));
  const most = Math.max(...own);
  const best = own.flatMap((weight, i) => (most - weight < CLOSE ? [i + 1] : []));
  const values = { row: row + 1, share: percentText(most), value: best[0], n: best.length };
  return t(best.length > 1 ? "finding.alike" : "finding.one", values);
}

/** The number of rows of numbers below each other. */
function lanesOf({ state: { given: typed }, result }) {
  const highest = (matrices) => Math.max(...matrices.map(({ rows }) => rows));
  const { rows } = result.output;
  return highest(Object.values(typed)) + rows * (result.heads ? result.heads.length + 1 : 1);
}

/** The editable matrices: new for each preset, so that typing keeps its place. */
function given(s) {
  const { page, state, from } = s;
  const type = (edit) =>
    change(s, ({ given: matrices }) => {
      const value = parsed(edit.text);
      const { cells, columns } = matrices[edit.name];
      if (value !== null) cells[edit.row * columns + edit.col] = value; // else the last one stays
      return { edit };
    });
  return keyed(
    state.preset,
    html`<div class="hl-byhand-line">${Object.entries(state.given).map(([name, matrix]) =>
      typedMatrix(page, name, matrix, { from, edit: state.edit, onType: type }),
    )}</div>`,
  );
}

/** The computed steps; one that changes nothing is left out. */
function stepsOf({ mode, causal, scaling }) {
  if (mode === "weights") return ["output"];
  const isTyped = mode === "scores";
  const isLeftOut = { scores: isTyped, scaled: isTyped || !scaling, masked: !causal };
  return STEPS.filter((name) => !isLeftOut[name]);
}

/** Those shown: computed, or typed in. */
const shownOf = (state) => [...stepsOf(state), ...(state.mode === "scores" ? ["scores"] : [])];

const matrixOf = (result, { name, head }) =>
  head === undefined ? result[name] : result.heads?.[head]?.[name];

function exists(result, chosen) {
  const found = matrixOf(result, chosen);
  const isMade =
    chosen.head !== undefined || !result.heads || ["concat", "output"].includes(chosen.name);
  return Boolean(found && isMade && chosen.row < found.rows && chosen.col < found.columns);
}

function steps(s) {
  const { t, page, state, result, from } = s;
  const onChoose = (chosen) => change(s, () => ({ chosen }));
  const { chosen } = state;
  const computed = (name, caption, head = undefined) =>
    computedMatrix(page, matrixOf(result, { name, head }), {
      name,
      head,
      caption,
      chosen,
      from,
      onChoose,
    });
  const width = (state.given.Q?.columns ?? 1) / (result.heads ? HEADS : 1);
  const all = (head = undefined) =>
    stepsOf(state).map((name) => computed(name, t(`step.${name}`, { d: numberText(width) }), head));
  if (!result.heads) return html`<div class="hl-byhand-line">${all()}</div>`;
  const own = (/** @type {number} */ head) =>
    ["Q", "K", "V"].map((name) =>
      computedMatrix(page, result.heads[head][name], {
        name,
        head,
        caption: `${name}${head + 1}`,
        from,
      }),
    );
  return html`${result.heads.map(
    (_, head) => html`<div class="hl-byhand-line">
      <h3>${t("head.n", { n: head + 1 })}</h3>${own(head)} ${all(head)}</div>`,
  )}
  <div class="hl-byhand-line">${computed("concat", t("step.concat"))}
    ${computed("output", t("step.mixed"))}</div>`;
}

/** The origin of the chosen number. */
function words({ t, state: { chosen }, result, made: { sum, masked } }) {
  const { name, head, row, col } = chosen;
  const why = name === "output" && head === undefined && result.heads ? "mixed" : name;
  const value = at(matrixOf(result, chosen), row, col);
  const step = t(`name.${name}`);
  const place = t("place", { row: row + 1, column: col + 1, step });
  return html`<div class="hl-byhand-origin" aria-live="polite">
    <h3>${head === undefined ? place : t("place.head", { n: head + 1, place })}</h3>
    <p class="hl-byhand-sum">${
      masked
        ? t("masked", { query: row + 1, key: col + 1 })
        : `${sum} ${Number(numberText(value).replace("−", "-")) === value ? "=" : "≈"} ${numberText(value)}`
    }</p>
    <p class="hl-note">${t(`why.${why}`)}</p></div>`;
}

/** The numbers of queries and keys, and their widths. */
function sizes(s) {
  const { t, state } = s;
  const { mode } = state;
  const all = sizesOf(state);
  const one = (/** @type {string} */ name) => {
    const least = mode === "heads" && name.startsWith("d_") ? HEADS : 1; // heads share the columns
    return slider({
      label: t(name),
      class: `hl-byhand-${name}`,
      min: least,
      max: MAX_SIZE,
      step: least,
      value: all[name],
      onInput: (value) =>
        change(s, (now) => {
          const next = { ...sizesOf(now), [name]: Math.round(value / least) * least };
          return { given: resized(now, next) };
        }),
    });
  };
  return ["queries", "keys", "d_k", "d_v"].filter((name) => name in all).map(one);
}

/** Every number of every matrix: the typed ones, then the steps. */
function rowsOf(state, result) {
  const cells = (name, { columns, cells: numbers }, head = "") =>
    Array.from(numbers, (value, i) => {
      const [row, column] = [Math.floor(i / columns) + 1, (i % columns) + 1];
      return [name, head, row, column, Number.isFinite(value) ? value : String(value)];
    });
  const all = (of, head) => stepsOf(state).flatMap((name) => cells(name, of[name], head));
  return [
    ...Object.entries(state.given).flatMap(([name, matrix]) => cells(name, matrix)),
    ...(result.heads?.flatMap((own, head) => all(own, head + 1)) ?? all(result, "")),
    ...(result.heads ? ["concat", "output"].flatMap((name) => cells(name, result[name])) : []),
  ];
}
