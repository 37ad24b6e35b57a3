"""ONNX Runtime's own operators: passes and numpy definitions against ONNX Runtime itself.

The first case of every operator runs in one layout here; `make conformance` runs all of them in more.
"""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from tests.conformance.contrib.case import Case
from tests.conformance.contrib.cases import CASES
from tests.conformance.runner import LAYOUTS
from tests.conformance.workers import shared_programs
from texelscope.pipeline.graph import CONTRIB_DOMAIN
from texelscope.pipeline.model_file.written import written

FIRST = list({case.op_type: case for case in reversed(CASES)}.values())[::-1]


@pytest.fixture(scope="module")
def programs(gl: moderngl.Context) -> Iterator[None]:
    """Shares the programs between the cases of this module."""
    with shared_programs(gl):
        yield


@pytest.mark.parametrize("case", FIRST, ids=str)
def test_passes_and_definition_follow_onnx_runtime(case: Case, programs: None, gl: moderngl.Context) -> None:
    assert case.check(gl, LAYOUTS[:1]) == ""


def test_every_operator_has_a_case() -> None:
    assert {case.op_type for case in CASES} == set(written(CONTRIB_DOMAIN))
