"""How the page looks to Gradio, and how it is launched."""

from __future__ import annotations

from typing import Any

import gradio as gr

from explorer.view import ASSETS, assets_route

FONT = (
    "system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "PingFang SC",
    "Noto Sans CJK SC", "Noto Sans SC", "Microsoft YaHei", "sans-serif",
)  # fmt: skip
MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "Noto Sans Mono CJK SC", "monospace")


def launch_settings() -> dict[str, Any]:
    """Everything `launch` is given besides host, port and share.

    Run history, server-side rendering and monitoring cost time and memory and show nothing here.
    """
    return {
        "theme": gr.themes.Base(
            primary_hue="violet", neutral_hue="zinc", font=FONT, font_mono=MONO
        ),
        # As a plain style element: `css=` rewrites selectors, and loses some within @media.
        "head": f"<style>{(ASSETS / 'style.css').read_text('utf-8')}</style>",
        "favicon_path": ASSETS / "favicon.svg",
        "app_kwargs": {"routes": [assets_route()]},
        "run_history": False,
        "ssr_mode": False,
        "enable_monitoring": False,
        "max_file_size": "16kb",
        "footer_links": ["settings", "api"],
    }
