"""Kept seconds of test modules, and what is assumed of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.near.seconds import UNKNOWN_SECONDS, by_module, estimates, load, save

KNOWN = {"tests/gl/read_trace/test_a.py": 4.0, "tests/gl/read_trace/test_b.py": 6.0, "tests/gl/gl/test_c.py": 20.0}


def test_what_is_saved_is_loaded_in_tenths(tmp_path: Path) -> None:
    save({"tests/b.py": 1.234, "tests/a.py": 0.001}, tmp_path / "seconds.txt")
    assert (tmp_path / "seconds.txt").read_text(encoding="utf-8") == "0.1 tests/a.py\n1.2 tests/b.py\n"
    assert load(tmp_path / "seconds.txt") == {"tests/a.py": 0.1, "tests/b.py": 1.2}


def test_without_a_file_nothing_is_known(tmp_path: Path) -> None:
    assert load(tmp_path / "none.txt") == {}


@pytest.mark.parametrize(
    ("file", "seconds"),
    [
        ("tests/gl/read_trace/test_a.py", 4.0),
        ("tests/gl/read_trace/test_new.py", 5.0),
        ("tests/gl/new/test_new.py", 10.0),
        ("elsewhere/test_new.py", UNKNOWN_SECONDS),
    ],
)
def test_an_unknown_module_takes_as_long_as_those_beside_it(file: str, seconds: float) -> None:
    assert estimates([file], KNOWN) == {file: pytest.approx(seconds)}


def test_seconds_of_tests_add_up_by_module() -> None:
    tests = {"tests/a.py::test_one": 1.0, "tests/a.py::test_two[x::y]": 2.0, "tests/b.py::test": 4.0}
    assert by_module(tests) == {"tests/a.py": 3.0, "tests/b.py": 4.0}


def test_most_of_the_kept_modules_are_there() -> None:
    kept = load()
    assert len(kept) > 300
    assert sum((ROOT / file).is_file() for file in kept) > 0.9 * len(kept)
