// The page of this window, and its connection to Python. The shell's parts share them; a view
// receives a page and never imports this.

import { createChannel } from "../exchange/channel.js";
import { connect } from "../exchange/exchange.js";
import { showGlosses } from "../kit/gloss.js";
import { languagePair } from "../kit/languages.js";
import { createPage } from "../kit/page.js";

export const page = createPage();

// Before any part of the page draws a token.
for (const store of [page.language, page.gloss, page.record])
  store.watch(() => showGlosses(page.gloss.get() ? page.language.get() : "", languagePair(page)));

page.record.watch((record) => {
  if (record !== null && !record.recorded)
    page.used = [...new Set([record.model.key, ...page.used])];
});

/** @typedef {ReturnType<typeof createChannel>} Channel */

/** @type {{explanation: Channel, question: Channel} & Record<string, Channel>} */
export const channels = { explanation: createChannel(), question: createChannel() };
/** Of a page without a server: on a server's the lines are a call. */
export const ofLines = createChannel();
export const { begin, busy, asking, replies, counted } = connect(page, channels);
