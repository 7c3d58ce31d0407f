// Which tokens of a text are not as in another one. Pure functions.

// For each token of `ids` whether it is new against `other`, and where tokens of `other` are missing:
// {changed: [bool, ...], gaps: [bool, ...]}, gaps[i] before token i, one more for the end. The tokens
// that stay are a longest common subsequence; of several the one that is met first.
export function differences(ids, other) {
  const common = table(ids, other);
  const changed = ids.map(() => false);
  const gaps = Array.from({ length: ids.length + 1 }, () => false);
  let [i, j] = [0, 0];
  let fresh = false; // whether a token stands for what is missing here
  while (i < ids.length || j < other.length) {
    if (i < ids.length && j < other.length && ids[i] === other[j]) {
      [i, j, fresh] = [i + 1, j + 1, false];
    } else if (j === other.length || (i < ids.length && common[i + 1][j] >= common[i][j + 1])) {
      changed[i] = true;
      gaps[i] = false;
      [i, fresh] = [i + 1, true];
    } else {
      if (!fresh) gaps[i] = true;
      j += 1;
    }
  }
  return { changed, gaps };
}

// table[i][j]: the length of a longest common subsequence of ids from i on and other from j on.
function table(ids, other) {
  const rows = Array.from({ length: ids.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = ids.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      rows[i][j] = ids[i] === other[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
    }
  }
  return rows;
}
