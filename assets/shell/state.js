// The page of this window, and its connection to Python. The shell's parts share them; a view
// receives a page and never imports this.

import { createChannel } from "../exchange/channel.js";
import { connect } from "../exchange/exchange.js";
import { createPage } from "../kit/page.js";

export const page = createPage();
/** @typedef {ReturnType<typeof createChannel>} Channel */

/** @type {{explanation: Channel, question: Channel} & Record<string, Channel>} */
export const channels = { explanation: createChannel(), question: createChannel() };
export const { begin, busy, asking, replies } = connect(page, channels);
