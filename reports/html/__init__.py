"""Writes a run as one HTML file that works offline, and in which no content of a case can take effect.

The texts of a case, and everything observed about it, are untrusted. They reach the page in two ways only: through the
template, which escapes everything, and as JSON in script elements that no browser executes, from which the script
creates text nodes. A Content-Security-Policy allows one script and one style sheet, by their hashes, and forbids the
script to create markup from text. Invisible characters are made visible beforehand (`reports.visible`).

- `page.py`: the file of a run. Start here. `trend.py`: the file over many runs.
- `shell.py`: what both have in common: the policy, the style sheet, the script.
- `overview.py`: the first screen, which needs no script.
- `index.py`: the list of cases, the groups, and the matrix of outcomes.
- `detail.py`, `values.py`, `highlight.py`: the page of one case.
- `reduction_history.py`: how a case was reduced.
- `clipboard.py`: the texts that the buttons copy.
- `embedding.py`: data inside HTML.
- `templates/`, `static/`: the templates, the style sheet and the parts of the script.
"""
