"""Speaks as model/labs/playground/worker.py does, and trains nothing: a frame every 5 ms.

A run has as many frames as updates. It starts at once, where torch takes seconds.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

PACE = 0.005  # seconds from one frame to the next


class Orders:
    """What was read: runs to come, and what is wanted of the one under way."""

    def __init__(self) -> None:
        self.runs: list[dict[str, Any]] = []
        self.do = "go"

    def read(self) -> None:
        for line in sys.stdin:
            order = json.loads(line)
            if "run" in order:
                self.runs.append(order)
            else:
                self.do = order["do"]
        os._exit(0)


def tell(**said: Any) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def train(orders: Orders, run: int, settings: dict[str, Any]) -> None:
    orders.do = "go"
    tell(run=run, about={})
    for update in range(settings["updates"]):
        tell(run=run, frame={"update": update})
        while orders.do == "pause":
            time.sleep(PACE)
        if orders.do == "stop":
            return tell(run=run, stopped=True)
        time.sleep(PACE)
    tell(run=run, weights="")
    return tell(run=run, result={"settings": settings})


def main() -> None:
    orders = Orders()
    threading.Thread(target=orders.read, daemon=True).start()
    while True:
        while not orders.runs:
            time.sleep(PACE)
        train(orders, **orders.runs.pop(0))


if __name__ == "__main__":
    main()
