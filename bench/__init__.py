"""Measurements of speed: `make bench`. Ratios to a peer in the same run, never tests."""

import model  # noqa: F401  before NumPy, to limit it to one thread
