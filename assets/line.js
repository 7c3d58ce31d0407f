// A line to Python: one request at a time, and its reply. explorer/frame.py lays two of them.

const PATIENCE = 150_000; // ms; longer than the server's own patience with a model that loads

const lines = new Map();

// The line of that name. `request(body)` gives the reply as explorer/answer.py writes it; it is
// refused with an Error when the server cannot be reached. The next request waits for its turn.
export function line(name) {
  if (!lines.has(name)) lines.set(name, createLine());
  return lines.get(name);
}

export function createLine(patience = PATIENCE) {
  let number = 0;
  let running = null; // {number, resolve, reject, timer}
  let before = Promise.resolve(); // the end of the request before
  let connect;
  const sender = new Promise((resolve) => { connect = resolve; });

  function request(body) {
    const answered = before.then(() => sender).then((send) => new Promise((resolve, reject) => {
      number += 1;
      running = { number, resolve, reject, timer: setTimeout(fail, patience) };
      send({ number, ...body });
    }));
    before = answered.catch(() => {});
    return answered;
  }

  // A reply that nobody waits for any more is dropped.
  function receive(text) {
    const reply = JSON.parse(text);
    if (running === null || (reply.number !== null && reply.number !== running.number)) return;
    finish().resolve(reply);
  }

  // The request did not get through: a full queue, or a server that is gone.
  function fail() {
    if (running !== null) finish().reject(new Error("the server did not answer"));
  }

  function finish() {
    const ended = running;
    clearTimeout(ended.timer);
    running = null;
    return ended;
  }

  return { connect, request, receive, fail };
}
