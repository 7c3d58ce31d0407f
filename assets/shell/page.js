// The page as a whole: facts from Python, language, theme, size, address; and the first request.

import { createCall, createRefusal } from "../exchange/calls.js";
import { connectLines } from "../exchange/lines.js";
import { connectLost } from "../exchange/lost.js";
import { measuredHead, nameOf } from "../kit/heads.js";
import { languageNamed } from "../kit/languages.js";
import { FIRST } from "../kit/selection.js";
import "./sheets.js";
import { read } from "./address.js";
import { createAgain } from "./again.js";
import { firstOf, followAddress, modelOf, modelOfQuery, openedQuery, openerOf } from "./history.js";
import { followLine } from "./line.js";
import { otherModel } from "./link.js";
import { recall, remember } from "./memory.js";
import { tellReader } from "./model.js";
import { note } from "./note.js";
import { followPrinting } from "./printing.js";
import { followRoles } from "./roles.js";
import { asking, begin, busy, ofLines, page, replies } from "./state.js";
import { isHere } from "./views.js";
import { firstLanguage } from "./words.js";

const MINUTE = 60_000; // ms

const { language, record, selection, theme } = page;

export async function mount(
  /** @type {HTMLElement} */ _,
  /** @type {import("./start.js").Gradio} */ { props, assets, trigger },
) {
  const facts = { ...page.shared, ...props.facts };
  page.shared = facts;
  page.call = facts.published ? createRefusal(page) : createCall(assets);
  page.again = createAgain(page, assets);
  followLines();
  page.opener = openerOf;
  const query = await openedQuery();
  const asked = read(query, facts.ranges, facts.interventions, facts.aliases, facts.switches);
  page.choices.set(asked.choices);
  page.gloss.set(asked.gloss);
  const { exhibit } = asked.selection;
  const isKnown = facts.exhibits.some((/** @type {{name: string}} */ { name }) => name === exhibit);
  // On a static page a view that needs a server opens, and says so.
  const isMissing = Boolean(facts.saved && isKnown && !isHere(exhibit));
  if (!isKnown || isMissing) delete asked.selection.exhibit;
  const browser = navigator.language ?? "";
  language.set(firstLanguage(asked.lang, facts.language, recall("language"), browser));
  for (const follow of [followTheme, followLanguage, followProgress, followAddress]) follow();
  followFolds(asked.selection.exhibit ?? FIRST.exhibit);
  for (const follow of [followNetwork, followPrinting]) follow();
  setInterval(() => page.proved.get() && page.proved.merge({ seen: Date.now() }), MINUTE); // it ages
  if (!facts.saved && !facts.published) followLine(assets, () => trigger("submit"));
  document.body.addEventListener("keydown", stepByKey);
  // Settings missing here are the model's defaults: Python fills them in.
  const { text, settings, shown } = asked;
  const first = text === null; // a model of letters starts with its own example
  const { key: model, own, reader } = modelOfQuery(query, asked);
  const request = {
    model,
    text: text ?? firstOf(model),
    first,
    settings,
    shown,
    ...asked.request,
  };
  Object.assign(request, facts.saved?.request); // of a single view, whose address does not name it
  Object.assign(page.current, request); // the input shows it at once
  // Whatever else requests a sentence at the start (a lesson) comes after this, and so wins.
  page.fitting = fitting;
  followRoles();
  await begin(await recording(request.model, assets), request, asked.selection);
  if (asked.selection.labels) page.choose({ labels: asked.selection.labels }); // stays for all heads
  tellLink(asked.refused, isKnown ? undefined : exhibit, query);
  tellOpening(isMissing ? exhibit : null, reader, own);
}

/**
 * The row labels of a head: from its role, or before that is known, those under which it was
 * measured.
 */
function fitting(/** @type {import("../kit/heads.js").Head} */ head) {
  const role = head.kind === "cross" && page.roles.get()?.of.get(nameOf(head));
  if (role) return role.row_label === "read" ? "reads" : "writes";
  const measured = measuredHead(page.shared, page.current.model);
  return measured && nameOf(head) === nameOf(measured) ? measured.labels : "writes";
}

/** The reader's lines, by a call or by the engine; the switch is remembered. */
function followLines() {
  const { published, saved } = page.shared;
  page.lined.set(recall("lines") !== "off");
  page.lined.watch((now) => remember("lines", now ? "on" : "off"));
  if (saved) return;
  const request = published
    ? linesOfEngine
    : (/** @type {object} */ asked) => page.call("lines", asked);
  connectLines(page, request, { busy, asking });
  connectLost(page, request, { busy, asking });
  if (!published) return;
  page.fetched.set(recall("fetched") === "on"); // a second model is fetched by a press
  page.fetched.watch((now) => now && remember("fetched", "on"));
}

/** @param {{model: string, texts: string[], of?: string}} asked */
async function linesOfEngine({ model, ...args }) {
  const asked = { model, question: "lines", arguments: args };
  const { payload, message } = await ofLines.request(asked);
  if (!payload) throw Object.assign(new Error("no lines"), { sentence: message });
  return payload;
}

/** Calls `tell` once the model has answered and its answer has cleared the line of messages. */
function onceLive(/** @type {(shown: any) => void} */ tell) {
  let isTold = false;
  record.watch((shown) => {
    if (isTold || shown === null || shown.recorded) return;
    isTold = true;
    setTimeout(() => tell(shown));
  });
}

/**
 * Reports the settings of a link that were replaced by defaults, its view if there is none of that
 * name, or the different model that made it.
 * @param {string[]} refused @param {string|undefined} view @param {string} query
 */
function tellLink(refused, view, query) {
  onceLive(({ model }) => {
    const other = otherModel(query, model);
    if (other !== null) return page.say({ words: "message.other_model", values: other });
    const names = refused.map((name) => page.t(`settings.${name}`)).join(", ");
    if (names) page.say({ words: "message.refused", values: { names } });
    else if (view !== undefined && page.message.get() === null)
      page.say({ words: "message.no_view", values: { view } });
  });
}

/** Says what opened otherwise than asked: a file was saved on a view that it does not hold; a link
 * names no model, and the page picked the one that reads its sentence.
 * @param {string|null} view @param {import("../kit/languages.js").Model|undefined} reader
 * @param {string} own the key of the model that the link would have had */
function tellOpening(view, reader, own) {
  if (view !== null) onceLive(() => note("saved.no_view", { view: page.t(`${view}.title`) }));
  else if (reader) onceLive(() => tellReader(reader, own));
}

/** The recorded first page of a model, shown before that has answered; null if there is none.
 * @param {string} model @param {string} assets */
async function recording(model, assets) {
  const recorded = page.shared.saved ? null : modelOf(model)?.recorded;
  if (!recorded) return null;
  try {
    return await (await fetch(`${assets}${recorded}`)).json();
  } catch {
    return null;
  }
}

function followLanguage() {
  const { documentElement } = document;
  // A browser's translation puts other nodes in place of the texts, where lit-html would go on
  // writing to its own: the words of one sentence above the numbers of another.
  documentElement.setAttribute("translate", "no");
  documentElement.classList.add("notranslate");
  language.watch((now) => {
    documentElement.lang = languageNamed(now).tag;
  });
}

/** The open parts of a view: another view begins with none, a reload with those that were open.
 * @param {string} opened the view that the page opens with */
function followFolds(opened) {
  const names = /** @type {("adjust"|"numbers"|"reading")[]} */ (Object.keys(page.folds.get()));
  const [view, ...parts] = (recall("folds") ?? "").split(" ");
  const open = (/** @type {string[]} */ some) =>
    page.folds.merge(Object.fromEntries(names.map((name) => [name, some.includes(name)])));
  if (view === opened) open(parts);
  /** @type {string|null} */
  let shown = null; // until the page has opened
  selection.watch(({ exhibit }) => {
    if (exhibit === shown || (shown === null && exhibit !== opened)) return;
    if (shown !== null) open([]);
    shown = exhibit;
  });
  page.folds.watch((now) =>
    remember("folds", [shown ?? opened, ...names.filter((name) => now[name])].join(" ")),
  );
}

// A lost network is reported at once, and the message goes when the network returns.
function followNetwork() {
  const offline = { words: "error.offline" };
  window.addEventListener("offline", () => page.say(offline));
  window.addEventListener("online", () => {
    if (page.message.get() === offline) page.say(null);
  });
}

// Marks on the body, for styles and for tests that wait: the view, the sentence and its
// translation, work in progress, and the number of answers.
function followProgress() {
  const { body } = document;
  busy.watch((now) => body.toggleAttribute("data-busy", now));
  asking.watch((count) => body.toggleAttribute("data-asking", count > 0));
  selection.watch(({ exhibit }) => {
    body.dataset.view = exhibit;
  });
  replies.watch((count) => {
    body.dataset.answers = String(count);
  });
  record.watch((shown) => {
    body.dataset.ready = shown ? (shown.recorded ? "recorded" : "live") : "";
    if (shown) Object.assign(body.dataset, { text: shown.text, translation: shown.translation });
  });
}

// Gradio marks a dark page on the body; the drawings follow that mark.
function followTheme() {
  const chosen = recall("theme");
  // Without Gradio, this code reads the system's preference.
  const { saved, published } = page.shared;
  const asksSystem = Boolean(saved || published);
  const prefersDark = asksSystem && matchMedia("(prefers-color-scheme: dark)").matches;
  if (chosen || prefersDark) document.body.classList.toggle("dark", (chosen || "dark") === "dark");
  const look = () => theme.set(document.body.classList.contains("dark") ? "dark" : "light");
  new MutationObserver(look).observe(document.body, { attributeFilter: ["class"] });
  look();
}

// The arrow keys step through the decoding unless something else uses them.
function stepByKey(/** @type {any} */ event) {
  const free =
    event.target === document.body || event.target.closest("#hl-stepper button") !== null;
  if (!free || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  const by = steps[event.key];
  if (by === undefined) return;
  event.preventDefault();
  page.choose({ step: selection.get().step + by });
}
