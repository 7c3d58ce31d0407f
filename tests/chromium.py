"""Find a Chromium for the browser tests, and install one where there is none.

`python -m tests.chromium` is part of `make test`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"  # without windows: a tenth less work for the same pages
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# Each context gets a window, and each window two pages for its address bar, which cost as much as
# ours: of 3.4 s of processor time to open a page they took 1.2. The last list given counts alone,
# so what Playwright switches off of its own accord, and a test could meet, stands here too.
_OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "Translate",
)
FLAGS = (
    "--no-sandbox",  # a container often runs as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(_OFF)}",
)


def find() -> str | None:
    """The path of a Chromium: that of HEADLIGHT_CHROMIUM, the system's, or Playwright's."""
    named = os.environ.get("HEADLIGHT_CHROMIUM")
    if named:
        return named
    for name in NAMES:
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        bundled = playwright.chromium.executable_path
    return bundled if Path(bundled).exists() else None


def install() -> None:
    """Install Debian's Chromium where that can be done, else Playwright's own."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        get = ("apt-get", "-y", "-q")
        subprocess.run([*get, "update"], check=True, env=environment)
        if subprocess.run([*get, "install", SHELL], env=environment).returncode:
            subprocess.run([*get, "install", "chromium"], check=True, env=environment)
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    if not find():
        install()
    if not find():
        sys.exit("No Chromium was found or could be installed; set HEADLIGHT_CHROMIUM to one.")
