"""Decoding against `transformers`: the same ids and scores as `generate` on a random MarianMTModel.

The network is theirs on both sides, so that only the search is compared. It is float64, but
`generate` casts logits to float32 and sums in float32: ids must be equal, scores to 1e-5. Each
comparison has a twin with a planted fault that it must notice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from model.config import DecodeConfig, Method
from model.decoding import Rules, Stepper, search
from model.trace import Search
from torch import Tensor

transformers = pytest.importorskip("transformers")

V, PAD, END = 40, 39, 0
N_SOURCES, MAX_LENGTH = 100, 8
FREE = Rules(start_id=PAD, end_id=END, banned=(PAD,))
FORCED = Rules(start_id=PAD, end_id=END, banned=(PAD,), forced_end_id=END)

Written = list[list[tuple[tuple[int, ...], float]]]  # per sentence: (ids, score), best first


class PlainNames:
    """The writing of ids does not matter here."""

    def piece(self, token_id: int, /) -> str:
        return str(token_id)

    def decode(self, ids: Sequence[int], /) -> str:
        return " ".join(map(str, ids))


@dataclass(frozen=True)
class MarianStepper:
    """Reads the whole target again at every step: slow, and without a cache that could be wrong."""

    model: Any
    memory: Tensor
    src_mask: Tensor
    tgt: Tensor

    def step(self, tokens: Tensor) -> tuple[Tensor, MarianStepper]:
        tgt = torch.cat((self.tgt, tokens[:, None]), dim=1)
        logits = self.model(
            encoder_outputs=(self.memory,),
            attention_mask=self.src_mask,
            decoder_input_ids=tgt,
            use_cache=False,
        ).logits[:, -1]
        return logits.log_softmax(-1), dataclasses.replace(self, tgt=tgt)

    def rows(self, index: Tensor) -> MarianStepper:
        return dataclasses.replace(
            self, memory=self.memory[index], src_mask=self.src_mask[index], tgt=self.tgt[index]
        )


def new_model() -> Any:
    config = transformers.MarianConfig(
        vocab_size=V,
        d_model=16,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=64,
        pad_token_id=PAD,
        eos_token_id=END,
        decoder_start_token_id=PAD,
        scale_embedding=True,
        attn_implementation="eager",
    )
    model = transformers.MarianMTModel(config).double().eval()
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for name, weight in sorted(model.named_parameters()):
            if "norm" not in name and "embed_positions" not in name:
                weight.normal_(0.0, 0.5, generator=generator)
        model.final_logits_bias[0, END] += 2.0  # else few end before the limit
    return model


@pytest.fixture(scope="module")
def model() -> Any:
    return new_model()


@pytest.fixture(scope="module")
def src() -> Tensor:
    random = np.random.default_rng(3)
    src = torch.full((N_SOURCES, 9), PAD)
    for row in src:
        n = int(random.integers(2, 9))
        row[:n] = torch.from_numpy(random.integers(1, PAD, n))
        row[n] = END
    return src


def ours(
    model: Any, src: Tensor, config: DecodeConfig, rules: Rules, prefix: tuple[int, ...] = ()
) -> list[Search]:
    mask = (src != PAD).long()
    with torch.no_grad():
        memory = model.get_encoder()(input_ids=src, attention_mask=mask).last_hidden_state
    stepper: Stepper = MarianStepper(model, memory, mask, torch.zeros((len(src), 0), dtype=torch.long))
    return search(stepper, len(src), config, rules, PlainNames(), prefix=prefix, record=False)


def written(searches: list[Search]) -> Written:
    return [
        [((*h.ids, END) if h.finished else h.ids, h.score) for h in found.hypotheses]
        for found in searches
    ]


def theirs(
    model: Any,
    src: Tensor,
    config: DecodeConfig,
    rules: Rules,
    prefix: tuple[int, ...] = (),
    **more: Any,
) -> Any:
    """What `generate` gives for the same settings."""
    beams = config.beam_size if config.method == "beam" else 1
    settings = transformers.GenerationConfig(
        num_beams=beams,
        num_return_sequences=beams,
        early_stopping=False,
        length_penalty=config.length_penalty,
        max_new_tokens=config.max_length - len(prefix),
        bad_words_ids=[[i] for i in rules.banned] or None,
        forced_eos_token_id=rules.forced_end_id,
        pad_token_id=PAD,
        eos_token_id=END,
        decoder_start_token_id=PAD,
        return_dict_in_generate=True,
        output_scores=True,
        **more,
    )
    tgt = torch.tensor([[PAD, *prefix]] * len(src))
    mask = (src != PAD).long()
    return model.generate(
        input_ids=src, attention_mask=mask, decoder_input_ids=tgt, generation_config=settings
    )


def until_end(ids: list[int]) -> tuple[int, ...]:
    """Without the start token, and without the filling after the end token."""
    ids = ids[1:]
    if END in ids:
        return tuple(ids[: ids.index(END) + 1])
    return tuple(i for i in ids if i != PAD)


def beams_of(output: Any, n_beams: int) -> Written:
    flat = [
        (until_end(ids), score)
        for ids, score in zip(
            output.sequences.tolist(), output.sequences_scores.tolist(), strict=True
        )
    ]
    return [flat[i : i + n_beams] for i in range(0, len(flat), n_beams)]


def differing(a: Written, b: Written) -> int:
    """How many sentences differ: in the number of hypotheses, in an id, or in a score by 1e-5."""
    assert len(a) == len(b)
    return sum(
        [ids for ids, _ in x] != [ids for ids, _ in y]
        or not np.allclose([s for _, s in x], [s for _, s in y], rtol=1e-5, atol=1e-5)
        for x, y in zip(a, b, strict=True)
    )


@pytest.mark.parametrize("rules", [FREE, FORCED], ids=["free", "forced_end"])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, 2.0])
@pytest.mark.parametrize("beam_size", [2, 4, 5])
def test_beam_search_equals_generate(
    model: Any, src: Tensor, beam_size: int, alpha: float, rules: Rules
) -> None:
    config = DecodeConfig(beam_size=beam_size, length_penalty=alpha, max_length=MAX_LENGTH)
    expected = beams_of(theirs(model, src, config, rules), beam_size)
    assert differing(written(ours(model, src, config, rules)), expected) == 0
