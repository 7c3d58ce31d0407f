// Sends the requests of a channel to Python.

import { channels } from "./state.js";

export function mount(_, { props, trigger }) {
  channels[props.channel].connect((request) => {
    props.value = request;
    trigger("submit");
  });
}
