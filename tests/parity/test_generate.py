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
from torch import Tensor

from model.config import DecodeConfig, Method
from model.decoding import Rules, Stepper, search
from model.sampling import Mulberry32
from model.trace import Search
from tests.tiers import IS_LONG, each

transformers = pytest.importorskip("transformers")

V, PAD, END = 40, 39, 0
N_SOURCES, MAX_LENGTH = 100 if IS_LONG else 40, 8
FREE = Rules(start_id=PAD, end_id=END, banned=(PAD,))
FORCED = Rules(start_id=PAD, end_id=END, banned=(PAD,), forced_end_id=END)
OPUS = dataclasses.replace(FORCED, renormalise=True)  # as the OPUS-MT repositories have it

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
    """Random weights of which some sentences end early, some late, and some not at all.

    The output map is not tied to the embedding: a random tied one mostly repeats what it reads.
    """
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
        forced_eos_token_id=None,
        scale_embedding=True,
        attn_implementation="eager",
    )
    model = transformers.MarianMTModel(config).eval()
    model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    model = model.double()
    model.generation_config.forced_eos_token_id = None  # else it would fill in for None
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, weight in sorted(model.named_parameters()):
            if "norm" in name or "embed_positions" in name or name.endswith("bias"):
                continue
            std = 0.3 if name == "lm_head.weight" else 0.7 if "encoder_attn" in name else 0.5
            weight.normal_(0.0, std, generator=generator)
        model.final_logits_bias[0, END] = 2.0
        model.final_logits_bias[0, PAD] = 2.0  # so that it matters that pad is banned
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
    stepper: Stepper = MarianStepper(
        model, memory, mask, torch.zeros((len(src), 0), dtype=torch.long)
    )
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
        renormalize_logits=rules.renormalise,
        no_repeat_ngram_size=config.no_repeat or None,
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


# ------------------------------------------------------------------------------- beam and greedy

BOTH = pytest.mark.parametrize(
    "rules", [FREE, FORCED, OPUS], ids=["free", "forced_end", "renormalised"]
)
ALPHAS = each("alpha", [0.0, 0.6, 1.0, 2.0], 2)


@BOTH
@ALPHAS
@pytest.mark.parametrize("beam_size", [2, 4, 5])
def test_beam_search_equals_generate(
    model: Any, src: Tensor, beam_size: int, alpha: float, rules: Rules
) -> None:
    config = DecodeConfig(beam_size=beam_size, length_penalty=alpha, max_length=MAX_LENGTH)
    expected = beams_of(theirs(model, src, config, rules), beam_size)
    assert differing(written(ours(model, src, config, rules)), expected) == 0


def test_the_random_model_is_worth_comparing_on(model: Any, src: Tensor) -> None:
    best = {}
    for alpha in (0.0, 1.0, 2.0):
        config = DecodeConfig(length_penalty=alpha, max_length=MAX_LENGTH)
        found = beams_of(theirs(model, src, config, FREE), 4)
        lengths = [len(ids) for beams in found for ids, _ in beams if ids[-1] == END]
        assert len(set(lengths)) >= 4, "the end token comes at few positions"
        assert 0.1 < len(lengths) / (4 * N_SOURCES) < 0.9, "nearly all end, or nearly none"
        best[alpha] = [beams[0][0] for beams in found]
    assert len(set(best[1.0])) > 0.3 * N_SOURCES, "the source hardly matters"
    assert sum(a != b for a, b in zip(best[0.0], best[2.0], strict=True)) > 0.2 * N_SOURCES


@BOTH
@ALPHAS
@pytest.mark.parametrize("method", ["greedy", "beam"])
def test_one_beam_equals_greedy_generate(
    model: Any, src: Tensor, method: Method, alpha: float, rules: Rules
) -> None:
    config = DecodeConfig(method=method, beam_size=1, length_penalty=alpha, max_length=MAX_LENGTH)
    greedy = dataclasses.replace(config, method="greedy")
    expected = [until_end(ids) for ids in theirs(model, src, greedy, rules).sequences.tolist()]
    found = written(ours(model, src, config, rules))
    assert [beams[0][0] for beams in found] == expected
    assert all(len(beams) == 1 for beams in found)
    for i in range(0, len(src), 5):
        forced = rules.forced_end_id is not None and len(expected[i]) == MAX_LENGTH
        each = teacher_forced(model, src[i : i + 1], expected[i], rules.renormalise)
        total = each[: -1 if forced else None].sum()
        score = total / len(expected[i]) ** alpha
        assert found[i][0][1] == pytest.approx(float(score), abs=1e-9)


def teacher_forced(
    model: Any, src: Tensor, ids: tuple[int, ...], without_pad: bool = False
) -> Tensor:
    """The log-prob of each written token, from one pass over the whole target."""
    tgt = torch.tensor([[PAD, *ids]])
    with torch.no_grad():
        logits = model(
            input_ids=src, attention_mask=(src != PAD).long(), decoder_input_ids=tgt[:, :-1]
        ).logits
    if without_pad:
        logits[..., PAD] = -torch.inf
    log_probs = logits.log_softmax(-1)
    return torch.gather(log_probs, 2, tgt[:, 1:, None])[0, :, 0]


GUARD_LENGTH = 12  # long enough that this random model repeats itself


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("beam_size", [1, 4])
def test_the_repetition_guard_equals_generate(
    model: Any, src: Tensor, beam_size: int, n: int, rules: Rules
) -> None:
    config = DecodeConfig(beam_size=beam_size, max_length=GUARD_LENGTH, no_repeat=n)
    found = written(ours(model, src, config, rules))
    output = theirs(model, src, config, rules)
    if beam_size == 1:
        greedy = [until_end(ids) for ids in output.sequences.tolist()]
        assert [beams[0][0] for beams in found] == greedy
    else:
        assert differing(found, beams_of(output, beam_size)) == 0


@pytest.mark.parametrize("fault", [0, 1, 3])
def test_another_guard_is_noticed(model: Any, src: Tensor, fault: int) -> None:
    config = DecodeConfig(beam_size=4, max_length=GUARD_LENGTH, no_repeat=2)
    expected = beams_of(theirs(model, src, config, FREE), 4)
    wrong = dataclasses.replace(config, no_repeat=fault)
    assert differing(written(ours(model, src, wrong, FREE)), expected) > 0


def test_a_guarded_beginning_equals_a_longer_prompt(model: Any, src: Tensor) -> None:
    """A forced beginning may repeat itself; what follows may not repeat it."""
    prefix = (17, 5, 17)
    config = DecodeConfig(method="greedy", max_length=GUARD_LENGTH, no_repeat=2)
    expected = [until_end(x) for x in theirs(model, src, config, FREE, prefix).sequences.tolist()]
    found = [beams[0][0] for beams in written(ours(model, src, config, FREE, prefix))]
    assert found == expected
    assert all(ids[3] != 5 for ids in found if len(ids) > 3)


def test_each_sentence_alone_equals_the_batch(model: Any, src: Tensor) -> None:
    config = DecodeConfig(beam_size=4, length_penalty=0.6, max_length=MAX_LENGTH)
    together = written(ours(model, src, config, FORCED))
    for i in range(0, len(src), 9):
        short = src[i : i + 1, : int((src[i] != PAD).sum())]  # without padding
        assert differing(written(ours(model, short, config, FORCED)), together[i : i + 1]) == 0


def test_a_forced_beginning_equals_a_longer_prompt(model: Any, src: Tensor) -> None:
    """`generate` leaves the prompt out of sum and length; with alpha 0 that only shifts a score."""
    config = DecodeConfig(beam_size=4, length_penalty=0.0, max_length=MAX_LENGTH)
    prefix = (17, 5)
    expected = beams_of(theirs(model, src, config, FORCED, prefix), 4)
    shifted = []
    for i, beams in enumerate(expected):
        shift = float(teacher_forced(model, src[i : i + 1], prefix).sum())
        shifted.append([(ids, score + shift) for ids, score in beams])
    assert differing(written(ours(model, src, config, FORCED, prefix)), shifted) == 0


# --------------------------------------------------------------------------------- planted faults


@pytest.fixture(scope="module")
def expected(model: Any, src: Tensor) -> Written:
    return beams_of(theirs(model, src, RIGHT, FORCED), 4)


RIGHT = DecodeConfig(beam_size=4, length_penalty=1.0, max_length=MAX_LENGTH)


@pytest.mark.parametrize(
    "fault",
    [
        {"length_penalty": 0.6},
        {"penalty_form": "gnmt"},
        {"max_length": MAX_LENGTH - 1},
        {"max_length": MAX_LENGTH + 1},
        {"beam_size": 5},
        {"method": "greedy"},
    ],
    ids=str,
)
def test_a_wrong_setting_is_noticed(
    model: Any, src: Tensor, expected: Written, fault: dict[str, Any]
) -> None:
    wrong = dataclasses.replace(RIGHT, **fault)
    assert differing(written(ours(model, src, wrong, FORCED)), expected) > 0


@pytest.mark.parametrize(
    "rules",
    [FREE, Rules(PAD, END, (), END), Rules(1, END, (PAD,), END), OPUS],
    ids=["end not forced", "pad not banned", "wrong start", "renormalised"],
)
def test_a_wrong_rule_is_noticed(model: Any, src: Tensor, expected: Written, rules: Rules) -> None:
    assert differing(written(ours(model, src, RIGHT, rules)), expected) > 0


def test_swapped_heads_are_noticed(src: Tensor, expected: Written) -> None:
    model = new_model()
    weight = model.model.decoder.layers[0].encoder_attn.q_proj.weight
    with torch.no_grad():
        weight.copy_(weight.roll(8, dims=0))  # two heads of eight rows each
    assert differing(written(ours(model, src, RIGHT, FORCED)), expected) > 0


@pytest.mark.parametrize("improvable", [True, False], ids=["never stops", "stops when full"])
def test_another_stopping_rule_is_noticed(
    model: Any, src: Tensor, monkeypatch: pytest.MonkeyPatch, improvable: bool
) -> None:
    def may_improve(self: Any, live: list[Any]) -> bool:
        return bool(live) and (improvable or len(self.finished) < self.n_beams)

    config = dataclasses.replace(RIGHT, length_penalty=2.0)
    expected = beams_of(theirs(model, src, config, FREE), 4)
    assert differing(written(ours(model, src, config, FREE)), expected) == 0
    monkeypatch.setattr("model.beams.SentenceSearch._may_improve", may_improve)
    assert differing(written(ours(model, src, config, FREE)), expected) > 0


# --------------------------------------------------------------------------------------- sampling


def inverse_cdf(seed: int) -> Any:
    """Stands in for torch.multinomial: each row draws from its own generator, token by token."""
    generators: list[Mulberry32] = []

    def multinomial(probs: Tensor, num_samples: int) -> Tensor:
        assert num_samples == 1
        generators.extend(Mulberry32(seed) for _ in range(len(probs) - len(generators)))
        drawn = []
        for generator, row in zip(generators, probs.double().tolist(), strict=True):
            left = generator.uniform() * sum(row)
            token = 0
            while left >= row[token]:
                left -= row[token]
                token += 1
            drawn.append([token])
        return torch.tensor(drawn)

    return multinomial


@pytest.mark.parametrize(
    ("temperature", "top_k", "top_p", "rules"),
    [
        (1.0, 0, 1.0, FREE),
        (0.7, 0, 1.0, FORCED),
        (1.5, 5, 1.0, FREE),
        (1.0, 0, 0.8, FORCED),
        (1.3, 12, 0.6, FREE),
    ],
)
def test_sampling_equals_generate_with_the_same_numbers(
    model: Any,
    src: Tensor,
    monkeypatch: pytest.MonkeyPatch,
    temperature: float,
    top_k: int,
    top_p: float,
    rules: Rules,
) -> None:
    config = DecodeConfig(
        method="sampling",
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        seed=11,
        max_length=MAX_LENGTH,
    )
    warpers: dict[str, Any] = {
        "do_sample": True,
        "temperature": temperature,
        "top_k": top_k,
        "top_p": top_p,
    }
    monkeypatch.setattr(torch, "multinomial", inverse_cdf(11))
    expected = [
        until_end(x) for x in theirs(model, src, config, rules, **warpers).sequences.tolist()
    ]
    found = [beams[0][0] for beams in written(ours(model, src, config, rules))]
    assert found == expected
    hotter = dataclasses.replace(config, temperature=temperature + 0.3)
    assert found != [beams[0][0] for beams in written(ours(model, src, hotter, rules))]
