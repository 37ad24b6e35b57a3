"""A pytest plug-in that begins with the longest test modules, by their kept seconds: `-p tests.near.longest_first`."""

from __future__ import annotations

import pytest

from tests.near.seconds import estimates, load


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sorts modules by length; tests of a module stay as they are. Every worker has the same order."""
    modules = [module_of(item.nodeid) for item in items]
    seconds = estimates(modules, load())
    items.sort(key=lambda item: (-seconds[module_of(item.nodeid)], module_of(item.nodeid)))


def module_of(test: str) -> str:
    """The module's part of a test's id."""
    return test.partition("::")[0]
