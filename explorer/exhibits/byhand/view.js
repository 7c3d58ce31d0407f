// Attention by hand: small matrices to edit, every step with its numbers, and the origin of each
// number.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { flag, local, menu } from "../../../assets/kit/fields.js";
import { flag as isFlag, orNull } from "../../../assets/kit/keep.js";
import { roundPercent } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, keyed, nothing } from "../../../assets/vendor/lit-html.js";
import { changedIn, isChosen, isTyped, presetOf, restored, UNCHANGED } from "./kept.js";
import { at, compute, HEADS, matrixIn } from "./maths.js";
import { computedMatrix, parsed, typedMatrix } from "./matrices.js";
import { numberText, origin } from "./origin.js";
import { MAX_SIZE, PRESETS, resized, sizesOf } from "./presets.js";

/** @typedef {import("./maths.js").Matrix} Matrix */
/** @typedef {import("./maths.js").Name} Name */
/** @typedef {import("./maths.js").Result} Result */
/** @typedef {import("./kept.js").Kept} Kept */
/** @typedef {import("./matrices.js").Edit} Edit */
/** @typedef {import("./origin.js").Chosen} Chosen */

/** The numbers shown: the example's, with what was changed.
 * @typedef {import("./presets.js").Preset & {preset: string, chosen: Chosen, edit: Edit|null}} State */

/** `matrices`: the typed ones with the numbers that a smaller size hides.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & Kept & {edit: Edit|null,
 *   matrices: Record<string, Matrix>|null}} Given */

/** `made`: where the chosen number comes from, `from` its cells.
 * @typedef {Given & {state: State, result: Result, made: import("./origin.js").Origin,
 *   from: import("./origin.js").Part[]}} Scene */

/** A number of the table; a masked one is written "-Infinity".
 * @typedef {{name: string, head: number|"", row: number, column: number, value: number|string}} Row */

/** @type {Name[]} */
const STEPS = ["scores", "scaled", "masked", "weights", "output"];
/** What each head has its own columns of. @type {Name[]} */
const HEADED = ["Q", "K", "V"];
const CLOSE = 1e-9; // two weights that differ by less count as equal

/** A switch that follows its example while null.
 * @param {"causal"|"scaling"} name @returns {import("../../../assets/kit/fields.js").Field} */
const ownFlag = (name) => ({
  ...flag(false),
  first: UNCHANGED[name],
  fits: orNull(isFlag),
  control: (given) => {
    const { state } = given.scene;
    const set = (/** @type {boolean} */ value) => change(given.scene, () => ({ [name]: value }));
    return flag(false).control?.({ ...given, value: state[name], set });
  },
});

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
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
        matrix: { text: true, cell: ({ name }) => name },
        head: { cell: ({ head }) => head },
        row: { cell: ({ row }) => row },
        column: { cell: ({ column }) => column },
        value: {
          cell: ({ value }) => (typeof value === "number" ? numberText(value) : "−∞"),
          csv: ({ value }) => value,
        },
      },
    },
  ],
  reading: ({ t, state }) => html`<p>${t(`note.${state.preset}`)}</p>`,
  files: () => ({ svg: null }),
};

export const { mount } = exhibit(VIEW);

/** The results for the numbers shown, and the parts of the chosen one.
 * @param {Kept & Pick<Given, "matrices"|"edit">} fields */
function scene({ matrices, edit, ...kept }) {
  const preset = presetOf(kept);
  const own = restored({ ...kept, preset });
  /** @type {State} */
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
 * @param {Given} s @param {(state: State) => Partial<State>} changesOf
 */
const change = (s, changesOf) =>
  s.set((/** @type {Given} */ now) => {
    const { state } = scene(now);
    const next = { ...state, edit: null, ...changesOf(state) };
    return { ...changedIn(next), matrices: next.given, edit: next.edit };
  });

/** The keys that the chosen row reads. @param {Scene} s */
function finding({ t, say, state, result }) {
  const { head = 0 } = state.chosen;
  const weights = result.heads ? result.heads[head].weights : matrixIn(result, "weights");
  const row = Math.min(state.chosen.row, weights.rows - 1);
  const own = Array.from({ length: weights.columns }, (_, col) => at(weights, row, col));
  const most = Math.max(...own);
  const best = own.flatMap((weight, i) => (most - weight < CLOSE ? [i + 1] : []));
  if (best.length > 1) return t("finding.alike", { row: row + 1, n: best.length });
  const share = marked(roundPercent(most));
  return say("finding.one", { row: row + 1, share, value: best[0] });
}

/** The number of rows of numbers below each other. @param {Scene} s */
function lanesOf({ state: { given: typed }, result }) {
  const highest = (/** @type {Matrix[]} */ matrices) =>
    Math.max(...matrices.map(({ rows }) => rows));
  const { rows } = result.output;
  return highest(Object.values(typed)) + rows * (result.heads ? result.heads.length + 1 : 1);
}

/** The editable matrices: new for each preset, so that typing keeps its place. @param {Scene} s */
function given(s) {
  const { page, state, from } = s;
  const type = (/** @type {Edit} */ edit) =>
    change(s, ({ given: matrices }) => {
      const value = parsed(edit.text);
      const { cells, columns } = matrices[edit.name];
      if (value !== null) cells[edit.row * columns + edit.col] = value; // else the last one stays
      return { edit };
    });
  return keyed(
    state.preset,
    html`<div class="hl-byhand-line">${typedNames(state).map((name) =>
      typedMatrix(page, name, state.given[name], { from, edit: state.edit, onType: type }),
    )}</div>`,
  );
}

/** The names of the typed matrices. @param {State} state */
const typedNames = ({ given: typed }) => /** @type {Name[]} */ (Object.keys(typed));

/** The computed steps; one that changes nothing is left out.
 * @param {State} state @returns {Name[]} */
function stepsOf({ mode, causal, scaling }) {
  if (mode === "weights") return ["output"];
  const isTyped = mode === "scores";
  /** @type {Partial<Record<Name, boolean>>} */
  const isLeftOut = { scores: isTyped, scaled: isTyped || !scaling, masked: !causal };
  return STEPS.filter((name) => !isLeftOut[name]);
}

/** Those shown: computed, or typed in. @param {State} state @returns {Name[]} */
const shownOf = (state) =>
  state.mode === "scores" ? [...stepsOf(state), "scores"] : stepsOf(state);

/** The head's results, or those of the whole; undefined for a head that there is not.
 * @param {Result} result @param {number} [head] @returns {Result|undefined} */
const partOf = (result, head) => (head === undefined ? result : result.heads?.[head]);

/** @param {Result} result @param {Chosen} chosen */
function exists(result, chosen) {
  const found = partOf(result, chosen.head)?.[chosen.name];
  const isMade =
    chosen.head !== undefined || !result.heads || ["concat", "output"].includes(chosen.name);
  return Boolean(found && isMade && chosen.row < found.rows && chosen.col < found.columns);
}

/** @param {Scene} s */
function steps(s) {
  const { t, page, state, result, from } = s;
  const onChoose = (/** @type {Chosen} */ chosen) => change(s, () => ({ chosen }));
  const { chosen } = state;
  /** @type {(name: Name, caption: string, head?: number) => unknown} */
  const computed = (name, caption, head) =>
    computedMatrix(page, matrixIn(partOf(result, head) ?? result, name), {
      name,
      head,
      caption,
      chosen,
      from,
      onChoose,
    });
  const width = (state.given.Q?.columns ?? 1) / (result.heads ? HEADS : 1);
  const all = (/** @type {number|undefined} */ head = undefined) =>
    stepsOf(state).map((name) => computed(name, t(`step.${name}`, { d: numberText(width) }), head));
  const { heads } = result;
  if (!heads) return html`<div class="hl-byhand-line">${all()}</div>`;
  const own = (/** @type {number} */ head) =>
    HEADED.map((name) =>
      computedMatrix(page, matrixIn(heads[head], name), {
        name,
        head,
        caption: `${name}${head + 1}`,
        from,
      }),
    );
  return html`${heads.map(
    (_, head) => html`<div class="hl-byhand-line">
      <h3>${t("head.n", { n: head + 1 })}</h3>${own(head)} ${all(head)}</div>`,
  )}
  <div class="hl-byhand-line">${computed("concat", t("step.concat"))}
    ${computed("output", t("step.mixed"))}</div>`;
}

/** The origin of the chosen number. @param {Scene} s */
function words({ t, state: { chosen }, result, made: { sum, masked } }) {
  const { name, head, row, col } = chosen;
  const why = name === "output" && head === undefined && result.heads ? "mixed" : name;
  const value = at(matrixIn(partOf(result, head) ?? result, name), row, col);
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

/** The numbers of queries and keys, and their widths. @param {Scene} s */
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

/** Every number of every matrix: the typed ones, then the steps.
 * @param {State} state @param {Result} result @returns {Row[]} */
function rowsOf(state, result) {
  /** @type {(of: Result, names: Name[], head?: Row["head"]) => Row[]} */
  const cells = (of, names, head = "") =>
    names.flatMap((name) => {
      const { columns, cells: numbers } = matrixIn(of, name);
      return Array.from(numbers, (number, i) => {
        const [row, column] = [Math.floor(i / columns) + 1, (i % columns) + 1];
        const value = Number.isFinite(number) ? number : String(number);
        return { name, head, row, column, value };
      });
    });
  const shown = stepsOf(state);
  return [
    ...cells(result, typedNames(state)),
    ...(result.heads?.flatMap((own, head) => cells(own, shown, head + 1)) ?? cells(result, shown)),
    ...(result.heads ? cells(result, ["concat", "output"]) : []),
  ];
}
