"""The curves of a training: losses above, scores below, over the updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

Line = Mapping[str, float]
"""What `model.train` writes after each epoch into curves.jsonl."""

# Which number of a line is drawn on which axis, how its line and its points look, its digits.
SERIES = (
    ("train_loss", "y", "solid", "circle", 3),
    ("dev_loss", "y", "dash", "square", 3),
    ("bleu", "y2", "solid", "circle", 2),
    ("chrf", "y2", "dash", "square", 2),
)


def curves(lines: Sequence[Line], words: Mapping[str, str]) -> go.Figure:
    """Four lines with a point an epoch; told apart by dash and sign too, coloured by the page.

    `words` names the series, and the axes: "updates", "loss", "score", and "epoch" for the note
    beside the pointer.
    """
    updates = [line["updates"] for line in lines]
    epochs = [f"{words['epoch']} {line['epoch']:.0f}" for line in lines]
    figure = go.Figure()
    for name, axis, dash, symbol, digits in SERIES:
        figure.add_scatter(
            x=updates,
            y=[line[name] for line in lines],
            text=epochs,
            name=words[name],
            yaxis=axis,
            mode="lines+markers",
            line={"dash": dash, "width": 2},
            marker={"symbol": symbol, "size": 5},
            hovertemplate=f"%{{y:.{digits}f}} (%{{text}})",
        )
    figure.update_layout(
        template=None,
        hovermode="x unified",
        uirevision="curves",  # what was zoomed stays so when the words or colours change
        xaxis={"title": {"text": words["updates"]}, "anchor": "y2"},
        yaxis={"title": {"text": words["loss"]}, "domain": [0.54, 1], "rangemode": "tozero"},
        yaxis2={"title": {"text": words["score"]}, "domain": [0, 0.46], "rangemode": "tozero"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    return figure
