"""Code for single views of the page, single commands or notebooks.

Nothing else in `model/` uses it.
"""
