import { bytesAfter, continuing, forbiddenBytes, maskBytes } from "/assets/engine/utf8.js";
import { assert, test } from "./check.mjs";

const BYTES = Array.from({ length: 256 }, (_, byte) => byte + 10); // their tokens

/** The first two bytes of every character that has more than one; from three on 64 share them. */
function beginnings() {
  const found = new Set();
  for (let code = 0x80; code < 0x110000; code += code < 0x800 ? 1 : 64)
    if (code < 0xd800 || code > 0xdfff)
      found.add(new TextEncoder().encode(String.fromCodePoint(code)).slice(0, 2).join());
  return [...found].sort();
}

/** True if a token may follow. */
const may = (rule, id) => rule.ids.includes(id) === rule.isOnly;

test("the table has the beginnings of all characters", () => {
  const found = BYTES.flatMap((_, one) => {
    const [from, to] = continuing([one]) ?? [0, 0];
    const isFirst = may(bytesAfter(BYTES, [], 4), BYTES[one]);
    return isFirst ? Array.from({ length: to - from }, (_, i) => `${one},${from + i}`) : [];
  });
  assert.deepEqual(found.sort(), beginnings());
});

test("every text may be written to its last byte, and no byte of it ends it early", () => {
  for (const text of ["a東é🙂ह𝄞ß", "\ud7ff\ue000\uffff\u{10000}\u{10ffff}\u0800\u07ff"]) {
    const raw = Array.from(new TextEncoder().encode(text), (byte) => BYTES[byte]);
    raw.forEach((id, i) => {
      const rule = bytesAfter(BYTES, raw.slice(0, i), raw.length - i);
      assert.ok(may(rule, id), `${text} ${i}`);
      assert.equal(rule.isOnly, raw[i] >= BYTES[0x80] && raw[i] < BYTES[0xc0]);
    });
  }
});

test("a byte that begins a character needs room for all of it", () => {
  const widest = [0x41, 0xc3, 0xe6, 0xf0];
  for (const room of [1, 2, 3, 4, 50]) {
    const rule = bytesAfter(BYTES, [3, BYTES[0x41]], room);
    assert.deepEqual(
      widest.map((byte) => may(rule, BYTES[byte])),
      widest.map((_, i) => i < room),
    );
  }
});

test("what is forbidden, and what of it is recorded", () => {
  const half = () => Float32Array.from({ length: 270 }, (_, id) => Math.log(id < 3 ? 0.3 : 0.001));
  const inside = bytesAfter(BYTES, [1, BYTES[0xed]], 9);
  const own = half();
  assert.deepEqual(forbiddenBytes(own, inside), [0, 1, 2]);
  maskBytes(own, inside);
  const left = Array.from(own.keys()).filter((id) => own[id] > -Infinity);
  assert.deepEqual(left, BYTES.slice(0x80, 0xa0));
  const none = bytesAfter([], [1, 2], 1);
  const free = half();
  maskBytes(free, none);
  assert.deepEqual([...free], [...half()]);
  assert.deepEqual(forbiddenBytes(free, none), []);
});
