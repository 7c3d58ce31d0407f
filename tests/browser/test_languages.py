"""Which model opens and which reads a text, as a visitor meets it; the German ones are made up."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from explorer.card import FILES, FOLDER
from explorer.words import WORDS
from tests import tiny
from tests.browsing import LAPTOP, Pages, Server, Watched

pytestmark = pytest.mark.browser

# The page with German models from another folder than that of the shipped ones.
WITH_GERMAN = """
import runpy, sys
from pathlib import Path
from model import shipped
for name in ("en-de", "de-en"):
    shipped.FOLDERS[name] = Path(sys.argv[1]) / name
sys.argv = ["app.py", *sys.argv[2:]]
runpy.run_path("app.py", run_name="__main__")
"""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page with four models."""
    folder = tmp_path_factory.mktemp("german")
    for pair in ("en-de", "de-en"):
        tiny.write_own(folder / pair, paired=True)
        languages = pair.replace("-", ", ")
        (folder / pair / "README.md").write_text(f"---\nlanguage: [{languages}]\n---\n")
        for name in set(FILES) - {path.name for path in (folder / pair).iterdir()}:
            shutil.copy(FOLDER / name, folder / pair)
    running = Server(folder / "log.txt", command=("-c", WITH_GERMAN, str(folder)))
    running.wait()
    yield running.url
    running.stop()


def shown(watched: Watched, key: str, text: str) -> None:
    """Wait until a model shows a text, and the address says so."""
    watched.page.wait_for_function(
        """([key, text]) => {
            const { record } = headlight.page;
            const query = new URLSearchParams(location.search);
            return record.get()?.model.key === key && record.get().text === text
                && query.get("model") === key && query.get("text") === text;
        }""",
        arg=[key, text],
        timeout=120_000,
    )


def test_every_text_comes_to_a_model_that_reads_it(german: str, pages: Pages) -> None:
    watched = pages.take(LAPTOP)
    page = watched.page
    for query, key in (
        ({"lang": "en"}, "en-de"),
        ({"lang": "zh"}, "en-zh"),
        ({"lang": "en", "model": "de-en", "text": "Hallo."}, "de-en"),
        ({"lang": "en", "text": "Why do we work?", "kind": "cross"}, "en-zh"),  # an older address
        ({"lang": "en", "text": "我是学生。", "kind": "cross"}, "zh-en"),
        ({"lang": "zh", "text": "Wo ist der Bahnhof?"}, "de-en"),
    ):
        page.goto(f"{german}?{urlencode(query)}")
        watched.settle()
        first = page.evaluate(
            "(key) => headlight.page.shared.models.find((one) => one.key === key).examples[0].text",
            key,
        )
        shown(watched, key, query.get("text", first))
    page.goto(f"{german}?lang=en&model=en-zh&text=Hello.")
    watched.settle()
    for text, key in (("Das ist gut.", "de-en"), ("我是学生。", "zh-en"), ("It is good.", "en-zh")):
        watched.translate(text)
        shown(watched, key, text)
    watched.translate("Das ist gut.")
    shown(watched, "de-en", "Das ist gut.")
    page.click(f"text={WORDS['model.instead'].en.format(name='English → Chinese')}")
    shown(watched, "en-zh", "Das ist gut.")
    assert watched.errors == []
    pages.put_back(LAPTOP, watched)
