"""Draws dependency graphs without external programs, for HTML reports and for `diffharness engine graph`.

- `clusters.py`: reduces a graph that is too large to read, by drawing modules as single vertices.
- `columns.py`: assigns vertices to columns, and orders each column.
- `layout.py`: computes coordinates. Start here.
- `svg.py`: writes an SVG file.
"""
