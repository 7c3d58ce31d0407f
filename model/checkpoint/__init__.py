"""Checkpoints: save and load a model with its tokenizer, and export it for `transformers`.

Two formats are read. Ours, marked "headlight-3", is config.json, model.safetensors with the
network's own parameter names, source.spm, target.spm and a README.md; "headlight-2" has one
tokenizer.model for both sides, and a model of letters has letters.json. The other is that of
`transformers`: Marian's, and the families of `families.py`. `weight_names.py` translates their
names. Only this folder handles foreign formats.

    checkpoint = load("Helsinki-NLP/opus-mt-en-de")      # or a folder
    save(Path("copy"), checkpoint)
    export_model(Path("for-transformers"), checkpoint)  # python -m model.checkpoint export
"""

from model.checkpoint.formats import FOREIGN as FOREIGN
from model.checkpoint.formats import FORMATS as FORMATS
from model.checkpoint.formats import SHIPPED as SHIPPED
from model.checkpoint.formats import Checkpoint as Checkpoint
from model.checkpoint.formats import format_of as format_of
from model.checkpoint.formats import own_rules as own_rules
from model.checkpoint.formats import tokenizer_files as tokenizer_files
from model.checkpoint.loading import load as load
from model.checkpoint.saving import export_model as export_model
from model.checkpoint.saving import save as save
