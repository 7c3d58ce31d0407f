// What the pointer and the keys do in the figure.

import { arrow } from "../../../assets/kit/elements.js";
import { headOf } from "../../../assets/kit/heads.js";
import { exhibitOf, selectionOf } from "./facts.js";
import { orderOf } from "./layout.js";

/** What pointer and keys do: point, select a token, open a layer, open the view behind a block. */
export function pointing({ page, play, pointed, focus, open, scene }) {
  const blockAt = (event) => {
    const id = event.target.closest?.("[data-block]")?.dataset.block;
    return scene()?.plan.blocks.find((block) => block.id === id) ?? null;
  };
  function choose(block, target) {
    const token = target?.closest("[data-index]");
    const dataset = target?.closest("[data-pick], [data-head]")?.dataset;
    if (token?.dataset.side === "src") return page.choose({ src: Number(token.dataset.index) });
    if (token?.dataset.side === "tgt") return page.choose({ step: Number(token.dataset.index) });
    if (block.type === "layer") return open.merge({ [block.stack]: [block.layer] });
    if (exhibitOf(block) === null) return;
    play.stop();
    const own = selectionOf(block);
    page.choose({ ...own, ...(dataset ? headOf(dataset.pick ?? dataset.head) : {}) });
  }
  return {
    over: (event) => event.pointerType !== "touch" && pointed.set(blockAt(event)?.id ?? null),
    leave: (event) => event.pointerType !== "touch" && pointed.set(null), // a lifted finger does
    open: (block) => choose(block, null),
    focus: (event) => event.target.matches(":focus-visible") && pointed.set(blockAt(event)?.id),
    click(event) {
      const block = blockAt(event);
      if (block === null) return pointed.set(null);
      focus.set(block.id);
      const isFirst = event.pointerType === "touch" && pointed.get() !== block.id;
      pointed.set(block.id); // by touch the first tap tells, the second opens
      if (!isFirst || exhibitOf(block) === null) choose(block, event.target);
    },
    keydown(event) {
      const block = blockAt(event);
      if (block === null) return;
      const by = arrow(event);
      const isChoice = event.key === "Enter" || event.key === " ";
      if (by === null && !isChoice) return;
      event.preventDefault();
      if (by === null) return choose(block, null);
      const order = orderOf(scene().shape);
      const to = order[order.indexOf(block.id) + (by.columns - by.rows)];
      const node = event.currentTarget.querySelector(`[data-block="${to}"]`);
      if (node === null) return;
      focus.set(to);
      pointed.set(to);
      node.focus();
    },
  };
}
