"""The values that go into the finding of each view, worked out from the record, not its wording.

`VALUES[name](model, record, at)` gives the numbers in the order in which they are said, and the
tokens or texts that the finding names, at the place `at` where the page stands.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import sacrebleu
import torch
from torch.nn import functional as F

from explorer.exhibits import transplant
from explorer.exhibits.masks import wanted as batch_of
from explorer.labels import label_of_piece, labels
from explorer.lessons import load
from model import checkpoint
from model.checkpoint import SHIPPED, snapshots
from model.config import METHODS, DecodeConfig, Interventions
from model.explain import Explainer
from model.labs import cheat
from model.labs.ablation import occlusion
from model.labs.dissect import sub_layers
from model.labs.looks import look
from model.labs.patch import contrast, states
from model.labs.why.split import why
from model.sampling import Mulberry32, warp
from model.trace import Explanation, Tokens

Array = np.ndarray[Any, np.dtype[Any]]
Place = dict[str, Any]


class Texts(tuple[str, ...]):
    """The texts that a finding quotes parts of."""


Values = tuple[Sequence[float], Sequence[str]]
NEITHER: Values = ([], [])


def names(tokens: Tokens) -> list[str]:
    return [label.line for label in labels(tokens)]


def softmax(scores: Any) -> Array:
    return np.asarray(torch.tensor(np.asarray(scores, float)).softmax(-1))


def piece(model: Explainer, token: int) -> str:
    return label_of_piece(model.tokenizer.piece(int(token))).line


def next_shares(model: Explainer, record: Explanation, step: int) -> Array:
    prefix = record.trace.tgt_out.ids[:step].tolist()
    return np.exp(model.next_log_probs(record.text, prefix).astype(float))


def figure(_: Explainer, record: Explanation, at: Place) -> Values:
    trace, step = record.trace, at["step"]
    read = names(trace.src)
    row = trace.cross.weights[:, :, step].mean((0, 1))
    words = [i for i, name in enumerate(read[:-1]) if any(c.isalnum() for c in name)]
    first, second = sorted(words, key=lambda i: -row[i])[:2]
    return [], [names(trace.tgt_in)[step], read[first], read[second]]


def steps(model: Explainer, record: Explanation, at: Place) -> Values:
    trace, step = record.trace, at["step"]
    shares, written = next_shares(model, record, step), int(trace.tgt_out.ids[step])
    other = next(int(i) for i in np.argsort(-shares) if i != written)
    percents = [100 * shares[written], 100 * shares[other]]
    return percents, [names(trace.tgt_out)[step], piece(model, other)]


def lessons(*_: Any) -> Values:
    all_of_them = load()
    minutes = [one.minutes for one in all_of_them.values()]
    return [len(all_of_them), max(minutes)], []


def attention(_: Explainer, record: Explanation, at: Place) -> Values:
    trace, row = record.trace, at["row"]
    layer, head = at["layer"], at["head"]
    weights = trace.attention(at["kind"]).weights[layer, head, row]
    words = [names(trace.tgt_in)[row], names(trace.src)[int(weights.argmax())]]
    return [layer + 1, head + 1, 100 * weights.max()], words


def microscope(model: Explainer, record: Explanation, at: Place) -> Values:
    trace, row, (layer, head) = record.trace, at["row"], (at["layer"], at["head"])
    keys, query = trace.cross.keys[layer, head], trace.cross.queries[layer, head, row]
    scores = keys @ query / math.sqrt(model.model.config.d_model // model.model.config.n_heads)
    weights = softmax(scores)
    words = [names(trace.tgt_in)[row], names(trace.src)[int(scores.argmax())]]
    second, first = np.sort(scores)[-2:]
    return [100 * weights.max(), first - second], words


def looks(model: Explainer, record: Explanation, at: Place) -> Values:
    trace, cell = record.trace, (at["layer"], at["head"], at["row"])
    second, first = np.argsort(trace.cross.weights[cell])[-2:]
    split = look(model, record, "cross", *cell, int(first), int(second))
    by_bias = np.array([name.endswith("bias") for name in split.query_parts])
    rows = np.abs(split.table.sum(1) * ~by_bias)
    is_first = abs(split.table[by_bias].sum()) > rows.max()
    by_key: dict[str, Array] = {}
    for name, column in zip(split.key_parts, split.table.T, strict=True):
        writer = "bias" if name.endswith("bias") else name
        by_key[writer] = by_key.get(writer, np.zeros(1)) + column
    lead = max(by_key, key=lambda name: by_key[name].sum())
    most, total = by_key[lead], split.score
    layer = [int(lead.split()[1])] if lead.endswith("feed-forward") else []
    words = [names(trace.tgt_in)[at["row"]], names(trace.src)[first], names(trace.src)[second]]
    if is_first and total / 2 < (bias := most[by_bias].sum()) <= total:
        return [*layer, bias, total], words[:2]
    digits = 1 if total >= 1 else 2
    if most.sum() > total and round(most.sum(), digits) != round(total, digits):
        return [most.sum(), *layer, total], words
    return [total, *layer] if most.sum() > 0.9 * total else [most.sum(), total, *layer], words


def summaries(model: Explainer, record: Explanation, at: Place) -> Values:
    trace, step = record.trace, at["step"]
    weights = trace.cross.weights.mean((0, 1))[step]
    change, read = occlusion(model, record).changes.T[step], names(trace.src)
    words = [names(trace.tgt_out)[step], read[int(weights.argmax())], read[int(change.argmin())]]
    if weights.argmax() == len(read) - 1:  # which always stays: only the word is told
        return [], words
    left = np.exp(change.min())
    return [] if left < 0.005 else [100 * left], words


def byhand(*_: Any) -> Values:
    rows = np.array([[1, 0], [0, 1], [1, 1]])  # X, and with W = 1 also Q, K and V
    weights = softmax(rows[1] @ rows.T / math.sqrt(2))
    largest = [i for i, weight in enumerate(weights) if math.isclose(weight, weights.max())]
    return [2, len(largest)], []


def normals(seed: int, count: int) -> Array:
    """Box and Muller's normal numbers from the model's own generator."""
    uniform = Mulberry32(seed).uniform
    found: list[float] = []
    while len(found) < count:
        radius, angle = math.sqrt(-2 * math.log(1 - uniform())), 2 * math.pi * uniform()
        found += [radius * math.cos(angle), radius * math.sin(angle)]
    return np.array(found[:count])


def scaling(*_: Any) -> Values:
    vectors = normals(1, 50 * 9 * 512).reshape(50, 9, 512)[..., :64]
    scores = np.einsum("qi,qki->qk", vectors[:, 0], vectors[:, 1:])
    return [100 * softmax(scores[0] / by).max() for by in (1, 8)], []


def library(*_: Any) -> Values:
    """The books by sea, cooking and history; for supper 1, 2, 0 is sought."""
    keys = np.array([[2, 0, 1], [1, 2, 0], [0, 2, 0], [0, 0, 2], [2, 0, 0]])
    weights = softmax(keys @ np.array([1, 2, 0]))
    return [100 * weights.max()], ["Fish"]


def positions(_: Explainer, record: Explanation, __: Place) -> Values:
    read = names(record.trace.src)
    position = max(i for i, name in enumerate(read) if any(c.isalnum() for c in name[:1]))
    return [position + 1], [read[position]]  # counted from 1


def masks(model: Explainer, record: Explanation, at: Place) -> Values:
    texts = batch_of(record, ("cross", 0, 0))[0].arguments["sentences"]
    greedy = DecodeConfig("greedy")
    lengths = [len(model.explain(text, greedy).trace.tgt_out) for text in texts]
    may, own, longest = at["step"] + 1, len(record.trace.tgt_out), max(lengths)
    hidden = [count for count in (own - may, longest - own) if count][:1]
    return [may, *hidden], [names(record.trace.tgt_in)[at["step"]]]


def cheating(model: Explainer, record: Explanation, _: Place) -> Values:
    ids, text, open_ = record.trace.tgt_out.ids.tolist(), record.text, cheat.UNMASKED
    copied = cheat.cheater(model).trace(text, ids, interventions=open_).log_prob
    runs = [copied, record.trace.log_prob]
    return [100 * np.exp(run).mean() for run in runs], []


def stream(model: Explainer, record: Explanation, at: Place) -> Values:
    src = at["src"]
    parts = sub_layers(model.model, record.trace, "encoder", at["layer"])
    lengths = [[float(np.linalg.norm(x[src])) for x in (one.output, one.before)] for one in parts]
    adds, before = max(lengths, key=lambda pair: pair[0] / pair[1])
    return [at["layer"] + 1, adds / before], [names(record.trace.src)[src]]


def lens(model: Explainer, record: Explanation, at: Place) -> Values:
    table = model.model.embedding.token.weight.detach()
    layers = torch.tensor(record.trace.decoder_states[:, at["step"]])
    shares = F.linear(layers, table).softmax(-1).numpy()
    written, best = int(record.trace.tgt_out.ids[at["step"]]), shares.argmax(-1)
    share, word = 100 * shares[-1].max(), piece(model, written)
    differ = [i for i, one in enumerate(best) if one != written]
    if not differ:
        return [share], [word]
    if best[-1] != written:
        return [share], [word, piece(model, best[-1])]
    if differ[-1] == 0:  # the embedding, which repeats its input
        return [share], [word]
    last = differ[-1]
    return [last, 100 * shares[last + 1].max()], [word, piece(model, best[last])]


def experiments(model: Explainer, record: Explanation, _: Place) -> Values:
    """What the change costs a token most, or both texts; their difference: test_experiments.py."""
    leak = Interventions(padding=4, padding_mask=False)
    before, ids = record.trace.tgt_out.text, record.trace.tgt_out.ids.tolist()
    after = model.explain(record.text, DecodeConfig(), interventions=leak).trace.tgt_out.text
    if after == before:
        own, now = record.trace.log_prob, model.trace(record.text, ids, interventions=leak).log_prob
        step = int(np.abs(now - own).argmax())
        shares = [100 * math.exp(one[step]) for one in (own, now)]
        return shares, [names(record.trace.tgt_out)[step]]
    return [], Texts((before, after))


def tree(_: Explainer, record: Explanation, __: Place) -> Values:
    """Who wins at alpha = 1, and from which alpha to which, of -1 to 3."""
    found = record.search.hypotheses
    lengths = np.array([len(one.path) for one in found], float)
    grid = np.round(np.arange(-1, 3.0001, 0.001), 3)
    scores = np.array([one.log_prob for one in found]) / lengths ** grid[:, None]
    winners = scores.argmax(-1)
    best = int(winners[grid == 1][0])
    ends = [grid[winners == best].min(), grid[winners == best].max()]
    inner = [end for end in ends if -1 < end < 3]
    return inner, [found[best].text]


def sampling(model: Explainer, record: Explanation, at: Place) -> Values:
    own = next_shares(model, record, at["step"])
    now = warp(np.log(own), 1.3, 0, 1.0)
    best = int(own.argmax())
    assert np.count_nonzero(now) > 0.9 * len(own)
    return [1.3, 100 * own[best], 100 * now[best]], [piece(model, best)]


def toy(*_: Any) -> Values:
    """Worked by hand: A 0.4, C after A 0.3, A after C 0.9; AC is third among the texts of two, of
    which beam 2 keeps two."""
    return [2, 2], ["ACA", "AC"]


def compare(model: Explainer, record: Explanation, _: Place) -> Values:
    """What another method writes, if not all agree; of the methods' names: test_compare.py."""
    asked = (replace(model.decoding(), method=method) for method in METHODS)
    texts = Texts(model.explain(record.text, one).search.hypotheses[0].text for one in asked)
    return ([], texts) if len(set(texts)) > 1 else NEITHER


def learn(model: Explainer, record: Explanation, at: Place) -> Values:
    """What the snapshot in the middle writes, and the link of the head that grows most from it."""
    shares = snapshots.training_fractions(SHIPPED)
    share = sorted({*shares, 1.0})[2]
    loaded = checkpoint.load(SHIPPED)
    weights = snapshots.load(snapshots.path(SHIPPED, share), loaded.model.config)
    then = checkpoint.Checkpoint(weights, loaded.tokenizer, loaded.rules, "then", None, "then")
    early = Explainer(then, "cpu")
    written = early.explain(record.text, DecodeConfig("greedy")).trace.tgt_out.text
    ids = record.trace.tgt_out.ids.tolist()
    one, other = (
        trace.attention(at["kind"]).weights[at["layer"], at["head"]]
        for trace in (early.trace(record.text, ids), record.trace)
    )
    rows, columns = names(record.trace.tgt_in), names(record.trace.src)
    han = [i for i, name in enumerate(rows) if any("一" <= c <= "鿿" for c in name)]
    cells = product(
        [at["row"]] if at["is_chosen"] else han,
        [i for i, name in enumerate(columns[:-1]) if len(name) >= 4] or range(len(columns) - 2),
    )
    row, column = max(cells, key=lambda cell: float(other[cell] - one[cell]))
    start, end = one[row, column], other[row, column]
    if end - start < 0.05:
        return [], [written]
    return [100 * start, 100 * end], [written, rows[row], columns[column]]


def smoothing(model: Explainer, record: Explanation, at: Place) -> Values:
    trace, step = record.trace, at["step"]
    target = 0.9 + 0.1 / model.model.config.vocabulary("target")
    share = math.exp(trace.log_prob[step])
    return [100 * target, 100 * share], [names(trace.tgt_out)[step]]


def schedule(*_: Any) -> Values:
    return [4000], []  # where the paper's rule has its peak


def dropout(_: Explainer, record: Explanation, at: Place) -> Values:
    values = record.trace.encoder_states[0, at["src"], :16].astype(float)
    uniform = Mulberry32(1).uniform
    kept = np.array([[uniform() >= 0.1 for _ in values] for _ in range(100)])
    largest = int(np.abs(values).argmax())
    mean = (kept * values / 0.9).mean(0)[largest]
    return [largest + 1, mean, values[largest]], [names(record.trace.src)[at["src"]]]


def bleu(*_: Any) -> Values:
    candidate, reference = "the cat is on", "the cat is on the mat"
    found = sacrebleu.sentence_bleu(candidate, [reference])
    return [found.score], []


def cost(*_: Any) -> Values:
    """2 N² d of attention, 4 N d² + 2 N d · 4 d of the maps, with d = 256."""
    n, d = 128, 256
    mixing, maps = 2 * n * n * d, 4 * n * d * d + 2 * n * d * 4 * d
    return [n, 100 * mixing / (mixing + maps)], []


def truth(*_: Any) -> Values:
    rows = json.loads((SHIPPED / "alignment.json").read_text("utf-8"))["rows"]
    heads = [row for row in rows if row["method"] == "weight" and row["head"]]
    best = min(heads, key=lambda row: float(row["aer"]))
    place = (best["layer"], best["head"])
    own = {
        row["row_label"]: 100 * row["aer"] for row in heads if (row["layer"], row["head"]) == place
    }
    return [*place, min(own.values())], []


def reasons(model: Explainer, record: Explanation, at: Place) -> Values:
    """What leads against the rival on show: the layer, its part, and what a head reads most."""
    split = why(model, record, at["step"], at["rival"])
    sign = np.sign(split.difference)
    layer = int((sign * split.layers).argmax())
    own_heads, cross = split.decoder_self[layer].sum(-1), split.cross[layer].sum(-1)
    parts = sign * np.array([*own_heads, *cross, split.feed_forward[layer], split.biases[layer]])
    numbers, best = [float(layer + 1)], int(parts.argmax())
    words = [piece(model, split.token), piece(model, split.instead_of)]
    if best < 2 * len(cross):
        kind = split.decoder_self if best < len(cross) else split.cross
        head = best % len(cross)
        read = names(split.tgt_in if best < len(cross) else split.src)
        words.append(read[int((sign * kind[layer, head]).argmax())])
        numbers += [layer + 1, head + 1]
    return numbers, words


def transplanted(model: Explainer, *_: Any) -> Values:
    giver, receiver = transplant.PAIRS["en"][0]
    pair = contrast(model, giver, receiver)
    moved = states(model, pair, "encoder").moved[1:]
    best = int(moved.max(0).argmax())
    sides = {names(pair.giver)[best], names(pair.receiver)[best]}
    least, most = float(moved[:, best].min()), float(moved[:, best].max())
    shares = [] if least >= 0.995 else [100 * least] if most >= 0.995 else [100 * most]
    return shares, [*sides, piece(model, pair.token)]


VALUES: dict[str, Callable[[Explainer, Explanation, Place], Values]] = {
    "figure": figure,
    "steps": steps,
    "lessons": lessons,
    "playground": lambda *_: NEITHER,  # a question; its answers are those of test_playground.py
    "attention": attention,
    "summaries": summaries,
    "microscope": microscope,
    "looks": looks,
    "byhand": byhand,
    "scaling": scaling,
    "library": library,
    "positions": positions,
    "masks": masks,
    "cheat": cheating,
    "stream": stream,
    "lens": lens,
    "experiments": experiments,
    "tree": tree,
    "sampling": sampling,
    "compare": compare,
    "toy": toy,
    "learn": learn,
    "smoothing": smoothing,
    "schedule": schedule,
    "dropout": dropout,
    "bleu": bleu,
    "cost": cost,
    "proof": lambda *_: NEITHER,
    "truth": truth,
    "why": reasons,
    "transplant": transplanted,
}
