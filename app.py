"""Headlight: starts the page. A Hugging Face Space runs this file as a script.

python app.py --host 127.0.0.1 --port 7860
"""

from __future__ import annotations

import argparse
import logging
import os
import sys

# Read by Gradio when it is imported. Without them it calls home and keeps a table of events.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["GRADIO_ANALYTICS_MAX_EVENTS"] = "1"
os.environ["GRADIO_ANALYTICS_CACHE_FREQUENCY"] = "1000000"

from explorer.models import models_of
from explorer.pace import MOST_SECONDS
from explorer.unstubbed import import_gradio
from model import shipped
from model.errors import HeadlightError
from model.files import sentence


def seconds(text: str) -> float:
    """A limit in seconds, from a tenth to an hour."""
    value = float(text)
    if not 0.1 <= value <= MOST_SECONDS:
        raise ValueError(text)
    return value


def arguments(given: list[str]) -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="app.py", description="Watch a Transformer translate.")
    parser.add_argument("--host", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, help="port (default: the first free one from 7860)")
    parser.add_argument(
        "--model",
        help="a shipped model (en-zh, for example), a folder or a Hub name (default: all shipped)",
    )
    parser.add_argument(
        "--models",
        nargs="+",
        default=os.environ.get("HEADLIGHT_MODELS", "").split(),
        help="models that visitors may choose from, with commas or blanks; the shipped ones are "
        f"{', '.join(shipped.names())} (default: HEADLIGHT_MODELS, or those)",
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, ... (default: auto)")
    parser.add_argument(
        "--workers",
        default="",
        help="processes that run the model, each with its own: a number, ray, or ray://HOST:PORT "
        "(default: the page's own process)",
    )
    parser.add_argument(
        "--max-workers", type=int, default=64, help="workers on a Ray cluster at most (default: 64)"
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        help="processor time that one request may take (default: 5, more for a slow model)",
    )
    parser.add_argument("--share", action="store_true", help="also open a public link")
    parser.add_argument(
        "--language", choices=("en", "zh", "auto"), default="auto", help="auto: the browser's"
    )
    return parser.parse_args(given)


is_zero_gpu = bool(os.environ.get("SPACES_ZERO_GPU"))
if is_zero_gpu:
    import spaces  # before torch, as it asks

    spaces.GPU(lambda: None)  # ZeroGPU starts no Space without a function that is marked

args = arguments(sys.argv[1:] if __name__ == "__main__" else [])
places = shipped.listed(args.models)
chosen = [args.model, *places] if args.model else places or shipped.names()
# ZeroGPU gives its GPU to marked functions only, and to each visitor for minutes a day.
device = "cpu" if args.device == "auto" and is_zero_gpu else args.device
named = bool(args.model or places) or args.device != "auto"
try:  # report a wrong name now, not to the first visitor who chooses it
    opened = (chosen, device, args.seconds)
    models = models_of(*opened)
    if named:
        models.default.start()  # beside the import of Gradio, to find out soon if it can be used

    import_gradio()  # takes seconds
    from explorer import workers
    from explorer.page import build
    from explorer.serving import serve

    others = workers.started(args.workers, models, opened, args.max_workers)
    demo = build(models, args.language, others)
except (HeadlightError, OSError) as error:
    sys.stderr.write(f"{sentence(error) if isinstance(error, OSError) else error}\n")
    sys.exit(2)

if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    code = serve(demo, models, args.host, args.port, others, share=args.share, check=named)
    if others:
        others.end()
    sys.exit(code)
