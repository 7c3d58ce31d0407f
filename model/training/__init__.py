"""Training: corpora, batches, loss, precision, the folder of a run, and the loop.

The commands `model.train`, `model.evaluate` and `model.distil`, and what is trained in
`model/labs/`, use it; nothing else in `model/` does.
"""
