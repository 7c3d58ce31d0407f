"""A session saved as one file: what the button downloads opens from a disk, the network cut."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browsing import LAPTOP, Watched, show

pytestmark = pytest.mark.browser

# Words that would end the script that they stand in, if anything could.
SENTENCE = "I saw her </script><img src=x onerror=hacked()> and a dog."
SEEN = ("figure", "attention", "tree", "why")  # all of them: tests/shell/test_saved.py


def test_a_hostile_sentence_opens_from_a_disk_and_stays_text(
    open_page: Callable[..., Watched], browser: Browser, tmp_path: Path
) -> None:
    page = open_page().translate(SENTENCE)
    with page.expect_download(timeout=60_000) as download:
        page.click("#hl-save > summary")
    path = tmp_path / "saved.html"
    download.value.save_as(path)
    session = path.read_text("utf-8").split('id="headlight-session">')[1].split("</script>")[0]
    assert "<" not in session and "\\u003c/script>" in session
    with browser.new_context(**LAPTOP, offline=True) as context:
        opened = Watched(context.new_page())
        opened.page.add_init_script("window.hacked = () => { window.wasHacked = true; };")
        opened.page.goto(path.as_uri())
        opened.settle()
        assert opened.page.input_value("#hl-text") == SENTENCE
        assert not opened.page.is_visible("#hl-translate")
        for name in SEEN:
            show(opened.page, name)
            assert opened.page.locator(f"#panel-{name} .hl-failed").count() == 0, name
        assert opened.page.evaluate("() => window.wasHacked") is None
        assert opened.page.locator("img[src=x]").count() == 0
        assert opened.errors == []
        assert {url.split(":")[0] for url in opened.urls} <= {"file", "data", "blob"}
        assert sum(url.startswith("file") for url in opened.urls) == 1
