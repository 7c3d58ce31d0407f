"""Settings: what is refused, with which words, and JSON both ways."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.config import KINDS, Config, DecodeConfig, Interventions, ModelConfig
from model.errors import ConfigError
from model.training.config import TrainConfig

ALL: list[Config] = [ModelConfig(vocab_size=10), TrainConfig(), DecodeConfig(), Interventions()]


@pytest.mark.parametrize("config", ALL, ids=lambda c: type(c).__name__)
def test_json_both_ways(config: Config) -> None:
    assert type(config).from_json(config.to_json()) == config
    assert hash(config) == hash(type(config).from_json(config.to_json()))
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.seed = 5  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"beam_size": 0}, "beam_size is 0; expected a whole number from 1 to 64"),
        ({"beam_size": True}, "beam_size is True"),
        ({"beam_size": 4.0}, "beam_size is 4.0"),
        ({"temperature": 0.0}, "temperature is 0.0; expected a number from 0.01 to 100"),
        ({"temperature": float("nan")}, "temperature is nan"),
        ({"temperature": float("inf")}, "temperature is inf"),
        ({"temperature": 10**400}, r"temperature is 10+\.\.\.0+; expected a number from 0.01 to"),
        ({"length_penalty": -(10**400)}, "expected a number from -5 to 5"),
        ({"top_p": 10**400}, "expected a number from 1e-06 to 1"),
        ({"top_p": 1.5}, "top_p is 1.5"),
        ({"top_k": "many"}, "top_k is 'many'"),
        ({"method": "magic"}, "expected one of greedy, beam, sampling, beam_sampling"),
        ({"seed": -1}, "seed is -1"),
        ({"beams": 4}, "has no field beams; it has"),
        ({"max_length": 10**9}, "max_length is 1000000000"),
    ],
)
def test_a_setting_out_of_range_is_one_sentence(values: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        DecodeConfig.from_dict(values)


@pytest.mark.parametrize("text", ["", "[1, 2]", "{", "null"])
def test_what_is_not_a_json_object_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        DecodeConfig.from_json(text)


def test_a_model_needs_heads_that_divide_it() -> None:
    with pytest.raises(
        ConfigError, match=r"d_model is 30; expected an even multiple of n_heads \(8\)"
    ):
        ModelConfig(vocab_size=10, d_model=30)
    with pytest.raises(ConfigError, match="vocab_size"):
        ModelConfig.from_dict({})
    with pytest.raises(ConfigError, match=r"an even multiple of decoder_heads \(6\)"):
        ModelConfig(vocab_size=10, decoder_heads=6)
    with pytest.raises(ConfigError, match="decoder_heads is 129; expected a whole number from 0"):
        ModelConfig(vocab_size=10, decoder_heads=129)


def test_each_stack_has_its_own_heads() -> None:
    """The cross-attention is a part of the decoder: it has the decoder's number."""
    alike, apart = ModelConfig(vocab_size=10), ModelConfig(vocab_size=10, decoder_heads=4)
    assert [alike.heads(kind) for kind in KINDS] == [8, 8, 8]
    assert [apart.heads(kind) for kind in KINDS] == [8, 4, 4]
    assert [apart.d_k(kind) for kind in KINDS] == [32, 64, 64]


def test_a_config_without_newer_choices_is_saved_as_before() -> None:
    usual = ModelConfig(vocab_size=10)
    other = ModelConfig(
        vocab_size=10, decoder_heads=4, scale_embedding=False, attention_dropout=0.1
    )
    assert not {"decoder_heads", "scale_embedding", "attention_dropout"} & usual.saved().keys()
    assert (other.saved()["decoder_heads"], other.saved()["scale_embedding"]) == (4, False)
    assert other.saved()["attention_dropout"] == 0.1
    for config in (usual, other):
        assert ModelConfig.from_dict(config.saved()) == config


def test_embeddings_are_scaled_by_the_root_of_their_size() -> None:
    assert ModelConfig(vocab_size=10, d_model=64).embedding_scale == 8
    assert ModelConfig(vocab_size=10, d_model=64, scale_embedding=False).embedding_scale == 1


def test_penalties_by_hand() -> None:
    """Average: 4 ** 2 = 16. GNMT (Wu et al. 2016, eq. 14): ((5 + 7) / 6) ** 0.6 = 2 ** 0.6."""
    assert DecodeConfig(length_penalty=2.0).penalty(4) == 16
    assert DecodeConfig(length_penalty=0.6, penalty_form="gnmt").penalty(7) == pytest.approx(2**0.6)
    assert DecodeConfig(length_penalty=0.0).penalty(9) == 1


@given(
    values=st.dictionaries(
        st.sampled_from([f.name for f in dataclasses.fields(DecodeConfig)]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    )
)
def test_any_values_make_a_setting_or_one_error(values: dict[str, object]) -> None:
    try:
        config = DecodeConfig.from_dict(values)
    except ConfigError as error:
        assert "\n" not in str(error).strip()
    else:
        assert 1 <= config.beam_size <= 64 and 0 < config.top_p <= 1
