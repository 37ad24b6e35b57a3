"""Compute passes of pipeline files: what is bound, constants, work groups, and what they take when nobody says it."""

from __future__ import annotations

from pathlib import Path

from tests.pure.pipeline_file.folders import INPUT, PASS, plan_of
from texelscope import layouts
from texelscope.pipeline.plan import BufferBinding, Dispatch, ImageBinding

_SCALE = """#version 450
layout(local_size_x_id = 7) in;
layout(constant_id = 1) const float by = 1.0;
layout(set = 0, binding = 4) readonly buffer Numbers { float x[]; };
layout(binding = 5) readonly buffer Weights { float w[]; };
layout(binding = 6) buffer Result { float y[]; };
layout(r32f) readonly uniform image3D i_deep;
layout(push_constant) uniform Sizes { int count; int left; } p;
void main() { y[gl_GlobalInvocationID.x] = by * x[gl_GlobalInvocationID.x] * w[p.count + p.left]; }
"""
_PASS = """
[[pass]]
name = "scale"
shader = "scale.comp"
output = { shape = [1, 3, 8, 8] }
buffers.Numbers = "copy"
buffers.Weights = "conv1.weight"
buffers.Result = { tensor = "scale", starts_as = "copy" }
images.i_deep = { tensor = "image", size = ["shape(image).w", 8, "shape(image).c"] }
specialization.by = 0.5
specialization.local_size_x = 8
push.count = "count(scale) / 8"
dispatch = ["count(Result) / 10", 2]
"""


def test_a_compute_pass_is_what_the_file_says(tmp_path: Path) -> None:
    """Expressions may name blocks; part of a work group is a whole one; constants of the model are stored linearly."""
    model = '[pipeline]\nmodel = "model.onnx"\n'
    drawn = PASS.replace('"channel_tiles"', '"linear"')
    plan = plan_of(tmp_path, model + INPUT + drawn + _PASS, scale_comp=_SCALE)
    each = plan.pass_called("scale")
    assert each.dispatch == Dispatch(
        (20, 2, 1),
        (
            BufferBinding("Numbers", "copy"),
            BufferBinding("Weights", "conv1.weight"),
            BufferBinding("Result", "scale", starts_as="copy"),
        ),
        (ImageBinding("i_deep", "image", (8, 8, 3)),),
    )
    assert each.reads == ("copy", "conv1.weight", "image")
    assert each.program.stage == "compute"
    assert "const float by = 0.5;" in each.program.fragment
    assert "local_size_x = 8" in each.program.fragment
    assert each.program.files[0].text == _SCALE
    assert each.uniforms == {"p.count": 24}
    assert {plan.textures[key].layout for key in ("conv1.weight", "scale")} == {layouts.layout("linear")}
    assert plan.outputs == ("scale",)
    (warning,) = [line for line in plan.warnings if "push" in line]
    assert warning == (
        "pipeline.toml [[pass]] 'scale': push constant 'left' (scale.comp:8) is not set and so is 0. "
        "Add 'push.left = …'."
    )
