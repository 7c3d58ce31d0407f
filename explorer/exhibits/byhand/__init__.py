"""By hand: attention on small matrices that a visitor types in."""

from __future__ import annotations

from explorer.exhibit import Exhibit

EXHIBIT = Exhibit("byhand", saved=True)
