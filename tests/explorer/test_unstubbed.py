"""Gradio is imported without the type stubs that it writes for editors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUBS = """
import inspect, sys
stubs, before = [], inspect.getfile
def look(event, given):
    if event == "open" and str(given[0]).endswith(".pyi"):
        stubs.append(given)
sys.addaudithook(look)
{how}
import gradio
assert inspect.getfile is before and inspect.getfile(gradio.Blocks).endswith("blocks.py")
assert gradio.Slider(0, 1).change and gradio.HTML
print(len(stubs))
"""


def opened(how: str) -> int:
    """How many stubs a new process opens when Gradio is imported so."""
    run = [sys.executable, "-c", STUBS.format(how=how)]
    return int(subprocess.run(run, cwd=ROOT, capture_output=True, check=True, timeout=600).stdout)


@pytest.mark.slow
def test_no_stub_is_opened() -> None:
    assert opened("from explorer.unstubbed import import_gradio; import_gradio()") == 0


@pytest.mark.slow
@pytest.mark.long
def test_gradio_alone_opens_them() -> None:
    """If it no longer does, `explorer/unstubbed.py` has had its day."""
    assert opened("") > 50
