import { createChannel, NoReply, parsed } from "/assets/exchange/channel.js";
import { assert, test } from "./check.mjs";

const MOMENT = 10; // ms of patience

// A channel whose requests are collected.
function wired(patience) {
  const sent = [];
  const channel = createChannel(patience);
  channel.connect((request) => sent.push(request));
  return { channel, sent };
}

const soon = (ms = 5) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

const refusal = (request) =>
  request.then(
    () => "answered",
    (error) => (error instanceof NoReply ? error.message : String(error)),
  );

test("requests go out one at a time, and each gets its own reply", async () => {
  const { channel, sent } = wired();
  const first = channel.request({ text: "a" });
  const second = channel.request({ text: "b" });
  await soon();
  assert.deepEqual(
    sent.map(({ text }) => text),
    ["a"],
  );
  channel.receive({ number: sent[0].number, payload: 1 });
  assert.equal((await first).payload, 1);
  await soon();
  channel.receive({ number: sent[0].number, payload: "late" });
  channel.receive({ number: sent[1].number, payload: 2 });
  assert.equal((await second).payload, 2);
});

test("a request that fails is refused, and the next one goes out", async () => {
  const { channel, sent } = wired();
  const first = refusal(channel.request({}));
  const second = channel.request({ text: "b" });
  await soon();
  channel.fail();
  assert.equal(await first, "the request did not get through");
  await soon();
  channel.receive({ number: sent[1].number, payload: 2 });
  assert.equal((await second).payload, 2);
});

test("a reply that was cut short is refused, and the next request goes out", async () => {
  const { channel, sent } = wired();
  const first = refusal(channel.request({}));
  await soon();
  channel.receive(parsed('{"number":1,"payl'));
  assert.equal(await first, "the reply was cut short");
  const second = channel.request({});
  await soon();
  channel.receive({ number: sent[1].number, payload: 2 });
  assert.equal((await second).payload, 2);
});

test("nobody waits for ever", async () => {
  const { channel } = wired({ quiet: MOMENT, loading: MOMENT });
  assert.equal(await refusal(channel.request({})), "no reply in time");
});

test("the first reply may take as long as loading a model; later ones may not", async () => {
  const { channel, sent } = wired({ quiet: MOMENT, loading: 10_000 });
  const first = channel.request({});
  await soon(3 * MOMENT);
  channel.receive({ number: sent[0].number, payload: 1 });
  assert.equal((await first).payload, 1);
  assert.equal(await refusal(channel.request({})), "no reply in time");
});

test("while what it needs is arriving a reply may take longer than any other", async () => {
  for (const isArriving of [true, false]) {
    const { channel, sent } = wired({ quiet: 40, loading: 60 });
    const outcome = refusal(channel.request({}));
    await soon();
    for (let i = 0; i < 15; i += 1) {
      channel.keepWaiting(isArriving);
      await soon(10);
    }
    if (isArriving) channel.receive({ number: sent[0].number, payload: 1 });
    assert.equal(await outcome, isArriving ? "answered" : "no reply in time");
  }
});

test("the failure of a request that was given up does not refuse the next one", async () => {
  const { channel, sent } = wired({ quiet: MOMENT, loading: MOMENT });
  assert.equal(await refusal(channel.request({ text: "slow" })), "no reply in time");
  const next = channel.request({ text: "next" });
  await soon(2);
  channel.fail(); // the server's word about the slow one
  channel.receive({ number: sent[1].number, payload: 2 });
  assert.equal((await next).payload, 2);
});

test("of two failures after a request that was given up, the second is the next one's", async () => {
  const { channel } = wired({ quiet: MOMENT, loading: MOMENT });
  assert.equal(await refusal(channel.request({ text: "slow" })), "no reply in time");
  const next = refusal(channel.request({ text: "next" }));
  await soon(2);
  channel.fail(); // the server's word about the slow one
  channel.fail(); // and about the next
  assert.equal(await next, "the request did not get through");
});

test("a late reply to a request that was given up leaves the next failure to the next one", async () => {
  const { channel, sent } = wired({ quiet: MOMENT, loading: MOMENT });
  assert.equal(await refusal(channel.request({ text: "slow" })), "no reply in time");
  const next = refusal(channel.request({ text: "next" }));
  await soon(2);
  channel.receive({ number: sent[0].number, payload: "late" });
  channel.fail();
  assert.equal(await next, "the request did not get through");
});

test("requests made before the channel is connected wait for it", async () => {
  const sent = [];
  const channel = createChannel();
  channel.request({ text: "early" });
  await soon();
  channel.connect((request) => sent.push(request.text));
  await soon();
  assert.deepEqual(sent, ["early"]);
});

test("a request that nobody wants any more when its turn comes is not sent", async () => {
  const { channel, sent } = wired();
  let isWanted = true;
  const first = channel.request({ text: "a" });
  const second = channel.request({ text: "b" }, () => isWanted);
  const third = channel.request({ text: "c" }, () => true);
  await soon();
  isWanted = false;
  channel.receive({ number: sent[0].number, payload: 1 });
  assert.equal((await first).payload, 1);
  assert.equal(await second, null);
  await soon();
  assert.deepEqual(
    sent.map(({ text }) => text),
    ["a", "c"],
  );
  channel.receive({ number: sent[1].number, payload: 3 });
  assert.equal((await third).payload, 3);
});
