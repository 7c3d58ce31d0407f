"""Between visitors and Gradio's queue: how large a request and how old a reply may be."""
