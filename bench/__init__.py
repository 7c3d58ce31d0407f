"""What is fast and what is not: `make bench`. Ratios to a peer in the same run, never tests."""
