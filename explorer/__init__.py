"""The page, which shows an Explanation to a visitor. Imports no torch."""
