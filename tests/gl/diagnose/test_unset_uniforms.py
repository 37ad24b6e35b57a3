"""An unset uniform is the finding, with the line that sets it, if some value of it makes the pass right."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.compare.report import PassReport

FILE = """\
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [1, 3, 6, 8]
layout = "{layout}"
source = "random:3"
[[pass]]
name = "y"
shader = "{shader}"
output = {{ shape = [1, 3, 6, 8], layout = "{layout}" }}
"""
DRAWN = "#version 330 core\nuniform sampler2D t_x;\n{declared}\nout float o;\nvoid main() {{\n    {body}\n}}\n"
X = "texelFetch(t_x, ivec2(gl_FragCoord.xy), 0).r"
# For each case: declarations, the body, the oracle's result, lines of the file, and the lines that a repair adds.
CASES: dict[str, tuple[str, str, str, str, tuple[str, ...]]] = {
    "a factor": ("uniform float u_gain;", f"o = u_gain * {X};", "1.7 * t_x", "", ("uniforms.u_gain = 1.7",)),
    "members of a block": (
        "layout(std140) uniform Params { vec2 gain; ivec2 shift; float bias; } params;",
        f"o = params.gain.x * {X.replace('xy)', 'xy) + params.shift')} + params.bias;",
        "2.5 * t_x - 0.75", "", ("uniforms.params.gain = [2.5, 2.5]", "uniforms.params.bias = -0.75"),
    ),
    "a member in quotes, as the file writes them": (
        "uniform Params { float gain, bias; } params;", f"o = params.gain * {X} + params.bias;", "3 * t_x + 0.125",
        'uniforms."params.gain" = 3\n', ('uniforms."params.bias" = 0.125',),
    ),
    "a member beside an inline table": (
        "uniform Params { float gain, bias; } params;", f"o = params.gain * {X} + params.bias;", "3 * t_x + 0.125",
        "uniforms.params = { gain = 3 }\n", ('uniforms."params.bias" = 0.125',),
    ),
    "an element of an array of structures": (
        "struct Light { vec2 at; float power; };\nuniform Light u_lights[2];",
        f"o = u_lights[0].power * {X} + u_lights[1].power;", "3 * t_x - 0.25",
        "uniforms.u_lights = [{ power = 3.0 }, { at = [0, 0] }]\n", ('uniforms."u_lights[1].power" = -0.25',),
    ),
    "an array": (
        "uniform float u_w[4];", f"float v = {X}; o = u_w[0] + v * (u_w[1] + v * (u_w[2] + v * u_w[3]));",
        "0.2 - 0.5 * t_x + 0.7 * t_x ** 2 + 0.9 * t_x ** 3", "", ("uniforms.u_w = [0.2, -0.5, 0.7, 0.9]",),
    ),
    "a size, by its expression": (
        "uniform ivec2 u_size, u_grid;",
        "ivec2 p = ivec2(gl_FragCoord.xy), t = p / u_size, q = p % u_size;\n"
        "    o = t.y * u_grid.x + t.x < 3 ? texelFetch(t_x, t * u_size + ivec2(u_size.x - 1 - q.x, q.y), 0).r : 0.0;",
        "t_x[:, :, :, ::-1]", 'uniforms.u_grid = "grid(x)"\n', ('uniforms.u_size = "size(x) / grid(x)"',),
    ),
    "a texel's size": (
        "uniform vec2 u_texel;", "o = 2.0 * texture(t_x, gl_FragCoord.xy * u_texel).r;", "2 * t_x", "",
        ('uniforms.u_texel = "texel_size(x)"',),
    ),
    "a slope": (
        "uniform float u_slope;", f"float v = {X} - 0.5; o = v > 0.0 ? v : u_slope * v;",
        "np.where(t_x > 0.5, t_x - 0.5, 0.01 * (t_x - 0.5))", "", ("uniforms.u_slope = 0.01",),
    ),
    "an epsilon in a table of its own": (
        "uniform float u_eps, u_one;", f"float v = {X}; o = u_one * v / sqrt(v * v + u_eps);",
        "t_x / np.sqrt(t_x * t_x + 0.001)", "[pass.uniforms]\nu_one = 1\n", ("u_eps = 0.001",),
    ),
    "a switch in braces": (
        "uniform bool u_on; uniform float u_one;", f"float v = {X} - 0.5; o = u_one * (u_on ? max(v, 0.0) : v);",
        "np.maximum(t_x - 0.5, 0)", "uniforms = { u_one = 1 }  # all\n",
        ("uniforms = { u_one = 1, u_on = true }  # all",),
    ),
}  # fmt: skip


def diagnosed(
    folder: Path, gl: moderngl.Context, file: str, oracle: str, tensor: str = "t_x", **shaders: str
) -> PassReport:
    """Runs and diagnoses the pass."""
    text = f"import numpy as np\ndef y({tensor}):\n    return {oracle}\n"
    path = write_folder(folder, file, oracle_py=text, **shaders)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        (report,) = session.compare().passes
        return report


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_file_is_told_to_set_it(
    case: tuple[str, str, str, str, tuple[str, ...]], gl: moderngl.Context, tmp_path: Path
) -> None:
    declared, body, oracle, lines, added = case
    file = FILE.format(layout="channel_tiles", shader="s.frag") + 'textures.t_x = "x"\n' + lines
    report = diagnosed(tmp_path, gl, file, oracle, s_frag=DRAWN.format(declared=declared, body=body))
    assert [(each.cause, each.explained) for each in report.findings] == [("unset_uniform", 1.0)]
    (finding,) = report.findings
    assert finding.remedy in ("Set it in the pipeline file.", "Set them in the pipeline file.")
    assert tuple(edit.after for edit in report.repairs[0].edits) == added
    assert {edit.file for repair in report.repairs for edit in repair.edits} == {"pipeline.toml"}
    assert report.repairs[0].inputs_tried == 4


PUSHED = """\
#version 450
layout(local_size_x = 8) in;
layout(push_constant) uniform P { int count; float scale; float shift; } p;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(p.count)) y[i] = p.scale * x[i] + p.shift;
}
"""


def test_push_constants_are_set_too(gl: moderngl.Context, tmp_path: Path) -> None:
    lines = 'buffers.X = "x"\nbuffers.Y = "y"\npush.scale = 1.5\ndispatch = ["count(x) / 8"]\n'
    file = FILE.format(layout="linear", shader="s.comp") + lines
    report = diagnosed(tmp_path, gl, file, "1.5 * x + 0.125", "x", s_comp=PUSHED)
    assert report.findings[0].cause == "unset_uniform"
    after = tuple(edit.after for edit in report.repairs[0].edits)
    assert after == ('push.count = "count(x)"', "push.shift = 0.125")


def test_no_edit_of_the_shader_makes_up_for_an_unset_uniform(gl: moderngl.Context, tmp_path: Path) -> None:
    # No value of the uniform is right at both places.
    body = f"float v = {X}; o = v * (1.0 + u_bias) + u_bias;"
    file = FILE.format(layout="channel_tiles", shader="s.frag") + 'textures.t_x = "x"\n'
    shader = DRAWN.format(declared="uniform float u_bias;", body=body)
    report = diagnosed(tmp_path, gl, file, "t_x + 0.5", s_frag=shader)
    assert "unset_uniform" not in {each.cause for each in report.findings}
    assert [edit for repair in report.repairs for edit in repair.edits if "u_bias +" in (edit.after or "")] == []


def test_a_uniform_that_is_rightly_zero_is_not_blamed(gl: moderngl.Context, tmp_path: Path) -> None:
    body = f"o = 1.5 * {X.replace('xy)', 'xy) + u_shift + ivec2(1, 0)')};"
    file = FILE.format(layout="channel_tiles", shader="s.frag") + 'textures.t_x = "x"\nuniforms.u_shift = [0, 0]\n'
    shader = DRAWN.format(declared="uniform ivec2 u_shift; uniform float u_more;", body=f"{body} o += u_more;")
    report = diagnosed(tmp_path, gl, file, "1.5 * t_x", s_frag=shader)
    assert "unset_uniform" not in {each.cause for each in report.findings}
    assert report.repairs


# Two faults: nothing sets the factor, and the text reads elsewhere. Any cause that makes 0 of the values would fit.
HIDDEN = "texelFetch(t_x, ivec2(gl_FragCoord.y, gl_FragCoord.x / 2.0), 0).r"


@pytest.mark.parametrize(
    ("declared", "body", "oracle"),
    [
        ("uniform float u_gain;", f"o = u_gain * {HIDDEN};", "2.0 * t_x + 0.0"),
        ("uniform float u_gain;", f"o = u_gain * {HIDDEN};", "2.0 * t_x"),
        ("uniform vec2 u_gain[2];", f"o = u_gain[1].y * {HIDDEN};", "np.tanh(t_x)"),
    ],
)
def test_where_an_unset_factor_hides_another_fault_nothing_is_named(
    declared: str, body: str, oracle: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    file = FILE.format(layout="channel_tiles", shader="s.frag") + 'textures.t_x = "x"\n'
    report = diagnosed(tmp_path, gl, file, oracle, s_frag=DRAWN.format(declared=declared, body=body))
    assert (report.findings, report.repairs) == ((), ())
    assert "Every element is 0 as long as the pipeline file does not set 'uniforms.u_gain" in report.message


def test_a_result_of_zeros_is_looked_into_where_no_unset_uniform_scales_it(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    file = FILE.format(layout="channel_tiles", shader="s.frag") + 'textures.t_x = "x"\n'
    shader = DRAWN.format(declared="uniform float u_more;", body=f"o = max(-abs({X}), 0.0) * (1.0 + u_more);")
    report = diagnosed(tmp_path, gl, file, "np.abs(t_x)", s_frag=shader)
    assert "Every element is 0" not in report.message
