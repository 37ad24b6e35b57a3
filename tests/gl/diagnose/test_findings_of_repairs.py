"""Tests names from a repair's reads: another bias, a window elsewhere; and two faults, each alone."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.faults.changes import Edit
from tests.faults.fault import Fault, Planted
from tests.faults.seen.subjects import convolutions, elements
from tests.gl.diagnose.small_pipeline import small_pipeline
from tests.pure.models import model, node
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.diagnose.findings_of_repairs import SaidByRepair, findings_of, role_of
from texelscope.pipeline.diagnose.one_by_one import OneByOne, together
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.read_diff import Reading, readings

BIAS, STEP, SPREAD = "ivec2(o, 0), 0).r;", "xy * u_stride", "ivec2(kx, ky) * u_dilation"


def planted(gl: moderngl.Context, *changes: tuple[str, str]) -> Planted:
    """Returns a convolution, its bias and a ReLU with texts changed."""
    edits = tuple(Edit(old, new) for old, new in changes)
    return Fault("planted here", "", convolutions.conv_relu_fetch, edits).plant(gl)


def mending(bug: Planted, *changes: tuple[str, str]) -> Repair:
    """The lines as they were."""
    lines = bug.session.program_source(bug.name).files[0].text.split("\n")
    path = bug.session.program_source(bug.name).files[0].path
    edits = []
    for old, new in changes:
        (at,) = [number for number, line in enumerate(lines) if new in line]
        edits.append(LineEdit(path, at + 1, lines[at], lines[at].replace(new, old)))
    return Repair(tuple(edits), "", 1, 1)


@pytest.mark.parametrize(
    ("old", "new", "read", "cause"),
    [
        (BIAS, "ivec2((o + 1) % 6, 0), 0).r;", "another bias", "bias_offset"),
        (STEP, "xy * 2", "other steps", "stride"),
        (STEP, "xy * u_stride / 2", "elsewhere", "index_map"),
        ("- u_pad +", "- u_pad + 1 +", "moved", "shift"),
        ("- u_pad +", "- u_pad + 3 -", "elsewhere", "index_map"),  # each tap by another step
        (SPREAD, "ivec2(kx * 2 - 1, ky)", "other distances", "dilation"),
        ("i < u_x_shape.y; ++i", "i < u_x_shape.y - 1; ++i", "other channels left out", "missing_channels"),
        ("ky < u_w_shape.z", "ky < u_w_shape.z - 1", "left out", "missing_taps"),
        ("max(acc, 0.0)", "max(acc, acc * 0.1)", "alike", "wrong_function"),
    ],
)
def test_what_is_read_otherwise_is_told(
    gl: moderngl.Context, old: str, new: str, read: Reading | None, cause: str
) -> None:
    bug = planted(gl, (old, new))
    repair = mending(bug, (old, new))
    with bug.session as session:
        each = session.plan.pass_called(bug.name)
        harness = Harness(session, each)
        try:
            told = readings(harness, session, repair, np.ones(session.tensor(bug.name).size, dtype=bool))
        finally:
            harness.release()
        says = SaidByRepair(session.program_source(bug.name), session.plan, each)
        assert [each for _, each in told] == [read]
        assert [each.cause for each in findings_of(says.by_edit((repair,), told), {})] == [cause]


GUARD = "if (src.x < 0 || src.x >= u_x_shape.w || src.y < 0 || src.y >= u_x_shape.z) continue;"


def test_what_is_wrong_at_borders_alone_is_of_what_lies_beyond_them(gl: moderngl.Context) -> None:
    new = "src = clamp(src, ivec2(0), u_x_shape.wz - 1);"
    bug = planted(gl, (GUARD, new))
    repair = mending(bug, (GUARD, new))
    with bug.session as session:
        each = session.plan.pass_called(bug.name)
        comparer, capture = Comparer(session.plan), session.capture()
        wrong = comparer.wrong(capture, comparer.wrong_output(capture, bug.name)).reshape(-1)
        harness = Harness(session, each)
        try:
            told = readings(harness, session, repair, wrong)
        finally:
            harness.release()
        says = SaidByRepair(session.program_source(bug.name), session.plan, each)
        assert [each for _, each in told] == ["beyond"]
        assert [each.cause for each in findings_of(says.by_edit((repair,), told), {})] == ["padding_mode"]


def test_nothing_in_place_of_what_a_border_repeats_is_of_what_lies_beyond_it(gl: moderngl.Context) -> None:
    left_out = f"{GUARD} //"
    bug = planted(gl, (GUARD, left_out))
    repair = mending(bug, ("src = clamp(src, ivec2(0), u_x_shape.wz - 1);", left_out))
    with bug.session as session:
        wrong = np.ones(session.tensor(bug.name).shape, dtype=bool)
        wrong[..., 1:-1, 1:-1] = False
        harness = Harness(session, session.plan.pass_called(bug.name))
        try:
            told = readings(harness, session, repair, wrong.reshape(-1))
        finally:
            harness.release()
        assert [each for _, each in told] == ["beyond"]


def test_two_faults_are_diagnosed_one_by_one(gl: moderngl.Context) -> None:
    both = (BIAS, "ivec2((o + 1) % 6, 0), 0).r;"), (SPREAD, "ivec2(kx, ky) * 2")
    bug = planted(gl, *both)
    repair = mending(bug, *both)
    with bug.session as session:
        before = session.tensor(bug.name)
        each = OneByOne(session, bug.name, together(repair.edits))
        while each.step():
            pass
        first, second = sorted(repair.edits, key=lambda edit: edit.line)
        assert [(mended, findings[0].cause) for mended, findings in each.found] == [
            ((first,), "dilation" if first.line == repair.edits[0].line else "bias_offset"),
            ((second,), "bias_offset" if first.line == repair.edits[0].line else "dilation"),
        ]
        left = each.found[0][1][0]
        assert not left.sure
        assert left.evidence.startswith(f"with line {first.line} fixed, ")
        assert np.array_equal(session.tensor(bug.name), before)


def test_what_takes_too_long_is_given_up(gl: moderngl.Context) -> None:
    bug = planted(gl, (BIAS, "ivec2((o + 1) % 6, 0), 0).r;"), (SPREAD, "ivec2(kx, ky) * 2"))
    repair = mending(bug, (BIAS, "ivec2((o + 1) % 6, 0), 0).r;"))
    with bug.session as session:
        each = OneByOne(session, bug.name, (repair.edits,), seconds=0.0)
        while each.step():
            pass
        assert each.found == ()


def test_lines_that_follow_one_another_are_of_one_fault_where_there_are_more_than_two() -> None:
    one, next_one, other = (LineEdit("a.frag", line, "x", "y") for line in (3, 4, 9))
    assert together((one, next_one)) == ((one,), (next_one,))
    assert together((one, next_one, other)) == ((one, next_one), (other,))


@pytest.mark.parametrize(("number", "role"), [(1e-3, "epsilon"), (0.2, "alpha"), (0.125, "alpha"), (None, "weight")])
def test_the_role_of_a_number_is_the_models(gl: moderngl.Context, number: float | None, role: str) -> None:
    """One that the model does not have is the activation's."""
    bug = Fault("planted here", "", elements.batchnorm_tiles, (Edit("(x - mean)", "(x + mean)"),)).plant(gl)
    with bug.session as session:
        each, plan = session.plan.pass_called(bug.name), session.plan
        held = plan.constant("scale")
        assert held is not None
        assert role_of(plan, each, float(held.reshape(-1)[0]) if number is None else number) == role


POOL = """\
#version 330 core
uniform sampler2D u_x;
uniform int u_step;
out float y;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), at = p % 8;
    float largest = -1e30;
    for (int ky = -1; ky <= 1; ky++)
        for (int kx = -1; kx <= 1; kx++) {
            ivec2 from = at + ivec2(kx, ky) * u_step;
            if (min(from.x, from.y) < 0 || max(from.x, from.y) > 7) continue;
            largest = max(largest, texelFetch(u_x, p - at + from, 0).x);
        }
    y = largest;
}
"""
PASS = """
[[pass]]
name = "y"
shader = "pool.frag"
textures.u_x = "x"
uniforms.u_step = 1
output = { {tensor} }
"""


def test_a_number_of_the_pipeline_file_is_named_by_what_it_makes_the_pass_read(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    pool = node("MaxPool", "x", "y", "pool", kernel_shape=[3, 3], dilations=[2, 2], pads=[2, 2, 2, 2])
    path = small_pipeline(tmp_path, model([pool]), {"pool.frag": POOL}, "channel_tiles", PASS)
    lines = path.read_text(encoding="utf-8").split("\n")
    at = lines.index("uniforms.u_step = 1")
    repair = Repair((LineEdit(path.name, at + 1, lines[at], "uniforms.u_step = 2"),), "", 1, 1)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        each = session.plan.pass_called("y")
        harness = Harness(session, each)
        try:
            told = readings(harness, session, repair, np.arange(192) % 11 == 7)
        finally:
            harness.release()
        says = SaidByRepair(session.program_source("y"), session.plan, each)
        assert [each for _, each in told] == ["other distances"]
        assert [each.cause for each in findings_of(says.by_edit((repair,), told), {})] == ["dilation"]
