"""Where a command writes: looked at before the work, so that a wrong --out costs no hours."""

from __future__ import annotations

from pathlib import Path

from model.errors import InputError


def check_folder(path: Path, *, empty: bool = False) -> None:
    """See that a folder can be written, which need not be there yet.

    Raises:
        InputError: a file stands there, or, with `empty`, a folder that holds anything.
    """
    if path.exists() and not path.is_dir():
        raise InputError(f"--out {path} is a file; give a folder.")
    if empty and path.exists() and any(path.iterdir()):
        raise InputError(f"--out {path} holds other files; give a folder that is empty or new.")


def check_file(path: Path) -> None:
    """See that a file can be written.

    Raises:
        InputError: a folder stands there, or there is no folder to put it in.
    """
    if path.is_dir():
        raise InputError(f"--out {path} is a folder; give a file.")
    if not path.parent.is_dir():
        raise InputError(f"--out {path} lies in no folder that exists; make {path.parent} first.")


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        InputError: there is none, it is a folder, or it is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; give one that exists.") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 text (byte {error.start + 1:,}); save it as UTF-8."
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); give a text file.") from None
