"""What applying does: the execution graph of a plan is followed, and nothing is decided any more.

operations.py     what each opcode does, by functions that both engines share
matches_plan.py   whether an execution graph belongs to the plan it came with
"""
