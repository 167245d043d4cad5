"""The layout of documents in the evidence, for reports: they import the data of findings only."""

from __future__ import annotations

from harness.observe.document_layout import ANYTHING, Layout, Part, layout_of

__all__ = ["ANYTHING", "Layout", "Part", "layout_of"]
