"""Headlight: starts the page. A Hugging Face Space runs this file as a script.

python app.py --host 127.0.0.1 --port 7860
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import Any

# Read by Gradio when it is imported. Without them it calls home and keeps a table of events.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["GRADIO_ANALYTICS_MAX_EVENTS"] = "1"
os.environ["GRADIO_ANALYTICS_CACHE_FREQUENCY"] = "1000000"

from explorer.loading import Loading
from model.errors import HeadlightError

PATIENCE = 20.0  # seconds in which a model or device that was named must prove usable


def arguments(given: list[str]) -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="app.py", description="Watch a Transformer translate.")
    parser.add_argument("--host", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, help="port (default: the first free one from 7860)")
    parser.add_argument("--model", help="folder or Hub name (default: the shipped model)")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, ... (default: auto)")
    parser.add_argument("--share", action="store_true", help="also open a public link")
    parser.add_argument(
        "--language", choices=("en", "zh", "auto"), default="auto", help="auto: the browser's"
    )
    return parser.parse_args(given)


def load() -> Any:
    """The Explainer. Torch is imported here, in the loading thread, beside the server's start."""
    from model.explain import Explainer

    return Explainer.load(args.model, device=args.device)


args = arguments(sys.argv[1:] if __name__ == "__main__" else [])
loading = Loading(load)
if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    loading.start()

from explorer.interface import build  # noqa: E402 - Gradio, which takes seconds, beside the model
from explorer.theme import launch_settings  # noqa: E402

demo = build(loading, args.language)


def serve() -> int:
    """Serve until stopped; 2 when a model, device or port that was asked for cannot be used."""
    try:
        if args.model or args.device != "auto":
            loading.get(timeout=PATIENCE)
        demo.launch(
            server_name=args.host, server_port=args.port, share=args.share, **launch_settings()
        )
    except (HeadlightError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(serve())
