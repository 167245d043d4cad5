"""What a run has found, in the forms people and programs read.

Everything is made from a `Run` and counts nothing by itself, so that two reports of one run cannot contradict each
other. Texts of cases are shown as `reports.visible` makes them.

- `screen.py`: one case on one screen: what differs, since when, why, and how to see it again.
- `summary.py`: the terminal.
- `document.py`, `run.schema.json`: the published JSON.
- `junit.py`, `markdown.py`, `sarif.py`: for what shows the outcome of a build.
- `lines.py`: the lines of a case's files that findings are about.

The page people open is `reports.html`.
"""
