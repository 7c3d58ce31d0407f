"""The settings that Gradio is launched with, and the server itself."""

from __future__ import annotations

import os
import socket
import sys
import time
from typing import Any

import gradio as gr
from fastapi.exceptions import RequestValidationError
from starlette.middleware import Middleware
from tqdm import tqdm

from explorer.calls import calls_route
from explorer.classroom.rooms import Rooms
from explorer.classroom.routes import Classroom, classroom_route
from explorer.guard.below import Below, root_path
from explorer.guard.bodies import Bodies
from explorer.guard.events import wrong_field
from explorer.guard.offered import Offered
from explorer.guard.stopping import stop, wait_for_signal
from explorer.guard.tools import Tools
from explorer.guard.unread import Streams
from explorer.health import health_route
from explorer.loading import Loading
from explorer.models import Models
from explorer.onefile import lesson_route
from explorer.parts import UNTRANSLATED
from explorer.pool import Workers
from explorer.saved import saved_route
from explorer.static import ASSETS, FACE, assets_path, assets_route
from explorer.weights import weights_routes
from explorer.workers import answering
from model.errors import HeadlightError, InputError
from model.files import sentence

SESSIONS = 4  # sessions for which Gradio keeps the last request and reply
PACE = 0.2  # seconds between two looks at how much of it has been read
PATIENCE = 20.0  # seconds to wait for a model or device given on the command line

FONT = (
    "Inter", "system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "PingFang SC",
    "Noto Sans CJK SC", "Noto Sans SC", "Microsoft YaHei", "sans-serif",
)  # fmt: skip
MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "Noto Sans Mono CJK SC", "monospace")


def launch_settings(models: Models, workers: Workers | None = None) -> dict[str, Any]:
    """The arguments of `launch` other than host, port and share.

    Run history, server-side rendering and monitoring cost time and memory and are of no use here.

    Raises:
        InputError: GRADIO_ROOT_PATH is no path.
    """
    root = root_path(os.environ.get("GRADIO_ROOT_PATH", ""))
    answer = workers.answer if workers else answering(models)
    classroom = Classroom(Rooms(), lambda: models.is_stopping)
    return {
        "root_path": root,
        "theme": gr.themes.Base(
            primary_hue="violet", neutral_hue="zinc", font=FONT, font_mono=MONO
        ),
        # As a separate file: `css=` rewrites selectors, and loses some within @media.
        "head": f'{UNTRANSLATED}<link rel="preload" href=".{assets_path()}assets/{FACE}" as="font" '
        f'type="font/woff2" crossorigin><link rel="stylesheet" href=".{assets_path()}style.css">',
        "favicon_path": ASSETS / "favicon.svg",
        "app_kwargs": {
            # That of the assets answers all of its folder that no other does.
            "routes": [
                *(calls_route(answer), saved_route(), lesson_route(), classroom_route(classroom)),
                *(*weights_routes(models), assets_route(), health_route(models)),
            ],
            "middleware": [
                Middleware(Below, root, assets_path()),
                *(Middleware(Offered), Middleware(Bodies), Middleware(Streams), Middleware(Tools)),
            ],
            "exception_handlers": {RequestValidationError: wrong_field},
        },
        # Gradio keeps every component's value for each session, up to 4 MB a reply, for 10,000
        # sessions; we do not use them.
        "state_session_capacity": SESSIONS,
        "run_history": False,
        "ssr_mode": False,
        "enable_monitoring": False,
        "max_file_size": "16kb",
        "footer_links": ["api"],
    }


def serve(
    demo: gr.Blocks,
    models: Models,
    host: str | None,
    port: int | None,
    workers: Workers | None = None,
    *,
    share: bool = False,
    check: bool = False,
) -> int:
    """Serve until stopped. Returns 2, after a message, if an argument cannot be used.

    With `check` the model is loaded first, so that a wrong name is reported on the command line;
    otherwise the page starts first and shows the recorded example while the model is loading.
    """
    try:
        _check_address(host, port)
        if check:
            _await(models.default)
        demo.launch(
            server_name=host,
            server_port=port,
            share=share,
            prevent_thread_lock=True,
            **launch_settings(models, workers),
        )
    except (HeadlightError, OSError, ImportError) as error:  # or MCP is wanted, and not installed
        sys.stderr.write(f"{sentence(error) if isinstance(error, OSError) else error}\n")
        return 2
    models.start()
    wait_for_signal(demo)
    stop(demo, models)
    return 0


def _await(loading: Loading) -> None:
    """Wait for the model for a while; a terminal sees how much of it has been read."""
    until = time.monotonic() + PATIENCE
    bar = tqdm(desc="weights", unit="B", unit_scale=True, disable=None, delay=1, file=sys.stderr)
    with bar:
        while loading.get(timeout=PACE) is None and time.monotonic() < until:
            if loading.read is not None:
                bar.total = loading.read.of
                bar.update(loading.read.done - bar.n)


def _check_address(host: str | None, port: int | None) -> None:
    """Refuse an address on which the server cannot listen; Gradio would retry forever.

    Raises:
        InputError: the message has the address and the reason.
    """
    if port is not None and not 0 < port < 65_536:
        raise InputError(f"The port is {port}; expected a number from 1 to 65535.")
    if host is None and port is None:
        return  # the first free port on this machine
    host = host or os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1")
    try:
        found = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise InputError(
            f"Cannot listen on {host}, port {port or 'any'}: {error.strerror}. Give another."
        ) from None
