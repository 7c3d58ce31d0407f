// Two sentences, one transplant: a state of the first is copied into the run of the second, and the
// share of the way tells where what tells them apart stands.

import { button, select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice } from "../../../assets/kit/fields.js";
import { text } from "../../../assets/kit/keep.js";
import { percentText, signedText, weightText } from "../../../assets/kit/numbers.js";
import { token } from "../../../assets/kit/token.js";
import { html, live } from "../../../assets/vendor/lit-html.js";
import { picture } from "./picture.js";
import { headsOf, labelled, lastingUntil, statesOf, strongest } from "./shares.js";

const LEAST = 0.3; // of the way: less in every single state is nothing to point at

export const { mount } = exhibit({
  name: "transplant",
  fields: ({ pairs: [[giver, receiver]], longest }) => ({
    giver: { first: giver, fits: text(longest) },
    receiver: { first: receiver, fits: text(longest) },
    what: choice(["states", "heads"], { first: "states" }),
  }),
  ask: ({ giver, receiver }) => ["transplant", { giver, receiver }],
  scene,
  finding,
  nothing: ({ best }) => best.share < LEAST,
  picture,
  controls: [examples, swap, "what"],
  adjust: [boxes],
  numbers: (s) => [stateSheet(s), ...(s.heads?.value ? [headSheet(s)] : [])],
  reading: ({ t, answer: { differences, token: own, instead_of: other } }) => {
    const [giver, receiver] = differences.map((one) => signedText(one, 2));
    const words = { token: own.text, other: other.text, giver, receiver };
    return html`<p>${t("way", words)}</p><p>${t("map.says")}</p><p>${t("caveat")}</p>`;
  },
});

function scene({ answer, ask, what, giver, receiver }) {
  return {
    columns: labelled(answer.giver, answer.receiver),
    best: strongest(answer.encoder),
    heads: what === "heads" ? ask("transplant_heads", { giver, receiver }) : null,
  };
}

/** Which single state of the encoder carries most of the way, and up to which layer it does. */
function finding({ say, answer, best, columns }) {
  const values = { share: percentText(best.share), word: columns[best.position] };
  const all = { ...values, token: answer.token };
  if (best.share < LEAST) return say("finding.spread", all);
  const n = lastingUntil(answer.encoder, best);
  return n === answer.encoder.length - 1
    ? say("finding.top", all)
    : say("finding.until", { ...all, n });
}

/** Pairs of one word swapped. */
function examples({ t, page, giver, receiver, set }) {
  const { pairs } = page.facts;
  const at = pairs.findIndex(([one, other]) => one === giver && other === receiver);
  const names = pairs.map(([one, other], i) => ({ value: String(i), label: `${one} → ${other}` }));
  return select({
    label: t("example"),
    quiet: true,
    class: "hl-transplant-example",
    value: String(at),
    options: at < 0 ? [{ value: "-1", label: t("own") }, ...names] : names,
    onChange: (i) => set({ giver: pairs[i][0], receiver: pairs[i][1] }),
  });
}

/** Both directions count: they differ. */
function swap({ t, giver, receiver, set }) {
  const onClick = () => set({ giver: receiver, receiver: giver });
  return button({ label: t("swap"), class: "hl-transplant-swap", onClick });
}

/** Sentences of one's own: asked when a box is left or Enter is pressed. */
function boxes({ t, page, set, ...s }) {
  return html`<div class="hl-transplant-boxes">
  ${["giver", "receiver"].map(
    (name) => html`<label><span>${t(name)}</span>
      <input type="text" lang="en" maxlength=${page.facts.longest} autocomplete="off"
        .value=${live(s[name])} @change=${(event) => set({ [name]: event.target.value })}></label>`,
  )}</div>`;
}

const shareColumn = { cell: ({ share }) => weightText(share), csv: ({ share }) => share };

const stateSheet = ({ t, answer, columns }) => ({
  name: t("states"),
  file: "transplant-states",
  class: "hl-transplant-states",
  rows: statesOf(answer, columns),
  columns: {
    stack: { text: true, cell: ({ stack }) => t(stack), csv: ({ stack }) => stack },
    layer: { cell: ({ layer }) => layer },
    position: { cell: ({ position }) => position + 1 },
    token: { text: true, cell: ({ label }) => token(label), csv: ({ label }) => label.text },
    share: shareColumn,
  },
});

const headSheet = ({ t, page, heads }) => ({
  name: t("heads"),
  file: "transplant-heads",
  class: "hl-transplant-heads",
  rows: headsOf(heads.value),
  columns: {
    kind: { text: true, cell: ({ kind }) => page.t(`kind.${kind}`), csv: ({ kind }) => kind },
    layer: { cell: ({ layer }) => layer + 1 },
    head: { cell: ({ head }) => head + 1 },
    share: shareColumn,
  },
});
