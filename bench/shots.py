"""`make shots`: a picture of every exhibit at five sizes, for inspection.

    python -m bench.shots [--out shots] [--text "Why do we work?"] [--language zh] [exhibits ...]

An exhibit whose picture shows an error, or is wider than its window, is named at the end.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from bench.harness import chromium, served
from explorer.exhibits import NAMES

# Name: width, height, projector size, dark.
SIZES = {
    "laptop": (1366, 768, False, False),
    "projector": (1280, 720, True, False),
    "large": (1920, 1080, False, True),
    "frame": (1000, 700, False, False),
    "phone": (390, 844, False, True),
}
_SETTLED = """() => {
    const { ready, busy, answers } = document.body.dataset;
    return ready === "live" && busy === undefined && answers !== "0";
}"""
_WIDER = "() => document.documentElement.scrollWidth - window.innerWidth"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.shots", description=__doc__)
    parser.add_argument("names", nargs="*", help="exhibits; all if none is named")
    parser.add_argument("--out", type=Path, default=Path("shots"))
    parser.add_argument("--text", default="Why do we work?")
    parser.add_argument("--language", choices=("en", "zh"), default="en")
    given = parser.parse_args()
    names = given.names or list(NAMES)
    if unknown := set(names) - set(NAMES):
        parser.error(f"no exhibit {', '.join(sorted(unknown))}; expected {', '.join(NAMES)}")
    given.out.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    with chromium() as browser, served() as site:
        for size in SIZES:
            faults += _shoot(browser, site.url, size, names, given)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def _shoot(
    browser: Browser, url: str, size: str, names: list[str], given: argparse.Namespace
) -> list[str]:
    """Take the pictures of one size, in `--out`; return the problems."""
    width, height, projector, dark = SIZES[size]
    scheme: Any = "dark" if dark else "light"
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page, faults = context.new_page(), []
    now = ""
    page.on("console", lambda m: faults.append(f"{now}: {m.text}") if m.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(f"{now}: {error}"))
    for name in names:
        now = f"{name}-{size}"
        query = f"?view={name}&lang={given.language}"
        page.goto(url + query)
        page.wait_for_function(_SETTLED, timeout=60_000)
        if page.locator("#hl-text").input_value() != given.text:
            page.fill("#hl-text", given.text)
            page.click("#hl-translate")
            page.wait_for_function(_SETTLED, timeout=60_000)
        if projector and page.get_attribute("html", "data-size") != "projector":
            page.click("#hl-size")
        page.wait_for_timeout(700)  # waits for answers to questions and short animations
        page.screenshot(path=given.out / f"{now}.png")
        if (wider := page.evaluate(_WIDER)) > 0:
            faults.append(f"{now}: {wider} px wider than the window")
        print(now, flush=True)
    context.close()
    return faults


if __name__ == "__main__":
    sys.exit(main())
