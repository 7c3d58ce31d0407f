"""Text: cutting it into tokens and joining them; letters; languages; training a vocabulary."""
