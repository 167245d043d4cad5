"""Expressions with recorded answers: evaluates them, and compares the answers.

A *line* is one JSON object of the expression corpus: a question (an expression, a value for a type constraint, a whole
file) and, in the corpus, the answer of the real Terraform. `answer.py` computes our answer in the same form,
`compare.py` compares two answers, `corpus.py` processes whole files of lines. Start with `corpus.py`. Both engines
evaluate expressions without resources by the same code, so there is one answer for both.
"""
