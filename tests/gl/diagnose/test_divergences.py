"""Tests bugs that formulas name where nothing else explains them, in pipelines as users write them."""

from __future__ import annotations

import moderngl
import pytest

from tests.faults.fresh.cases import Case, cases_of
from tests.faults.fresh.planting import planted, ran
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.naming import diagnose

PRACTICE = "tests.faults.practice"


def _case(style: str, name: str) -> Case:
    return next(each for each in cases_of(style, PRACTICE) if each.what.name == name)


def _findings(case: Case, gl: moderngl.Context) -> tuple[Finding, ...]:
    with planted(case.folder, case.swaps) as folder, ran(folder, gl) as session:
        comparer, capture = Comparer(session.plan), session.capture()
        culprit = comparer.compare(capture).culprit
        assert culprit is not None
        return diagnose(session, comparer, capture, culprit, repair_seconds=0.0).findings


@pytest.mark.parametrize(
    ("style", "name", "cause"),
    [
        ("accessors_by_hand", "texels of a row of the other matrix", "index_map"),
        ("recurrent", "x of the middle for every tap", "index_map"),
    ],
)
def test_what_the_formulas_show_is_named_and_is_not_sure(
    style: str, name: str, cause: str, gl: moderngl.Context
) -> None:
    found = _findings(_case(style, name), gl)
    first = found[0]
    assert len([each for each in found if "run symbolically" in each.evidence]) == 1
    assert (first.cause, first.explained, first.sure) == (cause, 1.0, False)
    assert first.evidence.startswith("the shader's formula reads other elements of '")
    assert "run symbolically, beside the model's formulas." in first.evidence
    assert first.line is not None
