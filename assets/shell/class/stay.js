// The page's stay in a class: what it hears, and what it says.

import { createStore } from "../../kit/store.js";
import { page } from "../state.js";
import { listen } from "./line.js";

/** @typedef {import("./line.js").Pass} Pass */
/** @typedef {import("./line.js").News} News */
/** @typedef {ReturnType<typeof import("./line.js").createLine>} Line */

/**
 * @typedef {object} Now
 * @property {Pass|null} pass null outside a class
 * @property {number} here students, for the teacher
 * @property {number} guessed those who have guessed, for the teacher
 * @property {import("./line.js").Sentence[]} sentences that students handed in, for the teacher
 * @property {string|null} handed the student's sentence that the teacher has
 * @property {import("./question.js").Question|null} question what the class is asked
 * @property {string} state what the teacher shows
 * @property {boolean} isOpen whether the teacher shows how to join
 * @property {boolean} isAway whether the student is on own ways
 * @property {boolean} isLost whether the server is out of reach
 * @property {number} seen entries of what the class saw, to take home
 * @property {import("../../kit/types.js").Texts|null} refusal why there is no class
 * @property {import("../../kit/types.js").Texts|null} trouble what the class cannot do now
 * @property {string} place where the class is, in words, for a screen reader
 * @property {string} base the page's address, as phones reach it
 * @property {string[]|null} hosts this machine's addresses, if the link leads to it alone
 */

/** @type {Now} */
export const OUTSIDE = {
  pass: null,
  here: 0,
  guessed: 0,
  sentences: [],
  handed: null,
  question: null,
  state: "",
  isOpen: false,
  isAway: false,
  isLost: false,
  seen: 0,
  refusal: null,
  trouble: null,
  place: "",
  base: "",
  hosts: null,
};

/** What this page knows of its class. */
export const now = createStore(OUTSIDE);

/** What an error says. @param {any} error */
export const sentenceOf = ({ sentence, reason = "error.unreachable" }) =>
  /** @type {import("../../kit/types.js").Texts} */ (sentence ?? page.words[reason]);

/** @typedef {ReturnType<typeof createStay>} Stay */

/** `act` gets all news that are not older than others before.
 * @param {Line} line @param {Pass} pass @param {(news: News) => void} act */
export function createStay(line, pass, act) {
  const life = new AbortController();
  const { signal } = life;
  let version = -1;
  /** @param {News} news */
  function hear(news) {
    if (signal.aborted || news.version < version) return;
    const { presses: _presses, calls: _calls, reveals: _reveals, ...inside } = news;
    version = news.version;
    now.merge(inside);
    act(news);
  }
  /** @param {string} name @param {object} given */
  async function tell(name, given) {
    if (signal.aborted) return true; // it has left meanwhile
    try {
      hear(await line(name, { ...pass, ...given }));
      if (!signal.aborted) now.merge({ trouble: null });
    } catch (error) {
      const isLost = error.reason === undefined;
      if (!signal.aborted) now.merge(isLost ? { isLost } : { trouble: sentenceOf(error) });
      return !isLost;
    }
    return true;
  }
  const lost = (/** @type {boolean} */ isLost) => now.merge({ isLost });
  let turn = Promise.resolve(true); // one after the other: two could arrive in the other order
  return {
    signal,
    leave: () => life.abort(),
    /** Resolves when the stay ends: to the refusal, or null if the page has left. */
    attend: () => listen({ line, pass, tell: hear, lost, signal }),
    /** Resolves to whether the class has heard it, or refused it. @param {string} name
     * @param {object} given */
    send(name, given = {}) {
      turn = turn.then(() => tell(name, given));
      return turn;
    },
  };
}
