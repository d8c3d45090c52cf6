"""Processes that start quickly: forks of one that has imported what servers need."""

import multiprocessing

__all__ = ["FORKS"]

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.killed_server", "tests.web.browser.scripted_server"])
