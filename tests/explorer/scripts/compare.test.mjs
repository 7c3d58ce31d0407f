import { assert, test } from "./check.mjs";

import { differences } from "/assets/exhibits/compare_differences.js";

const told = (a, b) => {
  const ids = (text) => [...text].map((letter) => letter.charCodeAt(0));
  const { changed, gaps } = differences(ids(a), ids(b));
  const parts = [...a].map((letter, i) => `${gaps[i] ? "^" : ""}${changed[i] ? `[${letter}]` : letter}`);
  return parts.join("") + (gaps.at(-1) ? "^" : "");
};

test("the same text has no differences", () => {
  assert.equal(told("abc", "abc"), "abc");
  assert.equal(told("", ""), "");
});

test("what is new is marked, what is missing leaves a gap, what was replaced leaves none", () => {
  assert.equal(told("axc", "abc"), "a[x]c");
  assert.equal(told("abxc", "abc"), "ab[x]c");
  assert.equal(told("ac", "abc"), "a^c");
  assert.equal(told("ab", "abc"), "ab^");
  assert.equal(told("bc", "abc"), "^bc");
  assert.equal(told("xy", "abc"), "[x][y]");
  assert.equal(told("", "abc"), "^");
});

test("what stays is as much as can stay", () => {
  // The longest common subsequence of abcbdab and bdcaba has 4 letters.
  assert.equal(told("abcbdab", "bdcaba").replace(/\[.\]|\^/g, "").length, 4);
});
