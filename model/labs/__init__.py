"""What one exhibit of the page needs, and a notebook may like.

Nothing else in `model/` uses it, apart from `Explainer.layer_times`.
"""
