"""Text: cut into tokens and joined again; letters; Chinese; the vocabulary of a new model."""
