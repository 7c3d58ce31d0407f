"""What is fast and what is not: `make bench`. Ratios to a peer in the same run, never tests."""

import model  # noqa: F401  before NumPy, which it tells to use one thread
