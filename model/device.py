"""Where the model runs."""

from __future__ import annotations

import torch

from model.errors import ConfigError


def share_cores(passes: int) -> None:
    """Divide the cores among passes that run at the same time.

    If each used all cores, two passes (or a pass and a browser beside it) would wait for each
    other: on 2 cores a translation then took 67 to 96 ms, and 44 to 71 ms on one core each.
    """
    torch.set_num_threads(max(1, torch.get_num_threads() // passes))


def pick_device(device: str) -> str:
    """The device to use: "auto" is a GPU if there is one; any other name is checked.

    Raises:
        ConfigError: a device that torch does not know or that this machine does not have.
    """
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        if torch.device(device).type == "meta":
            raise NotImplementedError  # it has shapes, but no numbers
        torch.empty(0, device=torch.device(device))
    except (RuntimeError, AssertionError, NotImplementedError):
        raise ConfigError(
            f"The device {device!r} is not available here; use auto, cpu, or a GPU such as cuda."
        ) from None
    return device


def synchronize(device: torch.device) -> None:
    """Wait until a device has done its work; GPUs of all makes take work without waiting for it."""
    if device.type != "cpu":
        getattr(torch, device.type).synchronize()
