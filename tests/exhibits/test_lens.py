"""The logit lens when the server fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browsing import Watched
from tests.exhibits.failing import check_failing

pytestmark = pytest.mark.browser


def test_a_failing_server_can_be_asked_again(open_page: Callable[..., Watched]) -> None:
    check_failing(open_page, "lens", ".hl-lens-table")
