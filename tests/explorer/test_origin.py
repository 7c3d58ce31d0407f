"""Where a request comes from, for whoever shares out turns."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from explorer.origin import MAX_BROWSER, Origin, origin


def request(host: str | None, browser: str = "Chrome") -> Request:
    client = None if host is None else (host, 1234)
    headers = [(b"user-agent", browser.encode())] if browser else []
    return Request({"type": "http", "client": client, "headers": headers})


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),  # whoever has one of a network has all
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
        (None, ""),
    ],
)
def test_an_address_stands_for_a_visitor_or_a_router(host: str | None, address: str) -> None:
    assert origin(request(host)) == Origin(address, "Chrome")


def test_a_browser_is_what_it_calls_itself() -> None:
    assert origin(request("192.0.2.7", "")).browser == ""
    assert len(origin(request("192.0.2.7", "x" * 9000)).browser) == MAX_BROWSER
