"""Endpoints for programs, with the default model: gradio_client, plain HTTP and MCP.

Each takes plain values, checks them like the page's own requests, and works for at most the seconds
of `Models.limit`.
Clients see the names, types and docstrings below.
"""

from __future__ import annotations

import functools
import json
import logging
import math
from collections.abc import Callable
from string import Template
from typing import TYPE_CHECKING, Any, TypeVar

import gradio as gr
import numpy as np

from explorer.exchange import payload, reply
from explorer.exchange.explain import explain
from explorer.exchange.head import head_of
from explorer.exchange.packing import json_text
from explorer.exchange.question import Payload
from explorer.exchange.request import MAX_WRITTEN, RANGES, PageError, Request, parse
from explorer.loading import AT_ONCE
from explorer.models import Models
from explorer.trained import NotReady
from model import deadline
from model.config import Kind
from model.errors import HeadlightError, InputError, quote
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer  # brings torch with it

log = logging.getLogger(__name__)

MAX_LISTED = 50  # next tokens in one answer
E = TypeVar("E", bound=Callable[..., Payload])


def _with_limits(endpoint: E) -> E:
    """The endpoint, with each $name in its description replaced by the limits of that argument."""
    limits = {**RANGES, "most": (1, MAX_LISTED)}
    texts = {name: f"{low:g} to {high:g}" for name, (low, high) in limits.items()}
    endpoint.__doc__ = Template(endpoint.__doc__ or "").substitute(texts)
    return endpoint


class Api:
    """The endpoints of one server."""

    def __init__(self, models: Models) -> None:
        self._models = models

    @_with_limits
    def translate(self, text: str, beam_size: int | None = None) -> dict[str, Any]:
        """Translate a sentence: {translation, score, log_prob, tokens, doubt}.

        Args:
            text: the sentence, in the model's source language
            beam_size: the number of hypotheses kept at each step, $beam_size; left out: the model's
        """
        _, found = self._asked(text, beam_size=beam_size)
        best = found.search.hypotheses[0]
        explainer = self._explainer()
        return {
            "translation": best.text,
            "score": best.score,
            "log_prob": best.log_prob,
            "tokens": [label["piece"] for label in payload.token_labels(found.trace.tgt_out)],
            "doubt": payload.doubts(found, explainer),
        }

    def attention(
        self, text: str, kind: Kind = "cross", layer: int = 1, head: int = 1
    ) -> dict[str, Any]:
        """Return the weights of one head for a translation: {rows, columns, weights}.

        weights[i][j] is how much row i reads from column j, null where masked; each row adds up
        to 1.

        Args:
            text: the sentence, in the model's source language
            kind: encoder_self, decoder_self or cross
            layer: counted from 1
            head: counted from 1
        """
        _, found = self._asked(text)
        trace = found.trace
        where = head_of(trace, kind, layer, head)[1:]
        maps = trace.attention(kind)
        rows = trace.src if kind == "encoder_self" else trace.tgt_in
        columns = trace.tgt_in if kind == "decoder_self" else trace.src
        weights = np.where(maps.mask, maps.weights[where].astype(float), np.nan)
        return {
            "rows": [label["piece"] for label in payload.token_labels(rows)],
            "columns": [label["piece"] for label in payload.token_labels(columns)],
            "weights": [[None if math.isnan(w) else w for w in row] for row in weights.tolist()],
        }

    @_with_limits
    def beam_search(
        self, text: str, beam_size: int | None = None, length_penalty: float | None = None
    ) -> dict[str, Any]:
        """Return every candidate of a beam search: {hypotheses, steps}.

        A candidate of a step is {token, log_prob, total, fate, parent}; parent is the index of the
        candidate that it extends in the previous step, -1 at the first step; fate is pruned, kept,
        finished or beaten. A hypothesis is {text, score, log_prob, path}.

        Args:
            text: the sentence, in the model's source language
            beam_size: the number of hypotheses kept at each step, $beam_size; left out: the model's
            length_penalty: alpha, $length_penalty; a score is the log-prob divided by length to the
                power of it; left out: the model's
        """
        _, found = self._asked(text, beam_size=beam_size, length_penalty=length_penalty)
        steps = [
            [
                {
                    "token": step.pieces[c],
                    "log_prob": float(step.log_probs[c]),
                    "total": float(step.totals[c]),
                    "fate": step.fates[c],
                    "parent": int(step.parents[c]),
                }
                for c in range(len(step))
            ]
            for step in found.search.steps
        ]
        hypotheses = [
            {"text": h.text, "score": h.score, "log_prob": h.log_prob, "path": list(h.path)}
            for h in found.search.hypotheses
        ]
        return {"hypotheses": hypotheses, "steps": steps}

    @_with_limits
    def next_token(self, text: str, begin: str = "", most: int = 10) -> dict[str, Any]:
        """Return the most likely next tokens after the beginning of a translation: {prefix,
        tokens}.

        tokens lists the most likely ones, each {token, log_prob}.

        Args:
            text: the sentence, in the model's source language
            begin: the beginning of the translation, in the target language
            most: the number of tokens to list, $most
        """
        explainer = self._explainer()
        if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MAX_LISTED:
            raise InputError(f"most is {quote(most)}; expected 1 to {MAX_LISTED}.")
        request = parse({"text": text, "begin": begin, "settings": {}}, explainer.defaults)
        with reply.work(self._models, explainer, self._models.first):
            prefix = explainer.tokenizer.encode_target(request.begin) if request.begin else None
            ids = prefix.ids.tolist() if prefix else []
            log_probs = explainer.next_log_probs(request.text, ids)
        best = np.argsort(-log_probs, kind="stable")[:most]
        piece = explainer.tokenizer.piece
        return {
            "prefix": [piece(i) for i in ids],
            "tokens": [{"token": piece(int(i)), "log_prob": float(log_probs[i])} for i in best],
        }

    def ablate(self, text: str, heads: list[str]) -> dict[str, Any]:
        """Switch heads off and translate again: {before, after, tokens, changes}.

        `changes` has the change of the log-prob of each token of the first translation without
        these heads, negative if it falls.

        Args:
            text: the sentence, in the model's source language
            heads: each kind.layer.head, counted from 1: "cross.1.7"
        """
        request, before = self._asked(text)
        if not isinstance(heads, list):
            raise InputError(f'heads is {quote(heads)}; expected a list such as ["cross.1.7"].')
        off = [_head(name) for name in heads]
        raw = {"text": text, "settings": {}, "interventions": {"heads_off": off}}
        explainer = self._explainer()
        changed = parse(raw, explainer.decoding())
        with reply.work(self._models, explainer, self._models.first):
            after = explain(explainer, changed)
            trace = explainer.trace(
                request.text, before.trace.tgt_out.ids.tolist(), interventions=changed.interventions
            )
        return {
            "before": before.search.hypotheses[0].text,
            "after": after.search.hypotheses[0].text,
            "tokens": [label["piece"] for label in payload.token_labels(before.trace.tgt_out)],
            "changes": (trace.log_prob - before.trace.log_prob).tolist(),
        }

    def occlusion(self, text: str) -> dict[str, Any]:
        """Remove each source token in turn: {source, target, changes}.

        changes[s][t] is the change of target token t's log-prob without source token s, negative if
        it falls. This is not attention: the model runs again without the token.

        Args:
            text: the sentence, in the model's source language
        """
        from model.labs.ablation import occlusion

        _, before = self._asked(text)
        explainer = self._explainer()
        with reply.work(self._models, explainer, self._models.first):
            found = occlusion(explainer, before)
        source = [label["piece"] for label in payload.token_labels(before.trace.src)]
        return {
            "source": source[: len(found.changes)],
            "target": [label["piece"] for label in payload.token_labels(before.trace.tgt_out)],
            "changes": found.changes.tolist(),
        }

    def measure(self, text: str, head: str = "cross.1.2") -> dict[str, Any]:
        """Return measures that one head's weights leave out, cell by cell: {rows, columns,
        measures}.

        `measures` has norm, contribution, value_zeroing and, for cross-attention, occlusion: each
        {cells, of, rank}. Each row of cells adds up to 1. `of` says whether they belong to the
        head, its layer or the model; `rank` is the rank correlation with the head's weights.

        Args:
            text: the sentence, in the model's source language
            head: kind.layer.head, counted from 1
        """
        from model.labs.beside import NAMES, beside

        _, found = self._asked(text)
        trace, explainer = found.trace, self._explainer()
        kind, layer, number = _head(head)
        where = head_of(trace, kind, layer + 1, number + 1)
        names = [name for name in NAMES if name != "occlusion" or kind == "cross"]
        with reply.work(self._models, explainer, self._models.first):
            measures = {name: beside(explainer, trace, name, where) for name in names}
        rows = trace.src if kind == "encoder_self" else trace.tgt_in
        columns = trace.tgt_in if kind == "decoder_self" else trace.src
        return {
            "rows": [label["piece"] for label in payload.token_labels(rows)],
            "columns": [label["piece"] for label in payload.token_labels(columns)],
            "measures": {
                name: {"cells": one.cells.tolist(), "of": one.of, "rank": one.rank}
                for name, one in measures.items()
            },
        }

    def why(self, text: str, step: int = 0, instead_of: str = "") -> dict[str, Any]:
        """Explain one token over a different one: the difference of their logits as an exact sum.

        Returns {source, read, step, token, instead_of, difference, embedding, position, layers,
        output_bias, left}. A layer has its heads, each with its direct part, token by token, and
        its effect: the part of the difference that disappears when the head is switched off.

        Args:
            text: the sentence, in the model's source language
            step: step of the translation, counted from 1; 0: where two candidates were closest
            instead_of: a piece of the vocabulary; empty: the closest candidate
        """
        from model.labs.why.heads import without_heads
        from model.labs.why.report import answer
        from model.labs.why.rivals import asked
        from model.labs.why.split import why

        _, found = self._asked(text)
        explainer = self._explainer()
        with reply.work(self._models, explainer, self._models.first):
            at, other = asked(explainer, found, _step(step), instead_of or None)
            split = why(explainer, found, at, other)
            return answer(explainer, split, without_heads(explainer, found, split))

    def transplant(self, text: str, into: str) -> dict[str, Any]:
        """Copy each state of one sentence into the run of another; return how far the logits move.

        Returns {text, into, source, read, step, token, instead_of, differences, states, heads}, at
        the step where the two differ most; states[stack][layer][position] and `moved` of each head
        are shares of the way.

        Args:
            text: the sentence that gives its states
            into: the sentence that receives them, with the same number of tokens
        """
        from model.labs import patch

        explainer = self._explainer()
        giver, receiver = (
            parse({"text": one, "settings": {}}, explainer.defaults).text for one in (text, into)
        )
        with reply.work(self._models, explainer, self._models.first):
            return patch.answer(explainer, patch.contrast(explainer, giver, receiver))

    def languages(self) -> dict[str, Any]:
        """Return what a text may begin with: {codes, source, target}.

        Language codes such as ">>fra_Latn<<", tasks such as "summarize:", or nothing. `source` and
        `target` are the languages of a text without a code; null where the model has no such.
        """
        tokenizer = self._explainer().tokenizer
        usual = tokenizer.languages or {"source": None, "target": None}
        return {"codes": list(tokenizer.codes), **usual}

    def measurements(self) -> dict[str, Any]:
        """Return the stored measurements of the model's heads: {heads, sentences, label_by,
        alignment}.

        A head is {kind, layer, head, role, strength, spread, row_label}, counted from 1. A row of
        `alignment` is the agreement of a method, layer or head (null: the mean) with word links
        made by people: {method, kind, layer, head, row_label, aer, low, high}.
        """
        from model.labs import catalogue, scoreboard

        found = self._measurements(catalogue.FILE)
        return {**found, "alignment": self._measurements(scoreboard.FILE)["rows"]}

    def _measurements(self, name: str) -> dict[str, Any]:
        """Read a file of measurements beside the model."""
        folder = self._explainer().folder
        path = folder / name if folder else None
        if path is None or not path.exists():
            raise InputError(
                f"This model has no {name} beside it; `python -m model.labs.heads` makes one."
            )
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found

    def _explainer(self) -> Explainer:
        return self._models.get()

    def _asked(self, text: str, **settings: Any) -> tuple[Request, Explanation]:
        """The explanation of a text with the model's own settings, but for those that are given."""
        explainer = self._explainer()
        given = {name: value for name, value in settings.items() if value is not None}
        if "beam_size" in given:
            given["method"] = "greedy" if given["beam_size"] == 1 else "beam"
        request = parse({"text": text, "settings": given}, explainer.decoding())
        with reply.work(self._models, explainer, self._models.first):
            return request, explain(explainer, request)


def _step(step: object) -> int | None:
    """A step counted from 1; None for 0, to let the measurement choose."""
    if isinstance(step, bool) or not isinstance(step, int) or not 0 <= step <= MAX_WRITTEN:
        raise InputError(f"step is {quote(step)}; expected 0 to {MAX_WRITTEN}.")
    return step or None


def _head(name: object) -> list[Any]:
    """["cross", 0, 6] of "cross.1.7"; `Interventions` checks the rest."""
    parts = name.split(".") if isinstance(name, str) else []
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 4 for part in parts[1:]):
        raise InputError(
            f'A head is {quote(name)}; expected kind.layer.head, counted from 1: "cross.1.7".'
        )
    return [parts[0], int(parts[1]) - 1, int(parts[2]) - 1]


def publish(models: Models, line: str) -> None:
    """Add the endpoints to the page under construction, in this line of Gradio's queue."""
    api = Api(models)
    for endpoint in (
        api.translate, api.attention, api.beam_search, api.next_token, api.ablate, api.occlusion,
        api.measure, api.why, api.transplant, api.measurements, api.languages,
    ):  # fmt: skip
        gr.api(
            _worded(models, endpoint),
            api_name=endpoint.__name__,
            concurrency_id=line,
            concurrency_limit=AT_ONCE,
        )


def _worded(models: Models, endpoint: Callable[..., Payload]) -> Callable[..., Payload]:
    """Wrap the endpoint in the limit of one request; clients get its errors as messages."""

    @functools.wraps(endpoint)
    def answered(*arguments: Any, **named: Any) -> Payload:
        try:
            models.admit()
            with deadline.within(models.limit(models.get())):
                found = _twice(endpoint, *arguments, **named)
            json_text(found)  # Gradio would turn a non-finite number into null
            return found
        except HeadlightError as error:
            said = error
        except Exception:
            log.exception("A call could not be answered.")
            said = PageError("error.unexpected")
        raise gr.Error(reply.sentence(said)["en"], print_exception=False)

    return answered


def _twice(endpoint: Callable[..., Payload], *arguments: Any, **named: Any) -> Payload:
    """The answer; if the GPU was full, that of a second try on the CPU."""
    try:
        return endpoint(*arguments, **named)
    except NotReady:
        return endpoint(*arguments, **named)
