// What is shown of a search's scores: the state that a search begins with, and what is drawn of it.

import { penaltyOf } from "../../../assets/kit/penalty.js";
import { searchOf } from "../../../assets/kit/requests.js";
import { entriesOf, lineOf, outcomeOf, ranksOf, reigns, scoreOf } from "./sums.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** What the visitor has chosen; it begins anew with each search, with the search's own penalty
 * (null). `ran` is the search begun here. */
export const FRESH = { searched: "", all: [], alpha: null, form: null, ran: null, outcome: null };

/** The penalty that is looked at. */
export const penaltyIn = ({ alpha, form }, { settings }) => ({
  alpha: alpha ?? settings.length_penalty,
  form: form ?? settings.penalty_form,
});

/** The state for a record: a new search begins anew, with the outcome if it was run here. */
export function following(state, record) {
  const searched = searchOf(record);
  if (state.searched === searched) return {};
  const { length_penalty: alpha, penalty_form: form } = record.settings;
  const all = entriesOf(record);
  const { ran } = state;
  const isSame = ran?.text === record.text && ran.model === record.model.key;
  const isMine = isSame && ran.alpha === alpha && ran.form === form;
  const { ids, text } = all[0];
  const outcome = isMine ? { ...outcomeOf(ran.entries, ran, ids), text, alpha, form } : null;
  const isFirst = state.searched === ""; // a link may have brought a penalty
  return { ...(isFirst ? state : FRESH), searched, all, outcome };
}

/** What is drawn: the entries with their ranks, and which of them the page shows. */
export function sceneOf(/** @type {Page} */ page, state, record) {
  const { all, withBeaten } = state;
  const { form, alpha } = penaltyIn(state, record);
  const entries = all.filter(({ was }) => withBeaten || was !== null);
  const { length_penalty: own, penalty_form: ownForm, method } = record.settings;
  const low = Math.min(page.facts.low, Math.floor(own));
  const high = Math.max(page.facts.high, Math.ceil(own));
  const line = (one) => ({ ...lineOf(one, entries[0], form), listed: one.was !== null });
  const lines = entries.map(line);
  return {
    ...{ entries, lines, low, high, own, ownForm, method, alpha, form, withBeaten },
    ranks: ranksOf(entries, form, alpha),
    scores: entries.map((one) => scoreOf(one, form, alpha)),
    penalties: entries.map((one) => penaltyOf(form, alpha, one.length)),
    chosen: chosenOf(entries, record),
    reigning: reigns(lines, low, high),
    isOwn: alpha === own && form === ownForm,
    beatenCount: all.length - record.hypotheses.length,
  };
}

function chosenOf(entries, { node, shown }) {
  const isNode = ({ path, was }) =>
    was === null && path.length - 1 === node[0] && path.at(-1) === node[1];
  const i = node === null ? -1 : entries.findIndex(isNode);
  return i < 0 ? shown : i;
}
