"""Step by step: what the decoder has read, what it predicts, what is fed back."""

from __future__ import annotations

from explorer.exhibit import Exhibit

EXHIBIT = Exhibit("steps", saved=True)
