// Passes Python's replies to their channel.

import { parsed } from "../exchange/channel.js";
import { channels } from "./state.js";

export function mount(
  /** @type {HTMLElement} */ _,
  /** @type {import("./start.js").Gradio} */ { props, watch },
) {
  const channel = channels[props.channel];
  watch("value", () => {
    if (props.value) channel.receive(parsed(props.value));
  });
  window.addEventListener("headlight-failed", (/** @type {any} */ event) => {
    if (event.detail === props.channel) channel.fail();
  });
}
