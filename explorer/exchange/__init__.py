"""The exchange with the browser: request, question, reply, payload, packing."""
