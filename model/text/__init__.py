"""Text: cutting it into tokens and joining them; letters; Chinese; training a vocabulary."""
