// What the pointer and the keys do in the figure.

import { arrow } from "../../../assets/kit/elements.js";
import { exhibitOf, selectionOf } from "./facts.js";

/**
 * Selects a token, opens a layer into its blocks, attention into its heads or a head into its
 * cells, and else the view behind a block.
 */
export function choose({ page, set, player }, block, /** @type {Element|null} */ target = null) {
  const token = /** @type {HTMLElement|null} */ (target?.closest("[data-index]") ?? null);
  const head = /** @type {HTMLElement|null} */ (
    target?.closest("[data-pick], [data-head]") ?? null
  );
  const index = Number(token?.dataset.index);
  if (token?.dataset.side === "src") return page.choose({ src: index });
  if (token?.dataset.side === "tgt") return page.choose({ step: index });
  if (block.type === "layer") return set({ [block.stack]: [block.layer], stage: null });
  if (exhibitOf(block) === null) return;
  player.stop();
  const own = head?.dataset.pick ?? head?.dataset.head ?? `${block.kind}.${block.layer}`;
  if (block.kind) return set({ within: own, stage: null });
  page.choose(selectionOf(block));
}

/** @param {any} s the scene, with its plan */
export function pointing(s) {
  const { set, plan, pointed, order } = s;
  const blockAt = (event) => {
    const id = event.target.closest?.("[data-block]")?.dataset.block;
    return plan.blocks.find((block) => block.id === id) ?? null;
  };
  const isTouch = (event) => event.pointerType === "touch"; // a lifted finger leaves, too
  return {
    over: (event) => isTouch(event) || set({ pointed: blockAt(event)?.id ?? null }),
    leave: (event) => isTouch(event) || set({ pointed: null }),
    focus: (event) =>
      event.target.matches(":focus-visible") && set({ pointed: blockAt(event)?.id }),
    click(event) {
      const block = blockAt(event);
      if (block === null) return set({ pointed: null });
      const isFirst = isTouch(event) && pointed !== block.id;
      set({ focus: block.id, pointed: block.id }); // by touch the first tap tells, the second opens
      if (!isFirst || exhibitOf(block) === null) choose(s, block, event.target);
    },
    keydown(event) {
      const block = blockAt(event);
      if (event.key === "Escape") return set({ encoder: [], decoder: [], stage: null });
      if (block === null) return;
      const by = arrow(event);
      const isChoice = event.key === "Enter" || event.key === " ";
      if (by === null && !isChoice) return;
      event.preventDefault();
      if (by === null) return choose(s, block);
      const to = order[order.indexOf(block.id) + (by.columns - by.rows)];
      const node = event.currentTarget.querySelector(`[data-block="${to}"]`);
      if (node === null) return;
      set({ focus: to, pointed: to });
      node.focus();
    },
  };
}
