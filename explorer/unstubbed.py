"""Gradio without its type stubs: the page stands two seconds earlier.

At each import Gradio writes a `.pyi` file for every component, for editors. Finding each class in
its source is half of what the import takes.
"""

from __future__ import annotations

import inspect
from typing import Any


def import_gradio() -> None:
    """Import Gradio, once and for all modules, without the stubs.

    It makes none for a class that has no file (`gradio.component_meta`), and while it is being
    imported its own classes have none. Models may be loading beside it: their classes keep theirs.
    """
    file_of = inspect.getfile

    def file_if_not_gradios(object: Any) -> str:
        if getattr(object, "__module__", "").startswith("gradio."):
            raise OSError
        return file_of(object)

    inspect.getfile = file_if_not_gradios
    try:
        import gradio  # noqa: F401
    finally:
        inspect.getfile = file_of
