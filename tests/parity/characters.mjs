// A line {texts, pieces, other} is answered with what the browser makes of each text: [visible,
// normalised, the plain form and the one without capitals for a model with these pieces, what the
// translation `other` lacks and adds if there is one, what is copied letter by letter, its language by its
// script and by its words too, its quotation marks closed, without the
// blanks beside Chinese].

import { createInterface } from "node:readline";
import {
  calm,
  normalise,
  plain,
  requoted,
  unspaced,
  visible,
} from "../../assets/engine/characters.js";
import { added, missing, spelled } from "../../assets/engine/copied.js";
import { languageOf, ownOf } from "../../assets/kit/languages.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { texts, pieces, other } = JSON.parse(line);
  const has = (/** @type {string} */ form) => pieces.includes(form);
  const all = texts.map((text) => [
    visible(text),
    normalise(text),
    plain(text, has),
    calm(text, has),
    other === null ? [] : [missing(text, other), added(text, other)],
    spelled(text, has),
    languageOf(text).code,
    ownOf({ en: "en", de: "de", zh: "zh" }, text),
    requoted(text),
    unspaced(text),
  ]);
  process.stdout.write(`${JSON.stringify(all)}\n`);
}
