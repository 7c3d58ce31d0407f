"""The page: what a visitor sees of an Explanation. Imports no torch."""
