"""Reports on a run, in the formats that people and programs read.

All formats are derived from a `Run` and count nothing themselves, so that two reports on one run cannot contradict each
other. Texts of cases are rendered by `reports.visible`. Start with `screen.py`.

- `screen.py`: one case on one screen: what differs, since which step, why, and how to reproduce it.
- `summary.py`: the whole run, for the terminal.
- `comparison.py`: what has changed since an earlier run. `trend.py`: the causes over many runs.
- `cause_status.py`: what is left to do about a cause. `engine_labels.py`: engines as a reader knows them.
- `document.py`, `run.schema.json`: the published JSON.
- `junit.py`, `markdown.py`, `sarif.py`: for build servers and code review.
- `printed.py`: what each engine printed in each step.
- `source_lines.py`: the lines of a case to which findings refer.
- `harness_quality.py`: how many mutants the harness finds, and figures of fuzzing.

The HTML page is in `reports.html`.
"""
