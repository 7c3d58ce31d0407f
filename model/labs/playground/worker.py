"""The process that trains for the page, one run at a time, as lines of JSON.

    python -m model.labs.playground.worker

In: {"run": number, "settings": {...}} starts a run; {"do": "pause" | "go" | "stop"} is for the
current run. Out, each with its run's number: {"about"}, then {"frame"} after {"frame"}, and at the
end {"weights"} (a safetensors file in base64; none if the run diverged) and {"result"}, or
{"stopped": true}, or {"error": sentence}. No number in it is NaN or infinite. The process ends with
its input, so it never outlives the server that started it.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import sys
import threading
from typing import Any

import numpy as np
import torch
from safetensors.torch import save

from model import cli
from model.config import KINDS
from model.errors import HeadlightError
from model.labs.playground.counting import chance
from model.labs.playground.run import Frame, Run
from model.labs.playground.settings import Settings
from model.labs.playground.tasks import SPECIALS

NICE = 10  # translations have priority
EXAMPLES = 8  # pairs of the task to show


class Control:
    """The page's orders for the current run, set by the thread that reads the input."""

    def __init__(self) -> None:
        self.orders: list[dict[str, Any]] = []
        self.changed = threading.Condition()
        self.going, self.stopped = threading.Event(), False
        self.going.set()

    def read(self) -> None:
        """Read lines until the input ends; then end the process at once."""
        for line in sys.stdin:
            order = json.loads(line)
            with self.changed:
                if "settings" in order:  # the previous run has ended, so its orders no longer apply
                    self.stopped = False
                    self.going.set()
                    self.orders.append(order)
                    self.changed.notify()
                elif order["do"] == "pause":
                    self.going.clear()
                else:
                    self.stopped = self.stopped or order["do"] == "stop"
                    self.going.set()
        os._exit(0)

    def next(self) -> dict[str, Any]:
        """Wait for the next run and return it."""
        with self.changed:
            self.changed.wait_for(lambda: self.orders)
            return self.orders.pop(0)

    def is_stopped(self) -> bool:
        """True if the page has cancelled the run."""
        return self.stopped


def about(run: Run) -> dict[str, Any]:
    """The constants of a run: the model's size, its letters, examples and labels.

    The accuracy of chance is that of the examples used for the accuracies during training.
    """
    pieces = run.letters.pieces
    src, tgt = run.example.src[0], run.example.tgt[0]
    luck = chance(run.watched)
    return {
        "parameters": run.settings.parameters,
        "vocabulary": "".join(pieces[len(SPECIALS) :]),
        "every": run.every,
        "tests": len(run.tests),
        "chance_accuracy": luck.answers if run.tests else None,
        "chance_token_accuracy": luck.tokens if run.tests else None,
        "examples": [list(pair) for pair in run.watched.pairs[:EXAMPLES]],
        "src": [pieces[i] for i in src],
        "tgt_in": [pieces[i] for i in tgt[:-1]],
        "tgt_out": [pieces[i] for i in tgt[1:]],
    }


def frame(one: Frame) -> dict[str, Any]:
    """A frame as JSON; weights are bytes, so each is within 1/510 of the model's."""
    weights = np.concatenate([one.attention[kind].reshape(-1) for kind in KINDS])
    packed = np.rint(weights * 255).astype(np.uint8)
    return {
        "update": one.update,
        "loss": one.loss,
        "teacher_forced_accuracy": one.teacher_forced_accuracy,
        "free_accuracy": one.free_accuracy,
        "gradients": list(one.gradients),
        "written": one.written,
        "seconds": round(one.seconds, 3),
        "weights": base64.b64encode(packed.tobytes()).decode("ascii"),
    }


def train(order: dict[str, Any], control: Control) -> None:
    """Train one run and report it line by line."""
    number = order["run"]

    def tell(**said: Any) -> None:
        sys.stdout.write(json.dumps({"run": number, **said}, allow_nan=False) + "\n")
        sys.stdout.flush()

    tell(started=True)
    try:
        run = Run(Settings.from_dict(order["settings"]))
        run.is_cancelled = control.is_stopped
        tell(about=about(run))
        for one in run.frames():
            tell(frame=frame(one))
            control.going.wait()
        if control.is_stopped():
            tell(stopped=True)
            return
        found = run.result()
        if found.diverged is None:
            weights = save(found.model.state_dict(), metadata={"format": "pt"})
            tell(weights=base64.b64encode(weights).decode("ascii"))
        result = found.to_dict()
        del result["curve"]
        tell(result=result)
    except HeadlightError as error:
        tell(error=str(error))


def main() -> int:
    """Serve runs until the input ends."""
    os.nice(NICE)
    torch.set_num_threads(1)
    control = Control()
    threading.Thread(target=control.read, daemon=True).start()
    while True:
        train(control.next(), control)


if __name__ == "__main__":
    sys.exit(cli.finished(main, logging.WARNING))
