"""The Transformer and all that a terminal or a notebook needs. Knows no page."""
