"""Training: corpora, batches, loss, precision, the folder of a run, and the loop.

The commands `model.train`, `model.evaluate` and `model.distil`, and the training code in
`model/labs/` use it; nothing else in `model/` does.
"""
