"""The Transformer and all that a terminal or a notebook needs. It does not depend on the page.

To be read in this order: `attention.py`, `embedding.py` and `transformer.py` are the network as the
paper tells it; `decoding.py`, `beams.py` and `sampling.py` write with it; `trace.py` and
`explain.py` record what happened. The rooms: `text/`, `checkpoint/`, `training/`, `labs/`.
"""

import os
import sys

# NumPy multiplies small blocks (linear.py): threads of its own would only wait for PyTorch's. It
# reads this when it is imported, so it is said here, unless somebody imported it before.
if "numpy" not in sys.modules:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
