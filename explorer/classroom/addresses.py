"""The addresses under which other devices in the room reach this server."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from typing import Any

from starlette.requests import Request

ANYWHERE = ("192.0.2.1", 9)  # an address for documentation: nothing is sent to it
PATIENCE = 0.3  # seconds for this machine to answer itself


async def open_addresses(request: Request) -> list[dict[str, Any]]:
    """This machine's addresses, {host, open}: `open` if the server can be reached there.

    They are for a teacher whose browser is on this machine, and for nobody else.
    """
    client = request.client
    if client is None or not _is_local(client.host) or not _is_local(request.url.hostname or ""):
        return []
    port = request.url.port or 80
    return [{"host": host, "open": await _answers(host, port)} for host in _own_addresses()]


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _own_addresses() -> list[str]:
    """The address that this machine uses towards the network it is in, if it is in one."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ANYWHERE)  # of a datagram: it chooses the way and sends nothing
        host = str(probe.getsockname()[0])
        return [] if _is_local(host) else [host]
    return []


async def _answers(host: str, port: int) -> bool:
    try:
        opened = asyncio.open_connection(host, port)
        _, writer = await asyncio.wait_for(opened, PATIENCE)
    except (OSError, asyncio.TimeoutError):
        return False
    writer.close()
    return True
