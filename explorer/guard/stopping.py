"""The end of a server: running requests are answered first, waiting ones are refused."""

from __future__ import annotations

import os
import signal
import sys
import time

import gradio as gr

from explorer.models import Models

GRACE = 30.0  # seconds for running requests: two of five seconds, on a busy machine


def wait_for_signal(demo: gr.Blocks) -> None:
    """Return at the first SIGTERM or Ctrl+C.

    A second SIGTERM then changes nothing, and a second Ctrl+C ends the process at once.
    """
    received: list[int] = []

    def receive(number: int, _: object) -> None:
        received.append(number)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    signal.signal(signal.SIGTERM, receive)
    signal.signal(signal.SIGINT, receive)
    while demo.is_running and not received:
        time.sleep(0.1)


def stop(demo: gr.Blocks, models: Models, grace: float = GRACE) -> None:
    """Refuse waiting requests with a message, finish the running ones, and close the server.

    Requests still running after `grace` seconds end with the process.
    """
    models.stop()
    # A refusal need not wait for running requests.
    for limited in (*demo.fns.values(), *demo._queue.event_queue_per_concurrency_id.values()):
        limited.concurrency_limit = None
    is_done = _wait_for_work(demo, grace)
    demo.close(verbose=False)
    if not is_done:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)  # a normal exit aborts while a thread is still computing


def _wait_for_work(demo: gr.Blocks, seconds: float) -> bool:
    """Wait until no request is running and every connected visitor has their reply."""
    queue, end, idle = demo._queue, time.monotonic() + seconds, 0
    while time.monotonic() < end:
        is_busy = len(queue) > 0 or queue.get_active_worker_count() > 0
        is_busy = is_busy or queue.pending_messages_per_session.is_delivering()
        idle = 0 if is_busy else idle + 1
        if idle == 3:  # a single check may fall between two steps
            return True
        time.sleep(0.05)
    return False
