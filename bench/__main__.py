"""`make bench`: every measurement, as a table; earlier results are in bench/RESULTS.md."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from bench.harness import Row, rounds

# In Chromium.
PAGES = ("page", "paints", "figure", "attention", "sampler", "sliders", "tree", "looks")
SERVERS = (
    "playground",
    "classroom",
    "following",
    "abuse",
)  # visitors without a browser, for minutes
PROCESSES = (
    "explain",
    "linear",
    "evaluate",
    "engines",
    "large",
    "nllb",
    "sameness",
    "workers",
)
NAMES = (*PROCESSES, *PAGES, *SERVERS)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Headlight.")
    known = ", ".join(NAMES)
    parser.add_argument("names", nargs="*", help=f"of {known}; all of them if none is named")
    parser.add_argument("--beside", type=Path, help="a checkout whose page is measured in turn")
    parser.add_argument("--rounds", type=int, default=3, help=f"servers for {', '.join(PAGES)}")
    given = parser.parse_args()
    if unknown := set(given.names) - set(NAMES):
        parser.error(f"nothing to measure is called {', '.join(sorted(unknown))}; expected {known}")
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    for name in given.names or NAMES:
        for row in _rows(name, given.rounds, given.beside):
            print(row, flush=True)


def _rows(name: str, count: int, beside: Path | None) -> Iterable[Row]:
    measure = import_module(f"bench.{name}").measure
    if name in PROCESSES:
        rows: Iterable[Row] = measure()
        return rows
    return rounds(measure, count if name in PAGES else 1, beside)


if __name__ == "__main__":
    main()
