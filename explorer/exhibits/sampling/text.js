// The text that the next token stands after, and what can be done with it.

import { button, choice } from "../../../assets/kit/choice.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { sumOf, tokensOf } from "./walk.js";

/** @param {import("../../../assets/kit/types.js").Page} page */
export function textOf(page, now, actions) {
  const { t } = page;
  const { walk, isOwn, picked, names, over, record } = now;
  const tokens = tokensOf(walk);
  const next =
    picked === null ? { text: t("sampling.next"), kind: "special" } : names.label(picked);
  const chip = ({ label }, i) => {
    const isAdded = i >= walk.base.length;
    const joined = label.joined ? "hl-joined" : "";
    return token({ ...label, line: undefined }, { class: isAdded ? "hl-sampling-added" : joined });
  };
  const press = (name, disabled = false) =>
    button({
      label: t(`sampling.${name}`),
      title: t(`sampling.${name}.hint`),
      class: `hl-sampling-${name}`,
      onClick: actions[name],
      disabled,
    });
  const isUntouched = walk.added.length === 0 && walk.taken === 0;
  return html`<div class="hl-sampling-after hl-row">
    ${choice({
      name: `${page.uid}-whose`,
      label: t("sampling.after"),
      options: [
        { value: "page", label: t("sampling.whose.page", { n: page.selection.get().step + 1 }) },
        { value: "own", label: t("sampling.whose.own") },
      ],
      value: isOwn ? "own" : "page",
      onChange: actions.show,
    })}
    <div class="hl-strip hl-sampling-text" tabindex="0" role="group"
      aria-label=${t("sampling.after")}>${token(record.tgt_in[0])}${tokens.map(chip)}
      ${over ? nothing : token(next, { class: "hl-ahead" })}
    </div>
    <span class="hl-sampling-sum hl-note" title=${t("sampling.sum.hint")}>${t("sampling.sum", {
      n: tokens.length,
      log_prob: signedText(sumOf(tokens), 4),
    })}</span>
    <span class="hl-sampling-buttons">
      ${press("back", isUntouched)} ${press("start", isUntouched)} ${press("empty")}
      ${press("use")} ${press("take")}
    </span>
  </div>`;
}
