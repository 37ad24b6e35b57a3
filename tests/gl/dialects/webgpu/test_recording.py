"""A recorded WebGPU page: its dispatches run unchanged, are compared with what it wrote, and a wrong edit is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.webgpu_recordings import COLUMNS, ROWS, SCALE, SUM, WebgpuPage, numbers, summed, two_dispatches
from texelscope import pipeline
from texelscope.pipeline.captured.judging import judge
from texelscope.pipeline.captured.reading import read_captured
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.compare.words import beside_verdict
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the recording."""
    return two_dispatches().write(tmp_path / "recording")


@pytest.fixture
def session(gl: moderngl.Context, folder: Path) -> Iterator[DebugSession]:
    """A session on it that has run."""
    with pipeline.open(folder, context=gl) as opened:
        opened.run()
        yield opened


def compared(gl: moderngl.Context, folder: Path) -> Report:
    """Returns the report of a recording."""
    with pipeline.open(folder, context=gl) as opened:
        opened.run()
        return opened.compare()


def verdicts(report: Report) -> dict[str, str]:
    return {each.name: each.verdict for each in report.passes}


def test_dispatches_run_their_own_texts_and_match_what_the_page_wrote(session: DebugSession, folder: Path) -> None:
    report = session.compare()
    assert verdicts(report) == {"dispatch0": "match", "dispatch1": "match"}
    assert {beside_verdict(each) for each in report.passes} == {" (recorded)"}
    assert [each.operator for each in session.plan.passes] == ["Sum", "Scale"]
    for each in session.plan.passes:
        for file in each.program.files:
            assert file.text == (folder / file.path).read_text()
    assert session.plan.inputs == ("dispatch0.x",)
    # What a dispatch computes in place begins as what the one before it wrote.
    assert session.plan.passes[1].reads == ("dispatch0",)


def test_a_wrong_edit_is_named_with_its_line_and_the_dispatch_behind_it_is_not_blamed(
    gl: moderngl.Context, folder: Path
) -> None:
    (folder / "programs" / "000.wgsl").write_text(SUM.replace("x[id.x - 1u]", "x[id.x - 2u]"))
    report = compared(gl, folder)
    assert report.culprit == "dispatch0"
    assert verdicts(report) == {"dispatch0": "mismatch", "dispatch1": "not_compared"}
    (folder / "programs" / "000.wgsl").write_text(SUM)
    (folder / "programs" / "001.wgsl").write_text(SCALE.replace("GAIN *", "GAIN * 3.0 *"))
    report = compared(gl, folder)
    assert report.culprit == "dispatch1"
    found = report.passes[1].findings[0]
    assert (found.cause, found.parameters["factor"]) == ("scale", 3.0)
    assert (found.shader, found.line) == ("programs/001.wgsl", 5)


def test_a_program_that_is_not_supported_is_taken_as_recorded_and_a_line_says_why(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    page = two_dispatches()
    page.about["commands"][1]["program"] = page.program(SUM.replace("array<f32>", "array<f16>"))
    folder = page.write(tmp_path)
    plan = pipeline.plan_of(folder)
    assert plan.warnings == (
        "dispatch0 is not run here, and what was written is taken as recorded: 'programs/002.wgsl' line 3: expected "
        "types that OpenGL has, got f16, floats of 16 bits.",
    )
    assert plan.inputs == ("dispatch1.values.before",)
    assert verdicts(compared(gl, folder)) == {"dispatch1": "match"}
    # Of a text that was edited it is an error: the person who edits it wants to see it.
    (folder / "programs" / "002.wgsl").write_text(SUM.replace("array<f32>", "array<f16>") + "\n")
    with pytest.raises(TexelscopeError, match=r"^'programs/002\.wgsl' line 3: expected types that OpenGL has, got f16"):
        pipeline.plan_of(folder)


GATHER = """@group(0) @binding(0) var<storage, read> x : array<f32>;
@group(0) @binding(1) var<storage, read> indices : array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> y : array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id : vec3<u32>) {
    y[id.x] = x[indices[id.x].x + (indices[id.x].y >> 31u)];
}
"""


def test_whole_numbers_are_read_by_their_bits(gl: moderngl.Context, tmp_path: Path) -> None:
    page, x = WebgpuPage(), numbers()
    indices = np.array([[3, 0], [0, 0xFFFFFFFF], [2**24 + 2, 0x7FC00000]], np.uint32)
    indices[2, 0] = 22
    y = x[[3, 1, 22]]
    bindings = [
        page.bound((0, 0), 0, page.content(x)), page.bound((0, 1), 1, page.content(indices)),
        page.bound((0, 2), 2, page.content(np.zeros(3, np.float32)), page.content(y)),
    ]  # fmt: skip
    page.dispatch(page.program(GATHER), [3, 1, 1], bindings)
    assert verdicts(compared(gl, page.write(tmp_path))) == {"dispatch0": "match"}


STEPS = """@group(0) @binding(0) var<storage, read> x : array<f32>;
@group(0) @binding(1) var<storage, read_write> steps : array<i32>;
@compute @workgroup_size(1)
fn steps_of(@builtin(global_invocation_id) id : vec3<u32>) { steps[id.x] = i32(x[id.x] * 100.0); }
"""
BACK = """@group(0) @binding(0) var<storage, read> steps : array<i32>;
@group(0) @binding(1) var<storage, read_write> y : array<f32>;
@compute @workgroup_size(1)
fn back(@builtin(global_invocation_id) id : vec3<u32>) { y[id.x] = f32(steps[id.x] / 2); }
"""


def test_whole_numbers_that_a_dispatch_writes_are_compared_as_such(gl: moderngl.Context, tmp_path: Path) -> None:
    page, x = WebgpuPage(), numbers(3, 6)
    steps = (x * np.float32(100.0)).astype(np.int32)
    y = np.trunc(steps / 2).astype(np.float32)
    empty, held, written = page.content(np.zeros(6, np.float32)), page.content(steps), page.content(y)
    page.dispatch(
        page.program(STEPS), [6, 1, 1], [page.bound((0, 0), 0, page.content(x)), page.bound((0, 1), 1, empty, held)]
    )
    page.dispatch(
        page.program(BACK), [6, 1, 1], [page.bound((0, 0), 1, held), page.bound((0, 1), 2, empty, written)]
    )  # fmt: skip
    plan = pipeline.plan_of(page.write(tmp_path))
    assert plan.textures["dispatch0"].dtype == "int32"
    assert plan.passes[1].reads == ("dispatch0",)
    assert plan.recorded is not None
    assert plan.recorded.values["dispatch0"].ravel().tolist() == steps.tolist()
    assert verdicts(compared(gl, tmp_path)) == {"dispatch0": "match", "dispatch1": "match"}
    (tmp_path / "programs" / "000.wgsl").write_text(STEPS.replace("100.0", "99.0"))
    assert compared(gl, tmp_path).culprit == "dispatch0"


PARTLY = """@group(0) @binding(0) var<storage, read_write> y : array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id : vec3<u32>) { y[2u * id.x] = f32(id.x); }
"""


def test_what_a_dispatch_leaves_as_it_was_is_no_error(gl: moderngl.Context, tmp_path: Path) -> None:
    page, before = WebgpuPage(), numbers(2, 8)
    after = before.copy()
    after[::2] = np.arange(4)
    page.dispatch(page.program(PARTLY), [4, 1, 1], [page.bound((0, 0), 0, page.content(before), page.content(after))])
    plan = pipeline.plan_of(page.write(tmp_path))
    assert plan.inputs == ("dispatch0.y.before",)
    assert verdicts(compared(gl, tmp_path)) == {"dispatch0": "match"}


SHAPED = """struct Sizes { outShape : vec2<u32> }
@group(0) @binding(0) var<uniform> sizes : Sizes;
@group(0) @binding(1) var<storage, read_write> y : array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id : vec3<u32>) { y[2u * id.x] = f32(id.x * sizes.outShape.x); }
"""


def test_one_cleared_buffer_is_what_tensors_of_two_shapes_start_as(gl: moderngl.Context, tmp_path: Path) -> None:
    page, zeros = WebgpuPage(), np.zeros(8, np.float32)
    program, empty = page.program(SHAPED), page.content(zeros)
    for rows, columns in ((2, 4), (4, 2)):
        after = zeros.copy()
        after[::2] = rows * np.arange(4)
        sizes = page.content(np.array([rows, columns], np.uint32))
        page.about["commands"].append({"kind": "write", "buffer": 1, "offset": 0, "size": 32})
        page.dispatch(
            program, [4, 1, 1], [page.bound((0, 0), 0, sizes), page.bound((0, 1), 1, empty, page.content(after))]
        )
    plan = pipeline.plan_of(page.write(tmp_path))
    assert {key: each.shape for key, each in plan.textures.items()} == {
        "dispatch0.y.before": (2, 4), "dispatch0": (2, 4), "dispatch1.y.before": (4, 2), "dispatch1": (4, 2),
    }  # fmt: skip
    assert verdicts(compared(gl, tmp_path)) == {"dispatch0": "match", "dispatch1": "match"}


def test_a_shape_among_the_uniforms_is_the_tensors_and_the_rest_of_its_buffer_is_left_out(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    page, x = WebgpuPage(), numbers()
    text = SUM.replace("count : u32", "count : u32, x_shape : vec2<u32>, outShape : vec2<u32>")
    two = [ROWS, COLUMNS]
    sizes = page.content(np.array([COLUMNS, ROWS * COLUMNS, *two, *two], np.uint32))
    y = np.concatenate([summed(x), np.zeros(8, np.float32)])
    given, empty = page.content(x), page.content(np.zeros_like(y))
    bindings = [
        page.bound((0, 0), 0, sizes), page.bound((0, 1), 1, given), page.bound((0, 2), 2, empty, page.content(y)),
    ]  # fmt: skip
    page.dispatch(page.program(text), [3, 1, 1], bindings)
    plan = pipeline.plan_of(page.write(tmp_path))
    assert {key: each.shape for key, each in plan.textures.items()} == {"dispatch0.x": (4, 6), "dispatch0": (4, 6)}
    assert verdicts(compared(gl, tmp_path)) == {"dispatch0": "match"}


def test_a_copy_of_a_buffer_is_the_tensor_that_was_copied(gl: moderngl.Context, tmp_path: Path) -> None:
    page = two_dispatches()
    size = 4 * ROWS * COLUMNS
    page.about["commands"][2]["bindings"][0]["buffer"] = 7
    page.about["commands"].insert(
        2, {"kind": "copy", "buffer": 7, "offset": 0, "size": size, "from": 2, "fromOffset": 0}
    )
    assert pipeline.plan_of(page.write(tmp_path / "copied")).passes[1].reads == ("dispatch0",)
    page.about["commands"][2] = {"kind": "write", "buffer": 7, "offset": 0, "size": size}
    assert pipeline.plan_of(page.write(tmp_path / "written")).passes[1].reads == ("dispatch1.values.before",)


def test_what_was_written_over_or_is_not_what_was_recorded_is_another_tensor(tmp_path: Path) -> None:
    page = two_dispatches()
    page.about["commands"].insert(2, {"kind": "write", "buffer": 2, "offset": 4, "size": 4})
    assert pipeline.plan_of(page.write(tmp_path / "written")).passes[1].reads == ("dispatch1.values.before",)
    page = two_dispatches()
    page.about["commands"][2]["bindings"][0]["before"] = page.content(numbers(5))
    assert pipeline.plan_of(page.write(tmp_path / "other")).passes[1].reads == ("dispatch1.values.before",)


def test_one_recording_is_a_capture_of_another(folder: Path, tmp_path: Path) -> None:
    page = two_dispatches()
    wrong = page.content(np.float32(5.0) * numbers())
    page.about["commands"][2]["bindings"][0]["after"] = wrong
    plan = pipeline.plan_of(folder)
    captured = read_captured(page.write(tmp_path / "other"), plan)
    assert captured.capture.device.renderer == "a vendor a card"
    assert captured.capture.device.version == "WebGPU"
    assert judge(captured, findings=False).report.culprit == "dispatch1"
