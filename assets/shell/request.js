// Sends the requests of a channel to Python.

import { channels } from "./state.js";

export function mount(
  /** @type {HTMLElement} */ _,
  /** @type {import("./start.js").Gradio} */ { props, trigger },
) {
  channels[props.channel].connect((request) => {
    props.value = request;
    trigger("submit");
  });
}
