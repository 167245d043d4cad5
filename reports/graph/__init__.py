"""Dependency graphs as pictures, without any program outside: the same for a report and for `diffharness engine graph`.

- `clusters.py`: a graph too large to be read, with a module drawn as one.
- `columns.py`: in which column each vertex stands, and in which order.
- `layout.py`: where everything is, to the point.
- `svg.py`: a file.
"""
