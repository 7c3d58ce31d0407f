"""Models trained on the page, exported: `transformers` opens them and computes the same."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save

from model.checkpoint import Checkpoint, load
from model.checkpoint.__main__ import main as export_command
from model.labs.playground.files import archive, name
from model.labs.playground.presets import MODELS
from model.labs.playground.run import train
from model.labs.playground.settings import Settings

transformers = pytest.importorskip("transformers")

SMALL: dict[str, Any] = {
    "length": 5, "alphabet": 12, "d_model": 16, "d_ff": 24, "heads": 2, "batch": 16,
    "updates": 60, "rate": 1e-2, "layers": 2, "shorter": True,
}  # fmt: skip
TYPES = {"paper": "marian", "bart": "bart", "t5": "t5"}
MIXED: dict[str, dict[str, Any]] = {
    "pegasus": {"norm": "pre"},
    "t5": {**MODELS["t5"], "tied": True, "feed_forward": "relu"},  # its first version
    "bart": {**MODELS["bart"], "feed_forward": "relu", "task": "count"},
    "marian": {"tied": False, "task": "sort", "embedding": "plain"},
}
CASES = [
    *(pytest.param(TYPES[model], parts, id=model) for model, parts in MODELS.items()),
    *(pytest.param(kind, parts, id=f"{kind}, mixed") for kind, parts in MIXED.items()),
]


def exported(folder: Path, settings: Settings) -> tuple[Checkpoint, Path]:
    """A trained model as the page downloads it, opened; and its export by the command."""
    result = train(settings)
    packed = archive(settings, save(result.model.state_dict()), result.to_dict())
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        files.extractall(folder)
    own, out = folder / name(settings), folder / "exported"
    assert export_command(["export", "--model", str(own), "--out", str(out)]) == 0
    return load(own), out


@pytest.mark.parametrize(("kind", "parts"), CASES)
def test_a_model_of_the_page_is_the_same_in_transformers(
    tmp_path: Path, kind: str, parts: dict[str, Any]
) -> None:
    """Log-probs, attention, ids and what `generate` writes, after some updates on the task."""
    checkpoint, out = exported(tmp_path, Settings(**{**SMALL, **parts}))
    assert json.loads((out / "config.json").read_text())["model_type"] == kind
    there = transformers.AutoModelForSeq2SeqLM.from_pretrained(
        out, attn_implementation="eager", dtype=torch.float32
    ).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(out)
    model, own = checkpoint.model.eval(), checkpoint.tokenizer
    for text in own.examples[:3]:
        ids = tokenizer(text, return_tensors="pt").input_ids
        assert ids[0].tolist() == own.encode_source(text).ids.tolist()
        tgt = [own.start_id, *own.encode_target(text + text).ids.tolist()]
        theirs = [there.config.decoder_start_token_id, *tgt[1:]]
        with torch.inference_mode():
            run = there(
                input_ids=ids, decoder_input_ids=torch.tensor([theirs]), output_attentions=True
            )
            memory, src_mask, encoder = model.encode(ids)
            x, _, decoder = model.decode(torch.tensor([tgt]), model.start(memory, src_mask))
            log_probs = model.logits(x).log_softmax(-1)
            written = there.generate(input_ids=ids, num_beams=1, do_sample=False, max_length=30)
        their_log_probs = run.logits.log_softmax(-1)[..., : log_probs.size(-1)]
        assert (log_probs - their_log_probs).abs().max() < 1e-4
        for mine, others in (
            (encoder.self_attention, run.encoder_attentions),
            (decoder.self_attention, run.decoder_attentions),
            (decoder.cross, run.cross_attentions),
        ):
            for one, other in zip(mine, others, strict=True):
                assert one.weights is not None and (one.weights - other).abs().max() < 1e-5
        assert tokenizer.decode(written[0], skip_special_tokens=True) == _written(checkpoint, text)


def _written(checkpoint: Checkpoint, text: str) -> str:
    """The most likely letters of our model, one by one."""
    src = torch.tensor([checkpoint.tokenizer.encode_source(text).ids.tolist()])
    ids = [checkpoint.rules.start_id]
    with torch.inference_mode():
        while len(ids) < 30 and ids[-1] != checkpoint.rules.end_id:
            logits = checkpoint.model(src, torch.tensor([ids]))[0, -1]
            logits[list(checkpoint.rules.banned)] = -torch.inf
            ids.append(int(logits.argmax()))
    return checkpoint.tokenizer.decode(ids)
