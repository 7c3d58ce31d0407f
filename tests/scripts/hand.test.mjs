import { crossings, PARTS, parts } from "/explorer/exhibits/cost/maths.js";
import { gaze, looked, THINGS } from "/explorer/exhibits/library/maths.js";
import { assert, test } from "./check.mjs";

test("at the crossings both sides are equal", () => {
  const [d, dff] = [256, 512];
  const { plain, projections, layer } = crossings(d, dff);
  assert.equal(plain * plain * d, plain * d * d);
  const [at, end] = [parts(projections, d, dff), parts(layer, d, dff)];
  assert.equal(at.attention, at.projections);
  assert.equal(end.attention, end.projections + end.feed_forward);
  assert.equal(PARTS.length, 3);
});

test("what strikes wins until something is sought", () => {
  const keys = THINGS.map(({ key }) => key);
  const winner = (sought, strength) => {
    const { weights } = looked(gaze(sought, strength), keys);
    return THINGS[weights.indexOf(Math.max(...weights))].name;
  };
  assert.equal(winner("nothing", 3), "cup");
  assert.equal(winner("read", 0.5), "cup");
  assert.equal(winner("read", 3), "book");
  assert.equal(winner("drink", 3), "cup");
});
