// All heads on the left: controls that mark, sort and dim them, and their tiles.

import { select, toggle } from "../../../assets/kit/choice.js";
import { whenChanged } from "../../../assets/kit/elements.js";
import { headOf, headText, nameOf, namesOf } from "../../../assets/kit/heads.js";
import { isSwitchedOff } from "../../../assets/kit/interventions.js";
import { signedText, weightText } from "../../../assets/kit/numbers.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { slider } from "../../../assets/kit/slider.js";
import { createPainter, tiles } from "../../../assets/kit/tiles.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { scaleOf } from "./look.js";
import { isRelative, largest, MEASURES, passes, sorted } from "./measures.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** The name of a head's measure: the token at the edge depends on the kind. */
export const measureName = ({ t }, measure, kind) =>
  t(measure === "end" && kind === "decoder_self" ? "measure.start" : `measure.${measure}`);

export const measureText = ({ t }, measure, value) => {
  if (measure === "effect") return signedText(value);
  return measure === "entropy"
    ? t("measure.nats", { value: weightText(value) })
    : weightText(value);
};

/** A head's role over many sentences, in a few words; "" if unknown.
 * @param {Page} page @param {string} name */
export function roleText({ t, roles }, name) {
  const one = roles.get()?.of.get(name);
  if (!one) return "";
  return t(one.role === "aligns" ? `role.aligns.${one.row_label}` : `role.${one.role}`);
}

/**
 * Returns {template(), paint(root)}.
 * @param {Page} page
 * @param {import("../../../assets/kit/types.js").Store<import("./options.js").Options>} options
 * @param {ReturnType<typeof import("./heads.js").createHeads>} heads
 * @param {ReturnType<typeof import("./measures.js").createMeasures>} measures
 */
export function createOverview(page, options, heads, measures) {
  const painter = createPainter();
  const isStale = whenChanged();
  const isElsewhere = whenChanged();
  let isOpen = true; // all kinds

  function template(/** @type {{isFolded: boolean}} */ { isFolded }) {
    isOpen = !isFolded;
    const now = options.get();
    const record = /** @type {any} */ (page.record.get());
    const values = now.measure === "none" ? null : measures.all(now.measure);
    return html`<div class="hl-overview">
      ${tiles(page, {
        attention: record.attention,
        isFolded,
        orders: now.sorted && values ? ordersOf(record, now.measure, values) : undefined,
        class: [
          values && "hl-measured",
          values && now.sorted && "hl-sorted",
          now.adding && "hl-adding",
        ]
          .filter(Boolean)
          .join(" "),
        about: (name) => aboutTile(page, name, values?.get(name), now),
        onPick(name, event) {
          const isMore = event.ctrlKey || event.metaKey || event.shiftKey;
          if (event.type === "keydown") return now.adding || heads.pick(name); // Enter adds it
          (now.adding || isMore ? heads.toggle : heads.pick)(name);
        },
        onOpen: (name) => now.adding || heads.isolate(name),
      })}
    </div>`;
  }

  function paint(root) {
    const { attention } = /** @type {any} */ (page.record.get());
    const { own } = options.get();
    const look = page.theme.get();
    const list = root.querySelector(".hl-heads");
    const room = list.scrollHeight - list.clientHeight;
    if (isElsewhere(attention, nameOf(page.selection.get()), room) && room > 0) bringOut(list);
    const { kind } = page.selection.get();
    if (!isStale(attention, own, look, isOpen || kind)) return;
    painter(root, attention, look, (cells) => scaleOf(cells, own), kind);
  }
  return { template, paint };
}

/** Scrolls the list to the chosen head where not all of them have room. @param {Element} list */
function bringOut(list) {
  const chosen = list.querySelector(".hl-tile[aria-pressed=true]");
  if (!chosen) return;
  const [box, tile] = [list, chosen].map((one) => one.getBoundingClientRect());
  if (tile.top < box.top || tile.bottom > box.bottom)
    list.scrollTop += tile.top - box.top - box.height / 2;
}

const ordersOf = ({ attention }, measure, values) =>
  Object.fromEntries(
    KINDS.map((kind) => {
      const names = namesOf(kind, attention[kind]);
      return [kind, sorted(names, measure, (name) => values.get(name).value)];
    }),
  );

function aboutTile(page, name, found, now) {
  const { measure, least } = now;
  const value = found?.value ?? null;
  const isOff = isSwitchedOff(page.record.get(), headOf(name));
  const off = isOff ? page.t("attention.off.short") : "";
  const full = [headText(page, headOf(name)), roleText(page, name), off]
    .filter(Boolean)
    .join(" · ");
  const said = () =>
    `${full} · ${measureName(page, measure, headOf(name).kind)} ${measureText(page, measure, value)}`;
  const marks = [
    isOff && "hl-switched-off",
    now.heads.includes(name) && "hl-with",
    measure === "effect" && value > 0 && "hl-gain",
    found && !passes(found, least) && "hl-dim",
  ];
  return {
    title: value === null ? full : said(),
    class: marks.filter(Boolean).join(" "),
    share: found?.share,
    value,
  };
}

/** The list of measures, the tick that sorts, the slider that dims. */
export function sorting(page, { measure, sorted: isSorted, least, set }, values) {
  const { t } = page;
  const known = { effect: page.effects, role: page.roles };
  const offered = MEASURES.filter((one) => one === measure || (known[one]?.get() ?? true));
  return html`<div class="hl-sorting" role="group" aria-label=${t("heads.sorting")}>
    ${select({
      label: t("measure.name"),
      class: "hl-measure",
      options: ["none", ...offered].map((value) => ({
        value,
        label: t(value === "end" ? "measure.edge" : `measure.${value}`),
      })),
      value: measure,
      onChange: (value) => set({ measure: value, sorted: value !== "none" && isSorted, least: 0 }),
    })}
    ${toggle({
      label: t("heads.sort"),
      class: "hl-sort",
      checked: isSorted,
      disabled: values === null,
      onChange: (checked) => set({ sorted: checked }),
    })}
    ${values ? filter(page, { measure, least, set }, values) : nothing}
  </div>`;
}

/** The definition of each measure. */
export const measureHelp = ({ t }) =>
  html`<dl>${MEASURES.map(
    (one) => html`<dt>${t(one === "end" ? "measure.edge" : `measure.${one}`)}</dt>
    <dd>${t(`measure.${one}.means`)}</dd>`,
  )}</dl><p>${t("measure.raw")}</p>`;

/** The least value that keeps a head bright, in the measure's own unit. */
function filter({ t }, { measure, least, set }, values) {
  const all = [...values.values()].map(({ value }) => value);
  const whole = isRelative(measure) ? largest(all) : 1;
  return slider({
    label: html`<span class="hl-unseen">${t("heads.least")}</span>`,
    title: t("heads.least"),
    class: "hl-least",
    min: 0,
    max: 100,
    value: least,
    text: (percent) => `≥ ${((percent / 100) * whole).toFixed(2)}`,
    typed: false,
    onInput: (value) => set({ least: value }),
  });
}
