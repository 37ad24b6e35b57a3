"""What is larger than a reader takes in at once is reported, and a reason for it lasts as long as it is needed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.caps.reasons import REASONS
from tests.caps.report import lines, measured, unneeded
from tests.caps.sizes import MOST, Size, of_functions, of_module, of_packages


def test_every_reason_is_still_needed() -> None:
    sizes = list(measured())
    assert len(sizes) > 1000
    assert unneeded(sizes, REASONS) == [], "remove these reasons from tests/caps/reasons.py"


def test_a_reason_for_what_no_longer_exceeds_or_is_gone_is_found() -> None:
    sizes = [Size("module", "a.py", 500), Size("module", "b.py", 10)]
    assert unneeded(sizes, {"a.py": "A table.", "b.py": "A table.", "gone.py": "A table."}) == ["b.py", "gone.py"]


def test_the_report_has_what_exceeds_those_without_a_reason_first() -> None:
    sizes = [
        Size("module", "a.py", 500),
        Size("package", "p", 99),
        Size("module", "b.py", 400),
        Size("module", "c.py", 401),
    ]
    assert lines(sizes, {"a.py": "A table."}) == [
        "module c.py: 401 lines, more than 400. Is it two things?",
        "package p: 99 modules, more than 16. Is it two things?",
        "module a.py: 500 lines, more than 400. A table.",
    ]


def test_a_function_is_measured_from_its_first_line_to_its_last_wherever_it_stands() -> None:
    text = "class A:\n    def method(self):\n        def inner():\n            pass\n        return inner\n"
    assert set(of_functions("a.py", ast.parse(text))) == {
        Size("function", "a.py: method", 4),
        Size("function", "a.py: inner", 2),
    }


def test_a_package_is_measured_by_the_modules_in_its_own_folder() -> None:
    paths = [Path(name) for name in ("p/__init__.py", "p/a.py", "p/b.py", "p/q/__init__.py", "p/q/c.py", "app.py")]
    assert set(of_packages(paths)) == {Size("package", "p", 2), Size("package", "p.q", 1)}


@pytest.mark.parametrize("more", [0, 1])
def test_the_largest_that_is_allowed_does_not_exceed(more: int) -> None:
    assert of_module("a.py", "\n" * (MOST["module"] + more)).exceeds == bool(more)
