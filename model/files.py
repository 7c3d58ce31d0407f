"""The files of a command: checks before the work, disk errors, how much has been read.

A wrong --out must not cost hours of work; a full disk must leave the old file in place and end with
a message. `cli.py` prints it for every command.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from safetensors import SafetensorError

from model.errors import InputError
from model.text.kinds import short

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_folder(path: Path, *, empty: bool = False) -> None:
    """Check that a folder can be written; it need not exist yet.

    Raises:
        InputError: it or a parent is a file, or, with `empty`, the folder is not empty.
    """
    if path.exists() and not path.is_dir():
        raise InputError(f"--out {path} is a file; give a folder.")
    above = next((parent for parent in path.parents if parent.exists()), path)
    if above.exists() and not above.is_dir():
        raise InputError(f"--out {path} cannot be made: {above} is a file. Give another folder.")
    if empty and path.exists() and any(path.iterdir()):
        raise InputError(f"--out {path} holds other files; give a folder that is empty or new.")


def check_file(path: Path) -> None:
    """Check that a file can be written.

    Raises:
        InputError: it is a folder, or its parent folder does not exist.
    """
    if path.is_dir():
        raise InputError(f"--out {path} is a folder; give a file.")
    if not path.parent.is_dir():
        raise InputError(f"--out {path} lies in no folder that exists; make {path.parent} first.")


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        InputError: it does not exist, is a folder, or is not UTF-8.
    """
    return decoded(read_bytes(path), path)


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        InputError: it does not exist or is a folder.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {short(path)}; give one that exists.") from None
    except OSError as error:
        raise InputError(
            f"{short(path)} cannot be read ({error.strerror}); give a text file."
        ) from None


def decoded(raw: bytes, path: Path) -> str:
    """Return the text of a file's content.

    Raises:
        InputError: it is not UTF-8.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{short(path)} is not UTF-8 text (byte {error.start + 1:,}); save it as UTF-8."
        ) from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Open a new file, which replaces `path` once it is complete.

    Until then the old file stays intact, whatever interrupts the writing. A path that is not a
    regular file, such as /dev/stdout, is written to directly.

    Raises:
        InputError: the file cannot be written, for example because the disk is full.
    """
    is_device = os.path.exists(path) and not os.path.isfile(path)  # a name too long is none
    partial = path if is_device else path.with_name(f"{path.name}.part")
    try:
        yield partial
        if not is_device:
            partial.replace(path)
    except Exception as error:
        refusal = refusal_in(error)
        if refusal is None:
            raise
        raise InputError(sentence(refusal, path)) from error
    finally:
        if not is_device:
            with suppress(OSError):
                partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file as UTF-8, all of it or nothing.

    Raises:
        InputError: it cannot be written.
    """
    with replacing(path) as partial:
        partial.write_text(text, "utf-8")


def between_marks(text: str, name: str, new: str) -> str:
    """Replace the text between the marks <!-- name --> and <!-- /name --> of a Markdown text.

    Raises:
        InputError: there are no such marks.
    """
    mark = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)", re.DOTALL)
    if not mark.search(text):
        raise InputError(f"The text has no marks <!-- {name} -->; put them around the old table.")
    return mark.sub(lambda match: match[1] + new + match[2], text)


def refusal_in(error: BaseException) -> OSError | None:
    """The system's error, even if a library hides it in an error of its own type."""
    if isinstance(error, OSError):
        return error
    if isinstance(error, SafetensorError):
        number = re.search(r"\(os error (\d+)\)", str(error))
        return OSError(int(number[1]), os.strerror(int(number[1]))) if number else None
    # torch.save could not write all of its file.
    hidden = error.__context__ if isinstance(error, RuntimeError) else None
    return hidden if isinstance(hidden, OSError) else None


def sentence(error: OSError, path: Path | None = None) -> str:
    """A system error as a message; `path` is the file, if the error does not name it."""
    if error.errno is None:
        return str(error)  # a library's own words
    if isinstance(error, BrokenPipeError):
        return "The output was closed before all of it was written."
    place, reason = path or error.filename2 or error.filename, error.strerror
    if error.errno in _FULL:
        return f"{place or 'The output'} cannot be written ({reason}); free some space, try again."
    return (
        f"{place or 'A file'} cannot be read or written ({reason}); see that it is there, that you "
        "may use it, and that its disk has space."
    )


class Read(NamedTuple):
    """Bytes that have been read, of all there are."""

    done: int
    of: int


Listener = Callable[[Read], object]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def hearing(listener: Listener) -> Iterator[None]:
    """Tell the listener what this thread reads meanwhile."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell_read(done: int, of: int) -> None:
    """Say how much has been read; nothing happens if nobody listens."""
    listener = _listener.get()
    if listener is not None:
        listener(Read(min(done, of), of))
