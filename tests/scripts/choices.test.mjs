// What the proof knows of a search without asking the model again: its candidates, its draws, its
// list, its end, the doubt. Against a search written from the rules (small_search.mjs), right and
// wrong.

import {
  bestAreCandidates,
  drawsAreTheSeeds,
  topIsInOrder,
} from "/explorer/exhibits/proof/choices.js";
import { doubtFollows } from "/explorer/exhibits/proof/doubt.js";
import { droppedScoreLower, listIsFull, stopsByRule } from "/explorer/exhibits/proof/ending.js";
import { verdict } from "/explorer/exhibits/proof/result.js";
import { fatesFollowRule, scoresAddUp, totalsAddUp } from "/explorer/exhibits/proof/search.js";
import { canTamper, TAMPERS, tamperedRecord } from "/explorer/exhibits/proof/tamper.js";
import { assert, test } from "./check.mjs";
import { END, searched } from "./small_search.mjs";

const CHECKS = {
  order: ({ record }) => topIsInOrder(record),
  best: ({ record, logits, rules }) => bestAreCandidates(record, logits, rules),
  draw: ({ record, logits, rules }) => drawsAreTheSeeds(record, logits, rules),
  totals: ({ record }) => totalsAddUp(record),
  score: ({ record }) => scoresAddUp(record),
  fates: ({ record, rules }) => fatesFollowRule(record, rules),
  list: ({ record }) => listIsFull(record),
  dropped: ({ record }) => droppedScoreLower(record),
  stop: ({ record, rules }) => stopsByRule(record, rules),
  doubt: ({ record, rules }) => doubtFollows(record, rules),
};
const states = (one) =>
  Object.fromEntries(Object.entries(CHECKS).map(([name, check]) => [name, verdict(check(one))]));
const fails = (one) =>
  Object.entries(states(one)).flatMap(([name, state]) => (state === "fails" ? [name] : []));

const MODELS = Array.from({ length: 40 }, (_, i) => i + 1);
const SEARCHES = {
  beam: {},
  "three beams": { beam_size: 3, length_penalty: 0.6, penalty_form: "gnmt" },
  "one beam": { beam_size: 1 },
  "without penalty": { length_penalty: 0 },
  guarded: { no_repeat: 2 },
  prefix: { prefix: [3, 5, 3] },
  greedy: { method: "greedy" },
  sampling: { method: "sampling", seed: 5, temperature: 1.4 },
  "sampling, cut": { method: "sampling", seed: 11, temperature: 0.8, top_k: 4, top_p: 0.8 },
  "sampling after a prefix": { method: "sampling", seed: 2, prefix: [4], no_repeat: 1 },
};

test("what a right search leaves holds, whatever its settings", () => {
  for (const [name, settings] of Object.entries(SEARCHES)) {
    for (const model of MODELS) {
      const found = fails(searched({ model, ...settings }));
      assert.ok(found.length === 0, `${name}, model ${model}: ${found}`);
    }
  }
});

test("each of these searches stops early, drops and lists something somewhere", () => {
  const all = MODELS.map((model) => searched({ model }));
  const some = (check) => all.filter(check).length > MODELS.length / 4;
  const dropped = ({ fates }) => fates.includes("beaten");
  assert.ok(some(({ record, rules }) => record.search.steps.length < rules.limit));
  assert.ok(some(({ record, rules }) => record.search.steps.length === rules.limit));
  assert.ok(some(({ record }) => record.search.steps.some(dropped)));
});

/** Of how many models a fault is noticed, and by which identities; those that it leaves alone do
 * not count. */
function noticed(faults, settings = {}) {
  const lines = new Set();
  let [seen, changed] = [0, 0];
  for (const model of MODELS) {
    const own = { model, seed: 13 * model, ...settings };
    const right = searched(own);
    const wrong = searched({ ...own, faults });
    if (JSON.stringify(right.record) === JSON.stringify(wrong.record)) continue;
    changed += 1;
    const found = fails(wrong);
    for (const line of found) lines.add(line);
    if (found.length > 0) seen += 1;
  }
  assert.ok(changed > 5, "the fault changes nothing");
  return { missed: changed - seen, lines: [...lines].sort() };
}

test("a search that skips each step's second-best token is noticed", () => {
  assert.deepEqual(noticed({ skipsSecond: true }), { missed: 0, lines: ["best"] });
});

test("a search that stops at the first finish is noticed, and one that never stops", () => {
  assert.deepEqual(noticed({ stopsAtFirst: true }), { missed: 0, lines: ["stop"] });
  assert.deepEqual(noticed({ goesOn: true }), { missed: 0, lines: ["stop"] });
});

test("a search that forgets the guard against repeats is noticed", () => {
  const { missed, lines } = noticed({ noGuard: true }, { no_repeat: 2 });
  assert.deepEqual([missed, lines], [0, ["best"]]);
});

test("a sampler that ignores the seed or the temperature is noticed", () => {
  const hot = { method: "sampling", temperature: 3 };
  assert.deepEqual(noticed({ ignoresSeed: true }, hot), { missed: 0, lines: ["draw"] });
  assert.deepEqual(noticed({ ignoresTemperature: true }, hot), { missed: 0, lines: ["draw"] });
});

/** How many of the models a change of the record is noticed in, by these identities at least. */
function changed(change, lines, settings = {}) {
  let count = 0;
  for (const model of MODELS) {
    const one = searched({ model, ...settings });
    if (change(one.record) === false) continue;
    count += 1;
    const found = fails(one);
    for (const line of lines)
      assert.ok(found.includes(line), `${line} of model ${model}: ${found}`);
  }
  assert.ok(count > 5, `only ${count} models have what is changed`);
}

test("a hypothesis left out of the list is noticed, also where its fate is changed with it", () => {
  const dropLast = ({ hypotheses }) => {
    if (hypotheses.length < 2) return false;
    return hypotheses.pop();
  };
  changed(dropLast, ["list", "fates"]);
  const hide = (record) => {
    const one = dropLast(record);
    if (one) record.search.steps[one.path.length - 1].fates[one.path.at(-1)] = "beaten";
    return one;
  };
  changed(hide, ["list"]);
});

test("a dropped hypothesis that is better than the last of the list is noticed", () => {
  changed(
    ({ hypotheses, search, settings }) => {
      const t = search.steps.findIndex(({ fates }) => fates.includes("beaten"));
      if (t < 0) return false;
      const step = search.steps[t];
      const last = hypotheses.at(-1);
      step.totals[step.fates.indexOf("beaten")] =
        (last.score + 0.01) * (t + 1) ** settings.length_penalty;
      return true;
    },
    ["dropped"],
  );
});

test("a list scored anew with another alpha than its search used is noticed", () => {
  let [count, seen] = [0, 0];
  for (const model of MODELS) {
    const one = searched({ model, length_penalty: 1, beam_size: 3 });
    const { record } = one;
    record.settings = { ...record.settings, length_penalty: -1 };
    for (const hypothesis of record.hypotheses)
      hypothesis.score = hypothesis.log_prob * hypothesis.length;
    record.hypotheses.sort((a, b) => b.score - a.score);
    count += 1;
    if (fails(one).some((line) => ["dropped", "stop"].includes(line))) seen += 1;
  }
  assert.ok(seen >= 0.75 * count, `${seen} of ${count}`);
});

test("scores of another alpha than is claimed are noticed at once", () => {
  changed(({ settings }) => Object.assign(settings, { length_penalty: 0.9 }), ["score"]);
});

test("a most likely token out of its order, or twice there, is noticed", () => {
  changed(({ steps: [{ top }] }) => top.reverse(), ["order"]);
  changed(({ steps: [{ top }] }) => Object.assign(top, [top[0], top[0]]), ["order"]);
});

/** A record whose candidates of a step are only those that `keeps` lets through. */
function filtered(step, keeps) {
  const left = [...step.ids.keys()].filter(keeps);
  for (const name of ["parents", "ids", "log_probs", "totals", "forced"])
    step[name] = step[name].filter((_, c) => left.includes(c));
  step.fates = left.map((c) => step.fates[c]);
  step.count = left.length;
}

test("pruned candidates that are left out, or replaced by unlikely ones, are noticed", () => {
  changed(
    ({ search: { steps } }) => {
      const last = steps.at(-1); // no later step refers to it
      const c = last.fates.lastIndexOf("pruned");
      return c >= 0 && c === last.count - 1 && filtered(last, (one) => one !== c) === undefined;
    },
    ["best"],
  );
  changed(
    ({ search: { steps } }) => {
      const [first] = steps;
      const worse = [2, 3, 4, 5, 6, 7, END].filter((id) => !first.ids.includes(id)).at(0);
      first.ids[first.count - 1] = worse ?? 0;
      return first.fates.at(-1) === "pruned" && worse !== undefined;
    },
    ["best"],
  );
});

test("a file without distributions compares with the tokens that the page lists", () => {
  for (const model of MODELS) {
    const { record, rules } = searched({ model });
    assert.equal(verdict(bestAreCandidates(record, [], rules)), "holds");
    const skipping = searched({ model, faults: { skipsSecond: true } });
    assert.equal(verdict(bestAreCandidates(skipping.record, [], rules)), "fails");
  }
});

test("where the future may be read, the traced path is not the search's: an excuse", () => {
  const one = searched({ faults: { skipsSecond: true } });
  one.record.interventions.causal_mask = false;
  assert.equal(verdict(CHECKS.best(one)), "excused");
});

test("settings that were not used are noticed", () => {
  const claims = {
    seed: 6,
    temperature: 0.2,
    top_k: 1,
    top_p: 0.05,
  };
  for (const [name, value] of Object.entries(claims)) {
    let seen = 0;
    for (const model of MODELS) {
      const one = searched({ model, method: "sampling", seed: 5, temperature: 2 });
      Object.assign(one.record.settings, { [name]: value });
      seen += Number(fails(one).includes("draw"));
    }
    assert.ok(seen > 0.9 * MODELS.length, `${name}: ${seen}`);
  }
  changed(({ settings }) => Object.assign(settings, { beam_size: 3 }), ["best"]);
});

test("a draw is repeated as far as the traced prefix goes the drawn way", () => {
  const one = searched({ model: 3, method: "sampling", temperature: 2, seed: 4 });
  const whole = drawsAreTheSeeds(one.record, one.logits, one.rules).count;
  assert.equal(whole, one.record.path.length);
  const [first] = one.record.path;
  one.record.path = [first, one.record.path[1] + 1];
  one.record.node = [1, one.record.path[1]];
  assert.equal(drawsAreTheSeeds(one.record, one.logits, one.rules).count, 2);
  one.record.path = [first + 1];
  assert.equal(drawsAreTheSeeds(one.record, one.logits, one.rules).count, 1);
});

test("nothing is drawn by a beam search; what beam sampling draws is not checked", () => {
  const one = searched();
  const none = drawsAreTheSeeds(one.record, one.logits, one.rules);
  assert.deepEqual([none.count, verdict(none)], [0, "holds"]);
  one.record.settings = { ...one.record.settings, method: "beam_sampling" };
  assert.equal(verdict(drawsAreTheSeeds(one.record, one.logits, one.rules)), "unchecked");
});

// -------------------------------------------------------------------------- the doubt

const THRESHOLDS = { log_prob: -1, repeats: 2, read: 0.5, poor: 12, precision: 0.7 };

/** Two source words, the end, and two steps; of the last word both heads together see 0.08. */
function doubted(changes = {}) {
  const cells = [Float32Array.of(0.6, 0.06, 0.34), Float32Array.of(0.2, 0.1, 0.7)];
  const cross = { layers: 1, heads: 2, queries: 1, keys: 3, head: (_, i) => cells[i] };
  const { record, rules } = searched();
  const signs = { log_prob: -1.5, repeats: 0, read: 0.5 };
  return {
    record: {
      ...record,
      attention: { cross },
      tgt_out: [2, 3].map((id) => ({ id })),
      steps: [{ log_prob: -1 }, { log_prob: -2 }],
      doubt: { reasons: ["unlikely"], signs, thresholds: THRESHOLDS, ...changes },
    },
    rules: { ...rules, thresholds: THRESHOLDS },
  };
}
const stateOf = ({ record, rules }) => verdict(doubtFollows(record, rules));

test("a doubt stands where the numbers say so, with their signs", () => {
  assert.equal(stateOf(doubted()), "holds");
  const { signs } = doubted().record.doubt;
  for (const wrong of [
    { reasons: ["unlikely", "unread"] },
    { reasons: [] },
    { signs: { ...signs, log_prob: -1.4 } },
    { signs: { ...signs, repeats: 1 } },
    { signs: { ...signs, read: 1 } },
    { thresholds: { ...THRESHOLDS, precision: 0.9 } },
  ])
    assert.equal(stateOf(doubted(wrong)), "fails");
});

test("a doubt that is kept quiet is noticed, and one that nothing gives rise to", () => {
  const quiet = doubted();
  quiet.record.doubt = null;
  assert.equal(stateOf(quiet), "fails");
  quiet.rules.thresholds = { ...THRESHOLDS, log_prob: -2 };
  assert.equal(stateOf(quiet), "holds");
  const loud = doubted();
  loud.record.steps = [{ log_prob: -0.1 }];
  assert.equal(stateOf(loud), "fails");
});

test("only whole translations by the model as it is are doubted", () => {
  for (const change of [
    { prefix: [3] },
    { node: [0, 0] },
    {
      interventions: { causal_mask: true, cells: [], scaling: true, heads_off: [["cross", 0, 0]] },
    },
  ]) {
    const one = doubted();
    Object.assign(one.record, change);
    assert.equal(stateOf(one), "fails");
    one.record.doubt = null;
    assert.equal(stateOf(one), "holds");
  }
  const none = doubted();
  none.rules.thresholds = null;
  assert.equal(stateOf(none), "fails");
});

test("runs of tokens that come again are counted", () => {
  const one = doubted({
    signs: { log_prob: -1.5, repeats: 2, read: 0.5 },
    reasons: ["repeats", "unlikely"],
  });
  one.record.tgt_out = [4, 5, 6, 4, 5, 6, 4].map((id) => ({ id })); // 456 and 564 come again
  assert.equal(stateOf(one), "holds");
});

// ------------------------------------------------------------------- what a visitor may change

test("each change breaks the identity that it is made for", () => {
  const wanted = {
    order: ["order"],
    best: ["best"],
    draw: ["draw"],
    list: ["fates", "list"],
    dropped: ["dropped", "score"],
    doubt: ["doubt"],
  };
  const all = MODELS.map((model) => searched({ model }));
  const drawn = [searched({ method: "sampling", temperature: 3 })];
  for (const [line, lines] of Object.entries(wanted)) {
    const able = (line === "draw" ? drawn : all).filter(({ record }) =>
      canTamper(record, TAMPERS[line]),
    );
    assert.ok(able.length > 0, line);
    for (const { record, ...rest } of able) {
      const before = JSON.stringify(record);
      const found = fails({ ...rest, record: tamperedRecord(record, TAMPERS[line]) });
      assert.deepEqual(found.sort(), lines);
      assert.equal(JSON.stringify(record), before);
    }
  }
  const running = all.filter(({ record }) => canTamper(record, TAMPERS.stop));
  const early = running.filter(({ record, rules }) => record.search.steps.length < rules.limit);
  for (const { record, ...rest } of early)
    assert.ok(fails({ ...rest, record: tamperedRecord(record, TAMPERS.stop) }).includes("stop"));
  assert.ok(early.length > 5);
  assert.ok(!canTamper(all[0].record, TAMPERS.draw));
});
