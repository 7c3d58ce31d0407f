"""What a single view of the page or a single command needs, and a notebook may like.

Nothing else in `model/` uses it.
"""
