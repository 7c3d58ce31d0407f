import { assert, test } from "./check.mjs";

import { createLine } from "/assets/line.js";

// A line whose requests are collected.
function wired(patience) {
  const sent = [];
  const line = createLine(patience);
  line.connect((request) => sent.push(request));
  return { line, sent };
}

const soon = () => new Promise((done) => { setTimeout(done, 5); });

test("requests go out one at a time, and each gets its own reply", async () => {
  const { line, sent } = wired();
  const first = line.request({ text: "a" });
  const second = line.request({ text: "b" });
  await soon();
  assert.deepEqual(sent.map(({ text }) => text), ["a"]);
  line.receive(JSON.stringify({ number: sent[0].number, payload: 1 }));
  assert.equal((await first).payload, 1);
  await soon();
  assert.deepEqual(sent.map(({ text }) => text), ["a", "b"]);
  line.receive(JSON.stringify({ number: sent[0].number, payload: "late" }));
  line.receive(JSON.stringify({ number: sent[1].number, payload: 2 }));
  assert.equal((await second).payload, 2);
});

test("a request that fails is refused, and the next one goes out", async () => {
  const { line, sent } = wired();
  const first = line.request({}).catch((error) => error.message);
  const second = line.request({ text: "b" });
  await soon();
  line.fail();
  assert.equal(await first, "the server did not answer");
  await soon();
  line.receive(JSON.stringify({ number: sent[1].number, payload: 2 }));
  assert.equal((await second).payload, 2);
});

test("nobody waits for ever", async () => {
  const { line } = wired(10);
  const refused = await line.request({}).catch((error) => error.message);
  assert.equal(refused, "the server did not answer");
});

test("requests made before the line is there wait for it", async () => {
  const sent = [];
  const line = createLine();
  line.request({ text: "early" });
  await soon();
  line.connect((request) => sent.push(request.text));
  await soon();
  assert.deepEqual(sent, ["early"]);
});
