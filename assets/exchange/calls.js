// Calls: quick questions that bypass the queue, see explorer/calls.py.

const PATIENCE = 10_000; // ms without a reply

/**
 * Returns the page's `call`; null while a model is being loaded. If Python refuses, it rejects with
 * an Error whose `sentence` has the words in every language; if the server does not answer, with
 * another Error.
 * @param {string} base where the page's files are
 */
export const createCall =
  (base) =>
  /** @param {string} name @param {object} args */
  async (name, args = {}) => {
    const response = await fetch(`${base}call/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(args),
      keepalive: true, // also when the page is being closed
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const reply = await response.json();
    if (reply.payload) return reply.payload;
    if (reply.waiting) return null; // its model is being loaded: ask again
    throw Object.assign(new Error(reply.message.en), { sentence: reply.message });
  };

/**
 * The `call` of a page without a server: always rejects with a message.
 * @param {any} page
 */
export const createRefusal = (page) => async () => {
  throw Object.assign(new Error("no server"), { sentence: page.words["published.server"] });
};
