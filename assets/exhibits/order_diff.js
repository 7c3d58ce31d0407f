// What two texts share, letter by letter. Pure functions.

// The parts of two texts in order: [{text, where}], where "both", "first" or "second". A longest
// common subsequence of letters; an emoji or a Han character is one.
export function differences(first, second) {
  const [a, b] = [[...first], [...second]];
  const longest = table(a, b);
  const parts = [];
  const put = (letter, where) => {
    const last = parts[parts.length - 1];
    if (last?.where === where) last.text += letter;
    else parts.push({ text: letter, where });
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put(a[i], "both");
      i += 1;
      j += 1;
    } else if (j === b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) {
      put(a[i], "first");
      i += 1;
    } else {
      put(b[j], "second");
      j += 1;
    }
  }
  return parts;
}

// longest[i][j]: how many letters the rests from i and from j share.
function table(a, b) {
  const longest = Array.from({ length: a.length + 1 }, () => new Int32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  return longest;
}
