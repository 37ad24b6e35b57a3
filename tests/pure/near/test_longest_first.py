"""Test modules begin in the order of their kept seconds, the longest first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.near import longest_first


def test_the_longest_module_comes_first_and_its_tests_stay_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longest_first, "load", lambda: {"t/short.py": 1.0, "t/long.py": 9.0, "t/middle.py": 4.0})
    tests = ["t/short.py::test", "t/middle.py::test_b", "t/middle.py::test_a", "t/long.py::test", "t/new.py::test"]
    items: list[Any] = [SimpleNamespace(nodeid=test) for test in tests]
    longest_first.pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == [
        "t/long.py::test",
        "t/new.py::test",  # as long as its folder's mean
        "t/middle.py::test_b",
        "t/middle.py::test_a",
        "t/short.py::test",
    ]
