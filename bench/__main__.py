"""`make bench`: every measurement, as a table; results that were kept stand in bench/RESULTS.md."""

from __future__ import annotations

import argparse
import platform
from importlib import import_module

NAMES = (
    "explain", "linear", "page", "paints", "figure", "attention", "sampler", "sliders", "tree",
    "playground", "engines", "large", "classroom", "abuse",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Headlight.")
    known = ", ".join(NAMES)
    parser.add_argument("names", nargs="*", help=f"of {known}; all of them if none is named")
    names = parser.parse_args().names or NAMES
    if unknown := set(names) - set(NAMES):
        parser.error(f"nothing to measure is called {', '.join(sorted(unknown))}; expected {known}")
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    for name in names:
        for what, value in import_module(f"bench.{name}").measure():
            print(f"{what:<70} {value}", flush=True)


if __name__ == "__main__":
    main()
