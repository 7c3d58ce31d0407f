"""The command: find and store the openers of a model, or check the stored ones."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import exhibits
from explorer.openers import FILE, POOL, Openers, load
from explorer.openers.case import Case
from explorer.openers.effects import best, without_place
from explorer.openers.search import make, measured, opener, properties
from model import cli, shipped
from model.errors import ConfigError

if TYPE_CHECKING:
    from model.explain import Explainer

TOLERANCE = 0.02  # tolerance of a recomputed number: machines add in different orders


@dataclass(frozen=True)
class Command:
    """Find the page's opening sentence and the opener of each view."""

    model: str = shipped.FIRST  # a shipped model or a folder, in which openers.json is written
    pool: Path | None = None  # sentences, references after tabs (default: the first model's)
    check: bool = False  # measure the stored openers again, and fail if they differ
    json: bool = False  # end with one line of JSON


def checked(explainer: Explainer, stored: Openers) -> list[dict[str, Any]]:
    """Measure every opener again: {view, text, settings, shows_an_effect, measured}."""
    found = []
    cases: dict[str, Case] = {}
    for one in stored.views:
        case = cases.setdefault(one.text, Case(explainer, one.text))
        settings, effect = best(case, opener(one.view))
        found.append(
            {
                "view": one.view,
                "text": one.text,
                "settings": without_place(settings),
                "shows_an_effect": effect.is_there,
                "measured": effect.measured,
            }
        )
    return found


def differences(stored: Openers, found: Sequence[dict[str, Any]]) -> list[str]:
    """Differences from the stored measurements, and openers without effect, as sentences."""
    told = []
    for old, new in zip(stored.views, found, strict=True):
        if not new["shows_an_effect"]:
            told.append(f"{old.view} shows nothing with {old.text!r}")
        for name in ("settings", "measured"):
            if not alike(getattr(old, name), new[name]):
                told.append(f"{old.view} {name} {getattr(old, name)}, now {new[name]}")
    if (missing := set(exhibits.NAMES) - {one.view for one in stored.views}) != set():
        told.append(f"no opener for {', '.join(sorted(missing))}")
    return told


def alike(one: Any, other: Any) -> bool:
    """True if both are equal, numbers approximately."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(one == other)


def work(command: Command) -> None:
    """Search and write openers, or measure them again."""
    from model.explain import Explainer  # torch is imported only here

    folder = Path(shipped.place(command.model))
    if not command.check:
        make(folder, command.pool or shipped.FOLDERS[shipped.FIRST] / POOL)
    stored = load(folder)
    if stored is None:
        raise ConfigError(f"{command.model} has no {FILE}; make it: python -m explorer.openers")
    explainer = Explainer.load(command.model, device="cpu")
    again = checked(explainer, stored)
    told = differences(stored, again)
    case = Case(explainer, stored.default)
    if not alike(measured(case, properties(case)) | {"chrf": 0}, stored.measured | {"chrf": 0}):
        told.append("the default sentence is no longer as it was measured")
    if command.json:
        sys.stdout.write(json.dumps({"default": stored.default, "views": again}) + "\n")
    if told:
        raise ConfigError("; ".join(told) + ". Search again: python -m explorer.openers")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, work, arguments, prog="explorer.openers")


if __name__ == "__main__":
    sys.exit(main())
