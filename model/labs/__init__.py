"""What a single view of the page, a single command or a notebook needs.

Nothing else in `model/` uses it.
"""
