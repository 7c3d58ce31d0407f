"""The Explainer: text and settings in, an Explanation out; here tensors become records.

text -> Tokens -> Search -> Trace -> Explanation
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch

from model import checkpoint, snapshots
from model.checkpoint import SHIPPED, Checkpoint
from model.config import UNTOUCHED, DecodeConfig, Interventions, Kind
from model.decoding import allowed, search
from model.device import pick_device
from model.errors import InputError
from model.inside import Inputs, SubLayer, inputs, sub_layer
from model.recording import maps, states
from model.stepper import TransformerStepper
from model.timing import LayerTimes, layer_times
from model.tokenizer import START
from model.trace import Explanation, Search, Tokens, Trace
from model.transformer import DecoderState, StackRecord, Transformer

log = logging.getLogger(__name__)

MAX_CHARACTERS = 2_000
MAX_SOURCE_TOKENS = 128
TOP = 20  # next-token candidates that a Trace keeps at each position
REMEMBERED = 32  # searches kept; one with beam 16 over 128 tokens takes about 3 MB

_Key = tuple[str, DecodeConfig, Interventions, tuple[int, ...]]


class _Encoded(NamedTuple):
    """A source with its padding, what the encoder made of it, and where decoding starts from."""

    src: Tokens
    record: StackRecord
    state: DecoderState


class Explainer:
    """A loaded model that explains. Keeps nothing of a visitor but a bounded memory of searches."""

    def __init__(self, loaded: Checkpoint, device: str) -> None:
        self.model, self.tokenizer, self.rules = loaded.model, loaded.tokenizer, loaded.rules
        self.name, self.revision, self.source = loaded.name, loaded.revision, loaded.source
        self.device = device
        self.folder, self._loaded = loaded.folder, loaded
        self._earlier: dict[float, Explainer] = {}  # one for each kept share, at most
        self._memory: OrderedDict[_Key, Search] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def load(
        cls, path: str | Path | None = None, device: str = "auto", revision: str | None = None
    ) -> Explainer:
        """Open a folder or a Hub name; None is the shipped English to Chinese model.

        Raises:
            CheckpointError: the model cannot be found, read or matched.
            ConfigError: the device does not exist here.
        """
        place = pick_device(device)
        return cls(checkpoint.load(path or SHIPPED, device=place, revision=revision), place)

    def explain(
        self,
        text: str,
        config: DecodeConfig | None = None,
        *,
        interventions: Interventions = UNTOUCHED,
        shown: int = 0,
        prefix: Sequence[int] = (),
        node: tuple[int, int] | None = None,
    ) -> Explanation:
        """Translate `text`, and trace hypothesis number `shown` (0 is the best).

        `prefix` holds target ids that every hypothesis is forced to begin with. `node` is a step
        and a candidate of the search: then the prefix that ends there is traced instead. A
        `max_length` beyond the model's positions is cut to them; the settings that were used are
        in the result.

        Raises:
            InputError: text that is empty, too long, or not text; a hypothesis that does not exist.
        """
        config = config or DecodeConfig()
        config = replace(config, max_length=min(config.max_length, self._room(interventions)))
        started = time.perf_counter()
        encoded = self._encode(self.read(text), interventions)
        found = self._search(encoded, config, interventions, tuple(prefix))
        if not 0 <= shown < len(found.hypotheses):
            raise InputError(
                f"Hypothesis {shown + 1} was asked for; this search has {len(found.hypotheses)}."
            )
        path = found.hypotheses[shown].path if node is None else found.path(*node)
        ids = [int(step.token_ids[c]) for step, c in zip(found.steps, path, strict=False)]
        trace = self._trace(encoded, ids, interventions)
        seconds = time.perf_counter() - started
        log.info("%s, %d to %d tokens, %.3f s", config.method, len(trace.src), len(ids), seconds)
        return Explanation(
            text=encoded.src.text,
            config=config,
            interventions=interventions,
            search=found,
            trace=trace,
            shown=shown,
            seconds=seconds,
            device=self.device,
            path=path,
            node=node,
            prefix=tuple(prefix),
        )

    def trace(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Trace:
        """The same target ids under other interventions: what the changed model says to them.

        Of an explanation, `ids` are `trace.tgt_out.ids`: the end token counts, if there is one.

        Raises:
            InputError: as `explain`; ids that do not exist, or more than the model has positions.
        """
        self._check_ids(ids, 1, self._room(interventions))
        return self._trace(self._encode(self.read(text), interventions), ids, interventions)

    @torch.inference_mode()
    def next_log_probs(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> np.ndarray:
        """The log-probs (V,) of the token after the target ids, over the whole vocabulary.

        As the search sees them: -inf for a token that the checkpoint's rules forbid.

        Raises:
            InputError: as `explain`; ids that do not exist, or more than the model has positions.
        """
        self._check_ids(ids, 0, self._room(interventions) - 1)
        encoded = self._encode(self.read(text), interventions)
        read = torch.tensor([[self.rules.start_id, *ids]], device=self.device)
        x, _, _ = self.model.decode(read, encoded.state, interventions.stepwise())
        log_probs = self.model.logits(x[:, -1]).float().log_softmax(-1)  # (1, V)
        found: np.ndarray = allowed(log_probs, self.rules)[0].cpu().numpy()
        return found

    def inside(self, trace: Trace, kind: Kind, layer: int) -> SubLayer:
        """One attention sub-layer of a trace, from what enters it to what leaves it."""
        return sub_layer(self.model, trace, kind, layer)

    def inputs(self, trace: Trace, side: Literal["source", "target"]) -> Inputs:
        """Embeddings and position vectors of the tokens that a stack has read."""
        return inputs(self.model, trace, side)

    @torch.inference_mode()
    def encoded(
        self, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> np.ndarray:
        """What the encoder makes of source ids in any order, (S, d_model)."""
        batch = torch.tensor([list(ids)], device=self.device)
        found: np.ndarray = self.model.encode(batch, interventions)[0][0].float().cpu().numpy()
        return found

    def layer_times(self, lengths: Sequence[int]) -> LayerTimes:
        """How long an encoder layer takes here for sentences of so many tokens."""
        return layer_times(self.model, lengths)

    @torch.inference_mode()
    def logits(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> np.ndarray:
        """The logits (T, V) that the model gives at each of the target ids, teacher-forced.

        Raises:
            InputError: as `trace`.
        """
        self._check_ids(ids, 1, self._room(interventions))
        encoded = self._encode(self.read(text), interventions)
        read = torch.tensor([[self.rules.start_id, *ids[:-1]]], device=self.device)
        x, _, _ = self.model.decode(read, encoded.state, interventions)
        found: np.ndarray = self.model.logits(x)[0].float().cpu().numpy()
        return found

    @property
    def shares(self) -> tuple[float, ...]:
        """The shares of the training, 0 up to 1, at which this model can be seen; 1 is itself."""
        kept = snapshots.shares(self.folder) if self.folder else ()
        return (*(share for share in kept if share < 1), 1.0)

    def at(self, share: float) -> Explainer:
        """This model as it was at one of `shares`, its weights rounded to a byte each; itself at 1.

        Raises:
            InputError: no weights were kept there.
            CheckpointError: they cannot be read.
        """
        if share not in self.shares:
            raise InputError(f"No weights were kept at {share} of the training.")
        if share == 1 or self.folder is None:
            return self
        with self._lock:
            if share not in self._earlier:
                path = snapshots.place(self.folder, share)
                model = snapshots.load(path, self.model.config).to(self.device)
                self._earlier[share] = self.with_model(model)
            return self._earlier[share]

    def with_model(self, model: Transformer) -> Explainer:
        """The same, with other weights of the same shape: one has the tokenizer and the rules."""
        return Explainer(replace(self._loaded, model=model, folder=None), self.device)

    def search_seconds(
        self,
        text: str,
        config: DecodeConfig,
        *,
        interventions: Interventions = UNTOUCHED,
        prefix: Sequence[int] = (),
    ) -> float:
        """How long it takes now to encode and to search, whatever is remembered.

        Raises:
            InputError: as `explain`.
        """
        config = replace(config, max_length=min(config.max_length, self._room(interventions)))
        started = time.perf_counter()
        encoded = self._encode(self.read(text), interventions)
        self._search_anew(encoded, config, interventions, tuple(prefix))
        return time.perf_counter() - started

    def forget(self) -> None:
        """Empty the memory of searches."""
        with self._lock:
            self._memory.clear()

    def read(self, text: Any) -> Tokens:
        """The source tokens of a text, within the limits.

        Raises:
            InputError: not a text, nothing in it, or too much of it.
        """
        if not isinstance(text, str):
            raise InputError(f"Expected a text, got {type(text).__name__}. Type a sentence.")
        if len(text) > MAX_CHARACTERS:
            raise InputError(
                f"The text has {len(text):,} characters; the most that can be read are "
                f"{MAX_CHARACTERS:,}. Shorten it to a sentence or two."
            )
        src = self.tokenizer.encode_source(text)
        if len(src) > self.max_source_tokens:
            raise InputError(
                f"The text has {len(src)} tokens; the most that can be read are "
                f"{self.max_source_tokens}. Shorten it to a sentence or two."
            )
        return src

    @property
    def max_source_tokens(self) -> int:
        return min(MAX_SOURCE_TOKENS, self._positions)

    @property
    def _positions(self) -> int:
        return self.model.config.max_positions

    def _room(self, interventions: Interventions) -> int:
        """The target tokens that there are positions for."""
        moved = interventions.moved("target") and interventions.positions == "shifted"
        room = self._positions - interventions.shift * moved
        if room < 1:
            raise InputError(
                f"The positions were moved {interventions.shift} places further on; this model "
                f"has {self._positions}. Choose a smaller shift.",
                key="shift", shift=interventions.shift, positions=self._positions,
            )  # fmt: skip
        return room

    def _check_ids(self, ids: Sequence[int], least: int, most: int) -> None:
        size = self.model.config.vocab_size
        if not least <= len(ids) <= most or any(not 0 <= i < size for i in ids):
            raise InputError(
                f"From {least} to {most} target ids from 0 to {size - 1} were expected; "
                f"these are {len(ids)}: {', '.join(map(str, list(ids)[:8]))}."
            )

    @torch.inference_mode()
    def _encode(self, src: Tokens, interventions: Interventions) -> _Encoded:
        padded = self._padded(src, interventions.padding)
        batch = torch.tensor(src.ids[None], device=self.device)  # (1, S)
        memory, src_mask, record = self.model.encode(batch, interventions)
        masked = interventions.padding and interventions.padding_mask
        return _Encoded(padded, record, self.model.start(memory, src_mask if masked else None))

    def _padded(self, src: Tokens, n: int) -> Tokens:
        """The source as the encoder reads it, with `n` tokens of padding."""
        if len(src) + n > self.max_source_tokens:
            raise InputError(
                f"The text has {len(src)} tokens and {n} of padding; the most that can be read "
                f"are {self.max_source_tokens}. Take less padding or a shorter text."
            )
        pad, end = self.tokenizer.pad_id, len(src.text)
        return Tokens(
            src.text,
            np.pad(src.ids, (0, n), constant_values=pad),
            (*src.pieces, *[self.tokenizer.piece(pad)] * n),
            np.pad(src.spans, ((0, n), (0, 0)), constant_values=end),
        )

    @torch.inference_mode()
    def _trace(self, encoded: _Encoded, ids: Sequence[int], interventions: Interventions) -> Trace:
        """One teacher-forced pass over a source and the target ids that were written after it."""
        written = torch.tensor([list(ids)], device=self.device)
        read = torch.cat((written.new_full((1, 1), self.rules.start_id), written[:, :-1]), dim=1)
        x, _, decoder = self.model.decode(read, encoded.state, interventions)
        log_probs = self.model.logits(x)[0].float().log_softmax(-1)  # (T, V)
        top_log_probs, top_ids = log_probs.topk(min(TOP, log_probs.size(-1)), dim=-1)
        tgt_out = self.tokenizer.target_tokens(ids)
        return Trace(
            src=encoded.src,
            tgt_in=self._shifted(tgt_out),
            tgt_out=tgt_out,
            encoder_self=maps(encoded.record.self_attention, interventions),
            decoder_self=maps(decoder.self_attention, interventions),
            cross=maps(decoder.cross, interventions),
            encoder_states=states(encoded.record),
            decoder_states=states(decoder),
            top_ids=top_ids.cpu().numpy(),
            top_log_probs=top_log_probs.cpu().numpy(),
            log_prob=log_probs.gather(-1, written.T)[:, 0].cpu().numpy(),
            entropy=torch.special.entr(log_probs.exp()).sum(-1).cpu().numpy(),
            interventions=interventions,
        )

    def _search(
        self,
        encoded: _Encoded,
        config: DecodeConfig,
        interventions: Interventions,
        prefix: tuple[int, ...],
    ) -> Search:
        """The search of these arguments, from memory where it was done before."""
        key = (encoded.src.text, config, interventions, prefix)
        with self._lock:
            if key in self._memory:
                self._memory.move_to_end(key)
                return self._memory[key]
        found = self._search_anew(encoded, config, interventions, prefix)
        with self._lock:
            self._memory[key] = found
            while len(self._memory) > REMEMBERED:
                self._memory.popitem(last=False)
        return found

    def _search_anew(
        self,
        encoded: _Encoded,
        config: DecodeConfig,
        interventions: Interventions,
        prefix: tuple[int, ...],
    ) -> Search:
        rows = torch.zeros(1, dtype=torch.int64, device=self.device)
        stepper = TransformerStepper(self.model, encoded.state, rows, interventions)
        (found,) = search(stepper, 1, config, self.rules, self.tokenizer, prefix=prefix)
        return found

    def _shifted(self, tgt_out: Tokens) -> Tokens:
        """What the decoder reads to write `tgt_out`: the start token, then all but the last."""
        ids = np.concatenate(([self.rules.start_id], tgt_out.ids[:-1]))
        start = self.tokenizer.piece(self.rules.start_id) or START
        spans = np.vstack(([[0, 0]], tgt_out.spans[:-1]))
        return Tokens(tgt_out.text, ids, (start, *tgt_out.pieces[:-1]), spans)
