"""Faults from outside: kills, signals, full disks and damaged files, after which nothing may be lost.

campaign.py     tries faults for a given time, one target after the other: read this first
trial.py        what a trial is, and the sums of many
child.py        the commands that faults happen to, and what they leave running
applies.py      kills, signals, full disks and damaged journals of `diffharness engine ENGINE apply`
runs.py         the same for `diffharness run`, and kills and signals of `diffharness fuzz`
damage.py       ways to damage a file of lines
small_disk.py   a disk with little room, mounted or pretended
"""
