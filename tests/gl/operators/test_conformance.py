"""A share of ONNX's node cases: one of every operator, in one layout each; `make conformance` runs them all."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from tests.conformance.cases import Case, collect
from tests.conformance.runner import LAYOUTS
from tests.conformance.workers import outcome_of, shared_programs

# ONNX makes its cases when they are first asked for: seconds, but minutes where others want the same cores.
pytestmark = pytest.mark.timeout(300)

SHARES = 8


@pytest.fixture(scope="module")
def one_of_each() -> list[Case]:
    """The first case of every operator that applies."""
    first: dict[str, Case] = {}
    for case in collect():
        if not case.excuse and not case.expanded:
            first.setdefault(case.operator, case)
    return list(first.values())


@pytest.fixture(scope="module")
def programs(gl: moderngl.Context) -> Iterator[None]:
    """Shares the programs between the cases of this module."""
    with shared_programs(gl):
        yield


@pytest.mark.parametrize("share", range(SHARES))
def test_no_case_that_runs_fails(share: int, one_of_each: list[Case], programs: None, gl: moderngl.Context) -> None:
    outcomes = [
        outcome_of(case, gl, [LAYOUTS[position % len(LAYOUTS)]])
        for position, case in enumerate(one_of_each)
        if position % SHARES == share
    ]
    assert {each.case: each.reason for each in outcomes if each.status == "failed"} == {}
    # Most do run; what does not is said in docs/operators.md.
    assert sum(each.status in ("passed", "folded") for each in outcomes) > 0.7 * len(outcomes)
