"""The graph as people see it: one HTML file that needs no network, and a networkx graph."""

from __future__ import annotations

from kg.view.networks import to_networkx
from kg.view.page import render, write_html

__all__ = ["render", "to_networkx", "write_html"]
