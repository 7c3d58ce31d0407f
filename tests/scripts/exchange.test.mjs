import { Failed } from "/assets/exchange/channel.js";
import { connect } from "/assets/exchange/exchange.js";
import { createPage } from "/assets/kit/page.js";
import { assert, test } from "./check.mjs";
import { packed } from "./packed.mjs";

const none = await packed(new Float32Array(0));
const SEARCH = Object.fromEntries(
  ["parents", "ids", "log_probs", "totals", "fates", "forced"].map((name) => [name, none]),
);
const newPage = () => createPage({ shared: { models: [{ key: "own" }] } });
const ONE = { model: "own", text: "one" };
const word = (text) => ({ kind: "word", text });
const START = { kind: "special" };

/** A payload of two words a side; of the heads of cross-attention 1·2 alone aligns. */
async function payload(text, key = "own") {
  return {
    format: 2,
    text,
    settings: {},
    shown: 0,
    prefix: [],
    node: null,
    interventions: {},
    model: { key, defaults: {} },
    src: [word("a"), word("b")],
    tgt_in: [START, word("x")],
    tgt_out: [word("x"), word("y")],
    search: { counts: [], labels: {}, ...SEARCH },
    attention: {
      cross: {
        layers: 1,
        heads: 2,
        queries: 2,
        keys: 2,
        mask: await packed(Uint8Array.of(0b11110000)),
        weights: await packed(Uint16Array.of(65535, 0, 65535, 0, 65535, 0, 0, 65535)),
      },
    },
  };
}

/** A page whose head 1·2 alone fits the names of what is read, and its model. */
function made() {
  const page = newPage();
  page.fitting = ({ kind, layer, head }) =>
    `${kind}.${layer}.${head}` === "cross.0.1" ? "reads" : "writes";
  const request = async ({ text, model }) => ({ payload: await payload(text, model || "own") });
  const { begin } = connect(page, { explanation: { request }, question: { request } });
  return { page, begin };
}
const opened = ({ selection }) => {
  const { kind, layer, head, labels } = selection.get();
  return `${kind}.${layer}.${head} ${labels}`;
};

test("a sentence that a link brings opens on a head with the names that fit it", async () => {
  const { page, begin } = made();
  await begin(null, ONE, {});
  await page.explain({});
  assert.equal(opened(page), "cross.0.1 reads");
});

test("the names of another head, or those of the link, are not changed", async () => {
  const [other, named] = [made(), made()];
  await other.begin(null, ONE, { head: 0 });
  await other.page.explain({});
  assert.equal(opened(other.page), "cross.0.0 writes");
  await named.begin(null, ONE, { labels: "writes" });
  await named.page.explain({});
  assert.equal(opened(named.page), "cross.0.1 writes");
});

test("names that the visitor chose stay with the heads of another model", async () => {
  const { page, begin } = made();
  await begin(null, ONE, { layer: 2, labels: "writes" });
  await page.explain({});
  page.choose({ labels: "writes" });
  page.selection.merge({ layer: 9 });
  await page.explain({ model: "other" });
  assert.equal(opened(page), "cross.0.1 writes");
});

/** A page whose answers wait for `answer(i)`, the i-th request that was made. */
function waited() {
  const page = newPage();
  const requests = [];
  const request = (body) => new Promise((resolve) => requests.push({ body, resolve }));
  const { begin } = connect(page, { explanation: { request }, question: { request } });
  const made = async (i) => {
    while (requests.length <= i) await new Promise((resolve) => setTimeout(resolve));
    return requests[i];
  };
  const answer = async (i) => {
    const { body, resolve } = await made(i);
    const before = page.record.get();
    resolve({ payload: await payload(body.text, body.model || "own") });
    return () => page.record.get() !== before;
  };
  const until = async (isThere) => {
    while (!isThere()) await new Promise((resolve) => setTimeout(resolve));
  };
  return { page, begin, made, answer, until };
}

test("what is pressed on the recorded example holds in the answer, also of another sentence", async () => {
  const { page, begin, answer, until } = waited();
  await begin(await payload("recorded"), ONE, { head: 0, step: 0 });
  assert.equal(page.record.get().text, "recorded");
  page.choose({ step: 1 });
  await until(await answer(0));
  assert.deepEqual([page.record.get().text, page.selection.get().step], ["one", 1]);
  assert.equal(page.selection.get().head, 0); // the link's
});

test("a new sentence begins at its first step, but for what is pressed while it is on its way", async () => {
  const { page, begin, answer, until, made } = waited();
  begin(null, ONE, { step: 1 });
  await until(await answer(0));
  assert.equal(page.selection.get().step, 1);
  page.explain({ text: "two" });
  await until(await answer(1));
  assert.equal(page.selection.get().step, 0);
  page.explain({ text: "three" });
  await made(2);
  page.choose({ step: 1, head: 0 });
  await until(await answer(2));
  const { step, head } = page.selection.get();
  assert.deepEqual([step, head], [1, 0]);
});

test("an answer that was overtaken is not shown, and its request's choices are those of the last", async () => {
  const { page, begin, answer, until, made } = waited();
  const ends = (before, record) => (before.text === record.text ? [] : ["a", "b", "c"]);
  page.endings.add({ name: "v", ends });
  begin(null, ONE, {});
  page.choices.set({ "v.a": "link" });
  await until(await answer(0));
  assert.deepEqual(page.choices.get(), { "v.a": "link" }); // the first answer ends nothing
  page.explain({ text: "two" });
  await made(1);
  page.explain({ text: "three" });
  page.choices.set({ "v.a": "link", "v.b": "late" });
  const shown = await answer(1);
  await made(2);
  assert.equal(shown(), false);
  assert.equal(page.record.get().text, "one");
  await until(await answer(2));
  assert.deepEqual(page.choices.get(), { "v.b": "late" });
  page.explain({ text: "four" }, { step: 1 }); // a link: its choices are put beside it
  page.choices.set({ "v.c": "link" });
  await until(await answer(3));
  assert.deepEqual([page.choices.get(), page.selection.get().step], [{ "v.c": "link" }, 1]);
});

test("a request that failed is made once more, and no more than that", async () => {
  const tries = [];
  const failing = (times) => ({
    async request({ text }) {
      tries.push(text);
      if (tries.length <= times) throw new Failed("lost");
      return { payload: await payload(text) };
    },
  });
  for (const [times, shown, made] of [
    [1, "one", 2],
    [2, null, 2],
  ]) {
    tries.length = 0;
    const page = newPage();
    const { begin } = connect(page, { explanation: failing(times), question: failing(0) });
    const explain = page.explain;
    page.explain = () => Promise.resolve(null); // what it begins with is not the matter here
    await begin(null, ONE, {});
    const refusal = await explain({});
    assert.equal(page.record.get()?.text ?? null, shown);
    assert.equal(refusal?.words ?? null, shown === null ? "error.unreachable" : null);
    assert.equal(tries.length, made);
  }
});

test("a refused request is not what the next one starts from", async () => {
  const asked = [];
  const request = async (body) => {
    asked.push([body.text, body.settings]);
    return body.text === "bad"
      ? { message: { en: "no", zh: "不" } }
      : { payload: { ...(await payload(body.text)), settings: body.settings } };
  };
  const page = newPage();
  const { begin, replies } = connect(page, { explanation: { request }, question: { request } });
  await begin(null, ONE, {});
  while (replies.get() === 0) await new Promise((resolve) => setTimeout(resolve));
  const refusal = await page.explain({ text: "bad" });
  assert.deepEqual([refusal.sentence.en, page.record.get().text], ["no", "one"]);
  await page.explain({ settings: { method: "greedy" } });
  assert.deepEqual(asked.at(-1), ["one", { method: "greedy" }]);
});

test("a request counts as asking until its reply is there, and when it fails", async () => {
  const { asking, counted } = connect(createPage(), { explanation: {}, question: {} });
  const fails = () => Promise.reject(new Error("gone"));
  for (const [end, wanted] of [
    [async () => "reply", "reply"],
    [fails, "gone"],
  ]) {
    const seen = [];
    const request = () => {
      seen.push(asking.get());
      return end();
    };
    const reply = await counted({ request }, {}, () => true).catch(({ message }) => message);
    assert.deepEqual([seen, asking.get(), reply], [[1], 0, wanted]);
  }
});
