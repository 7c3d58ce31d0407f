"""Figures for reading, zooming and saving: pure functions from records to Plotly figures."""
