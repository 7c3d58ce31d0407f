// The few words that the tests of the page's modules need; run.mjs runs them.

const tests = [];

export const test = (name, body) => tests.push({ name, body });

export const assert = {
  ok(value, about = "") {
    if (!value) throw new Error(`does not hold ${about}`);
  },
  equal(found, wanted) {
    if (!Object.is(found, wanted)) throw new Error(`found ${found}, wanted ${wanted}`);
  },
  deepEqual(found, wanted) {
    const [a, b] = [JSON.stringify(sorted(found)), JSON.stringify(sorted(wanted))];
    if (a !== b) throw new Error(`found ${a}, wanted ${b}`);
  },
  throws(act, pattern) {
    try {
      act();
    } catch (error) {
      this.ok(pattern.test(error.message), error.message);
      return;
    }
    throw new Error("did not throw");
  },
};

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value === undefined ? "undefined" : value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

// Runs what was registered: [{name, error}], error null where it passed.
export async function run() {
  const results = [];
  for (const { name, body } of tests.splice(0)) {
    try {
      await body();
      results.push({ name, error: null });
    } catch (error) {
      results.push({ name, error: String(error.stack ?? error) });
    }
  }
  return results;
}
