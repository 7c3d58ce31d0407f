// Sends requests to Python on one line.

import { line } from "./line.js";

export function mount(element, { props, trigger }) {
  line(props.line).connect((request) => {
    props.value = request;
    trigger("submit");
  });
}
