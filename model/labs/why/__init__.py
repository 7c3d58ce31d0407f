"""Why this token and not a different one: two logits, and what made their difference."""
