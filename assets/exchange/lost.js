// Asks which words of the source a translation lost: of the model of the way back, once for each
// record, after its picture stands.

import { languagePair, reversed } from "../kit/languages.js";
import { isOf, isWhole, textsOf } from "../kit/lost.js";
import { mayAsk } from "../kit/readersline.js";
import { createPatient } from "./lines.js";

/** @typedef {import("../kit/types.js").Whole} Whole */
/** @typedef {import("../kit/types.js").Rec} Rec */
/** @template T @typedef {import("../kit/types.js").Store<T>} Store */

const SOON = 120; // ms after the picture: the reader's lines are asked for first

/**
 * Fills `page.lost`.
 * @param {Whole} page
 * @param {Parameters<typeof createPatient>[0]} request as for the lines
 * @param {{busy: Store<boolean>, asking: Store<number>}} progress of sentences, and of questions
 */
export function connectLost(page, request, { busy, asking }) {
  const ask = createPatient(request);
  let isAsking = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  function look(after = SOON) {
    clearTimeout(timer);
    if (!isAsking && !busy.get() && asking.get() === 0) timer = setTimeout(send, after);
  }

  async function send() {
    const record = page.record.get();
    const model = record && backOf(page, record);
    if (!record || !model || isOf(page.lost.get(), record)) return;
    isAsking = true;
    const reply = await ask({ model, texts: [record.translation], of: record.text });
    isAsking = false;
    if (reply.lines && page.record.get() === record)
      page.lost.set({ ...textsOf(record), model, words: reply.lost ?? [] });
    look(reply.after);
  }

  page.record.watch((record) => {
    if (record !== null && !isOf(page.lost.get(), record)) page.lost.set(null);
  });
  for (const store of [page.record, page.fetched, busy, asking]) store.watch(() => look());
}

/** The model that translates a translation back; null where there is none. @param {Whole} page
 * @param {Rec} record */
function backOf(page, record) {
  if (record.recorded || record.translation === "" || !isWhole(page, record)) return null;
  const model = page.shared.readers?.[reversed(languagePair(page))] ?? null;
  return model !== null && mayAsk(page, model) ? model : null;
}
