"""`make film`: the short animation at the top of the README, recorded from the real page.

    python -m bench.film [--out docs/playing.zh.webp] [--text "Why do we work?"] [--language zh]

The page opens with its own first sentence, or with `--text`, and plays the first decoding steps.
The machine must have a Chinese typeface; without one the translation is a row of empty boxes.
"""

from __future__ import annotations

import argparse
import base64
import io
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Page

from bench.harness import WINDOW, opened, served

SHOWN = 960  # pixels across in the file
STEPS = 3  # decoding steps
PACE = 1.8  # speed-up over the page
SHORTEST = 0.045  # seconds per frame in the file
FIRST, LAST = 1.2, 3.0  # seconds that the first and last pictures stay
BETWEEN = 1500  # ms from one step's end to the next
MAX_BYTES = 1_000_000
QUALITIES = (50, 35)
_PLAY = "#panel-figure .hl-play"
_PLAYED = "label => document.querySelector('#panel-figure .hl-play').innerText === label"

Frame = tuple[float, Image.Image]  # time of painting in seconds, and the image


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.film", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/playing.webp"))
    parser.add_argument("--text", default="")
    parser.add_argument("--language", choices=("en", "zh"), default="en")
    given = parser.parse_args()
    text = f"&text={quote(given.text)}" if given.text else ""
    with served() as site, opened(site, f"?view=figure&lang={given.language}{text}") as page:
        page.wait_for_timeout(1500)  # the last of the picture
        frames = record(page)
    size = write(given.out, thinned(frames))
    print(f"{given.out}: {size:,} bytes, {len(frames)} paintings")
    return 0 if size <= MAX_BYTES else 1


def record(page: Page) -> list[Frame]:
    """Record the page's frames while “Play this step” runs to its end, for each step."""
    frames: list[Frame] = []
    session = page.context.new_cdp_session(page)

    def keep(event: dict[str, object]) -> None:
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})
        picture = Image.open(io.BytesIO(base64.b64decode(str(event["data"])))).convert("RGB")
        about: dict[str, float] = event["metadata"]  # type: ignore[assignment]
        frames.append((about["timestamp"], picture))

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png"})
    label = page.locator(_PLAY).inner_text()
    for _ in range(STEPS):
        page.locator(_PLAY).click()
        page.mouse.move(0, 0)
        page.wait_for_timeout(500)
        page.wait_for_function(_PLAYED, arg=label, timeout=120_000)
        page.wait_for_timeout(BETWEEN)
    session.send("Page.stopScreencast")
    return frames


def thinned(frames: list[Frame]) -> list[Frame]:
    """Thin the frames to the file's rate: the first and the last stay, none is too short."""
    kept = [frames[0]]
    for at, picture in frames[1:]:
        if (at - kept[-1][0]) / PACE >= SHORTEST:
            kept.append((at, picture))
    kept[-1] = (kept[-1][0], frames[-1][1])
    return kept


def write(out: Path, frames: list[Frame]) -> int:
    """Write a looping WebP at the best quality that fits `MAX_BYTES`; return its size."""
    seconds = [(then - now) / PACE for (now, _), (then, _) in pairwise(frames)] + [LAST]
    seconds[0] = FIRST
    height = round(SHOWN * WINDOW["height"] / WINDOW["width"])
    pictures = [picture.resize((SHOWN, height), Image.Resampling.LANCZOS) for _, picture in frames]
    for quality in QUALITIES:
        pictures[0].save(
            out, save_all=True, append_images=pictures[1:], loop=0, quality=quality, method=4,
            duration=[round(1000 * each) for each in seconds],
        )  # fmt: skip
        if out.stat().st_size <= MAX_BYTES:
            break
    return out.stat().st_size


if __name__ == "__main__":
    raise SystemExit(main())
