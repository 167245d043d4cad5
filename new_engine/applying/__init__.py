"""Carrying out a plan: the execution graph is followed, and nothing is decided any more.

`operations.py` has what each opcode does, by the functions both engines share; `following.py` brings the graph, the
evaluation of the configuration and the operations together.
"""
