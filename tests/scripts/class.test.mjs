// The class's part of the page, with a server that answers when a test says so, in any order.

import { assert, test } from "./check.mjs";

const { mountClass, mountTeach } = await import("/assets/shell/teach.js");
const { listen } = await import("/assets/shell/class/line.js");
const { quiz } = await import("/assets/shell/lesson.js");
const { page } = await import("/assets/shell/state.js");

const word = (_, key) => ({ en: `${key} {before}`, zh: `${key} {before}` });
page.words = new Proxy({}, { get: word });
const NEWS = { version: 0, presses: 0, calls: 0, reveals: 0, state: "", question: null };
const TEXT = { en: "How many?", zh: "有多少？" };
const LESSON = { name: "l", title: TEXT, steps: [{ predict: [TEXT] }] };
Object.assign(page.shared, {
  constants: { lessons: { lessons: { own: [LESSON] } } },
  models: [{ key: "own", name: "own", pair: "en-de" }],
});
const QUESTION = { key: "typed.1", text: TEXT, choices: [{ label: TEXT }, { label: TEXT }] };
const ASKED = { ...NEWS, version: 1, question: { ...QUESTION, own: null, isShown: false } };

const label = (id, piece) => ({ id, piece, text: piece, log_prob: -id });
const step = (chosen, top) => ({ chosen, top });
const RECORD = {
  model: { key: "own", languages: { source: "en", target: "de" }, defaults: {} },
  text: "The dog.",
  settings: {},
  tgt_out: [label(1, "▁Der"), label(2, "▁Hund"), label(3, "</s>")],
  steps: [
    step(1, [label(1, "▁Der"), label(4, "▁Ein")]),
    step(2, [label(2, "▁Hund"), label(5, "▁Mann")]),
    step(3, [label(3, "</s>")]), // nothing else to choose from
  ],
};

/** The page fetches the class when it needs it; here too. */
const fetched = () => import("/assets/shell/class/class.js");
const explained = []; // the texts that the page asked for
page.explain = async ({ text }) => explained.push(text) && null;
const wait = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));
const find = (selector) => document.querySelector(selector);
const button = (words) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent.includes(words));

let sent = []; // requests that have not been answered: {name, given, reply, fail}
globalThis.fetch = (address, { body, signal }) =>
  new Promise((resolve, reject) => {
    const reply = (payload) => resolve({ ok: true, status: 200, json: async () => ({ payload }) });
    const name = address.split("/").at(-1);
    const refuse = (reason) =>
      resolve({
        ok: true,
        status: 200,
        json: async () => ({ reason, message: page.words[reason] }),
      });
    const fail = () => reject(new Error("lost"));
    const gone = () => resolve({ ok: false, status: 404 });
    sent.push({ name, given: JSON.parse(body), reply, refuse, fail, gone });
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** The oldest request of a name that has not been answered. */
async function request(name) {
  await wait();
  if (counted(name) === 0) await fetched().then(() => wait());
  const found = sent.find((one) => one.name === name);
  assert.ok(found, `${name} among ${sent.map((one) => one.name)}`);
  sent = sent.filter((one) => one !== found);
  return found;
}

const counted = (name) => sent.filter((one) => one.name === name).length;

/** A page with a class's part, opened at an address. */
function open(query, origin = "https://example.org") {
  window.happyDOM.setURL(`${origin}/${query}`);
  window.sessionStorage.clear();
  document.body.innerHTML = '<div><p class="hl-bar"></p><nav></nav></div>';
  sent = [];
  mountTeach(find("nav"));
  mountClass(document.body, "/");
}

async function student() {
  open("?class=BCDFG");
  (await request("join")).reply({ ...NEWS, id: "a" });
  (await request("news")).reply(ASKED);
  await wait();
}

async function teacher(origin) {
  open("?class=new", origin);
  (await request("begin")).reply({ code: "BCDFG", secret: "s" });
  (await request("news")).reply(NEWS);
  await wait();
}

async function leave(how) {
  button(how).click();
  await wait();
}

test("Teach begins one class however often it is pressed", async () => {
  open("");
  await wait();
  for (let i = 0; i < 2; i += 1) find("[data-part=teach]").click();
  await fetched();
  await wait();
  assert.ok(find("[data-part=teach]").disabled);
  assert.equal(counted("begin"), 1);
  (await request("begin")).reply({ code: "BCDFG", secret: "s" });
  await wait();
  await leave("class.end");
  assert.ok(!find("[data-part=teach]").disabled);
});

test("a guess that was lost is sent again with the next news", async () => {
  await student();
  find("[data-part=guesses] button").click();
  (await request("guess")).fail();
  await wait();
  assert.equal(counted("guess"), 0);
  (await request("news")).reply(ASKED);
  const again = await request("guess");
  assert.deepEqual([again.given.key, again.given.choice], [QUESTION.key, 0]);
  again.reply({ ...ASKED, question: { ...ASKED.question, own: 0 } });
  (await request("news")).reply({ ...ASKED, question: { ...ASKED.question, own: 0 } });
  await wait();
  assert.equal(counted("guess"), 0);
  await leave("class.leave");
});

test("a lesson's question that was lost is asked again with the next news", async () => {
  page.lesson.set({ name: "l", step: 0 }); // before the class begins
  quiz.merge({ answer: { options: [{ label: TEXT, value: 1, shown: "share" }], right: 0 } });
  await teacher();
  const lost = await request("ask");
  assert.equal(lost.given.code, "BCDFG");
  lost.fail();
  (await request("news")).reply(NEWS);
  (await request("ask")).reply(NEWS);
  (await request("news")).reply(NEWS);
  await wait();
  assert.equal(counted("ask"), 0);
  quiz.merge({ answer: null });
  page.lesson.set({ name: null, step: 0 });
  await wait();
  await leave("class.end");
});

test("what the teacher asks goes out in its order", async () => {
  await teacher();
  page.lesson.set({ name: "l", step: 0 });
  quiz.merge({ answer: { options: [{ label: TEXT, value: 1, shown: "share" }], right: 0 } });
  const first = await request("ask");
  quiz.merge({ answer: null }); // the lesson goes on before the class has heard
  await wait();
  assert.equal(counted("ask"), 0);
  first.reply(NEWS);
  assert.equal((await request("ask")).given.question, null);
  page.lesson.set({ name: null, step: 0 });
  await leave("class.end");
  await leave("class.close");
});

test("an older reply changes nothing", async () => {
  await student();
  find("[data-part=guesses] button").click();
  const guess = await request("guess");
  (await request("news")).reply({ ...NEWS, version: 2 }); // the teacher closed the question
  await wait();
  guess.reply(ASKED);
  await wait();
  assert.equal(find("[data-part=guesses]"), null);
  await leave("class.leave");
});

test("a reply that comes after the page left changes nothing, nor does a failure", async () => {
  for (const end of ["reply", "fail"]) {
    await student();
    find("[data-part=guesses] button").click();
    const late = await request("guess");
    button("class.leave").click(); // at once, whether the server hears of it or not
    await wait();
    assert.equal(find(".hl-class"), null);
    assert.equal(counted("leave"), 1);
    late[end]({ ...ASKED, version: 9 });
    await wait();
    open("?class=BCDFG");
    (await request("join")).reply({ ...NEWS, id: "a" });
    await wait();
    assert.equal(find("[data-part=guesses]"), null);
    assert.ok(!find(".hl-class").textContent.includes("class.lost"));
    await leave("class.leave");
  }
});

test("a page that asked plainly for a while lets a request wait again", async () => {
  const waits = [];
  const end = new AbortController();
  let listeners = 0;
  for (const [name, more] of [
    ["addEventListener", 1],
    ["removeEventListener", -1],
  ]) {
    const own = end.signal[name];
    end.signal[name] = (...given) => {
      listeners += more;
      own.apply(end.signal, given);
    };
  }
  const line = async (_, { wait: seconds }) => {
    waits.push(seconds);
    if (waits.length === 35) end.abort();
    if (waits.length < 3) throw new Error("cut off");
    return NEWS;
  };
  await listen({ line, pass: { code: "B" }, tell() {}, lost() {}, signal: end.signal });
  assert.deepEqual(waits.slice(0, 3), [15, 15, 0]); // two failures in a row
  assert.deepEqual(waits.slice(31, 34), [0, 15, 15]); // after thirty plain ones
  assert.equal(listeners, 0);
});

/** What `listen` says and asks of a line that a test answers. */
function listening() {
  const [end, asked, lost, heard] = [new AbortController(), [], [], []];
  const line = (_, given, signal) =>
    new Promise((resolve, reject) => {
      asked.push({ ...given, resolve, reject });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const tell = (news) => heard.push(news.version);
  const over = listen({
    ...{ line, tell, lost: (is) => lost.push(is), pass: { code: "B" }, signal: end.signal },
  });
  return { asked, lost, heard, end: () => end.abort() || over };
}

test("a phone that slept asks at once, and nothing was lost", async () => {
  const { asked, lost, heard, end } = listening();
  Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
  await wait();
  assert.deepEqual([asked.length, asked[1].wait, lost], [2, 15, []]);
  asked[1].resolve({ ...NEWS, version: 3 });
  await wait();
  assert.deepEqual([heard, asked[2].since], [[3], 3]);
  await end();
});

test("a reply that never comes is given up after 25 s, said, and asked for again", async () => {
  const { asked, lost, end } = listening();
  await wait(24_000);
  assert.deepEqual([asked.length, lost], [1, []]);
  await wait(4_000);
  assert.deepEqual([asked.length, lost], [2, [true]]);
  asked[1].resolve(NEWS);
  await wait();
  assert.deepEqual(lost, [true, false]);
  await end();
});

test("a server that is another one now says so, and the page asks no more", async () => {
  await student();
  page.record.set(RECORD);
  (await request("news")).gone();
  await wait(5_000);
  assert.ok(find(".hl-class [role=alert]").textContent.includes("class.error.none"));
  assert.equal(sent.length, 0);
  assert.equal(page.record.get(), RECORD);
  assert.equal(new URL(window.location.href).searchParams.get("class"), null);
  await leave("class.close");
  page.record.set(null);
});

test("a state that was lost is sent again, and of those since then the newest alone", async () => {
  await teacher();
  page.record.set(RECORD);
  await wait(200);
  const first = await request("show");
  first.fail();
  await wait(2_500);
  const again = await request("show");
  assert.equal(again.given.state, first.given.state);
  again.fail();
  for (const head of [1, 2]) {
    page.selection.set({ ...page.selection.get(), layer: 0, head });
    await wait(200);
  }
  await wait(2_000);
  const { given, reply } = await request("show");
  assert.equal(new URLSearchParams(given.state).get("head"), "3");
  assert.equal(counted("show"), 0);
  reply({ ...NEWS, version: 1, presses: 1, state: given.state });
  await wait(5_000);
  assert.equal(counted("show"), 0);
  await leave("class.end");
  await leave("class.close");
  page.record.set(null);
});

test("a link that leads nowhere is not praised", async () => {
  await teacher();
  assert.ok(find(".hl-class-door").textContent.includes("class.open"));
  await leave("class.end");
  await teacher("http://localhost:7860");
  (await request("addresses")).reply({ addresses: [{ host: "10.0.0.7", open: false }] });
  await wait();
  assert.ok(find(".hl-class-door").textContent.includes("class.alone"));
  assert.ok(!find(".hl-class-door").textContent.includes("class.open"));
  await leave("class.end");
});

test("a student hands in a sentence that is not the class's, and it may be refused", async () => {
  await student();
  page.record.set({ ...RECORD, text: "The class's." });
  const state = "text=The+class%27s.&view=lens";
  (await request("news")).reply({ ...NEWS, version: 2, state });
  await wait();
  assert.equal(find("[data-part=hand-in]"), null);
  page.record.set({ ...RECORD, text: "Mine <b>." });
  await wait();
  find("[data-part=hand-in]").click();
  const { given, reply } = await request("hand");
  assert.equal(given.text, "Mine <b>.");
  reply({ ...NEWS, version: 2, state, handed: "Mine <b>." });
  await wait();
  assert.equal(find("[data-part=hand-in]"), null);
  assert.ok(find(".hl-class").textContent.includes("class.handed"));
  page.record.set({ ...RECORD, text: "Long." });
  await wait();
  find("[data-part=hand-in]").click();
  (await request("hand")).refuse("class.error.sentence");
  await wait();
  assert.ok(find(".hl-class [role=alert]").textContent.includes("class.error.sentence"));
  await leave("class.leave");
  page.record.set(null);
});

test("the teacher opens a sentence that was handed in, which is text", async () => {
  await teacher();
  const sentences = [
    { text: "<b>a</b>", count: 2 },
    { text: "b", count: 1 },
  ];
  (await request("news")).reply({ ...NEWS, here: 3, guessed: 0, changes: 3, sentences });
  assert.equal((await request("news")).given.changes, 3);
  const list = find("[data-part=sentences]");
  assert.ok(!list.open);
  list.open = true;
  const buttons = [...list.querySelectorAll("li button")];
  assert.deepEqual(
    buttons.map(({ textContent }) => textContent),
    ["<b>a</b>", "b"],
  );
  buttons[0].click();
  await wait();
  assert.equal(explained.at(-1), "<b>a</b>");
  assert.ok(!list.open);
  button("class.sentences.clear").click();
  await request("clear");
  await leave("class.end");
});

/** The file that a press on "Take home" saves. */
async function takenHome() {
  const { createObjectURL } = URL;
  let file = null;
  URL.createObjectURL = (blob) => {
    file = blob;
    return "blob:class";
  };
  find("[data-part=take-home]").click();
  URL.createObjectURL = createObjectURL;
  return new DOMParser().parseFromString(await file.text(), "text/html");
}

test("what the class saw is taken home when it is over, what was missed too", async () => {
  page.record.set({ ...RECORD, text: "A <script>", translation: "Shown before it was led." });
  await student();
  const shown = { own: 1, isShown: true, counts: [0, 3], right: 1 };
  const labels = [TEXT, { en: "<b>", zh: "乙" }];
  const choices = labels.map((text, i) => ({ label: text, value: `${i}.5` }));
  const missed = { ...QUESTION, ...shown, key: "typed.2", choices };
  const state = "text=A+%3Cscript%3E&view=lens";
  (await request("news")).reply({ ...NEWS, version: 2, state, reveals: 1 });
  (await request("course")).reply({ questions: [missed] });
  (await request("news")).refuse("class.error.none");
  await wait();
  const taken = await takenHome();
  const [place] = taken.querySelectorAll("h2");
  assert.equal(place.textContent, "A <script> → Shown before it was led.");
  assert.equal(taken.querySelector("script, b b"), null);
  assert.ok(taken.querySelector("main").textContent.includes("lens.title"));
  const [first, second] = taken.querySelectorAll("tbody tr");
  assert.ok(/0\s+0.5/.test(first.textContent));
  assert.ok(/✓ <b> 乙\s+3\s+1.5/.test(second.textContent), second.textContent);
  assert.ok(taken.body.textContent.includes("class.home.own"));
  assert.ok(taken.body.textContent.includes("class.home.closed")); // of the other question
  const [table] = taken.querySelectorAll("table");
  assert.ok(table.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING);
  const count = (language) => taken.querySelectorAll(`main [lang=${language}]`).length;
  assert.equal(count("en"), count("zh"));
  page.record.set(null);
  await leave("class.close");
});

test("the next token is asked after the words before it, until another one is shown", async () => {
  await teacher();
  assert.ok(button("class.ask.next").disabled); // there is no token
  page.record.set(RECORD);
  page.selection.set({ ...page.selection.get(), step: 2 });
  await wait();
  assert.ok(button("class.ask.next").disabled);
  page.selection.set({ ...page.selection.get(), step: 1 });
  await wait();
  button("class.ask.next").click();
  const { given, reply } = await request("ask");
  assert.equal(given.question.text.en, "class.ask.after Der");
  assert.equal(given.question.choices[given.question.right].label.en, "▁Hund");
  reply({ ...NEWS, version: 1, question: { ...given.question, own: null, isShown: false } });
  await wait();
  page.selection.set({ ...page.selection.get(), layer: 0, head: 1 });
  await wait();
  assert.equal(counted("ask"), 0);
  page.selection.set({ ...page.selection.get(), step: 0 });
  assert.equal((await request("ask")).given.question, null);
  await leave("class.end");
  page.record.set(null);
});
