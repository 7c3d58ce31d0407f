"""The origin of a request, by which the playground's queue takes turns (docs/scale.md)."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import gradio as gr
    from starlette.requests import Request

MAX_BROWSER = 200  # most characters of a user agent


class Origin(NamedTuple):
    """The network address of a visitor, and their browser's user agent."""

    address: str = ""
    browser: str = ""


def origin(request: Request | gr.Request) -> Origin:
    """The origin of a request."""
    host = request.client.host if request.client else ""
    return Origin(_network(host), request.headers.get("user-agent", "")[:MAX_BROWSER])


def _network(host: str) -> str:
    """The address of one visitor or router; for IPv6 the first half, which is the network."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False).network_address)
