"""Arrays of a storage block whose elements have gaps between them are told of before the run, by their line."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

from tests.pure.models import model, node, value
from texelscope import command_line, pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import diagnose
from texelscope.pipeline.dialects.mpv.parse import parse
from texelscope.pipeline.errors import TexelscopeError

PASS = """\
[pipeline]
model = "model.onnx"

[[input]]
name = "x"
shape = [1, 6, 5, 7]
layout = "LAYOUT"
source = "normal:3"

[[pass]]
name = "y"
shader = "FILE"
output = { shape = [1, 6, 5, 7] }
buffers = { X = "x", Y = "y" }
uniforms.u_count = "count(y)"
dispatch = "count(y) / 64"
"""
SHADER = """\
#version 430
layout(local_size_x = 64) in;
layout(RULES, binding = 0) restrict readonly buffer X {
    TYPE x[];
};
layout(std430, binding = 1) buffer Y { float y[]; };
uniform int u_count;
void main() {
    int id = int(gl_GlobalInvocationID.x);
    if (id < u_count) y[id] = max(READ, 0.0);
}
"""


def saved(
    folder: Path, kind: str, read: str, rules: str = "std430", layout: str = "linear", file: str = "y.comp"
) -> Path:
    """Writes a pipeline whose compute shader declares its input as an array of that type."""
    shapes = [value("x", (1, 6, 5, 7))], [value("y", (1, 6, 5, 7))]
    onnx.save(model([node("Relu", "x", "y")], *shapes), folder / "model.onnx")
    text = SHADER.replace("RULES", rules).replace("TYPE", kind).replace("READ", read)
    (folder / file).write_text("#[compute]\n" * file.endswith(".glsl") + text, encoding="utf-8")
    path = folder / "pipeline.toml"
    path.write_text(PASS.replace("LAYOUT", layout).replace("FILE", file), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("kind", "read", "rules"),
    [
        ("vec3", "x[id / 3][id % 3]", "std430"),
        ("ivec3", "float(x[id / 3][id % 3])", "std430"),
        ("vec3", "x[id / 3][id % 3]", "std140"),
        ("float", "x[id]", "std140"),
        ("vec2", "x[id / 2][id % 2]", "std140"),
    ],
)
def test_an_array_with_gaps_is_warned_of_by_its_line(kind: str, read: str, rules: str, tmp_path: Path) -> None:
    plan = pipeline.plan_of(saved(tmp_path, kind, read, rules))
    (said,) = [each for each in plan.warnings if "floats apart" in each]
    assert f"'{kind} x[]' (y.comp:4) lie 4 floats apart in {rules}, and 'x' has no gaps. Declare 'float x[]'" in said
    assert said.endswith(" in std430.") is (rules == "std140")


@pytest.mark.parametrize(
    ("kind", "read"), [("float", "x[id]"), ("vec2", "x[id / 2][id % 2]"), ("vec4", "x[id / 4][id % 4]")]
)
def test_an_array_without_gaps_matches_and_is_not_warned_of(
    kind: str, read: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    with pipeline.open(saved(tmp_path, kind, read), context=gl) as session:
        session.run()
        assert not [each for each in session.plan.warnings if "floats apart" in each]
        assert session.compare(findings=False).verdict == "match"


def test_a_layout_of_four_lanes_may_fill_vectors_with_gaps(tmp_path: Path) -> None:
    path = saved(tmp_path, "vec3", "x[id / 3][id % 3]", layout="channel_tiles_rgba")
    assert not [each for each in pipeline.plan_of(path).warnings if "floats apart" in each]


def test_no_element_beyond_a_vector_or_a_buffer_is_blamed_or_offered(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(saved(tmp_path, "vec3", "x[id / 3][id % 3]"), context=gl) as session:
        session.run()
        found = diagnose(session, Comparer(session.plan), session.capture(), "y", repair_seconds=8.0)
    texts = [edit.after or "" for repair in found.repairs for edit in repair.edits]
    texts += [str(each.parameters.get("after", "")) for each in found.findings]
    assert not [text for text in texts if "x[" in text and "% 3]" not in text]
    assert not [text for text in texts if "x[id *" in text]


def test_a_dispatched_glsl_file_is_a_compute_shader_and_may_say_so_first(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(saved(tmp_path, "float", "x[id]", file="y.glsl"), context=gl) as session:
        session.run()
        assert session.compare(findings=False).verdict == "match"
        assert float(np.abs(session.tensor("y")).max()) > 0.0


def test_a_shader_without_hooks_is_none_of_mpv_and_opens_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path, "float", "x[id]", file="y.glsl")
    text = (tmp_path / "y.glsl").read_text(encoding="utf-8")
    with pytest.raises(TexelscopeError, match=r"is a pass of a pipeline\.toml, which names it as its 'shader'"):
        parse(text, "y.glsl")
    assert command_line.main(["diff", str(tmp_path / "y.glsl")]) == 2
    assert "1 pass ran on" in capsys.readouterr().out
