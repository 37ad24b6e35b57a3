"""Wrong numbers of members, arrays, push constants, constants and defines are repaired in the pipeline file."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.gl.diagnose.test_unset_uniforms import DRAWN, FILE, PUSHED, X
from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Standard
from texelscope.pipeline.repair.pipeline_file_repairs.numbers import OtherNumbers

BLOCK = "layout(std140) uniform Params { float gain; float bias; int n; } params;"
LINE = f"o = params.gain * {X} + params.bias;"
# For each case: declarations, the body, the oracle's result, lines of the file, and the lines that the repair writes.
CASES: dict[str, tuple[str, str, str, str, tuple[str, ...]]] = {
    "a member in braces": (
        BLOCK, LINE, "1.7 * t_x + 0.2", "uniforms.params = { gain = 1.7, bias = 0.4, n = 3 }\n",
        ("uniforms.params = { gain = 1.7, bias = 0.2, n = 3 }",),
    ),
    "two members exchanged": (
        BLOCK, LINE, "1.7 * t_x + 0.3", "uniforms.params.gain = 0.3\nuniforms.params.bias = 1.7\n",
        ("uniforms.params.gain = 1.7", "uniforms.params.bias = 0.3"),
    ),
    "a number that is solved for": (
        BLOCK, f"o = exp(-params.gain * {X}) + params.bias;", "np.exp(-0.731 * t_x) + 1",
        'uniforms."Params.gain" = 0.5\nuniforms."Params.bias" = 1.0\n', ('uniforms."Params.gain" = 0.731',),
    ),
    "an element of an array of several lines": (
        "uniform float u_w[6];",
        f"float v = {X}; o = u_w[0] + v * (u_w[1] + v * (u_w[2] + v * (u_w[3] + v * u_w[4])));",
        "0.2 + 0.5 * t_x - 0.7 * t_x ** 2 + 0.9 * t_x ** 3",
        "uniforms.u_w = [\n  0.2, 0.5,\n  0.7,  # sign\n  0.9, 0, 0,\n]\n", ("  -0.7,  # sign",),
    ),
    "a member of a structure": (
        "struct Light { float at, power; };\nuniform Light u_lights[2];",
        f"o = u_lights[0].power * {X} + u_lights[1].power + u_lights[1].at * u_lights[1].at;", "3 * t_x - 0.25",
        "uniforms.u_lights = [{ power = 3.0, at = 0 }, { power = 0.25, at = 0 }]\n",
        ("uniforms.u_lights = [{ power = 3.0, at = 0 }, { power = -0.25, at = 0 }]",),
    ),
    "the file's own expression": (
        "uniform ivec2 u_size, u_tile;", f"o = {X} * float(u_size.x * 100 + u_size.y) + 0.0 * float(u_tile.x);",
        "t_x * 1612", 'uniforms.u_tile = "size(x)"\nuniforms.u_size = [5, 11]\n', ('uniforms.u_size = "size(x)"',),
    ),
    "a define": (
        "", f"o = {X} * float(TAPS);", "3 * t_x", "defines.TAPS = 6\n", ("defines.TAPS = 3",),
    ),
    "two defines exchanged": (
        "", f"o = {X} * FIRST + SECOND;", "2.5 * t_x + 0.75", "defines.FIRST = 0.75\ndefines.SECOND = 2.5\n",
        ("defines.FIRST = 2.5", "defines.SECOND = 0.75"),
    ),
}  # fmt: skip


def tried(folder: Path, gl: moderngl.Context, file: str, oracle: str, **shaders: str) -> tuple[Repair, ...]:
    """Runs the pass and tries other numbers of its file."""
    path = write_folder(folder, file, oracle_py=f"import numpy as np\n{oracle}", **shaders)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        harness = Harness(session, session.plan.pass_called("y"))
        evaluator = Evaluator(harness, Standard(session.plan, harness.shader_pass))
        plain = harness.variant(harness.program.fragment)
        try:
            assert evaluator.begin(plain, {"y": session.tensor("y")})
            others = OtherNumbers(session, harness.shader_pass, plain, evaluator, ())
            for _ in others.run(lambda: False):
                pass
            return others.repairs
        finally:
            plain.release()
            harness.release()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_file_s_line_gets_another_number(
    case: tuple[str, str, str, str, tuple[str, ...]], gl: moderngl.Context, tmp_path: Path
) -> None:
    declared, body, oracle, lines, after = case
    file = FILE.format(layout="channel_tiles", shader="s.frag") + 'textures.t_x = "x"\n' + lines
    shader = DRAWN.format(declared=declared, body=body)
    repairs = tried(tmp_path, gl, file, f"def y(t_x):\n    return {oracle}\n", s_frag=shader)
    assert tuple(edit.after for edit in repairs[0].edits) == after
    assert repairs[0].inputs_tried == 4


@pytest.mark.parametrize(("lines", "after"), [
    ('push.count = "count(x)"\npush.scale = 1.5\npush.shift = 0.25\n', ("push.shift = 0.125",)),
    ('push.count = "count(x)"\npush.scale = 0.125\npush.shift = 1.5\n', ("push.scale = 1.5", "push.shift = 0.125")),
    ('push.count = 72\npush.scale = 1.5\npush.shift = 0.125\n', ("push.count = 144",)),
])  # fmt: skip
def test_push_constants_get_other_numbers(
    lines: str, after: tuple[str, ...], gl: moderngl.Context, tmp_path: Path
) -> None:
    bound = 'buffers.X = "x"\nbuffers.Y = "y"\ndispatch = ["count(x) / 8"]\n'
    file = FILE.format(layout="linear", shader="s.comp") + bound + lines
    repairs = tried(tmp_path, gl, file, "def y(x):\n    return 1.5 * x + 0.125\n", s_comp=PUSHED)
    assert tuple(edit.after for edit in repairs[0].edits) == after


@pytest.mark.parametrize(
    ("line", "after"), [("specialization.3 = 4\n", "specialization.3 = 5"), ("", "specialization.steps = 5")]
)
def test_a_constant_is_specialized_by_another_number(
    line: str, after: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    shader = PUSHED.replace(
        "layout(push_constant) uniform P { int count; float scale; float shift; } p;",
        "layout(constant_id = 3) const int steps = 1;",
    ).replace("if (i < uint(p.count)) y[i] = p.scale * x[i] + p.shift;", "y[i] = x[i] * float(steps);")
    lines = 'buffers.X = "x"\nbuffers.Y = "y"\ndispatch = ["count(x) / 8"]\n' + line
    file = FILE.format(layout="linear", shader="s.comp") + lines
    (repair,) = tried(tmp_path, gl, file, "def y(x):\n    return 5 * x\n", s_comp=shader)
    assert [edit.after for edit in repair.edits] == [after]
