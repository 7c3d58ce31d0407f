// Requests to Python and replies: explanations (the newest request next), and questions of views
// about the explanation on the page. It fills the stores of a page and gives it `explain` and
// `ask`.

import { measuredHead } from "../kit/heads.js";
import { lasting } from "../kit/keep.js";
import { defaultOf } from "../kit/languages.js";
import { bestAligned, decode } from "../kit/payload.js";
import { OF_THE_MODEL, RECORD } from "../kit/proved.js";
import { changed, isPlain, requestOf, searchOf } from "../kit/requests.js";
import { axes, chosenIn, FIRST, select } from "../kit/selection.js";
import { createStore } from "../kit/store.js";
import { Failed } from "./channel.js";

/** @typedef {import("../kit/types.js").Whole} Whole */
/** @typedef {import("../kit/types.js").Rec} Rec */
/** @typedef {import("../kit/types.js").Selection} Selection */
/** @typedef {import("../kit/types.js").Message} Message */
/** What a page asks for: see EMPTY. @typedef {Record<string, any>} Body */

const MOST_ANSWERS = 40; // about a sentence, whose numbers are kept for the proof
const MOST_RECORDS = 12; // of these: the proof repeats a whole search for each
const EARLIER = "tree"; // the view that shows the earlier search
const AGAIN = 500; // ms until a request that failed is made once more
const PACE = 400; // ms between two checks whether a model is ready
const EMPTY = {
  model: "",
  text: "",
  first: false, // begin with the model's own example, where it has one
  settings: {},
  shown: 0,
  prefix: [],
  begin: "",
  node: null,
  interventions: {},
};

/** @typedef {{request: (body: object, isWanted?: () => boolean) => Promise<any>}} Channel */

/**
 * The reply to a request, repeated while its model is being loaded or trained; null once nobody
 * needs it any more.
 * @param {any} page
 * @param {Channel} channel
 * @param {object} body
 * @param {() => boolean} isWanted
 */
async function patiently(page, channel, body, isWanted) {
  /** @type {any} */
  let said = null;
  try {
    while (isWanted()) {
      const reply = await asked(channel, body, isWanted);
      if (!reply?.waiting) return reply;
      said = { sentence: reply.waiting, isWork: true, asked: body };
      page.message.set(said);
      await new Promise((resolve) => setTimeout(resolve, PACE));
    }
    return null;
  } finally {
    if (said !== null && page.message.get() === said) page.message.set(null);
  }
}

/**
 * The reply to a request, which is made once more if it failed: Gradio's script says so, too, of a
 * request that has arrived, when it closes the stream on which the reply would come.
 * @param {Channel} channel @param {object} body @param {() => boolean} isWanted
 */
async function asked(channel, body, isWanted) {
  try {
    return await channel.request(body, isWanted);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    return channel.request(body, isWanted);
  }
}

/**
 * `counted(channel, body, isWanted)`: the reply as `patiently` gives it. While it is awaited it
 * counts in `asking`, so that a reply that seems lost is fetched: shell/line.js.
 */
const createCounted =
  (/** @type {any} */ page, /** @type {import("../kit/types.js").Store<number>} */ asking) =>
  async (
    /** @type {Channel} */ channel,
    /** @type {object} */ body,
    /** @type {() => boolean} */ isWanted,
  ) => {
    asking.set(asking.get() + 1);
    try {
      return await patiently(page, channel, body, isWanted);
    } finally {
      asking.set(asking.get() - 1);
    }
  };

/**
 * Connects a page. Returns {begin, busy, asking, replies, counted}: the start function, stores of
 * work in progress, and the function for requests beside the page's own.
 * @param {any} page made by createPage
 * @param {{explanation: Channel, question: Channel}} channels
 */
export function connect(page, channels) {
  const busy = createStore(false);
  const asking = createStore(0);
  const replies = createStore(0);
  const counted = createCounted(page, asking);
  Object.assign(page.current, EMPTY);
  page.explain = createExplain(page, channels.explanation, { busy, replies });
  page.ask = createAsk(page, (body, isWanted) => counted(channels.question, body, isWanted));

  /** Starts with a recorded payload (or null), and requests the explanation in the address. */
  async function begin(
    /** @type {any} */ recorded,
    /** @type {Body} */ request,
    /** @type {Partial<Selection>} */ selected,
  ) {
    page.expected = { selection: { ...selected }, choices: null };
    page.chosen = chosenIn(selected);
    Object.assign(page.current, request); // the input shows it at once
    if (recorded) show(page, await decode({ ...recorded, recorded: true }));
    page.explain(request, page.expected.selection);
  }

  return { begin, busy, asking, replies, counted };
}

/**
 * The page's `explain`: the newest request is sent once the previous one is answered.
 * @param {any} page
 * @param {Channel} channel
 * @param {{busy: any, replies: any}} progress
 */
function createExplain(page, channel, { busy, replies }) {
  let isRunning = false;
  /** @type {any} */
  let next = null; // the newest request not yet sent
  /** @type {((refusal: any) => void)[]} */
  let waiting = []; // callers waiting for the outcome
  /** @type {any} */
  let notice = null; // the sentence that follows the next explanation

  /**
   * Resolves when the request is answered or superseded: null, or the message if it was refused.
   * @param {any} changes the rest of the last request is kept where it still applies
   * @param {any} opening the selection that it opens with, if a link or a lesson makes the request
   */
  function explain(changes, opening = null) {
    next = expect(page, changes, opening, isRunning || next !== null);
    const outcome = new Promise((resolve) => waiting.push(resolve));
    pump();
    return outcome;
  }

  async function pump() {
    if (isRunning || next === null) return;
    const request = next;
    const told = waiting;
    /** @type {any} */
    let refusal = null;
    [next, waiting] = [null, []];
    isRunning = true;
    busy.set(true);
    try {
      const reply = await patiently(page, channel, request, () => next === null);
      if (reply !== null && !reply.payload) refusal = { sentence: reply.message, asked: request };
      else if (reply !== null && next === null) await take(reply, request);
    } catch {
      refusal = { words: "error.unreachable" };
    } finally {
      if (next !== null) refusal = null; // overtaken
      if (refusal !== null && isOpening(page, request))
        [next, notice] = [another(page, request), refusal];
      else if (refusal !== null) refuse(page, refusal);
      isRunning = false;
      busy.set(false);
      replies.set(replies.get() + 1);
      for (const resolve of told) resolve(refusal);
      pump();
    }
  }

  /** @param {any} reply @param {any} asked the request that it answers */
  async function take(reply, asked) {
    const record = { ...(await decode(reply.payload)), asked };
    if (next !== null) return; // overtaken
    Object.assign(page.current, requestOf(record));
    show(page, record);
    page.expected = { selection: {}, choices: null };
    page.message.set(notice);
    notice = null;
  }

  return explain;
}

/** True if a link has more than a text and nothing live is on the page yet. */
const isOpening = (/** @type {Whole} */ page, /** @type {Body} */ request) =>
  !isPlain(request, defaultOf(page).key) &&
  Boolean((page.record.get() ?? { recorded: true }).recorded);

/** Falls back to the page's default model, then to the plain text, if a model cannot be shown. */
function another(/** @type {Whole} */ page, /** @type {Body} */ request) {
  const { text, first, settings } = request;
  const model = defaultOf(page).key;
  const own =
    request.model === model
      ? { ...EMPTY, model, text, first, settings }
      : changed(request, { model }, {});
  return { ...Object.assign(page.current, own) };
}

/** A refused request is not repeated: the next one starts from what is on the page. */
function refuse(/** @type {Whole} */ page, /** @type {Message} */ message) {
  page.message.set(message);
  page.expected = { selection: {}, choices: null };
  const record = page.record.get();
  if (record !== null && !record.recorded) Object.assign(page.current, requestOf(record));
}

/**
 * The page's `ask`: the reply to a question about a record; null if a newer question of that name
 * was asked meanwhile. `view`: which one asks. The question RECORD asks for the whole record of a
 * subject's request. The records of a list of subjects come in one reply. If Python refuses, it
 * rejects with an Error whose `sentence` has the words in every language. Records do not overtake one
 * another: one is no longer wanted when the page shows another record, or by `isShown`.
 * @param {any} page
 * @param {(body: object, isWanted: () => boolean) => Promise<any>} request
 */
function createAsk(page, request) {
  const newest = new Map(); // name of a question -> the number of its newest request
  return async (
    /** @type {string} */ question,
    args = {},
    record = page.record.get(),
    view = "",
    isShown = () => true,
  ) => {
    const isRecord = question === RECORD;
    const base = page.record.get();
    const mine = (newest.get(question) ?? 0) + 1;
    newest.set(question, mine);
    await null; // of several at one moment only the last one is sent
    const isWanted = () =>
      isRecord ? page.record.get() === base && isShown() : newest.get(question) === mine;
    if (!isWanted()) return null;
    const recorded = record?.recorded && record.answers?.[question];
    if (recorded) return recorded; // it came with the example
    const isList = Array.isArray(record);
    const subjects = isList ? record : [record];
    const requests = subjects.map((one) => (one === null ? page.current : requestOf(one)));
    const [about, ...more] = requests;
    const asked = isList ? { more } : {};
    const body = { ...about, ...(isRecord ? asked : { question, arguments: args }) };
    const reply = await request(body, isWanted);
    if (reply === null || !isWanted()) return null;
    if (isRecord && reply.payload) {
      const records = await Promise.all((isList ? reply.payload : [reply.payload]).map(decode));
      for (const [i, one] of records.entries())
        keepAnswer(page, { request: requests[i], question, args, view }, one);
      return isList ? records : records[0];
    }
    if (reply.payload)
      return keepAnswer(page, { request: about, question, args, view }, reply.payload);
    const { message: sentence, isAway = sentence.isAway === true } = reply;
    throw Object.assign(new Error(sentence.en), { sentence, isAway });
  };
}

/**
 * Keeps an answer by what was asked, for the proof, which repeats the question in the engine. Of
 * older answers only the question is kept: what was not compared by then cannot be, and the mark
 * says so. So it is of records with other weights, which are not there to repeat them. Answers
 * about another text than the one on the page go; records belong to the text and model of the page
 * that compares with them, and what depends on no text stays.
 * @param {Whole} page
 * @param {{request: any, question: string, args: any, view: string}} asked
 * @param {any} payload @returns {any} the payload
 */
function keepAnswer(page, asked, payload) {
  const { answers } = page;
  const { request, question, args, view } = asked;
  const record = page.record.get();
  const about = question === RECORD && record ? requestOf(record) : request;
  const text = OF_THE_MODEL.includes(question) ? null : about.text;
  const key = JSON.stringify([view, request, question, args]);
  answers.delete(key);
  const own = request.weights ? null : payload;
  answers.set(key, { ...asked, text, model: about.model, payload: own });
  for (const [other, answer] of answers)
    if (![record?.text, request.text, null].includes(answer.text)) answers.delete(other);
  const whole = [...answers].filter(
    ([, answer]) => answer.payload !== null && answer.text !== null,
  );
  const records = whole.filter(([, one]) => one.question === RECORD);
  for (const [, old] of [...whole.slice(0, -MOST_ANSWERS), ...records.slice(0, -MOST_RECORDS)])
    old.payload = null;
  page.kept.set(page.kept.get() + 1);
  return payload;
}

/**
 * The request after `changes`. Its answer begins with `opening` and what is chosen from now on; if
 * an answer about the same sentence is awaited already, also with what was chosen since that
 * request.
 * @param {Whole} page @param {Body} changes @param {Partial<Selection>|null} opening
 * @param {boolean} isAwaited
 */
function expect(page, changes, opening, isAwaited) {
  const defaults = page.record.get()?.model.defaults ?? {};
  const before = { ...page.current };
  const { text, model } = Object.assign(page.current, changed(before, changes, defaults));
  const isFresh = !isAwaited || text !== before.text || model !== before.model;
  const { selection, choices } = page.expected;
  page.expected = {
    selection: { ...(isFresh ? {} : selection), ...opening },
    choices: opening !== null ? null : isFresh ? page.choices.get() : choices,
  };
  return { ...page.current };
}

/**
 * Puts a record on the page. The chosen head stays; a new sentence resets the step; what was chosen
 * since the request stays, too. @param {Whole} page @param {Rec} record
 */
function show(page, record) {
  const before = page.record.get();
  const isOther = before !== null && before.model.key !== record.model.key;
  const isNew = before?.text !== record.text || isOther;
  const selection = selectionFor(page, record, { before, isOther, isNew });
  if (isNew) page.chosen.place = chosenIn(page.expected.selection).place;
  if (isOther) page.effects.set(null); // of heads that are no longer there
  if (isNew) page.earlier.set(null);
  else if (searchOf(before) !== searchOf(record)) keepEarlier(page, before);
  const { choices } = page.expected;
  if (choices !== null && before !== null && !before.recorded)
    page.choices.set(lasting(page.choices.get(), choices, page.endings, [before, record]));
  page.record.set(record);
  page.hover.set(null);
  page.selection.set(selection);
}

/** Keeps the search that is shown below the next one, and the last one alone.
 * @param {Whole} page @param {Rec} before */
function keepEarlier(page, before) {
  page.earlier.set(before);
  for (const [key, { view, question }] of page.answers)
    if (view === EARLIER && question === RECORD) page.answers.delete(key);
  const asked = { request: requestOf(before), question: RECORD, args: {}, view: EARLIER };
  keepAnswer(page, asked, before);
}

/** The selection of the next record.
 * @param {Whole} page @param {Rec} record
 * @param {{before: Rec|null, isOther: boolean, isNew: boolean}} change */
function selectionFor(page, record, { before, isOther, isNew }) {
  const [chosen, expected] = [page.selection.get(), page.expected.selection];
  /** @type {any} */
  const changes = isNew ? { step: FIRST.step, src: FIRST.src, col: null } : {};
  if (record.node !== null && String(record.node) !== String(before?.node)) {
    changes.step = record.node[0]; // the last token of the prefix
    page.chosen.place = true;
  }
  const isFirst = before === null || before.recorded;
  const isKept = page.chosen.head && has(record, { ...chosen, ...expected });
  if (isFirst || (isOther && !isKept)) {
    const head = firstHead(page, record, expected.kind ?? chosen.kind);
    Object.assign(changes, head, page.namesFor({ ...head, ...expected }));
  }
  return select(chosen, { ...changes, ...expected }, record);
}

/** True if the model of a record has the chosen head. */
const has = (
  /** @type {Rec} */ { attention },
  /** @type {import("../kit/heads.js").Head} */ { kind, layer, head },
) => layer < attention[kind].layers && head < attention[kind].heads;

/**
 * The initial head: the one with the lowest measured error; without a measurement, the one that
 * aligns the written words of this sentence best with the words read.
 */
function firstHead(
  /** @type {Whole} */ { shared },
  /** @type {Rec} */ record,
  /** @type {string} */ kind,
) {
  const measured = measuredHead(shared, record.model.key);
  if (measured?.kind === kind && has(record, measured)) {
    const { layer, head } = measured;
    return { kind, layer, head };
  }
  const { rows, columns } = axes(record, kind, "writes");
  return { kind, ...bestAligned(record.attention[kind], rows.labels, columns.labels) };
}
