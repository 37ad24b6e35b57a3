"""Every case is somebody's, no operator is split, and the page tells of every operator that there is."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import defs, helper

from tests.conformance.__main__ import PAGE
from tests.conformance.cases import Case
from tests.conformance.runner import Outcome
from tests.conformance.table import rows, summary
from tests.conformance.workers import shares
from texelscope.pipeline.operators.families.registry import all_operators


def case(name: str, operator: str, nodes: int) -> Case:
    """A case of that many nodes."""
    made = [helper.make_node("Identity", [f"t{i}"], [f"t{i + 1}"]) for i in range(nodes)]
    model = onnx.ModelProto(graph=helper.make_graph(made, name, [], []))
    return Case(name, operator, 1, False, model, (np.zeros(1),), (np.zeros(1),), 0.0, 0.0)


def test_shares_hold_every_case_once_and_keep_operators_together() -> None:
    cases = [case(f"{operator}{i}", operator, i + 1) for operator in ("A", "B", "C") for i in range(4)]
    parts = shares(cases, 2)
    assert sorted(each.name for part in parts for each in part) == sorted(each.name for each in cases)
    assert not {each.operator for each in parts[0]} & {each.operator for each in parts[1]}


@pytest.mark.parametrize(
    ("status", "told"), [("passed", "1 run and pass"), ("folded", "1 of them are known"), ("failed", "1 fail")]
)
def test_the_summary_counts_what_became_of_cases(status: str, told: str) -> None:
    outcomes = [Outcome("test_abs", "Abs", False, 13, status, "why")]
    assert told in summary(rows(outcomes), outcomes)


def test_an_operator_with_a_failure_is_not_complete() -> None:
    outcomes = [Outcome("test_abs", "Abs", False, 13, status) for status in ("passed", "failed")]
    assert next(row for row in rows(outcomes) if row.operator == "Abs").complete is False


def test_the_page_tells_of_every_operator() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in all_operators() if defs.has(name, "") and f"| {name} |" not in page] == []
