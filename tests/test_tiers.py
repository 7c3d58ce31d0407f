"""One commit, one answer: what is collected depends on no clock and no chance."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests import foreign, tiny
from tests.tiers import each, some, spread, turns

ROOT = Path(__file__).parent.parent
# Compiled modules measure the classes of `datetime` when they are imported, so they come first.
COMPILED = """
import explorer.unstubbed, torch
explorer.unstubbed.import_gradio()
"""
# pytest under a clock that is three days ahead; its arguments follow.
LATER = """
import datetime, sys, time
AHEAD = 3 * 86_400
clock = time.time
time.time = lambda: clock() + AHEAD
class Date(datetime.date):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())
class Moment(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
datetime.date, datetime.datetime = Date, Moment
import pytest
status = pytest.main(sys.argv[1:])
"""
WRITTEN = """
import json
from tests.test_tiers import digests
print(json.dumps(digests()))
"""


def printed(script: str, *arguments: str) -> list[str]:
    """What another process collects, with other hashes and in another order, and prints."""
    options = ("--collect-only", "-q", "-p", "no:cacheprovider", "--randomly-seed=8")
    run = subprocess.run(
        [sys.executable, "-c", f"{script}sys.exit(status)", *options, *arguments],
        cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": "8"}, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-2_000:] + run.stderr[-2_000:]
    return run.stdout.splitlines()


@pytest.fixture(scope="module")
def later(request: pytest.FixtureRequest) -> list[str]:
    """What another process prints three days later: the tests of this run's files, and digests."""
    files = sorted({item.nodeid.partition("::")[0] for item in request.session.items})
    marks = request.config.option.markexpr
    return printed(COMPILED + LATER + WRITTEN, *files, "-m", marks)


@pytest.mark.slow
def test_two_clocks_collect_the_same_list(request: pytest.FixtureRequest, later: list[str]) -> None:
    """This run's own list, and that of a process with another clock, of the same files."""
    own = sorted(item.nodeid for item in request.session.items)
    others = sorted(line for line in later if "::" in line)
    if not request.config.option.keyword and all("::" not in one for one in request.config.args):
        assert others == own
    assert set(own) <= set(others)


def test_a_list_that_follows_the_clock_is_noticed(tmp_path: Path) -> None:
    """The twin: what is drawn by the day is another list under the other clock."""
    file = tmp_path / "test_daily.py"
    file.write_text(
        "import datetime, pytest\n"
        "@pytest.mark.parametrize('day', [datetime.date.today().toordinal()])\n"
        "def test_it(day): pass\n"
    )
    (one,) = [
        line for line in printed(LATER, str(file), "--rootdir", str(tmp_path)) if "::" in line
    ]
    day = int(one.partition("[")[2].rstrip("]"))
    import datetime

    assert day - datetime.date.today().toordinal() in (2, 3, 4)


def test_the_cases_that_always_run_are_spread() -> None:
    assert spread("abcdefgh", 3) == ("a", "c", "f") and spread("ab", 2) == ("a", "b")
    assert set(spread("abcd", 1)) <= set(some("abcd", 1))
    assert [len(one) >= 1 for one in turns("abc", 5)] == [True] * 5
    mark = each(("letter", "number"), [("a", 1), ("b", 2), ("c", 3)], 1)
    names, cases = mark.args
    assert names == ("letter", "number") and [case.values for case in cases][2] == ("c", 3)
    assert [bool(case.marks) for case in cases] == [False, True, True]


def digests() -> dict[str, str]:
    """Of every file of a tokenizer, and of Marian's model, as they are written for the tests."""
    found = {}
    for name, kind in {**foreign.KINDS, "marian": None}.items():
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            _ = tiny.write_marian(folder, 5) if kind is None else kind.write(folder)
            for file in folder.iterdir():
                found[f"{name}/{file.name}"] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


@pytest.mark.slow
def test_what_is_written_for_the_tests_is_the_same_in_each_process(later: list[str]) -> None:
    """Else some processes meet a near tie that the others do not."""
    pytest.importorskip("transformers")
    own, others = digests(), json.loads(later[-1])
    assert own.keys() == others.keys() and len(own) > 40
    assert {name for name in own if own[name] != others[name]} == set()
