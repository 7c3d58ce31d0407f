// Attention by hand: small matrices to edit, every step with its numbers, and where each comes
// from.

import { choice, toggle } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { flag, oneOf, orNull } from "../../../assets/kit/keep.js";
import { slider } from "../../../assets/kit/slider.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, keyed, nothing } from "../../../assets/vendor/lit-html.js";
import { changedIn, isChosen, isSame, isTyped, OUTPUT, restored, UNCHANGED } from "./kept.js";
import { at, compute, HEADS } from "./maths.js";
import { computedMatrix, parsed, typedMatrix } from "./matrices.js";
import { numberText, origin } from "./origin.js";
import { MAX_SIZE, PRESETS, resized, sizesOf } from "./presets.js";

const STEPS = ["scores", "scaled", "masked", "weights", "output"];

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const CHECKS = {
  preset: oneOf(Object.keys(PRESETS)),
  causal: orNull(flag),
  scaling: orNull(flag),
  given: orNull(isTyped),
  chosen: orNull(isChosen),
};

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const kept = page.keep({ ...UNCHANGED, preset: "weights" }, CHECKS);
  /** @type {any} */
  const state = {};
  const begin = (/** @type {string} */ preset) => {
    return { preset, ...PRESETS[preset](), chosen: OUTPUT, edit: null };
  };
  function change(/** @type {object} */ changes) {
    Object.assign(state, changes);
    kept.merge(changedIn(state));
    view.redraw();
  }
  function follow(/** @type {any} */ now) {
    const own = changedIn(state);
    if (Object.keys(own).every((name) => isSame(own[name], now[name]))) return;
    Object.assign(state, begin(now.preset), restored(now));
    view.redraw();
  }
  Object.assign(state, begin(kept.get().preset), restored(kept.get()));
  const view = liveView({
    el,
    page,
    stores: [page.theme],
    template() {
      const result = compute(state);
      if (!exists(result, state.chosen)) state.chosen = { name: "output", row: 0, col: 0 };
      const made = origin(result, state.chosen, state, shownOf(state));
      const scene = { page, state, result, from: made.from, change };
      return html`<div class="hl-byhand">
        <form class="hl-stack hl-controls">
          ${presets(page, state, (name) => change(begin(name)))} ${controls(page, state, change)}
        </form>
        <div class="hl-stack hl-byhand-${state.mode}">
          ${given(scene)} ${steps(scene)} ${words(page, state, result, made)}
          ${downloads(page, "byhand", { csv: () => rowsOf(state, result) })}
        </div></div>`;
    },
  });
  kept.watch(follow);
  return view.end;
}

/** The matrices to type in: they are new with each preset, so that typing keeps its place. */
function given({ page, state, from, change }) {
  const type = (edit) => {
    const value = parsed(edit.text);
    const { cells, columns } = state.given[edit.name];
    if (value !== null) cells[edit.row * columns + edit.col] = value; // else the last one stays
    change({ edit });
  };
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

function steps({ page, state, result, from, change }) {
  const { t } = page;
  const onChoose = (chosen) => change({ chosen });
  const { chosen } = state;
  const computed = (name, caption, head = undefined) =>
    computedMatrix(page, matrixOf(result, { name, head }), {
      ...{ name, head, caption, chosen, from, onChoose },
    });
  const width = (state.given.Q?.columns ?? 1) / (result.heads ? HEADS : 1);
  const all = (head = undefined) =>
    stepsOf(state).map((name) =>
      computed(name, t(`byhand.step.${name}`, { d: numberText(width) }), head),
    );
  if (!result.heads) return html`<div class="hl-byhand-line">${all()}</div>`;
  const own = (/** @type {number} */ head) =>
    ["Q", "K", "V"].map((name) =>
      computedMatrix(page, result.heads[head][name], {
        ...{ name, head, caption: `${name}${head + 1}`, from },
      }),
    );
  return html`${result.heads.map(
    (_, head) => html`<div class="hl-byhand-line">
      <h3>${t("byhand.head", { n: head + 1 })}</h3>${own(head)} ${all(head)}</div>`,
  )}
  <div class="hl-byhand-line">${computed("concat", t("byhand.step.concat"))}
    ${computed("output", t("byhand.step.mixed"))}</div>`;
}

/** Where the chosen number comes from. */
function words(/** @type {Page} */ { t }, { chosen }, result, { sum, masked }) {
  const { name, head, row, col } = chosen;
  const why = name === "output" && head === undefined && result.heads ? "mixed" : name;
  const value = at(matrixOf(result, chosen), row, col);
  const step = t(`byhand.name.${name}`);
  const place = t("byhand.place", { row: row + 1, column: col + 1, step });
  return html`<div class="hl-byhand-origin" aria-live="polite">
    <h3>${head === undefined ? place : t("byhand.place.head", { n: head + 1, place })}</h3>
    <p class="hl-byhand-sum">${
      masked
        ? t("byhand.masked", { query: row + 1, key: col + 1 })
        : `${sum} ${Number(numberText(value).replace("−", "-")) === value ? "=" : "≈"} ${numberText(value)}`
    }</p>
    <p class="hl-note">${t(`byhand.why.${why}`)}</p></div>`;
}

const presets = (/** @type {Page} */ { t, uid }, { preset }, onChange) =>
  html`${choice({
    name: `${uid}-preset`,
    label: t("byhand.preset"),
    class: "hl-plain hl-upright hl-byhand-preset",
    options: Object.keys(PRESETS).map((value) => ({ value, label: t(`byhand.preset.${value}`) })),
    value: preset,
    onChange,
  })}
  <p class="hl-note">${t(`byhand.note.${preset}`)}</p>`;

function controls(/** @type {Page} */ { t }, state, change) {
  const { mode } = state;
  const flag = (/** @type {string} */ name) =>
    toggle({
      label: t(`byhand.${name}`),
      class: `hl-byhand-${name}`,
      checked: state[name],
      onChange: (value) => change({ [name]: value }),
    });
  const sizes = sizesOf(state);
  const size = (/** @type {string} */ name) => {
    const least = mode === "heads" && name.startsWith("d_") ? HEADS : 1; // heads share the columns
    return slider({
      label: t(`byhand.${name}`),
      class: `hl-byhand-${name}`,
      min: least,
      max: MAX_SIZE,
      step: least,
      value: sizes[name],
      onInput: (value) => {
        const next = { ...sizes, [name]: Math.round(value / least) * least };
        change({ given: resized(state, next), edit: null });
      },
    });
  };
  return html`${mode === "weights" ? nothing : flag("causal")}
    ${mode === "weights" || mode === "scores" ? nothing : flag("scaling")}
    ${["queries", "keys", "d_k", "d_v"].filter((name) => name in sizes).map(size)}`;
}

/** Every number of every matrix: those typed in, then the steps. */
function rowsOf(state, result) {
  const cells = (name, { columns, cells: numbers }, head = "") =>
    Array.from(numbers, (value, i) => {
      const [row, column] = [Math.floor(i / columns) + 1, (i % columns) + 1];
      return [name, head, row, column, Number.isFinite(value) ? value : String(value)];
    });
  const all = (of, head) => stepsOf(state).flatMap((name) => cells(name, of[name], head));
  return [
    ["matrix", "head", "row", "column", "value"],
    ...Object.entries(state.given).flatMap(([name, matrix]) => cells(name, matrix)),
    ...(result.heads?.flatMap((own, head) => all(own, head + 1)) ?? all(result, "")),
    ...(result.heads ? ["concat", "output"].flatMap((name) => cells(name, result[name])) : []),
  ];
}
