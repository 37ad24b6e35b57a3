"""ONNX Runtime's own operators: passes and numpy definitions against ONNX Runtime itself.

Every case runs in one layout here; `make conformance` runs them in more.
"""

from __future__ import annotations

import moderngl
import pytest

from pipeline.model_file.contrib.registry import all_contributed
from tests.conformance.contrib.case import Case
from tests.conformance.contrib.cases import CASES


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{case}" for number, case in enumerate(CASES)])
def test_passes_and_definition_follow_onnx_runtime(case: Case, gl: moderngl.Context) -> None:
    assert case.check(gl, ("channel_tiles",)) == ""


def test_every_operator_has_a_case() -> None:
    assert {case.op_type for case in CASES} == set(all_contributed())
