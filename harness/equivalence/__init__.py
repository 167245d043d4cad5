"""Equivalence tests: what a product's own repository expects of a configuration, and whether an engine fulfils it.

Terraform and OpenTofu check their releases with these tests: a directory per test, the commands that are run in it, and
golden files with the output of each. Nothing of them is part of this project; a checkout is read where it is.

- specification.py   the tests of a checkout, and the commands of each
- stripping.py       the fields that differ in every run, and are therefore ignored
- comparison.py      the first difference of two documents or texts
- judging.py         runs a test and compares everything it leaves; start here
"""
