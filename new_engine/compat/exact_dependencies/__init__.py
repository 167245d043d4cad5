"""Exact dependencies: values carry marks that name the instances they were computed from.

marks.py        the marks
lost_marks.py   marks that the rules of the language drop, found again
origins.py      the marked values of one operation, and the dependencies that follow: read this first
"""
