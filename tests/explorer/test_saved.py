"""The document of a saved session: copies of the page's scripts, and nothing from elsewhere."""

from __future__ import annotations

import base64
import gzip
import json
import posixpath
import re

import httpx
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import exhibits
from explorer.saved import PREFIX, saved_page, saved_route, with_session
from explorer.static import FOREIGN, assets_path, files

SAVED = {exhibit.name for exhibit in exhibits.load() if exhibit.saved}
# An import whose path begins with a point, and the same in a saved file.
RELATIVE = re.compile(r"""(from\s*|import\s*\(?\s*)(["'])(\.{1,2}/[^"']+)\2""")


def scripts(document: str) -> dict[str, str]:
    """Each script of the document by its name."""
    (found,) = re.findall(r'<script type="importmap">(.*?)</script>', document)
    start = "data:text/javascript;base64,"
    addresses: dict[str, str] = json.loads(found)["imports"]
    assert all(address.startswith(start) for address in addresses.values())
    return {
        name: base64.b64decode(address.removeprefix(start)).decode()
        for name, address in addresses.items()
    }


def test_its_scripts_are_the_pages_and_import_each_other_by_name() -> None:
    saved = scripts(saved_page())
    elsewhere = {PREFIX + name for name in FOREIGN}  # imported by a published page alone
    assert not elsewhere & set(saved)
    # A file has no class, and no model that an engine could run.
    assert not any("/shell/class/" in name or "/engine/" in name for name in saved)
    for name, source in saved.items():
        path = name.removeprefix(PREFIX)

        def named(match: re.Match[str], folder: str = posixpath.dirname(path)) -> str:
            start, quote, target = match.groups()
            return f"{start}{quote}{PREFIX}{posixpath.normpath(f'{folder}/{target}')}{quote}"

        assert source == RELATIVE.sub(named, files()[path].decode()), name
        code = re.sub(r"/\*\*.*?\*/", "", source, flags=re.DOTALL)  # comments import types only
        imported = re.findall(rf"""["']({PREFIX}[^"'`$]+\.js)["']""", code)
        assert set(imported) <= set(saved) | elsewhere, name
    views = {name.split("/")[3] for name in saved if "/exhibits/" in name}
    assert views >= SAVED
    assert not any(path.startswith("/") or "http" in path for path in saved)


@pytest.mark.parametrize("alone", [None, "tree"])
def test_its_policy_lets_nothing_in(alone: str | None) -> None:
    document = saved_page(alone)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', document)
    rules = {rule.split()[0]: set(rule.split()[1:]) for rule in policy.split("; ")}
    assert rules.pop("default-src") == {"'none'"}
    assert set().union(*rules.values()) <= {"'unsafe-inline'", "data:", "blob:"}
    assert "connect-src" not in rules
    markup = re.sub(r"<(script|style)\b.*?</\1>", "", document, flags=re.DOTALL)
    assert not re.search(r"""\b(src|href)=["']?(?!data:|#)\S*\.(js|css|png|svg)""", markup)
    assert "url(assets/" not in document


def test_a_text_cannot_end_the_sessions_script() -> None:
    document = with_session(saved_page(), {"text": "</script><b>"})
    (session,) = re.findall(r'id="headlight-session">(.*?)</script>', document)
    assert json.loads(session) == {"text": "</script><b>"}


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_the_server_sends_it_as_text(encoding: str) -> None:
    client = TestClient(Starlette(routes=[saved_route()]))
    request = client.build_request(
        "GET", f"{assets_path()}saved", headers={"Accept-Encoding": encoding}
    )
    response: httpx.Response = client.send(request, stream=True)
    sent = b"".join(response.iter_raw())
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.headers["vary"] == "Accept-Encoding"
    assert ("content-encoding" in response.headers) == (encoding == "gzip")
    assert (gzip.decompress(sent) if encoding == "gzip" else sent).decode() == saved_page()
