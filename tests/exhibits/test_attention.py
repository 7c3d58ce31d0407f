"""The heads, sorted, filtered, as lines and as words, against numpy on the model's own record."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np
import pytest

from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibits import attention
from explorer.exhibits.attention import roles as roles_of
from explorer.labels import labels
from explorer.words import WORDS
from model import deadline
from model.checkpoint import SHIPPED
from model.config import KINDS, DecodeConfig, Kind
from model.errors import InputError
from model.explain import Explainer
from model.labs import catalogue
from model.labs.beside import NAMES, beside
from model.labs.dissect import attention_sub_layer
from model.trace import Explanation, Tokens, Trace
from tests.stage import Stage, desk_of, drawn, expect, unfold
from tests.tiers import each, some
from tests.tiny import write_own

Open = Callable[..., Stage]
SENTENCE = "The unhappiness of the untranslatable dogs surprised everybody near the school."
WHOLE = "?view=attention&attention.view=map&text=" + SENTENCE.replace(" ", "+")
TEXT = WHOLE + "&attention.words=false"  # every piece in a row and a column of its own
STEP = 2 / 65_535  # of the weights that the page is sent, and half as much again
Array = np.ndarray


@pytest.fixture(scope="module")
def record(explainer: Explainer) -> Explanation:
    return explainer.explain(SENTENCE, DecodeConfig())


def heads(record: Explanation, kind: Kind) -> list[str]:
    """The names of all heads of a kind, as their tiles have them."""
    layers, count = record.trace.attention(kind).weights.shape[:2]
    return [f"{kind}.{layer}.{head}" for layer in range(layers) for head in range(count)]


def most(values: Array) -> tuple[int, int]:
    """The layer and the head of the largest of (layers, heads) values."""
    layer, head = np.unravel_index(values.argmax(), values.shape)
    return int(layer), int(head)


def columns(record: Explanation, kind: Kind) -> Tokens:
    return record.trace.tgt_in if kind == "decoder_self" else record.trace.src


def entropy(w: Array) -> float:
    return float(-(w * np.log(np.where(w > 0, w, 1))).sum(-1).mean())


def measures(record: Explanation, kind: Kind, layer: int, head: int) -> dict[str, float | None]:
    """What the page should say of a head; None where it says nothing."""
    w = record.trace.attention(kind).weights[layer, head].astype(np.float64)
    far = np.abs(np.linspace(0, 1, w.shape[0])[:, None] - np.linspace(0, 1, w.shape[1]))
    edge = 0 if kind == "decoder_self" else columns(record, kind).pieces.index("</s>")
    cross = kind == "cross"
    return {
        "entropy": entropy(w),
        "diagonal": 1 - float((w * far).sum(-1).mean()) if cross else float(np.diag(w).mean()),
        "previous": None if cross else float(np.diag(w, -1).mean()),
        "end": float(w[:, edge].mean()),
    }


TILES = (
    "Object.fromEntries([...document.querySelectorAll('.hl-tile')]"
    ".map((tile) => [tile.dataset.head, tile.dataset.measure]))"
)


def tiles(page: Stage) -> dict[str, str]:
    """The number of each head's tile, in the order on show."""
    found: dict[str, str] = page.evaluate(TILES)
    return found


def adjust(page: Stage) -> None:
    """Opens what is behind the button, where it is not."""
    button = page.locator("#panel-attention .hl-fold-adjust")
    if button.get_attribute("aria-pressed") == "false":
        button.click()


def look(page: Stage, view: str) -> None:
    page.check(f"#panel-attention .hl-field-view [value={view}]")
    drawn(page)


def take(page: Stage, form: str) -> None:
    page.locator("#panel-attention .hl-download > summary").click()
    page.click(f"#panel-attention .hl-download [data-format={form}]")


def mark(page: Stage, measure: str) -> None:
    adjust(page)
    page.select_option(".hl-measure select", measure)
    page.wait_for_selector(".hl-attention .hl-heads.hl-measured")
    drawn(page)


def words_of(tokens: Tokens) -> list[list[int]]:
    found: list[list[int]] = []
    for i, label in enumerate(labels(tokens)):
        if label.joined and found:
            found[-1].append(i)
        else:
            found.append([i])
    return found


def in_words(w: Array, rows: list[list[int]], keys: list[list[int]]) -> Array:
    summed = np.stack([w[:, group].sum(-1) for group in keys], -1)
    return np.stack([summed[group].mean(0) for group in rows])


def csv(page: Stage) -> tuple[str, Array]:
    """The name of the file that the page gives, and its numbers; NaN where a cell is empty."""
    with page.expect_download() as waiting:
        take(page, "csv")
    lines = waiting.value.path().read_bytes().decode("utf-8-sig").strip().split("\r\n")[1:]
    cells = [[float(x or "nan") for x in line.rsplit('",', 1)[1].split(",")] for line in lines]
    return waiting.value.suggested_filename, np.array(cells)


def test_measures_are_numpys(open_stage: Open, record: Explanation) -> None:
    page = open_stage(TEXT).page
    for measure in ("entropy", "diagonal", "previous", "end"):
        before = page.evaluate(f"JSON.stringify({TILES})")
        mark(page, measure)
        page.wait_for_function(f"(old) => JSON.stringify({TILES}) !== old", arg=before)
        check_measure(tiles(page), record, measure)


def check_measure(found: dict[str, str], record: Explanation, measure: str) -> None:
    assert sorted(found) == sorted(name for kind in KINDS for name in heads(record, kind))
    for name, text in found.items():
        kind, layer, head = name.split(".")
        wanted = measures(record, kind, int(layer), int(head))[measure]  # type: ignore[arg-type]
        if wanted is None:
            assert text == ""
        else:
            assert float(text) == pytest.approx(wanted, abs=2e-3 if measure == "entropy" else STEP)


def test_the_edge_is_named_by_the_token_that_stands_there(
    open_stage: Open, record: Explanation
) -> None:
    """A decoder's self-attention has no end token among its keys, only the start token."""
    page = open_stage(TEXT).page
    mark(page, "end")
    unfold(page, "attention", "numbers")
    said = {"</s>": "end token", "<s>": "start token"}
    for kind in KINDS:
        page.click(f".hl-attention [data-head='{kind}.0.1']")
        edges = [piece for piece in columns(record, kind).pieces if piece in said]
        assert len(edges) == 1  # the one of the two that this kind can read
        page.wait_for_function(
            "(w) => document.querySelector('.hl-measures tr:has([data-of=end])')"
            "?.textContent.includes(w)",
            arg=said[edges[0]],
        )
        title = page.get_attribute(f".hl-attention [data-head='{kind}.0.1']", "title") or ""
        assert f"· {said[edges[0]]} " in title


def test_sorted_tiles_stand_in_numpys_order(open_stage: Open, record: Explanation) -> None:
    page = open_stage(TEXT).page
    before = list(tiles(page))
    mark(page, "diagonal")
    page.check(".hl-sort input")
    page.wait_for_selector(".hl-heads.hl-sorted")
    found = list(tiles(page))
    assert found != before and sorted(found) == sorted(before)
    at = 0
    for kind in KINDS:
        names = found[at : at + len(heads(record, kind))]
        at += len(names)
        values = [measures(record, kind, *map(int, n.split(".")[1:]))["diagonal"] for n in names]
        assert sorted(names) == sorted(heads(record, kind))
        assert (np.diff(np.array(values, float)) <= STEP).all()
    assert at == len(found)
    page.focus(f"[data-head='{found[0]}']")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.head") == found[1]
    page.uncheck(".hl-sort input")
    page.wait_for_selector(".hl-attention .hl-heads:not(.hl-sorted)")
    assert list(tiles(page)) == before


def test_the_slider_dims_what_is_below(open_stage: Open, record: Explanation) -> None:
    ends = np.array(
        [
            measures(record, kind, *map(int, name.split(".")[1:]))["end"]
            for kind in KINDS
            for name in heads(record, kind)
        ]
    )
    away = [np.abs(ends - percent / 100).min() for percent in range(100)]
    least = next(  # no head is so near that the steps of what is sent decide
        percent
        for percent in range(10, 100)
        if away[percent] > STEP and 0 < (ends < percent / 100).sum() < len(ends)
    )
    page = open_stage(TEXT).page
    mark(page, "end")
    page.locator(".hl-least input").fill(str(least))
    page.wait_for_selector(".hl-tile.hl-dim")
    assert page.locator(".hl-least output").text_content() == f"≥ {least / 100:.2f}"
    dim = page.evaluate("() => [...document.querySelectorAll('.hl-dim')].map(t => t.dataset.head)")
    for name in tiles(page):
        kind, layer, head = name.split(".")
        value = measures(record, kind, int(layer), int(head))["end"]  # type: ignore[arg-type]
        assert value is not None and (name in dim) == (value < least / 100), name


def test_words_are_sums_and_means(open_stage: Open, record: Explanation) -> None:
    window = {"width": 1600, "height": 900}  # room for the name of every column
    page = open_stage(WHOLE + "&kind=encoder_self&layer=2&head=3", viewport=window).page
    page.wait_for_selector(".hl-options-note:not([hidden])")  # so is how it begins
    groups = words_of(record.trace.src)
    assert any(len(group) > 1 for group in groups), "a sentence without sub-words tests nothing"
    name, cells = csv(page)
    w = record.trace.encoder_self.weights[1, 2].astype(np.float64)
    np.testing.assert_allclose(cells, in_words(w, groups, groups), atol=3e-4)
    assert name == "headlight-encoder_self-layer2-head3-words.csv"
    written = page.locator(".hl-columns text").all_text_contents()
    assert "unhappiness" in written and "un" not in written
    assert WORDS["options.says.words"].en in page.locator(".hl-options-note").text_content()
    adjust(page)
    page.uncheck(".hl-words input")
    page.wait_for_selector(".hl-options-note", state="hidden")
    name, cells = csv(page)
    np.testing.assert_allclose(cells, w, atol=3e-4)
    assert name == "headlight-encoder_self-layer2-head3.csv"


def test_a_word_of_very_many_pieces_is_cut_where_a_sentence_speaks_of_it(open_stage: Open) -> None:
    page = open_stage(f"?view=attention&text={'Pneumono' + 'ultra' * 12 + 'coniosis'}")
    spoken = [page.finding("attention"), page.text_content("#panel-attention .hl-readout") or ""]
    words = re.findall("Pneumono[^” ]*", " ".join(spoken))
    assert words and all(len(word) == 24 and word.endswith("…") for word in words), spoken


def test_a_word_that_was_read_is_followed_by_one_token(open_stage: Open) -> None:
    """Not by what each of its pieces was followed by."""
    text = "Clara forgot her homework."
    german = Explainer.load("en-de", "cpu")
    trace = german.explain(text, DecodeConfig()).trace
    groups = words_of(trace.tgt_in)
    row = next(i for i, group in enumerate(groups) if len(group) > 1)
    last = groups[row][-1]
    link = f"?view=attention&kind=cross&labels=reads&text={text}"
    page = open_stage(link, desk=desk_of(german))
    page.choose(step=groups[row][0])
    said = page.text_content("#panel-attention .hl-readout") or ""
    read = "".join(labels(trace.tgt_in)[i].text for i in groups[row])
    assert f"After “{read}”" in said and f"to write “{labels(trace.tgt_out)[last].line}”" in said


def test_whole_words_are_not_said_to_be_merged(open_stage: Open) -> None:
    page = open_stage("?view=attention&text=Why+do+we+work%3F").page
    adjust(page)
    assert page.is_checked(".hl-words input")
    expect(page.locator(".hl-options-note")).to_be_hidden()


@each("words", [False, True], 1)
def test_hidden_specials_are_divided_out(
    open_stage: Open, record: Explanation, words: bool
) -> None:
    rows, keys = words_of(record.trace.tgt_out), words_of(record.trace.src)

    def without_specials(w: Array) -> Array:  # the end token is the last of both
        return (in_words(w, rows, keys) if words else w)[:-1, :-1]

    all_heads = record.trace.cross.weights.astype(np.float64)
    # The head of whose rows most is left: what is sent in steps is divided by it.
    rest = [[without_specials(w).sum(-1).min() for w in layer] for layer in all_heads]
    layer, head = most(np.array(rest))
    start = WHOLE if words else TEXT
    page = open_stage(start + f"&kind=cross&layer={layer + 1}&head={head + 1}&step=1").page
    adjust(page)
    page.check(".hl-specials input")
    page.wait_for_function("() => document.querySelector('.hl-options-note:not([hidden])')")
    _, cells = csv(page)
    left = without_specials(all_heads[layer, head])
    np.testing.assert_allclose(cells, left / left.sum(-1, keepdims=True), atol=3e-4)
    np.testing.assert_allclose(cells.sum(-1), 1, atol=1e-3)
    note = page.locator(".hl-readout .hl-note").text_content()
    assert f"{left[0].sum():.3f}" in note
    assert WORDS["options.says.specials"].en in page.locator(".hl-options-note").text_content()


@each("mass", [50, 90], 1)
def test_the_strongest_are_the_fewest_that_reach_the_share(
    open_stage: Open, record: Explanation, mass: int
) -> None:
    """Counted on the canvas: cells darker than the colour that a faded 1 would have."""
    page = open_stage(TEXT + "&kind=cross&layer=2&head=1").page
    look(page, "lines")
    adjust(page)
    page.locator(".hl-mass input[type=range]").fill(str(mass))
    drawn(page)
    w = record.trace.cross.weights[1, 0].astype(np.float64)
    order = np.sort(w, -1)[:, ::-1].cumsum(-1)
    fewest = (order < mass / 100 - 1e-5).sum(-1) + 1
    with page.expect_download() as waiting:
        take(page, "svg")
    svg = waiting.value.path().read_text("utf-8")
    cut = np.array([np.sort(row)[::-1][n - 1] for row, n in zip(w, fewest, strict=True)])
    wanted = int(((w >= cut[:, None] - 1e-9) & (w >= 0.01)).sum())
    assert svg.count("<line") - 1 == pytest.approx(wanted, abs=1)
    assert waiting.value.suggested_filename.endswith(f"-strongest{mass}-lines.svg")


def test_an_own_scale_ends_at_the_heads_largest(open_stage: Open, record: Explanation) -> None:
    largest = record.trace.encoder_self.weights.max((-2, -1))
    layer, head = most(-largest)  # a head that reaches 1 has the scale of all
    page = open_stage(TEXT + f"&kind=encoder_self&layer={layer + 1}&head={head + 1}").page
    darkest = """() => { const c = document.querySelector('.hl-cells');
        const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        let least = 765;
        for (let i = 0; i < data.length; i += 4) {
            least = Math.min(least, data[i] + data[i + 1] + data[i + 2]);
        }
        return least; }"""
    shared = page.evaluate(darkest)
    adjust(page)
    unfold(page, "attention", "reading")
    page.check(".hl-own input")
    page.wait_for_function(f"(before) => ({darkest})() < before", arg=shared)
    assert f"{largest[layer, head]:.3f}" in page.locator(".hl-attention .hl-legend").text_content()
    assert WORDS["legend.own"].en in page.locator(".hl-attention .hl-reading").text_content()
    page.uncheck(".hl-own input")
    page.wait_for_function(f"(before) => ({darkest})() === before", arg=shared)


def chips(page: Stage) -> list[str]:
    drawn(page)
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('[data-chip]')].map((chip) => chip.dataset.chip)"
    )
    return found


def test_several_heads_one_alone_and_all_again(open_stage: Open) -> None:
    watched = open_stage(TEXT + "&kind=cross&layer=1&head=1")
    page = watched.page
    look(page, "lines")
    adjust(page)
    page.click(".hl-add")
    page.click("[data-head='cross.1.1']")
    page.click("[data-head='cross.2.2']")
    page.click(".hl-add")
    drawn(page)
    assert chips(page) == ["cross.0.0", "cross.1.1", "cross.2.2"]
    page.dblclick("[data-head='cross.1.1']")
    page.wait_for_selector(".hl-alone[aria-pressed=true]")
    assert page.locator(".hl-chip.hl-off").count() == 2
    page.dblclick("[data-head='cross.1.1']")
    page.wait_for_selector(".hl-alone[aria-pressed=false]")
    assert page.locator(".hl-chip.hl-off").count() == 0
    page.click("[data-head='cross.0.5']", modifiers=["Control"])
    drawn(page)
    assert len(chips(page)) == 4
    page.wait_for_function("() => location.search.includes('cross.0.5')")
    again = open_stage("?" + urlsplit(page.url).query).page
    again.wait_for_selector("#panel-attention .hl-field-view [value=lines]:checked")
    again.wait_for_selector(".hl-chip >> nth=3")
    assert chips(again) == ["cross.0.0", "cross.1.1", "cross.2.2", "cross.0.5"]
    page.click("[data-head='cross.2.7']")  # a plain click begins anew
    drawn(page)
    assert chips(page) == ["cross.2.7"]
    assert watched.errors == []


def test_a_token_of_the_lines_shows_its_links(open_stage: Open, record: Explanation) -> None:
    page = open_stage(TEXT + "&kind=cross&layer=2&head=1").page
    look(page, "lines")
    page.wait_for_selector(".hl-end-row .hl-end")
    w = record.trace.cross.weights[1, 0]
    texts = """() => [...document.querySelectorAll('.hl-end-col .hl-end small')]
        .map((small) => small.textContent)"""
    page.focus(".hl-end-row .hl-end[tabindex='0']")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.wait_for_function(f"() => ({texts})().some((text) => text !== '')")
    drawn(page)
    for text, weight in zip(page.evaluate(texts), w[2], strict=True):
        if weight < 0.01 - STEP or (text == "" and weight < 0.01 + STEP):
            assert text == ""
        else:
            assert float(text) == pytest.approx(weight, abs=6e-4)
    page.hover("#hl-tgt .hl-token >> nth=5")  # row 4 of the map, from the strip above
    page.wait_for_selector(".hl-end-row .hl-end.hl-lit[data-index='4']")


def roles() -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((SHIPPED / "heads.json").read_text("utf-8"))[
        "heads"
    ]
    return found


def test_no_head_is_named_by_a_label_that_fits_it_worse() -> None:
    """On the gold pairs: the error under a head's own label, against that under the other."""
    rows = json.loads((SHIPPED / "alignment.json").read_text("utf-8"))["rows"]
    error = {
        (row["layer"], row["head"], row["row_label"]): row["aer"]
        for row in rows
        if row["method"] == "weight" and row["head"]
    }
    cross = [one for one in roles() if one["kind"] == "cross"]
    assert len(cross) == 24
    for one in cross:
        both = {label: error[one["layer"], one["head"], label] for label in ("written", "read")}
        assert both[str(one["row_label"])] <= min(both.values()) + 0.1, one
    swapped = [error[one["layer"], one["head"], "written"] for one in cross]  # the twin
    best = [min(error[one["layer"], one["head"], label] for label in ("written", "read"))
            for one in cross]  # fmt: skip
    assert max(a - b for a, b in zip(swapped, best, strict=True)) > 0.1


def test_every_head_is_shown_under_the_label_of_its_role(open_stage: Open) -> None:
    """Until a visitor chooses one; and its description says the role."""
    watched = open_stage("?view=attention&text=Why+do+we+work%3F")
    page = watched.page
    page.wait_for_function("() => headlight.page.roles.get() !== null")
    cross = [one for one in roles() if one["kind"] == "cross"]
    for one in some(cross, 4):
        page.click(f".hl-attention [data-head='cross.{one['layer'] - 1}.{one['head'] - 1}']")  # type: ignore[operator]
        label = {"read": "reads", "written": "writes"}[str(one["row_label"])]
        expect(page.locator(f".hl-labels [value={label}]")).to_be_checked()
        role = str(one["role"])
        said = f"role.aligns.{one['row_label']}" if role == "aligns" else f"role.{role}"
        expect(page.locator(".hl-role")).to_have_text(WORDS[said].en)
    for label in ("reads", "writes"):
        page.check(f".hl-labels [value={label}]")
    page.click(".hl-attention [data-head='cross.0.1']")  # whose rows are read
    expect(page.locator(".hl-labels [value=writes]")).to_be_checked()
    assert watched.errors == []


def test_roles_rank_the_heads(open_stage: Open) -> None:
    page = open_stage("?view=attention&text=Why+do+we+work%3F").page
    page.wait_for_function("() => headlight.page.roles.get() !== null")
    mark(page, "role")
    found = {name: float(value) for name, value in tiles(page).items()}
    for one in roles():
        name = f"{one['kind']}.{one['layer'] - 1}.{one['head'] - 1}"  # type: ignore[operator]
        assert found[name] == pytest.approx(one["strength"], abs=1e-6)


@pytest.fixture
def tiny(tmp_path: Path) -> Explainer:
    """A model without heads.json."""
    return Explainer.load(write_own(tmp_path / "model"), device="cpu")


def of(model: Explainer) -> dict[str, Any]:
    """The answer to the page, which does not wait."""
    with deadline.within(60):
        return attention.catalogue(model, Request("I read.", model.defaults), Arguments({}))


@pytest.mark.slow
def test_a_model_without_the_file_has_a_catalogue_of_a_few_sentences(tiny: Explainer) -> None:
    found = attention.catalogue(tiny, Request("I read.", tiny.defaults), Arguments({}))
    few, config = found["few"], tiny.model.config
    assert few["is_over"] and few["done"] == few["all"] == found["sentences"] == roles_of.ENOUGH
    assert found["label_by"] == "occlusion"
    kinds = [one["kind"] for one in found["heads"]]
    assert kinds.count("cross") == config.n_decoder_layers * config.heads("cross")
    assert of(tiny) == found, "it is made once"


@pytest.mark.slow
def test_a_slow_model_takes_its_time_and_says_how_far_it_is(
    tiny: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time limit of a request is none of the catalogue's."""
    turns, scores_of = threading.Semaphore(0), catalogue.scores_of

    def slow(explainer: Explainer, text: str) -> catalogue.Scores:
        turns.acquire()
        return scores_of(explainer, text)

    monkeypatch.setattr(catalogue, "scores_of", slow)
    monkeypatch.setattr(roles_of, "LOOK", 0.05)
    assert (of(tiny)["heads"], of(tiny)["few"]["done"]) == ([], 0)
    turns.release()
    while (found := of(tiny))["few"]["done"] == 0:
        pass
    assert (found["heads"], found["few"]["is_over"]) == ([], False)
    for _ in range(roles_of.ENOUGH):
        turns.release()
    monkeypatch.setattr(roles_of, "LOOK", 60.0)
    assert of(tiny)["sentences"] == roles_of.ENOUGH


@pytest.mark.slow
@pytest.mark.parametrize(("usable", "made"), [(9, 4), (3, 3), (2, 2), (1, 0), (0, 0)])
def test_a_sentence_that_cannot_be_used_is_skipped_with_a_reason(
    tiny: Explainer, monkeypatch: pytest.MonkeyPatch, usable: int, made: int
) -> None:
    scores_of, seen = catalogue.scores_of, []

    def picky(explainer: Explainer, text: str) -> catalogue.Scores:
        seen.append(text)
        if len(seen) > usable:
            raise InputError("The text has 900 tokens.", key="tokens", count=900, limit=128)
        return scores_of(explainer, text)

    monkeypatch.setattr(catalogue, "scores_of", picky)
    found = attention.catalogue(tiny, Request("I read.", tiny.defaults), Arguments({}))
    assert (found["sentences"], bool(found["heads"])) == (made, made > 0)
    skipped = found["few"]["skipped"]
    assert [one["text"] for one in skipped] == seen[usable:]
    assert all("900" in one["why"]["en"] and "900" in one["why"]["zh"] for one in skipped)


def test_a_catalogue_within_a_request_is_none_if_the_time_is_up(tiny: Explainer) -> None:
    """It would have been made of the sentences before that, and kept."""
    with deadline.within(0.0), pytest.raises(InputError, match="took longer"):
        catalogue.catalogue_of(tiny, ["I read a book.", "You read a book."])
    assert catalogue.catalogue_of(tiny, ["I read a book.", "You read a book."]).sentences > 0


def test_the_page_follows_a_catalogue_in_the_making(
    open_stage: Open, tiny: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, scores_of = threading.Semaphore(2), catalogue.scores_of

    def slow(explainer: Explainer, text: str) -> catalogue.Scores:
        turns.acquire()
        return scores_of(explainer, text)

    monkeypatch.setattr(catalogue, "scores_of", slow)
    page = open_stage("?view=attention&text=I+read+a+book.", desk=desk_of(tiny, "tiny")).page
    page.unfold("attention", "reading")
    page.wait_for_process(
        lambda: bool(page.evaluate("headlight.page.roles.get() !== null")), "its start"
    )
    assert "of 4 sentences so far" in page.text_content("#panel-attention .hl-reading")
    for _ in range(9):
        turns.release()
    page.wait_for_process(
        lambda: bool(page.evaluate("headlight.page.roles.get().few.is_over")), "the catalogue"
    )
    assert "on just 4 sentences" in page.text_content("#panel-attention .hl-reading")


def against(page: Stage) -> list[list[str]]:
    """The chosen row in both pictures, from the sheet of numbers."""
    return page.locator(".hl-beside-row tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )


@pytest.mark.parametrize("measure", NAMES)
def test_beside_the_weights_stands_another_measure(
    open_stage: Open, explainer: Explainer, record: Explanation, measure: str
) -> None:
    """The chosen row of both pictures, the finding and the rank correlation, against Python."""
    watched = open_stage(TEXT + "&attention.view=beside&kind=cross&layer=2&head=4")
    page = watched.page
    page.wait_for_function("() => headlight.page.roles.get() !== null")
    page.wait_for_selector(".hl-beside canvas")
    page.evaluate("() => headlight.page.choose({ row: 3, col: null })")
    page.select_option(".hl-against select", measure)
    page.wait_for_selector(".hl-beside canvas")
    unfold(page, "attention", "numbers")
    wanted = beside(explainer, record.trace, measure, ("cross", 1, 3))
    w, cells = record.trace.cross.weights[1, 3][3].astype(np.float64), wanted.cells[3]
    name = WORDS[f"attention.against.{measure}"].en
    page.wait_for_selector(f".hl-beside-row th:text-is('{name}')")
    found = against(page)
    assert [float(line[1]) for line in found] == pytest.approx(w.tolist(), abs=6e-4)
    assert [float(line[2]) for line in found] == pytest.approx(cells.tolist(), abs=6e-4)
    said = page.locator(".hl-attention .hl-finding").text_content() or ""
    at = int(np.abs(w - cells).argmax())
    label = labels(record.trace.src)[at].line
    assert f"“{label}”" in said and len(said.split()) <= 20
    assert re.findall(r"(\d+) %", said) == [f"{100 * one:.0f}" for one in (w[at], cells[at])]
    note = page.locator(".hl-options-note").text_content() or ""
    assert ("all heads of its layer" in note) == (wanted.of == "layer")
    assert f"Rank correlation: {wanted.rank:.2f}.".replace("-", "−") in note
    assert watched.errors == []


def test_a_row_of_rounding_is_empty_and_says_so(open_stage: Open, explainer: Explainer) -> None:
    text = "If it rains tomorrow, we will stay at home and watch a movie."
    model, trace = explainer.model, explainer.explain(text).trace
    small = [
        (layer, head, row)
        for layer in range(model.config.n_decoder_layers)
        for head, rows in enumerate(_reach(explainer, trace, layer))
        for row in np.flatnonzero(rows < 1e-3)
    ]
    layer, head, row = (int(one) for one in small[0])
    query = f"&kind=cross&layer={layer + 1}&head={head + 1}&step={row + 1}"
    view = f"?view=attention&text={quote(text)}&attention.view=beside"
    page = open_stage(f"{view}&attention.against=contribution{query}")
    assert "that is rounding, so the row is empty" in page.finding("attention")
    page.unfold("attention", "numbers")
    assert {float(line[2]) for line in against(page)} == {0}
    page.evaluate("headlight.page.language.set('zh')")
    assert "舍入误差" in page.finding("attention")
    page.select_option(".hl-against select", "norm")  # whose shares are exact
    assert "空着" not in page.finding("attention")
    assert page.errors == []


def _reach(explainer: Explainer, trace: Trace, layer: int) -> np.ndarray:
    """How much nearer a head's vectors bring the sum to the output, for its length: (H, Q)."""
    part = attention_sub_layer(explainer.model, trace, "cross", layer)
    kept = part.weights * part.kept[:, None, None]
    heads, _, d_k = part.values.shape
    written = part.values @ part.w_o.reshape(heads, d_k, -1)
    vectors = kept[..., None] * written[:, None]  # (H, Q, K, D)
    if not part.pre:
        deviation = np.sqrt(part.total.var(-1) + part.eps)[:, None, None]
        vectors = part.gamma * (vectors - vectors.mean(-1, keepdims=True)) / deviation
    output = part.total if part.pre else part.after
    size = np.abs(output).sum(-1)
    left = np.abs(output[:, None] - vectors).sum(-1)
    return np.maximum(0, size[:, None] - left).sum(-1) / size


def test_occlusion_is_of_cross_attention_alone(open_stage: Open) -> None:
    query = "?view=attention&attention.view=beside&attention.against=occlusion&kind=encoder_self"
    page = open_stage(query + "&text=Why+do+we+work%3F").page
    page.wait_for_selector(".hl-beside canvas")
    assert page.input_value(".hl-against select") == "norm"
    assert page.locator(".hl-against option[value=occlusion]").is_disabled()
    page.click(".hl-attention [data-head='cross.1.1']")
    expect(page.locator(".hl-against select")).to_have_value("occlusion")
    page.wait_for_selector(".hl-beside canvas")


def test_a_head_that_is_off_says_so(open_stage: Open) -> None:
    changes = '{"heads_off":[["cross",2,4]]}'
    query = f"?view=attention&text=Why+do+we+work%3F&kind=cross&layer=3&head=5&changes={changes}"
    page = open_stage(query).page
    expect(page.locator(".hl-options-note")).to_contain_text("switched off")
    page.click(".hl-attention [data-head='cross.2.5']")
    expect(page.locator(".hl-options-note")).not_to_contain_text("switched off")
