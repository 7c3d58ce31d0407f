"""Where the model runs."""

from __future__ import annotations

import torch

from model.errors import ConfigError


def share_cores(passes: int) -> None:
    """Give each of so many passes at a time its part of the cores.

    With all cores for each, two passes (or a pass and the browser beside it) wait for one another:
    on 2 cores a translation took 67 to 96 ms so, and 44 to 71 ms with one core.
    """
    torch.set_num_threads(max(1, torch.get_num_threads() // passes))


def pick_device(device: str) -> str:
    """The device to use: "auto" is a GPU where there is one; anything else is checked.

    Raises:
        ConfigError: a device that torch does not know or that is not in this machine.
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
