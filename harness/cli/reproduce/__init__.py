"""`diffharness reproduce`: everything that a bug report to the authors of an engine needs, in one directory.

It is made from the result of a case and its masked evidence alone, whether the case has just been run or a run has kept
it. `kept_case.py` reads the evidence, `engine_facts.py` says what each engine is, `layout.py` where files go,
`script.py` writes the commands of the engines alone, `form.py` the text of the report. Start with `command.py`.
"""
