"""Tests that a number in a pipeline file is fixed in its line, and that the patch is tried as read from the file."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import moderngl
import numpy as np

from tests.gl.diagnose.small_pipeline import small_pipeline
from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.patches.patch import tried
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Standard
from texelscope.pipeline.repair.pipeline_file_repairs.numbers import OtherNumbers
from texelscope.pipeline.repair.pipeline_file_repairs.tried import (
    otherwise_bound,
    otherwise_sized,
    otherwise_switched,
    planned_with,
)

SHADER = """\
#version 330 core
uniform sampler2D t_X;
uniform float u_factor;
out vec4 Y;
void main() { Y = u_factor * texelFetch(t_X, ivec2(gl_FragCoord.xy), 0); }
"""
PASS = """\
[[pass]]
name = "y"
shader = "y.frag"
output = {tensor}
textures.t_X = "x"
uniforms.u_factor = 3.0  # of the model
"""

SAMPLED = """\
[[pass]]
name = "y"
shader = "y.frag"
output = { {tensor} }
textures.t_X = { tensor = "x", filter = "linear" }
"""


def ended(steps: Generator[None, None, Any]) -> Any:
    """Runs all steps and returns their result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def never() -> bool:
    """There is time."""
    return False


def test_another_number_is_written_into_the_file_s_line(gl: moderngl.Context, tmp_path: Path) -> None:
    made = model([node("Mul", "x two", "y")], [value("x")], [value("y")], weights={"two": np.full(1, 2.0, np.float32)})
    path = small_pipeline(tmp_path, made, {"y.frag": SHADER}, "channel_tiles", PASS.replace("{tensor}", "{ {tensor} }"))
    before = path.read_text("utf-8")
    with pipeline.open(path, context=gl) as session:
        session.run()
        harness = Harness(session, session.plan.pass_called("y"))
        evaluator = Evaluator(harness, Standard(session.plan, harness.shader_pass))
        plain = harness.variant(harness.program.fragment)
        assert evaluator.begin(plain, {"y": session.tensor("y")})
        others = OtherNumbers(session, harness.shader_pass, plain, evaluator, ())
        ended(others.run(never))
        plain.release()
        harness.release()
        (repair,) = others.repairs
        assert others.is_cured
        assert (repair.file, repair.line, repair.inputs_tried) == ("pipeline.toml", 13, 4)
        assert repair.edits[0].after == "uniforms.u_factor = 2.0  # of the model"
        assert "-uniforms.u_factor = 3.0  # of the model\n+uniforms.u_factor = 2.0" in repair.diff
        planned = session.plan
        assert tried(session, Comparer(planned), repair.edits).verdict == "match"
        assert session.plan is planned
        assert planned_with(planned, ()) is None
    assert path.read_text("utf-8") == before


def test_a_tensor_is_sampled_otherwise_in_the_file_s_line(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = "#version 330 core\nuniform sampler2D t_X;\nout float Y;\n"
    shader += "void main() { Y = -texture(t_X, (gl_FragCoord.xy + 0.3) / vec2(textureSize(t_X, 0))).r; }\n"
    made = model([node("Neg", "x", "y")], [value("x")], [value("y")])
    path = small_pipeline(tmp_path, made, {"y.frag": shader}, "channel_tiles", SAMPLED)
    with pipeline.open(path, context=gl) as session:
        session.run()
        (repair,) = ended(otherwise_bound(session, session.plan.pass_called("y"), never))
    assert repair.edits[0].after == 'textures.t_X = { tensor = "x", filter = "nearest" }'
    assert repair.inputs_tried == 4


def test_weights_are_laid_out_otherwise_and_what_comes_out_is_stored_so(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = "#version 330 core\nuniform sampler2D t_X, t_W;\nout float Y;\nvoid main() {\n"
    shader += "  ivec2 p = ivec2(gl_FragCoord.xy);\n"
    shader += "  Y = texelFetch(t_X, p, 0).r * texelFetch(t_W, p, 0).r;\n}\n"
    weights = np.arange(1.0, 193.0, dtype=np.float32).reshape(1, 3, 8, 8)
    made = model([node("Mul", "x w", "y")], [value("x")], [value("y")],
                 weights={"w": weights})  # fmt: skip
    bound = PASS.replace("uniforms.u_factor = 3.0  # of the model\n", "")
    laid = bound + 'textures.t_W = { tensor = "w", layout = "linear" }\n'
    path = small_pipeline(tmp_path, made, {"y.frag": shader}, "channel_tiles", laid.replace("{tensor}", "{ {tensor} }"))
    with pipeline.open(path, context=gl) as session:
        session.run()
        (repair,) = ended(otherwise_bound(session, session.plan.pass_called("y"), never))
    assert repair.edits[0].after == 'textures.t_W = { tensor = "w", layout = "channel_tiles" }'
    text = path.read_text("utf-8").replace('layout = "linear"', 'layout = "channel_tiles"')
    path.write_text(text.replace("output = {", 'output = { dtype = "float16",'), "utf-8")
    with pipeline.open(path, context=gl) as session:
        session.run()
        (repair,) = ended(otherwise_bound(session, session.plan.pass_called("y"), never))
    assert 'dtype = "float16"' in (repair.edits[0].before or "")
    assert "dtype" not in (repair.edits[0].after or "")


def test_a_uniform_is_given_another_size_in_the_file_s_line(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = "#version 330 core\nuniform sampler2D t_X;\nuniform int u_across;\nout float Y;\nvoid main() {\n"
    shader += "  ivec2 p = ivec2(gl_FragCoord.xy), t = p / 8;\n  int c = t.y * u_across + t.x;\n"
    shader += "  Y = c < 3 ? -texelFetch(t_X, p % 8 + ivec2(c % u_across, c / u_across) * 8, 0).r : 0.0;"
    shader += "\n}\n"
    made = model([node("Neg", "x", "y")], [value("x")], [value("y")])
    bound = PASS.replace("uniforms.u_factor = 3.0  # of the model", 'uniforms.u_across = "size(x).x"')
    path = small_pipeline(
        tmp_path, made, {"y.frag": shader}, "channel_tiles", bound.replace("{tensor}", "{ {tensor} }")
    )
    with pipeline.open(path, context=gl) as session:
        session.run()
        harness = Harness(session, session.plan.pass_called("y"))
        evaluator = Evaluator(harness, Standard(session.plan, harness.shader_pass))
        plain = harness.variant(harness.program.fragment)
        assert evaluator.begin(plain, {"y": session.tensor("y")})
        repairs = ended(otherwise_sized(session, harness.shader_pass, plain, evaluator, never))
        plain.release()
        harness.release()
    assert 'uniforms.u_across = "grid(x).x"' in [repair.edits[0].after for repair in repairs]


def test_a_switch_is_turned_and_what_a_shader_asks_for_is_defined(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = "#version 330 core\nuniform sampler2D t_X;\nuniform bool u_less;\nout float Y;\nvoid main() {\n"
    shader += "  Y = (u_less ? -1.0 : 1.0) * texelFetch(t_X, ivec2(gl_FragCoord.xy), 0).r;\n"
    shader += "#ifdef RELU\n  Y = max(Y, 0.0);\n#endif\n}\n"
    made = model([node("Neg", "x", "h"), node("Relu", "h", "y")], [value("x")], [value("y")])
    bound = PASS.replace("uniforms.u_factor = 3.0  # of the model", "uniforms.u_less = {less}")
    for less, define, expected in (("true", "", "defines.RELU = true"), ("false", "defines.RELU = true\n", None)):
        text = bound.replace("{less}", less).replace("{tensor}", "{ {tensor} }") + define
        (tmp_path / less).mkdir()
        path = small_pipeline(tmp_path / less, made, {"y.frag": shader}, "channel_tiles", text)
        with pipeline.open(path, context=gl) as session:
            session.run()
            (repair,) = ended(otherwise_switched(session, session.plan.pass_called("y"), never))
        assert repair.edits[0].after == (expected or "uniforms.u_less = true")
        assert repair.inputs_tried == 4
