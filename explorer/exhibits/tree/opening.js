// Where the tree opens: the step at which the text on the page and one that came close to it part.

import { runnerUp, steps } from "../../../assets/kit/telling.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */

/** Steps of the text on the page, by how close a text came that parts from it there; of a search
 * with one text, by how close the runner-up came. A prefix is where the visitor is already.
 * @param {Rec} record @returns {import("../../../assets/kit/telling.js").Telling[]} */
export function partings(record) {
  const { hypotheses, shown, node } = record;
  if (node !== null) return [];
  if (hypotheses.length === 1) return steps(record, (step) => runnerUp(record, step));
  const own = hypotheses[shown];
  return hypotheses.flatMap((other) => {
    const step = own.path.findIndex((candidate, t) => candidate !== other.path[t]);
    const says = 1 / (1 + Math.abs(own.score - other.score));
    return step < 0 ? [] : [{ step, says }];
  });
}
