"""Programs get what the record holds, over the real protocol; bad values get a sentence."""

from __future__ import annotations

import base64
import io
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from gradio.utils import get_function_description
from gradio_client import Client
from gradio_client.exceptions import AppError

from explorer import api, pace, session
from explorer.api import MAX_LISTED, Api
from explorer.exchange.request import RANGES, parse
from explorer.models import Listed, Models
from explorer.page import build
from explorer.serving import launch_settings
from explorer.words import WORDS
from model import deadline
from model.checkpoint import SHIPPED, archive
from model.config import DecodeConfig, Interventions
from model.errors import InputError
from model.explain import Explainer
from model.labs import ablation, patch
from model.labs.ablation import occlusion
from model.labs.beside import NAMES as NAMES_BESIDE
from model.labs.beside import beside
from model.labs.why import rivals
from model.trace import Tokens
from tests.tiny import only, write_own

TEXT = "I am a small frog. <b>"
NAMES = [
    "translate", "attention", "beam_search", "next_token", "ablate", "occlusion",
    "measure", "why", "transplant", "measurements", "languages", "arrays",
]  # fmt: skip


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    """A model with other weights, in the second place of the server's list."""
    return Explainer.load(write_own(tmp_path_factory.mktemp("other") / "tiny", seed=5), "cpu")


@pytest.fixture(scope="module")
def client(explainer: Explainer, other: Explainer) -> Iterator[Client]:
    models = Models(
        [Listed("tiny", "tiny", lambda: explainer), Listed("other", "our/other", lambda: other)]
    )
    demo = build(models)
    _, url, _ = demo.launch(
        server_name="127.0.0.1",
        prevent_thread_lock=True,
        quiet=True,
        **launch_settings(models),
    )
    yield Client(url, verbose=False)
    demo.close()


def pieces(explainer: Explainer, tokens: Tokens) -> list[str]:
    return [explainer.tokenizer.piece(int(i)) for i in tokens.ids]


def test_every_endpoint_is_named_typed_and_told(client: Client) -> None:
    named = client.view_api(return_format="dict")["named_endpoints"]
    assert sorted(named) == sorted(f"/{name}" for name in NAMES)
    for endpoint in named.values():
        assert endpoint["description"]
        assert all(one["parameter_name"] for one in endpoint["parameters"])
        assert all(one["type"] == {"type": "string"} for one in endpoint["parameters"][:1])
        assert endpoint["parameters"][-1]["parameter_name"] == "model"


def test_every_parameter_is_told_to_tools() -> None:
    """A tool that reads the endpoints (MCP) gets these words from Gradio."""
    for name in NAMES:
        said, parameters, _ = get_function_description(getattr(Api, name))
        assert said
        assert all(parameters[one] for one in parameters if one != "self"), name


@pytest.mark.slow
def test_the_limits_of_the_descriptions_are_those_that_hold(client: Client) -> None:
    named = client.view_api(return_format="dict")["named_endpoints"]
    assert not [one for one in named.values() if "$" in one["description"]]
    for name, argument, limits in (
        ("translate", "beam_size", RANGES["beam_size"]),
        ("beam_search", "beam_size", RANGES["beam_size"]),
        ("beam_search", "length_penalty", RANGES["length_penalty"]),
        ("next_token", "most", (1, MAX_LISTED)),
    ):
        _, told, _ = get_function_description(getattr(Api, name))
        low, high = limits
        assert f"{low:g} to {high:g}" in told[argument]
        if argument in RANGES:
            assert all(parse({"text": TEXT, "settings": {argument: one}}) for one in limits)
        for value in (low - 1, high + 1):
            with pytest.raises(AppError, match=f"{low:g} to {high:g}"):
                client.predict(TEXT, **{argument: value}, api_name=f"/{name}")


@pytest.mark.slow
def test_translate(client: Client, explainer: Explainer) -> None:
    found = client.predict(TEXT, 2, api_name="/translate")
    record = explainer.explain(TEXT, DecodeConfig(beam_size=2, max_length=128))
    best = record.search.hypotheses[0]
    assert found["translation"] == best.text
    assert (found["score"], found["log_prob"]) == pytest.approx((best.score, best.log_prob))
    assert found["tokens"] == pieces(explainer, record.trace.tgt_out)
    assert found["doubt"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("translate", [TEXT]), ("attention", [TEXT]), ("beam_search", [TEXT]),
        ("next_token", [TEXT]), ("ablate", [TEXT, ["cross.2.1"]]), ("occlusion", [TEXT]),
        ("measure", [TEXT, "cross.2.1"]), ("why", [TEXT]),
        ("transplant", [TEXT, TEXT.replace("small", "old")]), ("languages", []),
    ],
)  # fmt: skip
def test_every_endpoint_reaches_every_model(
    client: Client, explainer: Explainer, other: Explainer, name: str, arguments: list[Any]
) -> None:
    """By its name or its key; it answers what it would answer if it were the only one."""
    named = "our/other" if name == "translate" else "other"
    try:
        expected: Any = Api(only(lambda: other)).endpoints()[name](*arguments)
    except InputError as error:  # a random model may write the same for both sentences
        with pytest.raises(AppError, match=re.escape(str(error)[:20])):
            client.predict(*arguments, model=named, api_name=f"/{name}")
        return
    assert client.predict(*arguments, model=named, api_name=f"/{name}") == expected
    default = Api(only(lambda: explainer)).endpoints()[name](*arguments)
    assert default != expected or name == "languages"


@pytest.mark.slow
def test_attention(client: Client, explainer: Explainer) -> None:
    trace = explainer.explain(TEXT).trace
    for kind, rows, columns in (
        ("encoder_self", trace.src, trace.src),
        ("decoder_self", trace.tgt_in, trace.tgt_in),
        ("cross", trace.tgt_in, trace.src),
    ):
        found = client.predict(TEXT, kind, 2, 1, api_name="/attention")
        weights = np.array(found["weights"], float)  # null becomes NaN
        maps = trace.attention(kind)  # type: ignore[arg-type]
        np.testing.assert_allclose(weights[maps.mask], maps.weights[1, 0][maps.mask], atol=1e-6)
        assert np.isnan(weights[~maps.mask]).all()
        assert not np.allclose(np.nan_to_num(weights), maps.weights[0, 0], atol=1e-6)  # the twin
        assert found["rows"] == pieces(explainer, rows)
        assert found["columns"] == pieces(explainer, columns)
        written = None if kind == "encoder_self" else pieces(explainer, trace.tgt_out)
        assert found["written"] == written


@pytest.mark.slow
def test_beam_search(client: Client, explainer: Explainer) -> None:
    found = client.predict(TEXT, 3, 0.6, api_name="/beam_search")
    search = explainer.explain(TEXT, DecodeConfig(beam_size=3, length_penalty=0.6)).search
    assert [h["text"] for h in found["hypotheses"]] == [h.text for h in search.hypotheses]
    assert len(found["steps"]) == len(search.steps)
    for sent, step in zip(found["steps"], search.steps, strict=True):
        assert [c["fate"] for c in sent] == list(step.fates)
        assert [c["parent"] for c in sent] == step.parents.tolist()
        np.testing.assert_allclose([c["total"] for c in sent], step.totals, rtol=1e-6)


@pytest.mark.slow
def test_all_arrays_are_the_file_that_python_saves(
    client: Client, explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Array by array and what is told of them, or a sentence with both sizes."""
    sent = base64.b64decode(client.predict(TEXT, 3, api_name="/arrays")["npz"])
    own = archive.content(explainer.explain(TEXT, DecodeConfig(beam_size=3)))
    found, expected = (np.load(io.BytesIO(one)) for one in (sent, own))
    assert found.files == expected.files
    assert all(np.array_equal(found[name], expected[name]) for name in found.files)
    monkeypatch.setattr(session, "MAX_ARRAYS", 1_000)
    with pytest.raises(AppError, match="the limit is 0 MB"):
        client.predict(TEXT, 3, api_name="/arrays")


@pytest.mark.slow
def test_next_token(client: Client, explainer: Explainer) -> None:
    found = client.predict(TEXT, "", 5, api_name="/next_token")
    log_probs = explainer.next_log_probs(TEXT, [])
    best = np.argsort(-log_probs)[:5]
    assert [t["token"] for t in found["tokens"]] == [
        explainer.tokenizer.piece(int(i)) for i in best
    ]
    assert [t["log_prob"] for t in found["tokens"]] == pytest.approx(log_probs[best].tolist())
    ids = explainer.tokenizer.encode_target("one").ids.tolist()
    again = client.predict(TEXT, "one", 5, api_name="/next_token")
    assert again["prefix"] == [explainer.tokenizer.piece(i) for i in ids]
    assert again["tokens"] != found["tokens"]


@pytest.mark.slow
def test_ablate(client: Client, explainer: Explainer) -> None:
    found = client.predict(TEXT, ["cross.2.1", "encoder_self.1.2"], api_name="/ablate")
    off = Interventions(heads_off=(("cross", 1, 0), ("encoder_self", 0, 1)))
    record = explainer.explain(TEXT)
    ids = record.trace.tgt_out.ids.tolist()
    changes = explainer.trace(TEXT, ids, interventions=off).log_prob - record.trace.log_prob
    assert found["changes"] == pytest.approx(changes.tolist(), abs=1e-5)
    assert np.abs(changes).max() > 1e-3, "nothing changed: a poor example"
    assert found["after"] == explainer.explain(TEXT, interventions=off).search.hypotheses[0].text


@pytest.mark.slow
def test_occlusion(client: Client, explainer: Explainer) -> None:
    found = client.predict(TEXT, api_name="/occlusion")
    record = explainer.explain(TEXT)
    expected = occlusion(explainer, record).changes
    np.testing.assert_allclose(found["changes"], expected, atol=1e-5)
    assert found["source"] == pieces(explainer, record.trace.src)[:-1]


@pytest.mark.slow
def test_measure(client: Client, explainer: Explainer) -> None:
    trace = explainer.explain(TEXT).trace
    found = client.predict(TEXT, "cross.2.1", api_name="/measure")
    assert found["rows"] == pieces(explainer, trace.tgt_in)
    assert found["columns"] == pieces(explainer, trace.src)
    assert tuple(found["measures"]) == NAMES_BESIDE
    for measure, one in found["measures"].items():
        wanted = beside(explainer, trace, measure, ("cross", 1, 0))
        np.testing.assert_allclose(one["cells"], wanted.cells, atol=1e-6)
        assert (one["of"], one["rank"]) == (wanted.of, pytest.approx(wanted.rank))
    own = client.predict(TEXT, "encoder_self.1.1", api_name="/measure")
    assert tuple(own["measures"]) == NAMES_BESIDE[:-1]  # occlusion is of cross-attention alone


@pytest.mark.slow
def test_why(client: Client, explainer: Explainer) -> None:
    record = explainer.explain(TEXT)
    found = client.predict(TEXT, 0, "", api_name="/why")
    rival = rivals.closest(record)
    assert rival is not None and found["step"] == rival.step + 1
    assert found["instead_of"] == explainer.tokenizer.piece(rival.instead_of)
    other = client.predict(TEXT, 1, "<0x30>", api_name="/why")
    logits = explainer.next_log_probs(TEXT, [])  # their differences are those of the logits
    one = rivals.token_id(explainer, "<0x30>")
    written = int(record.trace.tgt_out.ids[0])
    assert other["difference"] == pytest.approx(float(logits[written] - logits[one]), abs=1e-4)
    parts = other["embedding"] + other["position"] + other["output_bias"]
    whole = parts + sum(layer["sum"] for layer in other["layers"])
    assert whole == pytest.approx(other["difference"], abs=1e-4)
    largest = max((layer["sum"] for layer in other["layers"]), key=abs)
    assert abs(whole - largest - other["difference"]) > 1e-3  # the twin


@pytest.fixture(scope="module")
def trained() -> Explainer:
    return Explainer.load(SHIPPED, device="cpu")


@pytest.fixture(scope="module")
def shipped(trained: Explainer) -> Api:
    return Api(only(lambda: trained))


@pytest.mark.slow
def test_transplant(shipped: Api, trained: Explainer) -> None:
    """A model that has learnt something: the random one writes the same for any two sentences."""
    one, other = "I bought a red car.", "I bought a blue car."
    found = shipped.transplant(one, other)
    assert (found["text"], found["into"]) == (one, other)
    pair = patch.contrast(trained, one, other)
    for stack in ("encoder", "decoder"):
        wanted = patch.states(trained, pair, stack).moved
        np.testing.assert_allclose(found["states"][stack], wanted, atol=1e-4)
    other_way = shipped.transplant(other, one)
    assert found["differences"] != other_way["differences"]
    assert np.argmax(found["states"]["encoder"][-1]) == found["source"][0].index("\u2581red")


@pytest.mark.slow
def test_measurements_beside_the_model(client: Client, shipped: Api) -> None:
    """The tiny model has none, and says what makes them."""
    with pytest.raises(AppError, match=r"has no \w+\.json beside it; .python -m model"):
        client.predict(api_name="/measurements")
    found = shipped.measurements()
    heads = found["heads"]
    assert len(heads) == 72 and {"kind", "layer", "head", "role", "row_label"} <= set(heads[0])
    assert {row["row_label"] for row in found["alignment"]} == {"written", "read"}


@pytest.mark.slow
def test_one_request_has_one_limit(
    client: Client, monkeypatch: pytest.MonkeyPatch, explainer: Explainer
) -> None:
    """An endpoint that asks the model twice gets no more time than one that asks once."""

    def works_on(answer: object) -> Callable[..., Any]:
        def work(*_: object) -> object:
            end = time.thread_time() + 0.1
            while time.thread_time() < end:
                pass
            deadline.check()
            return answer

        return work

    record = explainer.explain("one")
    monkeypatch.setattr(api, "explain", works_on(record))
    monkeypatch.setattr(ablation, "occlusion", works_on(occlusion(explainer, record)))
    monkeypatch.setattr(pace, "SECONDS", 0.17)
    assert client.predict("one", api_name="/translate")["tokens"]
    with pytest.raises(AppError, match=r"longer than the 0\.17 seconds"):
        client.predict("one", api_name="/occlusion")
    with pytest.raises(AppError, match=r"longer than the 0\.17 seconds"):
        client.predict("one", ["cross.1.1"], api_name="/ablate")
    monkeypatch.setattr(pace, "SECONDS", 2.0)
    assert client.predict("one", api_name="/occlusion")["changes"]


def test_a_defect_is_a_sentence(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("nothing")

    monkeypatch.setattr(api, "explain", broken)
    with pytest.raises(AppError, match="Something went wrong on our side"):
        client.predict(TEXT, api_name="/translate")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("translate", [" "], WORDS["error.model.empty"].en),
        ("translate", [TEXT, 2, "zh-en"], "model is 'zh-en'; expected one of tiny, our/other."),
        ("languages", [3], "model is 3; expected one of tiny, our/other."),
        ("languages", ["play.nothing"], "task is 'nothing'"),
        ("languages", ["play.reverse"], "model is 'play.reverse', which is not trained"),
        ("translate", [TEXT, 999], "beam_size is 999; expected a whole number from 1 to"),
        ("translate", ["x " * 5000], "characters"),
        ("translate", [TEXT, 17], "beam_size is 17; expected a whole number from 1 to 16"),
        ("beam_search", [TEXT, 99], "beam_size is 99; expected a whole number from 1 to 16"),
        ("attention", [TEXT, "crossed"], "kind is"),
        ("attention", [TEXT, "cross", 99, 1], "Layer 99, head 1 was asked for"),
        ("attention", [TEXT, "cross", 1, 0], "both counted from 1"),
        ("beam_search", [TEXT, 4, 1e9], "length_penalty is"),
        ("beam_search", [TEXT, 4, 10**400], "expected a number from -5 to 5"),
        ("next_token", [TEXT, "", 0], "most is 0; expected 1 to 50"),
        ("next_token", [TEXT, "", True], "most is True"),
        ("ablate", [TEXT, ["cross.1"]], "A head is 'cross.1'"),
        ("ablate", [TEXT, ["cross.9.9"]], "cross"),
        ("ablate", [TEXT, "cross.1.1"], "heads is"),
        ("measure", [TEXT, "crossed.1.1"], "kind is 'crossed'; expected one of"),
        ("measure", [TEXT, "cross.99.1"], "Layer 99, head 1 was asked for"),
        ("measure", [TEXT, "cross"], "A head is 'cross'; expected kind.layer.head"),
        ("why", [TEXT, -1, ""], "step is -1; expected 0 to"),
        ("why", [TEXT, True, ""], "step is True"),
        ("why", [TEXT, 9999, "<0x30>"], "step is 9999; expected 0 to"),
        ("why", [TEXT, 1, "no such piece"], "The vocabulary has no piece"),
        ("transplant", [TEXT, "I am."], "tokens"),
        ("transplant", [TEXT, " "], "There is nothing to translate"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    client: Client, name: str, arguments: list[Any], sentence: str
) -> None:
    with pytest.raises((AppError, ValueError, TypeError), match=r"\w") as caught:
        client.predict(*arguments, api_name=f"/{name}")
    said = str(caught.value)
    assert sentence in said and "Traceback" not in said and "\n" not in said


@pytest.mark.slow
def test_after_what_was_wrong_the_next_is_answered(client: Client) -> None:
    for name in ("translate", "beam_search", "why"):
        with pytest.raises(AppError):
            client.predict(TEXT, 9999, api_name=f"/{name}")
    assert client.predict(TEXT, api_name="/translate")["translation"] is not None
