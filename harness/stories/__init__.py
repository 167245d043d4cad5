"""Stories: what a case does from its beginning to its end, as a workflow whose tasks act on engines and the cloud.

acts.py      what a task can do, and how it is written
story.py     a workflow and the acts of its tasks; steps are one as well
results.py   what conditions see of an operation
player.py    one engine through one story. Read this first
killing.py   an apply that is killed half-way, and what it leaves
plain.py     the story of a directory that has none: validate, plan, apply, plan again, destroy
"""
