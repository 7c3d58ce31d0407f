"""The exhibits, in the order of their tabs."""

from __future__ import annotations

from explorer.exhibit import Exhibit
from explorer.exhibits.attention import ATTENTION
from explorer.exhibits.bleu import BLEU
from explorer.exhibits.byhand import BYHAND
from explorer.exhibits.cheat import CHEAT
from explorer.exhibits.compare import COMPARE
from explorer.exhibits.cost import COST
from explorer.exhibits.curves import CURVES
from explorer.exhibits.dropout import DROPOUT
from explorer.exhibits.experiments import EXPERIMENTS
from explorer.exhibits.flow import FLOW
from explorer.exhibits.learn import LEARN
from explorer.exhibits.ledger import LEDGER
from explorer.exhibits.lens import LENS
from explorer.exhibits.library import LIBRARY
from explorer.exhibits.masks import MASKS
from explorer.exhibits.microscope import MICROSCOPE
from explorer.exhibits.order import ORDER
from explorer.exhibits.positions import POSITIONS
from explorer.exhibits.proof import PROOF
from explorer.exhibits.sampling import SAMPLING
from explorer.exhibits.scaling import SCALING
from explorer.exhibits.schedule import SCHEDULE
from explorer.exhibits.smoothing import SMOOTHING
from explorer.exhibits.steps import STEPS
from explorer.exhibits.stream import STREAM
from explorer.exhibits.summaries import SUMMARIES
from explorer.exhibits.toy import TOY
from explorer.exhibits.tree import TREE

EXHIBITS: tuple[Exhibit, ...] = (
    ATTENTION,
    SUMMARIES,
    MICROSCOPE,
    MASKS,
    EXPERIMENTS,
    CHEAT,
    POSITIONS,
    ORDER,
    STEPS,
    TREE,
    LEDGER,
    SAMPLING,
    COMPARE,
    TOY,
    FLOW,
    STREAM,
    LENS,
    LEARN,
    CURVES,
    SMOOTHING,
    SCHEDULE,
    DROPOUT,
    BLEU,
    LIBRARY,
    BYHAND,
    SCALING,
    COST,
    PROOF,
)
