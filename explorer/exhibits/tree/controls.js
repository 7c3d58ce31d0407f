// Controls of the picture: α and a new search are visible; the steps of the search, the ranking and
// unfolding are under Adjust.

import { button, choice, toggle } from "../../../assets/kit/choice.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { alphaText } from "./finding.js";

const BEAMS = ["beam", "beam_sampling"];

export const alphaSlider = ({ t, model, alpha, low, high }) =>
  alpha === undefined
    ? nothing
    : slider({
        label: t("alpha"),
        class: "hl-tree-alpha",
        value: alpha,
        text: alphaText,
        min: low,
        max: high,
        step: 0.01,
        onInput: (value) => model.at.merge({ alpha: value }),
      });

/** Ranking again is not searching again: the button does that. */
export const runButton = ({ t, deeds, isOwn, alpha, method }) =>
  isOwn === false && BEAMS.includes(method)
    ? button({
        label: t("run", { alpha: alphaText(alpha) }),
        class: "hl-tree-run",
        onClick: deeds.run,
      })
    : nothing;

/** Notes on ranks that differ from the search's own. */
export function caution({ t, page, isOwn, own, ownForm, form, alpha, method }) {
  if (isOwn) return nothing;
  const words = { method: page.t(`settings.method.${method}`) };
  if (!BEAMS.includes(method)) return html`<p>${t("honest.one", words)}</p>`;
  const settings = { own: settingText(t, ownForm, own), now: settingText(t, form, alpha) };
  return html`<p class="hl-tree-caution">${t("honest", settings)}</p>`;
}

const settingText = (t, form, alpha) => t(`setting.${form}`, { alpha: alphaText(alpha) });

/** The result of searching again with the chosen penalty. */
export function outcomeText({ t, model }) {
  const { outcome } = model.at.get();
  if (outcome === null) return nothing;
  const { kind, text, rank, predicted, alpha, form } = outcome;
  const now = settingText(t, form, alpha);
  return t(`outcome.${kind}`, { now, text, predicted, rank: (rank ?? 0) + 1 });
}

export const adjust = [
  ({ steps }) => html`<div class="hl-tree-bar">${steps.template()}</div>`,
  ({ t, model }) =>
    toggle({
      label: t("all"),
      class: "hl-tree-all",
      checked: model.at.get().all,
      onChange: (all) => model.at.merge({ all }),
    }),
  formChoice,
  beatenToggle,
  ({ force }) => force.template(),
];

function formChoice({ t, page, model, form, own, isOwn }) {
  if (form === undefined) return nothing;
  return html`${choice({
    name: `${page.uid}-form`,
    label: t("form"),
    value: form,
    options: page.facts.forms.map((value) => ({ value, label: t(`form.${value}`) })),
    onChange: (value) => model.at.merge({ form: value }),
  })}${button({
    label: t("own", { alpha: alphaText(own) }),
    disabled: isOwn,
    onClick: () => model.at.merge({ alpha: null, form: null }),
  })}`;
}

function beatenToggle({ t, model, beatenCount, withBeaten }) {
  if (!(beatenCount > 0)) return nothing;
  return toggle({
    label: t("beaten", { n: beatenCount }),
    class: "hl-tree-beaten",
    checked: withBeaten,
    onChange: (checked) => model.at.merge({ withBeaten: checked }),
  });
}
