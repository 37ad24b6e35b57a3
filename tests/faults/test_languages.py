"""Tests what a diagnosis owes to shaders of other languages on a few bugs; `test_every_language` has all of them."""

from __future__ import annotations

import moderngl
import pytest

from tests.faults.fresh.cases import Case, cases_of, styles
from tests.faults.fresh.outcome import reported
from tests.faults.languages import HOME

# Four bugs of a language are tried here: of the first ten, every third.
FEW = slice(0, 10, 3)


@pytest.mark.parametrize(
    "case", [case for style in styles(HOME) for case in cases_of(style, HOME)[FEW]], ids=lambda case: case.what.name
)
def test_a_bug_is_named_in_its_language(case: Case, gl: moderngl.Context) -> None:
    outcome, _ = reported(case, gl, "none")
    assert outcome.culprit
    assert outcome.cause
    assert not outcome.sure_wrong


def test_every_edit_can_be_made_once() -> None:
    for case in (case for style in styles(HOME) for case in cases_of(style, HOME)):
        for swap in case.swaps:
            assert (case.folder / swap.file).read_text(encoding="utf-8").count(swap.old) == 1, case.what.name
