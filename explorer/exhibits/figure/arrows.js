// The arrows of Figure 1: each one is a way that numbers take in the model. Pure functions; px.

/** @typedef {import("./layout.js").Block} Block */
/** @typedef {import("./layout.js").Arrow} Arrow */

const HEAD = 4; // px that a line ends before the point of its arrow
const ENDS = ["decoder.linear", "decoder.softmax", "decoder.next"];

/** From each block up to the next, and around every sub-layer. */
export function arrowsOf(stack, blocks, places, /** @type {number} */ gap) {
  /** @type {Arrow[]} */
  const arrows = [];
  const middle = ({ x, width }) => x + width / 2;
  const up = (from, to) => {
    const x = from.share || to.share ? middle(from.share ? from : to) : middle(from);
    const path = `M${x} ${from.y}V${to.y + to.height + HEAD}`;
    arrows.push({ id: `${from.id}>${to.id}`, to: to.id, path, end: [x, to.y + to.height, "up"] });
  };
  blocks.forEach((block, i) => {
    const next = blocks[i + 1];
    if (block.type === "tokens") up(block, next);
    else if (block.type === "embedding") up(block, blocks[i + 2]);
    else if (next) up(block, next);
  });
  const isLeft = stack === "encoder";
  for (const [i, block] of blocks.entries()) {
    if (!["add", "add_norm"].includes(block.type)) continue;
    const first = blocks.findIndex(
      ({ layer, part }) => layer === block.layer && part === block.part,
    );
    const start = blocks[first].y + blocks[first].height + gap * 0.55;
    const edge = isLeft ? block.x : block.x + block.width;
    const out = edge + (isLeft ? -1 : 1) * places.margin * 0.42;
    const y = block.y + block.height / 2;
    arrows.push({
      id: `${blocks[first].id}>around>${block.id}`,
      to: blocks[i].id,
      path: `M${middle(block)} ${start}H${out}V${y}H${edge + (isLeft ? -HEAD : HEAD)}`,
      end: [edge, y, isLeft ? "right" : "left"],
    });
  }
  return arrows;
}

/** From the encoder to every decoder layer, to the output, and back to the decoder's tokens. */
export function between(blocks, places, layers, gap) {
  const find = (/** @type {string} */ id) => blocks.find((block) => block.id === id);
  const top = blocks.filter(({ stack }) => stack === "encoder").at(-1);
  const rise = top.y - gap * 0.5;
  const start = `M${top.x + top.width / 2} ${top.y}V${rise}H${places.trunk}`;
  /** @type {Arrow[]} */
  const arrows = [];
  for (let layer = 0; layer < layers.decoder; layer += 1) {
    const to = find(`decoder.${layer}.layer`) ?? find(`decoder.${layer}.cross_attention.attention`);
    const y = to.y + to.height / 2;
    const path = `${start}V${y}H${to.x - HEAD}`;
    arrows.push({ id: `memory>${to.id}`, to: to.id, path, end: [to.x, y, "right"] });
  }
  return [...arrows, ...outputArrows(blocks, places, gap)];
}

function outputArrows(blocks, places, gap) {
  const find = (/** @type {string} */ id) => blocks.find((block) => block.id === id);
  const [linear, softmax, next] = ["linear", "softmax", "next"].map((id) => find(`decoder.${id}`));
  const tokens = find("decoder.tokens");
  const inside = blocks.filter(({ stack, id }) => stack === "decoder" && !ENDS.includes(id));
  const top = inside.at(-1);
  const line = (from, to, path, end) => ({ id: `${from.id}>${to.id}`, to: to.id, path, end });
  const centre = ({ x, width }) => x + width / 2;
  const down = (from, to) =>
    line(from, to, `M${centre(from)} ${from.y + from.height}V${to.y - HEAD}`, [
      centre(from),
      to.y,
      "down",
    ]);
  const up = (from, to) =>
    line(from, to, `M${centre(top)} ${from.y}V${to.y + to.height + HEAD}`, [
      centre(top),
      to.y + to.height,
      "up",
    ]);
  const y = tokens.y + tokens.height / 2;
  const right = tokens.x + tokens.width;
  if (places.isWide) {
    const middle = linear.y + linear.height / 2;
    const across = `M${top.x + top.width} ${middle}H${linear.x - HEAD}`;
    const back = `M${next.x + gap} ${next.y + next.height}V${y}H${right + HEAD}`;
    return [
      line(top, linear, across, [linear.x, middle, "right"]),
      down(linear, softmax),
      down(softmax, next),
      line(next, tokens, back, [right, y, "left"]),
    ];
  }
  const edge = places.width - 0.4 * gap;
  const back = `M${next.x + next.width} ${next.y + next.height / 2}H${edge}V${y}H${right + HEAD}`;
  return [
    up(top, linear),
    up(linear, softmax),
    up(softmax, next),
    line(next, tokens, back, [right, y, "left"]),
  ];
}
