"""A run as one HTML file that opens from a disk, asks no network, and lets nothing of a case take effect.

A case is somebody else's text, and so is everything that was observed of it. It reaches the page in two ways only: in
the template, which escapes all it is given; and as JSON in script elements no browser executes, from which the script
makes text nodes. A Content-Security-Policy allows one script and one style sheet by their hashes, and forbids the
script to make markup out of text at all. What cannot be seen is made visible before (`reports.visible`).

- `page.py`: the file.
- `overview.py`: what stands on the first screen, without any script.
- `index.py`: every case in a row, groups, and how often which outcome met which.
- `detail.py`, `values.py`, `highlight.py`: one case as its page shows it.
- `film.py`: how a case was made smaller.
- `copies.py`: what the buttons copy.
- `embedding.py`: data inside of HTML.
- `templates/`, `static/`: the template, the style sheet and the script.
"""
