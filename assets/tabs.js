// The exhibits: groups at the left, and beside them the tabs of the group on show.

import { arrow, element } from "./elements.js";
import { choose, facts, selection } from "./state.js";

export function mountTabs(groups, tabs) {
  const { exhibits } = facts.get();
  const groupOf = Object.fromEntries(exhibits.map(({ name, group }) => [name, group]));
  const names = [...new Set(exhibits.map(({ group }) => group))];
  const last = {}; // the exhibit of each group that was on show last

  groups.replaceChildren(...names.map((group) => element("button", {
    type: "button", "data-group": group, "data-t": `group.${group}`,
    onclick: () => choose({ exhibit: last[group] ?? exhibits.find((one) => one.group === group).name }),
  })));
  tabs.replaceChildren(...exhibits.map(({ name, group }) => element("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
    "data-group": group, "data-t": `${name}.title`, onclick: () => choose({ exhibit: name }),
  })));
  tabs.addEventListener("keydown", (event) => {
    const step = arrow(event);
    if (step === null || step.columns === 0) return;
    event.preventDefault();
    const near = exhibits.filter(({ group }) => group === groupOf[selection.get().exhibit]);
    const at = near.findIndex(({ name }) => name === selection.get().exhibit) + step.columns;
    const { name } = near[(at + near.length) % near.length];
    choose({ exhibit: name });
    tabs.querySelector(`#tab-${name}`).focus();
  });
  selection.watch(({ exhibit }) => {
    const group = groupOf[exhibit];
    last[group] = exhibit;
    for (const button of groups.children) {
      button.setAttribute("aria-current", button.dataset.group === group);
    }
    const alone = exhibits.filter((one) => one.group === group).length === 1;
    for (const tab of tabs.children) {
      const here = tab.id === `tab-${exhibit}`;
      tab.hidden = alone || tab.dataset.group !== group;
      tab.setAttribute("aria-selected", here);
      tab.tabIndex = here ? 0 : -1;
    }
  });
}
