// The page as a whole: facts from Python, language, theme, size, address; and the way to ask.

import { read, write } from "./address.js";
import { eachFrame } from "./elements.js";
import { answers, asking, busy, choose, facts, record, selection, theme } from "./state.js";
import { recall } from "./memory.js";
import { begin } from "./wire.js";
import { firstLanguage, language, setWords } from "./words.js";

export function mount(element, { props }) {
  const { words, recorded, ...rest } = props.page;
  facts.set(rest);
  const asked = read(window.location.search);
  if (!rest.exhibits.some(({ name }) => name === asked.selection.exhibit)) delete asked.selection.exhibit;
  language.set(firstLanguage(asked.lang, rest.language, recall("language"), navigator.language ?? ""));
  setWords(words);
  document.documentElement.dataset.size = recall("size") ?? "";
  followTheme();
  followLanguage();
  markProgress();
  const settings = { ...rest.defaults, ...asked.settings };
  begin(recorded, { text: asked.text ?? rest.first, settings, shown: asked.shown, ...asked.wish }, asked.selection);
  followAddress(rest.defaults);
  document.body.addEventListener("keydown", stepByKey);
}

function followLanguage() {
  language.watch((now) => {
    document.documentElement.lang = now === "zh" ? "zh-CN" : "en";
  });
}

// Marks on the page for styles, and for those who wait for it: what is on show, work, answers so far.
function markProgress() {
  const { body } = document;
  busy.watch((now) => body.toggleAttribute("data-busy", now));
  asking.watch((count) => body.toggleAttribute("data-asking", count > 0));
  answers.watch((count) => { body.dataset.answers = count; });
  record.watch((shown) => { body.dataset.ready = shown ? (shown.recorded ? "recorded" : "live") : ""; });
}

// Gradio marks a dark page on the body; whoever changes that mark, the drawings follow.
function followTheme() {
  const chosen = recall("theme");
  if (chosen) document.body.classList.toggle("dark", chosen === "dark");
  const look = () => theme.set(document.body.classList.contains("dark") ? "dark" : "light");
  new MutationObserver(look).observe(document.body, { attributeFilter: ["class"] });
  look();
}

// The address follows what is on show, without filling the browser's history.
function followAddress(defaults) {
  const update = eachFrame(() => {
    const shown = record.get();
    if (shown === null || shown.recorded) return;
    const query = write(
      { ...shown, lang: language.get(), selection: selection.get() },
      defaults,
      window.location.search,
    );
    const address = `${window.location.pathname}?${query}${window.location.hash}`;
    window.history.replaceState(window.history.state, "", address);
  });
  for (const store of [record, selection, language]) store.watch(update);
}

// The arrow keys step through the decoding wherever nothing else wants them.
function stepByKey(event) {
  const free = event.target === document.body || event.target.closest("#hl-stepper button") !== null;
  if (!free || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  choose({ step: selection.get().step + by });
}
