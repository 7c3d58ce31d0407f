"""`make bench`: every measurement, as a table; earlier results are in bench/RESULTS.md."""

from __future__ import annotations

import argparse
import platform
from importlib import import_module
from pathlib import Path
from typing import Any

NAMES = (
    "explain", "linear", "evaluate", "page", "paints", "figure", "attention", "sampler", "sliders",
    "tree", "playground", "engines", "large", "classroom", "abuse", "sameness",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Headlight.")
    known = ", ".join(NAMES)
    parser.add_argument("names", nargs="*", help=f"of {known}; all of them if none is named")
    told = "files of held-out pairs for sameness and evaluate"
    parser.add_argument("--data", nargs="+", type=Path, default=[], help=told)
    told = "sentences for sameness"
    parser.add_argument("--count", type=int, default=500, help=told)
    told = "of these, sentences for its slow methods"
    parser.add_argument("--few", type=int, default=500, help=told)
    given = parser.parse_args()
    names = given.names or NAMES
    own = {"data": given.data, "count": given.count, "few": given.few}
    options: dict[str, dict[str, Any]] = {"sameness": own, "evaluate": {"data": given.data}}
    if unknown := set(names) - set(NAMES):
        parser.error(f"nothing to measure is called {', '.join(sorted(unknown))}; expected {known}")
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    for name in names:
        for what, value in import_module(f"bench.{name}").measure(**options.get(name, {})):
            print(f"{what:<70} {value}", flush=True)


if __name__ == "__main__":
    main()
