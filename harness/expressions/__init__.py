"""Expressions with recorded answers: asking an engine, and comparing.

A *line* is one JSON object of the expression corpus: what was asked (an expression, a value for a type constraint, a
whole file), and, in the corpus, what the real Terraform answered. `answer.py` gives our answer to a line in the same
form; `compare.py` holds two answers against each other; `corpus.py` runs whole files of lines. Both engines evaluate
expressions without resources by the same code, so there is one answer for both.
"""
