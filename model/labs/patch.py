"""Two sentences, one transplant: `python -m model.labs.patch --text A --into B`.

A state of sentence A's run is copied into the run of sentence B, and the logits show how far B
moves towards A. If a single state carries the whole difference, it has the information.

Every run of one picture has the same shape, a row for each transplant, so numbers that a transplant
cannot reach stay equal bit for bit.

Source: Meng et al. 2022, "Locating and Editing Factual Associations in GPT" (causal tracing); Zhang
and Nanda 2024, "Towards Best Practices of Activation Patching" (logit differences; two directions).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

from model import cli, deadline
from model.arrays import Doubles, Floats, freeze
from model.attention import AttentionRecord
from model.checkpoint import SHIPPED
from model.config import KINDS, Head, Kind, Stack
from model.decoding import search
from model.edits import NO_EDITS, Edits, Transplant, Transplants
from model.errors import InputError, quote
from model.explain import Explainer
from model.stepper import TransformerStepper
from model.trace import Tokens
from model.transformer import StackRecord

MIN_DIFFERENCE = 1e-3  # of the two differences: below it, shares are meaningless


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two sentences of equal token count, and a step at which they lead to different tokens.

    Both runs read the same beginning `tgt_in` of the translation of `receiver`. The difference is
    the logit of `token`, the giver's choice, minus that of `instead_of`, the receiver's.
    """

    giver: Tokens  # A, (S,)
    receiver: Tokens  # B, (S,)
    tgt_in: Tokens  # what the decoder has read, (step + 1,)
    token: int
    instead_of: int
    giver_difference: float
    receiver_difference: float

    @property
    def step(self) -> int:
        """The row of the decoder, counted from 0."""
        return len(self.tgt_in) - 1

    def moved(self, changes: Floats) -> Doubles:
        """Changes of the receiver's difference as a share of the way to the giver's."""
        way = self.giver_difference - self.receiver_difference
        shares: Doubles = changes.astype(np.float64) / way
        return shares


@dataclass(frozen=True, eq=False)
class StateTransplants:
    """The effect of transplanting each single state of a stack.

    `changes` (L + 1, P): of the receiver's difference, by the layer (0: the input of layer 1) and
    the position of the state; P is S in the encoder, step + 1 in the decoder.
    """

    contrast: Contrast
    stack: Stack
    changes: Floats

    def __post_init__(self) -> None:
        contrast = self.contrast
        n = len(contrast.receiver if self.stack == "encoder" else contrast.tgt_in)
        freeze(self, "changes", np.float32, (len(self.changes), n))

    @property
    def moved(self) -> Doubles:
        """The share of the way to the giver, (L + 1, P)."""
        return self.contrast.moved(self.changes)


@dataclass(frozen=True, eq=False)
class HeadTransplants:
    """The effect of transplanting each head's output at all positions: `changes` (L, H)."""

    contrast: Contrast
    kind: Kind
    changes: Floats

    def __post_init__(self) -> None:
        freeze(self, "changes", np.float32, np.shape(self.changes)[-2:])

    @property
    def moved(self) -> Doubles:
        """The share of the way to the giver, (L, H)."""
        return self.contrast.moved(self.changes)


class _Run(NamedTuple):
    """One sentence, n times: the difference in each row (n,) and the records of both stacks."""

    differences: Tensor
    encoder: StackRecord
    decoder: StackRecord


class Parting(NamedTuple):
    """A step (from 0) of the receiver's translation at which the giver chooses a different token.

    `way` is the distance between the two differences of logits.
    """

    step: int
    token: int
    instead_of: int
    way: float


def partings(explainer: Explainer, giver: str, receiver: str) -> list[Parting]:
    """Every step at which two sentences lead to different tokens after the receiver's beginning."""
    ids_a, ids_b = (explainer.explain(one).trace.tgt_out.ids.tolist() for one in (giver, receiver))
    a, b = (explainer.logits(one, ids_b) for one in (giver, receiver))  # (T, V)
    found = []
    for step, written in enumerate(ids_b):
        # After the same beginning this is the giver's search choice; elsewhere its most likely
        # token.
        is_own = ids_a[:step] == ids_b[:step] and step < len(ids_a)
        token = ids_a[step] if is_own else int(a[step].argmax())
        way = float(a[step, token] - a[step, written]) - float(b[step, token] - b[step, written])
        if token != written and abs(way) >= MIN_DIFFERENCE:
            found.append(Parting(step, token, written, way))
    return found


def contrast(explainer: Explainer, giver: str, receiver: str, step: int | None = None) -> Contrast:
    """Two sentences, at a step (from 0) of the receiver's translation; None: the largest
    difference.

    Raises:
        InputError: sentences of different token counts, or without a difference there.
    """
    a, b = explainer.read(giver), explainer.read(receiver)
    if len(a) != len(b):
        raise InputError(
            f"The first sentence has {len(a)} tokens and the second {len(b)}; a transplant needs "
            "equal lengths. Replace one word with another of the same length in tokens.",
            key="transplant_lengths", first=len(a), second=len(b),
        )  # fmt: skip
    found = partings(explainer, giver, receiver)
    if not found:
        raise InputError(
            "Both sentences have the same translation, so no word tells them apart. Change a word "
            "that affects the translation.",
            key="transplant_same",
        )
    step = max(found, key=lambda one: one.way).step if step is None else step
    ids_b = explainer.explain(receiver).trace.tgt_out.ids.tolist()
    if not 0 <= step < len(ids_b):
        raise InputError(
            f"Step {step + 1} was requested, but the second translation has only steps 1 to "
            f"{len(ids_b)}.",
            key="transplant_step", step=step + 1, steps=len(ids_b),
        )  # fmt: skip
    token = next((one.token for one in found if one.step == step), ids_b[step])
    return _contrast(explainer, a, b, ids_b[: step + 1], token)


def states(explainer: Explainer, contrast: Contrast, stack: Stack) -> StateTransplants:
    """Transplant each state of a stack separately.

    Raises:
        InputError: the time is up (`deadline`).
    """
    n = len(contrast.receiver if stack == "encoder" else contrast.tgt_in)
    giver, receiver = (_run(explainer, contrast, side, n) for side in _sides(contrast))
    given = (giver.encoder if stack == "encoder" else giver.decoder).states
    where = torch.eye(n, dtype=torch.bool, device=given[0].device)[:, :, None]  # (row, position, 1)
    changes = []
    for layer, state in enumerate(given):
        edits = Transplants({(stack, layer): Transplant(where, state)})
        changed = _run(explainer, contrast, contrast.receiver, n, edits)
        changes.append(changed.differences - receiver.differences)
    return StateTransplants(contrast, stack, torch.stack(changes).cpu().numpy())


def heads(explainer: Explainer, contrast: Contrast, kind: Kind) -> HeadTransplants:
    """Transplant the output of each head of a kind separately, at all positions.

    Raises:
        InputError: the time is up (`deadline`).
    """
    n = explainer.model.config.heads(kind)
    giver, receiver = (_run(explainer, contrast, side, n) for side in _sides(contrast))
    records = _records(giver, kind)
    where = torch.eye(n, dtype=torch.bool, device=giver.differences.device)[:, :, None, None]
    changes = []
    for layer, record in enumerate(records):
        context = cast("Tensor", record.weights) @ record.values  # (n, H, Q, d_k)
        edits = Transplants(contexts={(kind, layer): Transplant(where, context)})
        changed = _run(explainer, contrast, contrast.receiver, n, edits)
        changes.append(changed.differences - receiver.differences)
    return HeadTransplants(contrast, kind, torch.stack(changes).cpu().numpy())


@torch.inference_mode()
def translation(
    explainer: Explainer, contrast: Contrast, layer: int, positions: Sequence[int]
) -> str:
    """The receiver's translation with the giver's encoder states of a layer at some positions.

    Layer 0 is the input of layer 1. With all states of the last layer it is the giver's
    translation.

    Raises:
        InputError: a layer or position that does not exist; the time is up (`deadline`).
    """
    n, n_layers = len(contrast.receiver), explainer.model.config.n_encoder_layers
    if not 0 <= layer <= n_layers or not all(0 <= p < n for p in positions):
        raise InputError(
            f"Layer {layer} and positions {quote(list(positions))} were given; expected layers 0 "
            f"to {n_layers} and positions 0 to {n - 1}."
        )
    giver, receiver = _ids(explainer, contrast.giver.ids), _ids(explainer, contrast.receiver.ids)
    state = explainer.model.encode(giver)[2].states[layer]
    where = torch.zeros(n, 1, dtype=torch.bool, device=state.device)
    where[list(positions)] = True
    edits = Transplants({("encoder", layer): Transplant(where, state)})
    memory, _, _ = explainer.model.encode(receiver, edits)
    model, config = explainer.model, explainer.defaults
    most = min(config.max_length, model.config.max_positions)
    stepper = TransformerStepper.continuing(model, model.start(memory, None))
    (found,) = search(
        stepper, 1, replace(config, max_length=most), explainer.rules_of(contrast.receiver),
        explainer.tokenizer, record=False,
    )  # fmt: skip
    return found.hypotheses[0].text


def _contrast(
    explainer: Explainer, giver: Tokens, receiver: Tokens, written: list[int], token: int
) -> Contrast:
    instead_of = written[-1]
    if token == instead_of:
        piece = explainer.tokenizer.piece(token)
        raise InputError(
            f"Both sentences continue with {quote(piece)} at step {len(written)}. Choose a step at "
            "which their words differ.",
            key="transplant_agree", piece=piece, step=len(written),
        )  # fmt: skip
    start = explainer.trace(receiver.text, written).tgt_in
    draft = Contrast(giver, receiver, start, token, instead_of, 1.0, 0.0)
    a, b = (float(_run(explainer, draft, side, 1).differences[0]) for side in _sides(draft))
    if abs(a - b) < MIN_DIFFERENCE:
        raise InputError(
            "Both sentences favour the same of the two words by the same amount, so there is no "
            "way to go from one to the other. Choose another step.",
            key="transplant_agree", piece=explainer.tokenizer.piece(token), step=len(written),
        )  # fmt: skip
    return Contrast(giver, receiver, start, token, instead_of, a, b)


def _sides(contrast: Contrast) -> tuple[Tokens, Tokens]:
    return contrast.giver, contrast.receiver


def _ids(explainer: Explainer, ids: Any) -> Tensor:
    return torch.tensor(ids[None], device=explainer.device)


@torch.inference_mode()
def _run(
    explainer: Explainer, contrast: Contrast, src: Tokens, n: int, edits: Edits = NO_EDITS
) -> _Run:
    """Run one sentence in n equal rows after the beginning of the translation."""
    deadline.check()
    model = explainer.model
    memory, _, encoder = model.encode(_ids(explainer, src.ids).repeat(n, 1), edits)
    tgt = _ids(explainer, contrast.tgt_in.ids).repeat(n, 1)
    top, _, decoder = model.decode(tgt, model.start(memory, None), edits)
    logits = model.logits(top[:, -1])  # (n, V)
    return _Run(logits[:, contrast.token] - logits[:, contrast.instead_of], encoder, decoder)


def _records(run: _Run, kind: Kind) -> tuple[AttentionRecord, ...]:
    if kind == "cross":
        return run.decoder.cross
    return (run.encoder if kind == "encoder_self" else run.decoder).self_attention


# --------------------------------------------------------------------------------- the command


@dataclass(frozen=True)
class Command:
    """Copy each state of one sentence into another one's run, and see how far the logits move."""

    text: str  # the sentence that gives its states
    into: str  # the sentence that receives them
    step: int | None = None  # step of its translation, from 1; default: the largest difference
    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model
    json: bool = False


def best_heads(found: Sequence[HeadTransplants]) -> list[tuple[Head, float]]:
    """The heads of several kinds with the share of the way, the largest first."""
    shares = [
        ((one.kind, layer, head), float(share))
        for one in found
        for (layer, head), share in np.ndenumerate(one.moved)
    ]
    return sorted(shares, key=lambda pair: -pair[1])


def answer(explainer: Explainer, pair: Contrast) -> dict[str, Any]:
    """One direction as JSON; layers and heads are counted from 1, states from layer 0."""
    stacks: tuple[Stack, ...] = ("encoder", "decoder")
    ranked = best_heads([heads(explainer, pair, kind) for kind in KINDS])
    piece = explainer.tokenizer.piece
    return {
        "text": pair.giver.text,
        "into": pair.receiver.text,
        "source": [list(pair.giver.pieces), list(pair.receiver.pieces)],
        "read": list(pair.tgt_in.pieces),
        "step": pair.step + 1,
        "token": piece(pair.token),
        "instead_of": piece(pair.instead_of),
        "differences": [pair.giver_difference, pair.receiver_difference],
        "states": {s: states(explainer, pair, s).moved.tolist() for s in stacks},
        "heads": [
            {"kind": kind, "layer": layer + 1, "head": head + 1, "moved": share}
            for (kind, layer, head), share in ranked
        ],
    }


def run(command: Command) -> None:
    """Transplant in both directions and print."""
    explainer = Explainer.load(command.model)
    step = None if command.step is None else command.step - 1
    texts = (command.text, command.into)
    answers = [answer(explainer, contrast(explainer, *both, step)) for both in (texts, texts[::-1])]
    if command.json:
        print(json.dumps({"directions": answers}, ensure_ascii=False))
        return
    for found in answers:
        print(f"{found['text']} -> {found['into']}")
        print(f"step {found['step']}: {found['token']} and not {found['instead_of']}")
        for stack, pieces in (("encoder", found["source"][1]), ("decoder", found["read"])):
            print(f"{stack:8}", *(f"{text[:9]:>9}" for text in pieces))
            for layer, row in enumerate(found["states"][stack]):
                print(f"layer {layer:2}", *(f"{share:9.2f}" for share in row))
        for one in found["heads"][:5]:
            print(f"{one['kind']} {one['layer']}.{one['head']}: {one['moved']:.2f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, run, arguments, prog="model.labs.patch")


if __name__ == "__main__":
    sys.exit(main())
