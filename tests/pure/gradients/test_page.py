"""The page names every operator that has no gradient."""

from __future__ import annotations

import re

from onnx import defs

from tests.checkout import ROOT
from texelscope.pipeline.gradients.derivatives.registry import all_derivatives, flat
from texelscope.pipeline.operators.families.registry import all_operators


def test_every_operator_without_a_derivative_is_named_with_its_reason() -> None:
    page = (ROOT / "docs" / "gradients.md").read_text(encoding="utf-8")
    table = page.partition("## Operators without gradients")[2].partition("\n`RoiAlign`")[0]
    named = set(re.findall(r"`(\w+)`", table))
    without = all_operators().keys() - all_derivatives().keys() - flat()
    # Others are parts that the planner puts in an operator's place, after gradients were taken, or of other domains.
    assert {name for name in without if defs.has(name)} <= named
    assert named <= without
