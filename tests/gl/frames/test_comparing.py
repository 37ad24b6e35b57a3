"""Tests comparing frame by frame: the first frame that is wrong is found, with the state that the device handed on."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.automata import LIFE, LIFE_CLAMPED, LIFE_TOML, glider, soup, write, write_life, write_neural
from tests.gl.frames.test_running import ADD, SUM
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import FrameMismatch, Report
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.frame_by_frame import ComparedFrame, compare_frames, with_findings_of

# From frame 12 on.
LATE = LIFE.replace("out vec4", "uniform int u_frame;\nout vec4").replace(
    "    result =", "    if (u_frame >= 12) lives = around == 3.0;\n    result ="
)
WITH_FRAME = LIFE_TOML + 'uniforms.u_frame = "frame"\n'
SUM_ORACLE = "def sum(u_state, u_more, u_rate):\n    return u_state + u_rate * u_more\n"


def test_all_frames_of_a_right_automaton_match(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_life(tmp_path), context=gl, trust=True) as session:
        found = session.compare_frames()
    assert len(found.reports) == 60
    assert {report.verdict for report in found.reports} == {"match"}
    assert found.first_mismatch is None
    assert {report.passes[0].chained.mismatched for report in found.reports if report.passes[0].chained} == {0}


def test_rounding_adds_up_from_frame_to_frame_in_the_chained_bound(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_neural(tmp_path), context=gl, trust=True) as session:
        found = session.compare_frames()
        alone = session.compare()  # from the state that the device handed on
    chained = [report.passes[0].chained for report in found.reports]
    assert all(each is not None and each.mismatched == 0 for each in chained)
    assert chained[-1] is not None
    assert alone.passes[0].chained is not None
    assert chained[-1].max_abs > alone.passes[0].chained.max_abs


def test_a_pattern_that_wraps_wrongly_is_found_in_the_frame_in_which_it_is_at_the_edge(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    target = write_life(tmp_path, LIFE_CLAMPED, glider(10, 3))
    with pipeline.open(target, context=gl, trust=True) as session:
        found = session.compare_frames(findings=False)
    # The glider's lowest cell is in row 12 and goes down one row in four frames: it is read beyond the last one then.
    assert found.first_mismatch == FrameMismatch(9, "state")
    assert [report.verdict for report in found.reports[:9]] == ["match"] * 9
    assert found.shown.frames is not None
    assert (found.shown.frames.shown, found.shown.frames.count) == (9, 60)


def test_a_fault_from_frame_12_on_is_found_there_with_its_line(gl: moderngl.Context, tmp_path: Path) -> None:
    asked = DiagnosisRequest(("state",))  # without a time limit: this machine may have other work
    with pipeline.open(write_life(tmp_path, LATE, soup(), WITH_FRAME), context=gl, trust=True) as session:
        look = with_findings_of(session, asked)
        found = compare_frames(session, session.capture, 20, Comparer(session.plan), look)
    assert found.first_mismatch == FrameMismatch(12, "state")
    line = LATE.split("\n").index("    if (u_frame >= 12) lives = around == 3.0;") + 1
    repairs = found.shown.passes[0].repairs
    assert repairs
    assert all(line in {edit.line for edit in repair.edits} for repair in repairs)
    # Right in frame 12 alone, and wrong from 13 on.
    assert not {"    if (u_frame > 12) lives = around == 3.0;"} & {
        edit.after for each in repairs for edit in each.edits
    }
    assert all(not report.passes[0].findings for report in found.reports if report is not found.reports[12])


def test_a_later_frame_is_right_alone_and_wrong_end_to_end(gl: moderngl.Context, tmp_path: Path) -> None:
    once = LATE.replace("u_frame >= 12", "u_frame == 12")
    with pipeline.open(write_life(tmp_path, once, toml=WITH_FRAME), context=gl, trust=True) as session:
        found = session.compare_frames(findings=False)
    after = found.reports[13].passes[0]
    assert after.verdict == "match"
    assert after.chained is not None
    assert after.chained.mismatched > 0
    assert [number for number, report in enumerate(found.reports) if report.verdict != "match"] == [12]


def test_a_uniform_of_the_frame_reaches_the_functions(gl: moderngl.Context, tmp_path: Path) -> None:
    toml = SUM.replace("[pipeline]", '[pipeline]\noracle = "oracle.py"').replace("u_rate = 1", 'u_rate = "frame"')
    target = write(tmp_path, toml, {"add.frag": ADD, "oracle.py": SUM_ORACLE}, {})
    with pipeline.open(target, context=gl, trust=True) as session:
        found = session.compare_frames()
        assert [report.verdict for report in found.reports] == ["match"] * 4
        session.run(frames=3)
        assert session.compare().verdict == "match"


def test_the_oracle_file_runs_once_for_all_frames(gl: moderngl.Context, tmp_path: Path) -> None:
    toml = SUM.replace("[pipeline]", '[pipeline]\noracle = "oracle.py"').replace("u_rate = 1", 'u_rate = "frame"')
    runs = str(tmp_path / "runs")
    counting = f"with open({runs!r}, 'a') as file:\n    file.write('.')\n{SUM_ORACLE}"
    target = write(tmp_path, toml, {"add.frag": ADD, "oracle.py": counting}, {})
    with pipeline.open(target, context=gl, trust=True) as session:
        session.compare_frames()
    assert (tmp_path / "runs").read_text() == "."


def write_halving(folder: Path, end: str = "}") -> Path:
    """Half of the state and something more, by a model of one frame; its shader ends with `end`."""
    nodes = [
        helper.make_node("Mul", ["before", "half"], ["less"]),
        helper.make_node("Add", ["less", "more"], ["after"]),
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 1, 4, 4]) for name in ("before", "more")]
    result = [helper.make_tensor_value_info("after", TensorProto.FLOAT, [1, 1, 4, 4])]
    half = helper.make_tensor("half", TensorProto.FLOAT, [1], [0.5])
    shape = 'shape = [1, 1, 4, 4]\nlayout = "channel_tiles"'
    toml = f"""\
[pipeline]
model = "step.onnx"
frames = 8

[[input]]
name = "seed"
{shape}
source = "random:1"
oracle = "before"

[[input]]
name = "more"
{shape}
source = "random:2"

[[pass]]
name = "state"
shader = "mix.frag"
oracle = "after"
output = {{ {shape.replace(chr(10), ", ")} }}
textures.u_state = {{ previous = "state", first = "seed" }}
textures.u_more = "more"
uniforms.u_frame = "frame"
"""
    shader = ADD.replace("texelFetch(u_state, at, 0) +", "0.5 * texelFetch(u_state, at, 0) +").replace("u_rate * ", "")
    shader = shader.replace("uniform float u_rate", "uniform int u_frame").replace("}", end)
    target = write(folder, toml, {"mix.frag": shader}, {})
    onnx.save(helper.make_model(helper.make_graph(nodes, "step", values, result, [half])), folder / "step.onnx")
    return target


def test_a_model_of_one_frame_is_the_oracle_of_all(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_halving(tmp_path), context=gl) as session:
        found = session.compare_frames()
        assert [report.verdict for report in found.reports] == ["match"] * 8
        more, expected = session.tensor("more"), session.tensor("seed")
        for _ in range(8):
            expected = 0.5 * expected + more
        assert np.allclose(session.tensor("state"), expected, rtol=1e-6)
        chained = found.reports[-1].passes[0].chained
        assert chained is not None
        assert chained.max_abs < 1e-5
        assert chained.mismatched == 0


def test_frames_end_where_the_state_is_not_computed(gl: moderngl.Context, tmp_path: Path) -> None:
    broken = write_life(tmp_path, LIFE.replace("void main", "void nain"))
    with pipeline.open(broken, context=gl, trust=True) as session:
        found = session.compare_frames()
    assert len(found.reports) == 1
    assert found.first_mismatch == FrameMismatch(0, "state")
    assert found.shown.passes[0].verdict == "error"


def test_less_than_one_frame_is_refused(gl: moderngl.Context, tmp_path: Path) -> None:
    with (
        pipeline.open(write_life(tmp_path), context=gl) as session,
        pytest.raises(TexelscopeError, match="compare_frames: expected at least one frame, got 0"),
    ):
        session.compare_frames(0)


def test_reads_and_steps_are_those_of_the_frame(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_life(tmp_path, LATE, toml=WITH_FRAME), context=gl, trust=True) as session:
        session.run(frames=13)
        state = session.tensor("state@previous")
        trace = session.trace("state", (0, 0, 4, 4))
        assert trace.uniforms["u_frame"] == (12,)
        for step in trace.steps:
            for read in step.reads:
                assert read.value[0] == state.reshape(-1)[read.elements[0]]
        taps = session.taps("state", (0, 0, 4, 4))
        assert taps.read_elements().keys() == {"state@previous"}


def test_a_fault_of_a_models_pass_from_frame_3_on_is_named_on_the_state_of_that_frame(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    target = write_halving(tmp_path, "    if (u_frame >= 3) result += 0.1 * texelFetch(u_state, at, 0);\n}")
    with pipeline.open(target, context=gl) as session:
        look = with_findings_of(session, DiagnosisRequest(("state",)))
        found = compare_frames(session, session.capture, 6, Comparer(session.plan), look)
    assert found.first_mismatch == FrameMismatch(3, "state")
    findings = found.shown.passes[0].findings
    assert findings
    assert findings[0].line == (tmp_path / "mix.frag").read_text().split("if (u_frame")[0].count("\n") + 1
    # Other sizes are those of frame 3: in frame 0 the fault would not show there.
    assert {repair.sizes_tried for repair in found.shown.passes[0].repairs} == {5}


@pytest.mark.parametrize("restarts", [False, True])
def test_the_frames_go_on_from_what_the_device_computed_whatever_was_tried_in_between(
    gl: moderngl.Context, tmp_path: Path, *, restarts: bool
) -> None:
    once = LATE.replace("u_frame >= 12", "u_frame == 12")
    with pipeline.open(write_life(tmp_path, once, soup(), WITH_FRAME), context=gl, trust=True) as session:
        session.run(frames=20)
        alone = session.tensor("state")

        def look(each: ComparedFrame) -> Report:
            if restarts:
                session.restart()
            session.inject("state", np.zeros((1, 1, 16, 16)))
            return each.report

        found = compare_frames(session, session.capture, 20, Comparer(session.plan), look)
        assert found.first_mismatch == FrameMismatch(12, "state")
        assert np.array_equal(session.tensor("state"), alone)
