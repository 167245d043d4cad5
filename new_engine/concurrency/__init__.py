"""Waiting without deadlocks, and a limit for concurrent calls.

promises.py         results that can never wait for each other forever: read this first
call_limit.py       how many calls of providers and processes run at a time
"""
