"""Pools of worker processes that end with the process that has started them."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

from harness.child_process import forkserver_context
from harness.garbage_collection import collect_rarely
from harness.process_tree import end_with_parent

__all__ = ["start_pool"]


def start_pool(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of forked processes that import the same packages as this one. Without more ado, processes of a
    pool whose owner was killed wait for work for ever."""
    return ProcessPoolExecutor(jobs, mp_context=forkserver_context(), initializer=_prepare_worker)


def _prepare_worker() -> None:
    end_with_parent()
    collect_rarely()
