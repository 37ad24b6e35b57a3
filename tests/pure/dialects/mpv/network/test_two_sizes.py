"""A block whose reading fits no network is not judged, with its line; the file opens, and the others are judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from texelscope import pipeline
from texelscope.pipeline.commands.extract import extracted
from texelscope.pipeline.target import OpenOptions

HALVES = """//!HOOK MAIN
//!BIND HOOKED
//!SAVE HALF
//!WIDTH HOOKED.w 2 /
//!HEIGHT HOOKED.h 2 /
//!DESC half
vec4 hook() { return HOOKED_texOff(0); }

//!HOOK MAIN
//!BIND HALF
//!SAVE TWICE
//!WIDTH HALF.w 2 *
//!HEIGHT HALF.h 2 *
//!DESC twice
vec4 hook() { return HALF_texOff(0) / (HALF_texOff(0) + 1.0); }

"""
MIXED = """//!HOOK MAIN
//!BIND HOOKED
//!BIND HALF
//!BIND TWICE
//!DESC mix
vec4 hook() { return %s; }
"""


@pytest.mark.parametrize(
    "expression",
    [
        "HOOKED_texOff(0) - TWICE_texOff(0) * HALF_texOff(0)",
        "HOOKED_texOff(0) + HALF_texOff(0) * TWICE_texOff(vec2(1.0, 0.0))",
        "0.5 * HALF_texOff(0) * HALF_texOff(0) + TWICE_texOff(0)",
        "mix(HOOKED_texOff(0), HALF_texOff(0), TWICE_texOff(0))",
    ],
)
def test_values_of_two_sizes_in_one_expression_stop_no_other_block(expression: str, tmp_path: Path) -> None:
    shader = tmp_path / "s.glsl"
    shader.write_text(HALVES + MIXED % expression, encoding="utf-8")
    plan = pipeline.plan_of(shader)
    assert len(plan.passes) == 3
    ((tensor, reason),) = plan.unjudged.items()
    assert tensor == "MAIN#2"
    assert reason.startswith("It contains no readable network: s.glsl:2")
    assert "exporting script" not in reason
    assert plan.graph is not None
    assert {"HALF", "TWICE"} <= plan.graph.tensors.keys()
    assert [bool(each.nodes) for each in plan.passes] == [True, True, False]


def test_what_is_left_is_extracted(tmp_path: Path) -> None:
    shader = tmp_path / "s.glsl"
    shader.write_text(HALVES + MIXED % "HOOKED_texOff(0) - TWICE_texOff(0) * HALF_texOff(0)", encoding="utf-8")
    network = extracted(shader, OpenOptions())
    assert [each.tensor for each in network.left_out] == ["MAIN#2"]
    assert {output.name for output in network.model.graph.output} == {"TWICE"}
