// Hands Python's replies on.

import { line } from "./line.js";

export function mount(element, { props, watch }) {
  watch("value", () => {
    if (props.value) line(props.line).receive(props.value);
  });
  window.addEventListener("headlight-failed", ({ detail }) => {
    if (detail === props.line) line(props.line).fail();
  });
}
