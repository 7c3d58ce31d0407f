"""The Transformer, for use from a terminal or a notebook. It does not depend on the page.

Read in this order: `attention.py`, `embedding.py` and `transformer.py` are the network as in the
paper; `decoding.py`, `beams.py` and `sampling.py` write with it; `trace.py` and `explain.py` make
the records. The subpackages: `text/`, `checkpoint/`, `training/`, `labs/`.
"""

import os
import sys

# One search uses one thread (device.py), of NumPy as well. NumPy reads this setting when imported,
# so it is set here, unless NumPy was imported earlier.
if "numpy" not in sys.modules:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
