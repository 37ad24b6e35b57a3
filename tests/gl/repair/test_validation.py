"""Repairs that are right in one run alone are none: they leave what they index, switch code off, or fit one size."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

from tests.gl.repair.test_of_file import ended
from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Standard
from texelscope.pipeline.repair.validation.validation import Validation, Validity

TURNS = 1 << 10

# Four channels at a time, and what is left one by one.
BY_FOURS = """\
#version 430
layout(local_size_x = 64) in;
layout(std430) readonly buffer X { float x[]; };
layout(std430) readonly buffer W { float w[]; };
layout(std430) writeonly buffer Y { float y[]; };
uniform int u_from, u_to, u_plane;
void main() {
    int id = int(gl_GlobalInvocationID.x);
    if (id >= u_to * u_plane) return;
    int o = id / u_plane, at = id % u_plane, c = 0;
    float sum = 0.0;
    for (; c + 4 <= u_from; c += 4) {
        for (int k = 0; k < 4; k++) sum += x[(c + k) * u_plane + at] * w[o * u_from + c];
    }
    for (; c < u_from; c++) sum += x[c * u_plane + at] * w[o * u_from + c];
    y[id] = sum;
}
"""
BY_FOURS_PASS = """\
[[pass]]
name = "y"
shader = "y.comp"
output = { shape = [1, 2, 5, 7] }
buffers = { X = "x", W = "w", Y = "y" }
uniforms = { u_from = "shape(x).c", u_to = "shape(y).c", u_plane = "shape(x).h * shape(x).w" }
dispatch = "count(y) / 64"
"""
# Vectors of three lanes stand four floats apart in a buffer.
THREES = """\
#version 430
layout(local_size_x = 64) in;
layout(std430) readonly buffer X { vec3 x[]; };
layout(std430) writeonly buffer Y { float y[]; };
uniform int u_count;
void main() {
    int id = int(gl_GlobalInvocationID.x);
    if (id < u_count) y[id] = max(x[id / 3][id % 3], 0.0);
}
"""
THREES_PASS = """\
[[pass]]
name = "y"
shader = "y.comp"
output = { shape = [1, 6, 5, 7] }
buffers = { X = "x", Y = "y" }
uniforms.u_count = "count(y)"
dispatch = "count(y) / 64"
"""
# The mean over all channels, whose tiles stand in a grid.
MEAN = """\
#version 330 core
uniform sampler2D t_x;
uniform ivec2 u_size;
uniform int u_channels, u_columns;
out float mean;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float sum = 0.0;
    for (int c = 0; c < u_channels - 1; c++) {
        sum += texelFetch(t_x, ivec2(c % u_columns, c / u_columns) * u_size + at, 0).r;
    }
    if (u_channels % 2 == 0) {
        sum += texelFetch(t_x, ivec2((u_channels - 1) % u_columns, (u_channels - 1) / u_columns) * u_size + at, 0).r;
    }
    mean = sum / float(u_channels);
}
"""
MEAN_PASS = """\
[[pass]]
name = "y"
shader = "y.frag"
output = { shape = [1, 1, 9, 11], layout = "channel_tiles" }
textures.t_x = "x"
uniforms.u_size = "size(y)"
uniforms.u_channels = "shape(x).c"
uniforms.u_columns = "grid(x).x"
"""


@dataclass(frozen=True)
class Example:
    """A wrong pass `y` of a small pipeline."""

    made: onnx.ModelProto
    shape: tuple[int, ...]
    layout: str
    file: str
    shader: str
    entry: str

    def saved(self, folder: Path) -> Path:
        """Writes its folder and returns the pipeline file."""
        onnx.save(self.made, folder / "model.onnx")
        (folder / self.file).write_text(self.shader, encoding="utf-8")
        head = '[pipeline]\nmodel = "model.onnx"\n\n[[input]]\nname = "x"\n'
        head += f'shape = {list(self.shape)}\nlayout = "{self.layout}"\nsource = "normal:3"\n\n'
        (folder / "pipeline.toml").write_text(head + self.entry, encoding="utf-8")
        return folder / "pipeline.toml"

    def validity(self, folder: Path, gl: moderngl.Context, *changes: tuple[str, str]) -> tuple[Validity, Validation]:
        """Validates what the changes make of lines of the shader, with a stop after each size at least."""
        lines = self.shader.split("\n")
        edits = []
        for old, new in changes:
            (number,) = [at for at, line in enumerate(lines) if old in line]
            edits.append(LineEdit(self.file, number + 1, lines[number], lines[number].replace(old, new)))
        with pipeline.open(self.saved(folder), context=gl) as session:
            session.run()
            shader_pass = session.plan.pass_called("y")
            harness = Harness(session, shader_pass)
            validation = Validation(session, shader_pass)
            try:
                evaluator = Evaluator(harness, Standard(session.plan, shader_pass), turns=TURNS)
                stops: list[None] = []
                found = ended(counted(validation.of_shader(harness, evaluator, edits), stops))
                assert len(stops) > 2 * len(found.answers), "whoever owns the GL thread waits for one size at most"
                return found, validation
            finally:
                harness.release()


def counted(steps: Generator[None, None, Validity], stops: list[None]) -> Generator[None, None, Validity]:
    """Passes steps on, and adds each stop to a list."""
    while True:
        try:
            stops.append(next(steps))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        yield


def by_fours(channels: int) -> Example:
    weight = np.random.default_rng(2).normal(size=(2, channels, 1, 1)).astype(np.float32)
    made = model(
        [node("Conv", "x w", "y")], [value("x", (1, channels, 5, 7))], [value("y", (1, 2, 5, 7))], weights={"w": weight}
    )
    return Example(made, (1, channels, 5, 7), "linear", "y.comp", BY_FOURS, BY_FOURS_PASS)


def threes() -> Example:
    made = model([node("Relu", "x", "y")], [value("x", (1, 6, 5, 7))], [value("y", (1, 6, 5, 7))])
    return Example(made, (1, 6, 5, 7), "linear", "y.comp", THREES, THREES_PASS)


def mean(channels: int) -> Example:
    shapes = value("x", (1, channels, 9, 11)), value("y", (1, 1, 9, 11))
    made = model([node("ReduceMean", "x", "y", axes=[1], keepdims=1)], shapes[:1], shapes[1:], opset=13)
    return Example(made, (1, channels, 9, 11), "channel_tiles", "y.frag", MEAN, MEAN_PASS)


RIGHT = ("for (int k = 0; k < 4; k++) sum += x[(c + k) * u_plane + at] * w[o * u_from + c]",
         "for (int k = 0; k < 4; k++) sum += x[(c + k) * u_plane + at] * w[o * u_from + c + k]")  # fmt: skip


@pytest.mark.parametrize("channels", [5, 6, 7])
def test_what_is_right_in_general_is_right_at_other_sizes(channels: int, gl: moderngl.Context, tmp_path: Path) -> None:
    found, validation = by_fours(channels).validity(tmp_path, gl, RIGHT)
    assert found.is_sound
    assert len(found.holds) >= 3
    assert all(found.holds)
    assert any(validation.certain)


@pytest.mark.parametrize("count", ["8", "12", "2 * u_from"])
def test_switching_a_loop_off_is_no_repair(count: str, gl: moderngl.Context, tmp_path: Path) -> None:
    """With five channels the loop over what is left does all the work."""
    found, _ = by_fours(5).validity(tmp_path, gl, ("c + 4 <=", f"c + {count} <="))
    assert not found.is_sound or not all(found.holds)


def test_a_loop_that_never_runs_any_more_is_named_by_its_line(gl: moderngl.Context, tmp_path: Path) -> None:
    found, _ = by_fours(5).validity(tmp_path, gl, ("c + 4 <=", "c + 40 <="))
    assert {line for _, line in found.idles} == {12, 13}


@pytest.mark.parametrize("bound", ["c - 4 <=", "c <=", "c - 8 <="])
def test_reading_past_a_buffer_is_no_repair(bound: str, gl: moderngl.Context, tmp_path: Path) -> None:
    found, _ = by_fours(5).validity(tmp_path, gl, ("c + 4 <=", bound), RIGHT)
    assert {line for _, line in found.leaves} == {13}


@pytest.mark.parametrize(("index", "lane"), [("id / 4", "id % 4"), ("id / 9", "id % 9"), ("id / 10", "id % 10")])
def test_an_index_beyond_a_vector_is_no_repair(index: str, lane: str, gl: moderngl.Context, tmp_path: Path) -> None:
    found, _ = threes().validity(tmp_path, gl, ("x[id / 3][id % 3]", f"x[{index}][{lane}]"))
    assert found.leaves == (("y.comp", 8),)


@pytest.mark.parametrize("channels", [7, 9, 5])
def test_what_is_right_without_a_remainder_alone_does_not_hold(
    channels: int, gl: moderngl.Context, tmp_path: Path
) -> None:
    """The wrong shader omits the last of an odd number of channels."""
    example = mean(channels)
    kept, _ = example.validity(tmp_path, gl, ("if (u_channels % 2 == 0)", f"if (u_channels == {channels})"))
    right, _ = example.validity(tmp_path, gl, ("if (u_channels % 2 == 0)", "if (u_channels > 0)"))
    assert right.is_sound
    assert all(right.holds)
    assert len(right.holds) >= 2
    assert not all(kept.holds)


def test_a_number_that_is_the_other_size_by_chance_says_nothing(gl: moderngl.Context, tmp_path: Path) -> None:
    """One more than six channels is seven, and an edit that brings a seven in may be right there alone."""
    edit = ("if (u_channels % 2 == 0)", "if (u_channels > 0 || u_channels == 7)")
    found, validation = mean(6).validity(tmp_path, gl, edit)
    assert None in found.holds
    assert False not in found.holds
    assert not any(certain for holds, certain in zip(found.holds, validation.certain, strict=True) if holds is None)


def test_a_line_that_is_needed_at_other_sizes_may_not_go(gl: moderngl.Context, tmp_path: Path) -> None:
    """At eight channels the loop over what is left does nothing."""
    gone = ("for (; c < u_from; c++)", "for (; c < 0; c++)")
    found, _ = by_fours(8).validity(tmp_path, gl, RIGHT, gone)
    assert found.is_sound
    assert not all(found.holds)


def test_a_pass_that_no_pipeline_file_states_is_tried_at_its_own_size(gl: moderngl.Context) -> None:
    made = model([node("Relu", "x", "y")], [value("x")], [value("y")])
    with pipeline.open(made, context=gl) as session:
        session.run()
        shader_pass = session.plan.passes[0]
        validation = Validation(session, shader_pass)
        found = ended(validation.of_file([LineEdit("pipeline.toml", 1, "", "")]))
    assert found.holds == ()
    assert validation.problem == "only a saved pipeline file can be planned for other sizes"
