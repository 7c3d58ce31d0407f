"""The table of the smoothing exhibit against the whole logits."""

from __future__ import annotations

import numpy as np
import pytest

from model import passes
from model.config import Interventions
from model.errors import InputError
from model.explain import Explainer
from model.labs.smoothing import smoothing_table
from tests.tiny import write_own

TEXT, IDS = "I am a frog.", [7, 9, 30, 12, 2]


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_it_is_what_the_logits_give(
    rows: int, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    explainer = Explainer.load(write_own(tmp_path_factory.mktemp("own")), device="cpu")
    changed = Interventions(scaling=False)
    logits = explainer.logits(TEXT, IDS, interventions=changed).astype(np.float64)
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    monkeypatch.setattr(passes, "MAX_LOGITS", rows * logits.shape[-1])
    table = smoothing_table(explainer, TEXT, IDS, 3, interventions=changed)
    np.testing.assert_allclose(table.logits, logits[3], atol=1e-4)
    np.testing.assert_allclose(table.log_probs, log_probs[range(5), IDS], atol=1e-4)
    np.testing.assert_allclose(table.means, log_probs.mean(-1), atol=1e-4)
    with pytest.raises(InputError, match="Step 6"):
        smoothing_table(explainer, TEXT, IDS, 5)
