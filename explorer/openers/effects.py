"""The effect that each view shows, measured on a sentence: whether it is visible, and how strong.

If possible, an effect is measured differently from the view: alignment by leaving words out, not by
attention; the winner of a search at 41 values of α, not where two lines cross.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from explorer.labels import labels
from explorer.openers.case import Case
from explorer.opening import opening_head

Settings = dict[str, str]

EVERYWHERE = {"needs": "any sentence"}  # for a view whose finding holds for any sentence
NO_SENTENCE = {"needs": "no sentence"}  # for a view without a sentence
HEADS = 8  # heads to switch off, one at a time, to see whether the translation changes
UNSURE = 0.7  # the probability below which a step is uncertain
LEAST_HITS = 4  # steps at which an aligning head reads the right word; it may miss one
CLEAN = 0.9  # share of a row's weight in the cell shown
CHANGE = {"temperature": 1.3, "top_k": 0, "top_p": 1, "seed": 0}  # `sampling.settings`
PLACES = ("step", "col")  # of the effect in its sentence, counted from 1
ALPHAS = np.round(np.arange(-1, 3.05, 0.1), 1)


class Effect(NamedTuple):
    """Whether an effect is visible, its strength, and its numbers."""

    is_there: bool
    strength: float
    measured: dict[str, Any]


class View(NamedTuple):
    """Settings that may make a view show its point on a sentence, and the measure of that."""

    settings: Callable[[Case], Iterable[Settings]]
    measure: Callable[[Case, Settings], Effect]


def as_opened(_: Case) -> list[Settings]:
    """The view as it opens."""
    return [{}]


def _at(settings: Mapping[str, str], name: str = "step") -> int:
    """A place counted from 1 for the address."""
    return int(settings.get(name, "1")) - 1


def without_place(settings: Settings) -> Settings:
    """The settings that are not a place in the sentence."""
    return {name: value for name, value in settings.items() if name not in PLACES}


def steps(case: Case) -> list[Settings]:
    """Every step but the end."""
    return [{"step": str(step + 1)} for step in range(len(case.target) - 1)]


def _rounded(value: float) -> float:
    return round(float(value), 3)


# ------------------------------------------------------------------- changes of the model


def without_positions(case: Case) -> Effect:
    """The translation changes without positions."""
    return _change(case, positions="none", sides="both")


def breaks(case: Case, _: Settings) -> Effect:
    """The translation changes with four unmasked pad tokens, which is the view's initial setting,
    and without positions.
    """
    leak, unordered = forgotten_mask(case), without_positions(case)
    measured = {**leak.measured, "without_positions": unordered.measured["after"]}
    strength = min(leak.strength, unordered.strength)
    return Effect(leak.is_there and unordered.is_there, strength, measured)


def forgotten_mask(case: Case) -> Effect:
    """Four unmasked pad tokens change the translation."""
    return _change(case, padding=4, padding_mask=False)


def without_causal_mask(case: Case, _: Settings) -> Effect:
    """The translation changes without the causal mask."""
    return _change(case, causal_mask=False)


def _change(case: Case, **change: Any) -> Effect:
    after, lost = case.changed(**change)
    measured = {"before": case.written, "after": after, "lost_nats": _rounded(lost)}
    return Effect(after != case.written, min(lost, 20), measured)


def one_head_off(case: Case) -> Effect:
    """A single head, among the most costly, without which the translation changes."""
    from model.labs.ablation import all_heads, rank_heads  # brings torch

    heads = all_heads(case.explainer.model.config)
    costs = rank_heads(case.explainer, case.explanation, heads).totals
    for i in np.argsort(costs)[:HEADS]:
        effect = _change(case, heads_off=[list(heads[i])])
        if effect.is_there:
            kind, layer, head = heads[i]
            name = f"{kind} {layer + 1}·{head + 1}"
            return effect._replace(measured={"head": name, **effect.measured})
    return Effect(False, 0, {})


def cheats(case: Case, _: Settings) -> Effect:
    """The decoder trained without the mask copies."""
    from model.labs.cheat import UNMASKED, cheater, has_cheat  # brings torch

    if not has_cheat(case.explainer):
        return Effect(True, 0, {"needs": "a decoder trained without the mask"})
    trace = case.explanation.trace
    other = cheater(case.explainer)
    copied = other.trace(case.text, trace.tgt_out.ids.tolist(), interventions=UNMASKED)
    own, copies = (float(np.exp(one.log_prob).mean()) for one in (trace, copied))
    measured = {"with_mask": _rounded(own), "trained_without": _rounded(copies)}
    return Effect(copies > own + 0.05, copies - own, measured)


# ------------------------------------------------------------------------------ attention


def reads_the_right_word(case: Case, settings: Settings) -> Effect:
    """At all steps but at most one, a cross-attention head reads the word that the token depends
    on.
    """
    rows, steps = _weights(case, settings)
    right, count = right_steps(case, settings)
    step = _at(settings)
    is_read = step in steps and int(np.argmax(rows[step])) == steps[step]
    weight = float(rows[step, steps[step]]) if is_read else 0.0
    measured: dict[str, Any] = {"steps_right": f"{right} of {count}"}
    if is_read:
        row = step - (settings.get("rows") == "reads")
        measured |= {
            "token": case.word(row),
            "reads": case.source[steps[step]].text,
            "weight": _rounded(weight),
        }
    is_clean = right >= LEAST_HITS and right >= count - 1 and weight >= CLEAN
    return Effect(is_clean, right + weight, measured)


def right_steps(case: Case, settings: Settings) -> tuple[int, int]:
    """The number of steps at which a head mostly reads the costliest word, and their total."""
    rows, steps = _weights(case, settings)
    hits = [int(np.argmax(rows[step])) == column for step, column in steps.items()]
    return sum(hits), len(hits)


def _weights(case: Case, settings: Settings) -> tuple[Any, dict[int, int]]:
    """The rows of a head of cross-attention; {row: the source token that it should read}.

    Rows are labelled by the token written or, with rows=reads, by the token read.
    """
    rows = case.explanation.trace.cross.weights[_at(settings, "layer"), _at(settings, "head")]
    by = 1 if settings.get("rows") == "reads" else 0
    steps = {step + by: column for step, column in case.aligned.items()}
    return rows, steps


def aligned_heads(case: Case) -> list[Settings]:
    """The row that reads the right word most: of the head that the page opens with, under its
    labels; without a scoreboard, of every head under both.
    """
    layers, heads = case.explanation.trace.cross.weights.shape[:2]
    own = opening_head(case.explainer.folder)
    found = []
    for layer, head, name in np.ndindex(layers, heads, 2):
        if own not in (None, ("cross", layer, head, "reads" if name else "writes")):
            continue
        place = {"kind": "cross", "layer": str(layer + 1), "head": str(head + 1)}
        if name:
            place["rows"] = "reads"
        rows, steps = _weights(case, place)
        if not steps:
            continue
        best = max(steps, key=lambda step: rows[step, steps[step]])
        found.append({**place, "step": str(best + 1)})
    return found


def one_cell(case: Case, settings: Settings) -> Effect:
    """The cell of an aligned head has nearly all of its row's weight."""
    trace = case.explanation.trace
    place = _at(settings, "layer"), _at(settings, "head"), _at(settings), _at(settings, "col")
    weight = float(trace.cross.weights[place])
    score = float(trace.cross.scores(*place[:2])[place[2:]])
    measured = {"weight": _rounded(weight), "score": _rounded(score)}
    return Effect(weight >= CLEAN, weight, measured)


def aligned_cells(case: Case) -> list[Settings]:
    """The same rows, with the column that is read."""
    found = []
    for settings in aligned_heads(case):
        _, steps = _weights(case, settings)
        found.append({**settings, "col": str(steps[_at(settings)] + 1)})
    return found


def matters(case: Case, settings: Settings) -> Effect:
    """Removing a token costs the written one much, beside the token that the heads read most."""
    step = _at(settings)
    mean = case.explanation.trace.cross.weights.mean((0, 1))[step]
    read, gone = int(np.argmax(mean)), int(np.argmax(case.losses[:, step]))
    lost = float(case.losses[gone, step])
    names = [label.text for label in labels(case.explanation.trace.src)]
    measured = {
        "token": case.word(step),
        "read_most": names[read],
        "missed_most": names[gone],
        "lost_nats": _rounded(lost),
    }
    return Effect(lost >= 1, lost, measured)


# ------------------------------------------------------------------------------- decoding


def alpha_decides(case: Case, _: Settings) -> Effect:
    """A different hypothesis wins at some other α between −1 and 3."""
    hypotheses = case.explanation.search.hypotheses
    base = np.array([one.log_prob for one in hypotheses])[:, None]
    lengths = np.array([len(one.path) for one in hypotheses])[:, None]
    best = (base / lengths ** ALPHAS[None]).argmax(0)
    texts = [hypotheses[i].text for i in best]
    own = case.explainer.defaults.length_penalty
    others = [(abs(a - own), float(a), text) for a, text in zip(ALPHAS, texts, strict=True)]
    others = [one for one in others if one[2] != case.written]
    if not others:
        return Effect(False, 0, {"winner": case.written})
    distance, alpha, other = min(others)
    measured = {"winner": case.written, "alpha": own, "other": other, "at": alpha}
    return Effect(True, 1 / distance, measured)


def methods_differ(case: Case, _: Settings) -> Effect:
    """Greedy and beam search write different translations."""
    texts = {name: case.by(name) for name in ("beam", "greedy")}
    return Effect(texts["beam"] != texts["greedy"], 1, texts)


def is_unsure(case: Case, settings: Settings) -> Effect:
    """A step whose token has a probability below 70 %."""
    trace, step = case.explanation.trace, _at(settings)
    order = np.argsort(-trace.top_log_probs[step])[:2]
    names = [str(case.explainer.tokenizer.piece(int(trace.top_ids[step, i]))) for i in order]
    p, q = (float(np.exp(trace.top_log_probs[step, i])) for i in order)
    measured = {"token": names[0], "p": _rounded(p), "next": names[1], "q": _rounded(q)}
    return Effect(p < UNSURE and q >= 0.15, q, measured)


def heated(case: Case, settings: Settings) -> Effect:
    """Temperature 1.3 takes at least a tenth from the most likely token of an uncertain step."""
    ids = case.explanation.trace.tgt_out.ids.tolist()[: _at(settings)]
    logs = case.explainer.next_log_probs(case.text, ids).astype(float)
    logs = logs[np.isfinite(logs)]
    shares = np.exp(logs)
    entropy = float(-(shares * logs).sum())
    hot = np.exp(logs / CHANGE["temperature"])
    before, after = float(shares.max()), float(hot.max() / hot.sum())
    measured = {"top": _rounded(before), "at_1.3": _rounded(after), "nats": _rounded(entropy)}
    return Effect(before - after >= 0.1 and entropy >= 1, entropy, measured)


def heated_steps(case: Case) -> list[Settings]:
    """Every step at temperature 1.3."""
    return [{**one, "sampling.settings": json.dumps(CHANGE)} for one in steps(case)]


def layers_disagree(case: Case, settings: Settings) -> Effect:
    """A layer above the embedding would write a different token from the top layer."""
    from model.labs.lens import lens  # brings torch

    step, trace = _at(settings), case.explanation.trace
    found = case.explainer.remembered(("opener", case.text), lambda: lens(case.explainer, trace))
    written = int(trace.tgt_out.ids[step])
    firsts = found.ids[:, step, 0].tolist()
    if firsts[-1] != written or len(set(firsts)) == 1:
        return Effect(False, 0, {"token": case.word(step)})
    last = max(layer for layer, one in enumerate(firsts) if one != written)
    chance = float(np.exp(found.log_probs[last, step, 0]))
    measured = {
        "token": case.word(step),
        "from_layer": last + 1,
        "before": case.explainer.tokenizer.piece(firsts[last]),
        "p_before": _rounded(chance),
    }
    return Effect(last >= 1, chance, measured)


def goes_back(case: Case, settings: Settings) -> Effect:
    """A step from the middle on, where the page opens, that goes back in the source."""
    step = _at(settings)
    is_late = 2 * (step + 1) >= len(case.target)
    earlier = [a for a, b in case.crossings if b == step]
    measured: dict[str, Any] = {"token": case.word(step), "crossings": len(case.crossings)}
    if earlier:
        pair = (earlier[-1], step)
        words = [case.source[case.aligned[one]].text for one in pair]
        measured |= {"before": case.word(pair[0]), "words": words}
    return Effect(bool(earlier) and is_late, len(case.crossings), measured)


def surer_than_target(case: Case, settings: Settings) -> Effect:
    """A step whose token is more probable than the target of label smoothing 0.1."""
    p = float(np.exp(case.explanation.trace.log_prob[_at(settings)]))
    asked = 0.9 + 0.1 / case.explainer.tokenizer.size("target")
    measured = {"token": case.word(_at(settings)), "p": _rounded(p), "asked": _rounded(asked)}
    return Effect(p > asked, p, measured)


# ---------------------------------------------------------------- views without a sentence


def greedy_loses(_: Case, settings: Settings) -> Effect:
    """In the language of five letters greedy ends at a less probable text."""
    from model.labs.toy import EXAMPLE, exhaustive, toy_search

    chance = {one.text: one.probability for one in exhaustive(EXAMPLE, 3)}
    beam = int(settings["toy.beam"])
    greedy, best = (toy_search(EXAMPLE, n, 3).hypotheses[0].text for n in (1, beam))
    measured = {
        **NO_SENTENCE,
        "greedy": f"{greedy} {chance[greedy]:.3f}",
        "beam": f"{best} {chance[best]:.3f}",
    }
    return Effect(chance[best] > chance[greedy], 1, measured)


def loses_by_brevity(_: Case, __: Settings) -> Effect:
    """The view's first example has every n-gram right and loses only through its length."""
    import sacrebleu

    metric = sacrebleu.BLEU(tokenize="13a", effective_order=True)
    found = metric.sentence_score("the cat is on", ["the cat is on the mat"])
    measured = {**NO_SENTENCE, "brevity_penalty": _rounded(found.bp), "bleu": _rounded(found.score)}
    return Effect(found.bp < 1 and found.precisions[0] == 100, 1, measured)


def _any(_: Case, __: Settings) -> Effect:
    return Effect(True, 0, EVERYWHERE)


def _none(_: Case, __: Settings) -> Effect:
    return Effect(True, 0, NO_SENTENCE)


ANY, NONE = View(as_opened, _any), View(as_opened, _none)


def best(case: Case, view: View) -> tuple[Settings, Effect]:
    """The settings with which a view shows its effect most strongly on a sentence."""
    tried = [(one, view.measure(case, one)) for one in view.settings(case)]
    return max(tried, key=lambda pair: (pair[1].is_there, pair[1].strength))
