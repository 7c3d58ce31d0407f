"""`make bench`: every measurement, as a table; results that were kept stand in bench/RESULTS.md."""

from __future__ import annotations

import argparse
import platform

from bench import attention, classroom, explain, linear, page, sampler, sliders, tree

ALL = {
    module.__name__.removeprefix("bench."): module
    for module in (explain, linear, page, attention, sampler, sliders, tree, classroom)
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure Headlight.")
    parser.add_argument(
        "which",
        nargs="*",
        choices=[*ALL, []],
        help="all of them if none is named",
    )
    names = parser.parse_args().which or list(ALL)
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    for name in names:
        for what, value in ALL[name].measure():
            print(f"{what:<70} {value}", flush=True)


if __name__ == "__main__":
    main()
