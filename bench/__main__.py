"""`make bench`: every measurement, as a table; results that were kept stand in bench/RESULTS.md."""

from __future__ import annotations

import argparse
import platform

from bench import attention, explain, page, sampler, tree


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure Headlight.")
    parser.add_argument(
        "which",
        nargs="*",
        help="explain, page, attention, sampler, tree; all of them if none is named",
    )
    names = parser.parse_args().which or ["explain", "page", "attention", "sampler", "tree"]
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    for module in (explain, page, attention, sampler, tree):
        if module.__name__.removeprefix("bench.") in names:
            for name, value in module.measure():
                print(f"{name:<70} {value}", flush=True)


if __name__ == "__main__":
    main()
