// What Python said about a record, asked once and kept as long as the record.

import { message } from "./state.js";
import { question, wishOf } from "./wire.js";

// Gives about(shown, args, ready): the answer to question `name` with `args` about the record
// `shown`, made ready for use by `prepare(reply, shown)`; null until it is there, then `ready` is
// called. A question that was overtaken by a newer one is asked again when it is wanted again.
export function createAsked(name, prepare = async (reply) => reply) {
  const kept = new WeakMap(); // record -> Map of args -> answer, null while it is under way
  return function about(shown, args, ready) {
    if (!kept.has(shown)) kept.set(shown, new Map());
    const answers = kept.get(shown);
    const key = JSON.stringify(args);
    if (!answers.has(key)) {
      answers.set(key, null);
      question(name, args, wishOf(shown))
        .then(async (reply) => {
          if (reply === null) answers.delete(key);
          else answers.set(key, await prepare(reply, shown));
          ready();
        })
        .catch(({ sentence }) => {
          answers.delete(key);
          message.set(sentence ? { sentence } : { words: "error.unreachable" });
        });
    }
    return answers.get(key);
  };
}
