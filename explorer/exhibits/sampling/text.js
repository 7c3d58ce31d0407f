// The text before the next token, and its buttons.

import { button, choice } from "../../../assets/kit/choice.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { textOf as said } from "../../../assets/kit/pieces.js";
import { lineUnder } from "../../../assets/kit/readersline.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { sumOf, tokensOf } from "./walk.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */

export function textOf(/** @type {import("./view.js").Found} */ s) {
  const { t, page, walk, picked, names, over, record } = s;
  const tokens = tokensOf(walk);
  const pieces = tokens.map(({ label }) => label.piece);
  if (picked !== null) pieces.push(names.label(picked).piece);
  /** @type {Parameters<typeof token>[0]} */
  const next = picked === null ? { text: t("next"), kind: "special" } : names.label(picked);
  const chip = (/** @type {{label: Label}} */ { label }, /** @type {number} */ i) => {
    const isAdded = i >= walk.base.length;
    const joined = label.joined ? "hl-joined" : "";
    return token({ ...label, line: undefined }, { class: isAdded ? "hl-sampling-added" : joined });
  };
  return html`<div class="hl-sampling-after">
    <div class="hl-strip hl-sampling-text" tabindex="0" role="group"
      aria-label=${t("after")}>${token(record.tgt_in[0])}${tokens.map(chip)}
      ${over ? nothing : token(next, { class: "hl-ahead" })}
    </div>
    <span class="hl-sampling-sum hl-note" title=${t("sum.hint")}>${t("sum", {
      n: tokens.length,
      log_prob: signedText(sumOf(tokens), 4),
    })}</span>
    ${lineUnder(page, said(pieces))}
  </div>`;
}

/** The choice of text: the page's or the visitor's. @param {Scene} s */
export const whoseText = ({ t, page, isOwn, selection, actions }) =>
  choice({
    name: `${page.uid}-whose`,
    label: t("after"),
    options: [
      { value: "page", label: t("whose.page", { n: selection.step + 1 }) },
      { value: "own", label: t("whose.own") },
    ],
    value: isOwn ? "own" : "page",
    onChange: actions.show,
  });

export function textButtons(/** @type {Scene} */ { t, walk, actions }) {
  const press = (/** @type {"back"|"start"|"empty"|"use"|"take"} */ name, disabled = false) =>
    button({
      label: t(name),
      title: t(`${name}.hint`),
      class: `hl-sampling-${name}`,
      onClick: actions[name],
      disabled,
    });
  const isUntouched = walk.added.length === 0 && walk.taken === 0;
  return html`${press("back", isUntouched)} ${press("start", isUntouched)} ${press("empty")}
    ${press("use")} ${press("take")}`;
}
