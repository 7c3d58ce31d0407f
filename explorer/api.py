"""The endpoints for programs: gradio_client, plain HTTP and MCP (explorer/programs.py adds them).

Each takes plain values and the name of a model, checks them like the page's own requests, and works
for at most the seconds of `Models.limit`. Nothing here needs Gradio: a worker answers calls, too.
Clients see the names, types and docstrings below.
"""

from __future__ import annotations

import inspect
import json
import logging
import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from string import Template
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from explorer import session
from explorer.exchange import payload, reply
from explorer.exchange.explain import explain
from explorer.exchange.head import head_of
from explorer.exchange.question import Payload
from explorer.exchange.reply import Reply
from explorer.exchange.request import MAX_WRITTEN, RANGES, PageError, Request, parse
from explorer.models import Models
from explorer.trained import POOL, PREFIX, NotReady, settings_of
from model import deadline
from model.config import Kind
from model.errors import HeadlightError, InputError, quote
from model.trace import Explanation, Trace

if TYPE_CHECKING:
    from model.explain import Explainer  # brings torch with it

log = logging.getLogger(__name__)

MAX_LISTED = 50  # next tokens in one answer
PATIENCE = 20.0  # seconds that a call waits for its model to load; it holds a place meanwhile
SOON = ("model.loading", "model.reading", "model.gpu_full")  # a trained model takes longer
CALL, ARGUMENTS, MODEL = "endpoint", "arguments", "model"
E = TypeVar("E", bound=Callable[..., Payload])


def _worded(endpoint: E) -> E:
    """The endpoint, with each $name in its description replaced by what is said of it."""
    limits = {**RANGES, "most": (1, MAX_LISTED)}
    texts = {name: f"{low:g} to {high:g}" for name, (low, high) in limits.items()}
    texts[MODEL] = "a key or name of GET /health; empty: the first"
    endpoint.__doc__ = Template(endpoint.__doc__ or "").substitute(texts)
    return endpoint


@dataclass(frozen=True)
class Called:
    """The model that a call names."""

    models: Models
    key: str
    explainer: Explainer

    def work(self) -> AbstractContextManager[None]:
        """Do the work of the call; see `reply.work`."""
        return reply.work(self.models, self.explainer, self.key)

    def explained(self, text: str, **settings: Any) -> tuple[Request, Explanation]:
        """The explanation of a text with the model's own settings, but for those that are given."""
        given = {name: value for name, value in settings.items() if value is not None}
        if "beam_size" in given:
            given["method"] = "greedy" if given["beam_size"] == 1 else "beam"
        request = parse({"text": text, "settings": given}, self.explainer.decoding())
        with self.work():
            return request, explain(self.explainer, request)

    def measurements(self, name: str) -> dict[str, Any]:
        """Read a file of measurements beside the model."""
        folder = self.explainer.folder
        path = folder / name if folder else None
        if path is None or not path.exists():
            raise InputError(
                f"This model has no {name} beside it; `python -m model.labs.heads` makes one."
            )
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found


class Api:
    """The endpoints of one server."""

    def __init__(self, models: Models) -> None:
        self._models = models

    def endpoints(self) -> dict[str, Callable[..., Payload]]:
        """Every endpoint by its name."""
        listed = (
            self.translate, self.attention, self.beam_search, self.next_token, self.ablate,
            self.occlusion, self.measure, self.why, self.transplant, self.measurements,
            self.languages, self.arrays,
        )  # fmt: skip
        return {one.__name__: one for one in listed}

    def answer(self, sent: dict[str, Any]) -> Reply:
        """The reply to a call: {endpoint, arguments}. Never raises."""
        try:
            self._models.admit()
            return Reply("payload", reply.payload_json(self._found(sent)))
        except HeadlightError as error:
            return Reply("message", reply.to_json(reply.sentence(error)))
        except Exception:
            log.exception("A call could not be answered.")
            return Reply("message", reply.to_json(reply.sentence(PageError("error.unexpected"))))

    def _found(self, sent: dict[str, Any]) -> Payload:
        """What the endpoint returns, once its model has loaded, if that is soon."""
        name, given = sent[CALL], sent.get(ARGUMENTS)
        endpoint = self.endpoints().get(name) if isinstance(name, str) else None
        if endpoint is None or not isinstance(given, dict):
            raise PageError("error.request")
        try:
            inspect.signature(endpoint).bind(**given)
        except TypeError:
            raise PageError("error.request") from None
        until = time.monotonic() + PATIENCE
        while True:
            try:
                model = self._called(given.get(MODEL, ""))
                with deadline.within(self._models.limit(model.explainer)):
                    return endpoint(**given)
            except NotReady as error:
                if error.key not in SOON or time.monotonic() > until:
                    raise

    def _called(self, model: object) -> Called:
        """The model of a call, by its key or its name in the list; "" is the default one."""
        known = ", ".join(one.name for one in self._models.listed)
        told = InputError(f"model is {quote(model)}; expected one of {known}.")
        if not isinstance(model, str):
            raise told
        try:
            key = self._models.key(model)
        except PageError as error:  # which tells a page what it shows instead
            raise told if error.key == "error.model_unknown" else error from None
        is_loaded = self._models.loaded(key) is not None
        if key.startswith(PREFIX) and not is_loaded and not POOL.finished(settings_of(key)):
            raise InputError(f"model is {quote(model)}, which is not trained; the page trains it.")
        return Called(self._models, key, self._models.get(key))

    @_worded
    def translate(self, text: str, beam_size: int | None = None, model: str = "") -> dict[str, Any]:
        """Translate a sentence: {translation, score, log_prob, tokens, doubt}.

        Args:
            text: the sentence, in the model's source language
            beam_size: the number of hypotheses kept at each step, $beam_size; left out: the model's
            model: $model
        """
        called = self._called(model)
        _, found = called.explained(text, beam_size=beam_size)
        best = found.search.hypotheses[0]
        return {
            "translation": best.text,
            "score": best.score,
            "log_prob": best.log_prob,
            "tokens": [label["piece"] for label in payload.token_labels(found.trace.tgt_out)],
            "doubt": payload.doubts(found, called.explainer),
        }

    @_worded
    def attention(
        self, text: str, kind: Kind = "cross", layer: int = 1, head: int = 1, model: str = ""
    ) -> dict[str, Any]:
        """Return the weights of one head for a translation: {rows, written, columns, weights}.

        weights[i][j] is how much row i reads from column j, null where masked; each row adds up
        to 1. A row of the decoder reads back the token in `rows` and writes the one in `written`,
        which is null for the encoder.

        Args:
            text: the sentence, in the model's source language
            kind: encoder_self, decoder_self or cross
            layer: counted from 1
            head: counted from 1
            model: $model
        """
        trace = self._called(model).explained(text)[1].trace
        where = head_of(trace, kind, layer, head)[1:]
        maps = trace.attention(kind)
        weights = np.where(maps.mask, maps.weights[where].astype(float), np.nan)
        return {
            **_sides(trace, kind),
            "weights": [[None if math.isnan(w) else w for w in row] for row in weights.tolist()],
        }

    @_worded
    def beam_search(
        self,
        text: str,
        beam_size: int | None = None,
        length_penalty: float | None = None,
        model: str = "",
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
            model: $model
        """
        _, found = self._called(model).explained(
            text, beam_size=beam_size, length_penalty=length_penalty
        )
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

    @_worded
    def next_token(
        self, text: str, begin: str = "", most: int = 10, model: str = ""
    ) -> dict[str, Any]:
        """Return the most likely next tokens after the beginning of a translation: {prefix,
        tokens}.

        tokens lists the most likely ones, each {token, log_prob}.

        Args:
            text: the sentence, in the model's source language
            begin: the beginning of the translation, in the target language
            most: the number of tokens to list, $most
            model: $model
        """
        called = self._called(model)
        explainer = called.explainer
        if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MAX_LISTED:
            raise InputError(f"most is {quote(most)}; expected 1 to {MAX_LISTED}.")
        request = parse({"text": text, "begin": begin, "settings": {}}, explainer.defaults)
        with called.work():
            prefix = explainer.tokenizer.encode_target(request.begin) if request.begin else None
            ids = prefix.ids.tolist() if prefix else []
            log_probs = explainer.next_log_probs(request.text, ids)
        best = np.argsort(-log_probs, kind="stable")[:most]
        piece = explainer.tokenizer.piece
        return {
            "prefix": [piece(i) for i in ids],
            "tokens": [{"token": piece(int(i)), "log_prob": float(log_probs[i])} for i in best],
        }

    @_worded
    def ablate(self, text: str, heads: list[str], model: str = "") -> dict[str, Any]:
        """Switch heads off and translate again: {before, after, tokens, changes}.

        `changes` has the change of the log-prob of each token of the first translation without
        these heads, negative if it falls.

        Args:
            text: the sentence, in the model's source language
            heads: each kind.layer.head, counted from 1: "cross.1.7"
            model: $model
        """
        called = self._called(model)
        request, before = called.explained(text)
        if not isinstance(heads, list):
            raise InputError(f'heads is {quote(heads)}; expected a list such as ["cross.1.7"].')
        off = [_head(name) for name in heads]
        raw = {"text": text, "settings": {}, "interventions": {"heads_off": off}}
        explainer = called.explainer
        changed = parse(raw, explainer.decoding())
        with called.work():
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

    @_worded
    def occlusion(self, text: str, model: str = "") -> dict[str, Any]:
        """Remove each source token in turn: {source, target, changes}.

        changes[s][t] is the change of target token t's log-prob without source token s, negative if
        it falls. This is not attention: the model runs again without the token.

        Args:
            text: the sentence, in the model's source language
            model: $model
        """
        from model.labs.ablation import occlusion

        called = self._called(model)
        explainer, (_, before) = called.explainer, called.explained(text)
        with called.work():
            found = occlusion(explainer, before)
        source = [label["piece"] for label in payload.token_labels(before.trace.src)]
        return {
            "source": source[: len(found.changes)],
            "target": [label["piece"] for label in payload.token_labels(before.trace.tgt_out)],
            "changes": found.changes.tolist(),
        }

    @_worded
    def measure(self, text: str, head: str = "cross.1.2", model: str = "") -> dict[str, Any]:
        """Return measures that one head's weights leave out, cell by cell: {rows, written, columns,
        measures}, with rows as `attention` has them.

        `measures` has norm, contribution, value_zeroing and, for cross-attention, occlusion: each
        {cells, of, rank}. Each row of cells adds up to 1. `of` says whether they belong to the
        head, its layer or the model; `rank` is the rank correlation with the head's weights.

        Args:
            text: the sentence, in the model's source language
            head: kind.layer.head, counted from 1
            model: $model
        """
        from model.labs.beside import NAMES, beside

        called = self._called(model)
        trace, explainer = called.explained(text)[1].trace, called.explainer
        kind, layer, number = _head(head)
        where = head_of(trace, kind, layer + 1, number + 1)
        names = [name for name in NAMES if name != "occlusion" or kind == "cross"]
        with called.work():
            measures = {name: beside(explainer, trace, name, where) for name in names}
        return {
            **_sides(trace, kind),
            "measures": {
                name: {"cells": one.cells.tolist(), "of": one.of, "rank": one.rank}
                for name, one in measures.items()
            },
        }

    @_worded
    def why(
        self, text: str, step: int = 0, instead_of: str = "", model: str = ""
    ) -> dict[str, Any]:
        """Explain one token over a different one: the difference of their logits as an exact sum.

        Returns {source, read, step, token, instead_of, difference, embedding, position, layers,
        output_bias, left}. A layer has its heads, each with its direct part, token by token, and
        its effect: the part of the difference that disappears when the head is switched off.

        Args:
            text: the sentence, in the model's source language
            step: step of the translation, counted from 1; 0: where two candidates were closest
            instead_of: a piece of the vocabulary; empty: the closest candidate
            model: $model
        """
        from model.labs.why.heads import without_heads
        from model.labs.why.report import answer
        from model.labs.why.rivals import asked
        from model.labs.why.split import why

        called = self._called(model)
        explainer, (_, found) = called.explainer, called.explained(text)
        with called.work():
            at, other = asked(explainer, found, _step(step), instead_of or None)
            split = why(explainer, found, at, other)
            return answer(explainer, split, without_heads(explainer, found, split))

    @_worded
    def transplant(self, text: str, into: str, model: str = "") -> dict[str, Any]:
        """Copy each state of one sentence into the run of another; return how far the logits move.

        Returns {text, into, source, read, step, token, instead_of, differences, states, heads}, at
        the step where the two differ most; states[stack][layer][position] and `moved` of each head
        are shares of the way.

        Args:
            text: the sentence that gives its states
            into: the sentence that receives them, with the same number of tokens
            model: $model
        """
        from model.labs import patch

        called = self._called(model)
        explainer = called.explainer
        giver, receiver = (
            parse({"text": one, "settings": {}}, explainer.defaults).text for one in (text, into)
        )
        with called.work():
            return patch.answer(explainer, patch.contrast(explainer, giver, receiver))

    @_worded
    def languages(self, model: str = "") -> dict[str, Any]:
        """Return what a text may begin with: {codes, source, target}.

        Language codes such as ">>fra_Latn<<", tasks such as "summarize:", or nothing. `source` and
        `target` are the languages of a text without a code; null where the model has no such.

        Args:
            model: $model
        """
        tokenizer = self._called(model).explainer.tokenizer
        usual = tokenizer.languages or {"source": None, "target": None}
        return {"codes": list(tokenizer.codes), **usual}

    @_worded
    def arrays(self, text: str, beam_size: int | None = None, model: str = "") -> dict[str, Any]:
        """Return all data of one explanation as a file: {npz}, the file of `Explanation.save` in
        base64. `numpy.load` opens it; its `about` names the axes of every array.

        Args:
            text: the sentence, in the model's source language
            beam_size: the number of hypotheses kept at each step, $beam_size; left out: the model's
            model: $model
        """
        called = self._called(model)
        _, found = called.explained(text, beam_size=beam_size)
        return {"npz": session.arrays_of(found)}

    @_worded
    def measurements(self, model: str = "") -> dict[str, Any]:
        """Return the stored measurements of the model's heads: {heads, sentences, label_by,
        alignment}.

        A head is {kind, layer, head, role, strength, spread, row_label}, counted from 1. A row of
        `alignment` is the agreement of a method, layer or head (null: the mean) with word links
        made by people: {method, kind, layer, head, row_label, aer, low, high}.

        Args:
            model: $model
        """
        from model.labs import catalogue, scoreboard

        called = self._called(model)
        found = called.measurements(catalogue.FILE)
        return {**found, "alignment": called.measurements(scoreboard.FILE)["rows"]}


def _sides(trace: Trace, kind: Kind) -> dict[str, list[str] | None]:
    """The pieces of a map's rows, read back and written, and of its columns."""
    sides = (
        (trace.src, None, trace.src)
        if kind == "encoder_self"
        else (trace.tgt_in, trace.tgt_out, trace.tgt_in if kind == "decoder_self" else trace.src)
    )
    pieces = [
        None if one is None else [label["piece"] for label in payload.token_labels(one)]
        for one in sides
    ]
    return dict(zip(("rows", "written", "columns"), pieces, strict=True))


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
