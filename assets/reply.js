// Hands Python's replies on.

import { failed, receive } from "./wire.js";

export function mount(element, { props, watch }) {
  watch("value", () => {
    if (props.value) receive(props.value);
  });
  window.addEventListener("headlight-failed", failed);
}
