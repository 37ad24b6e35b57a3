"""Members of uniform blocks, and of uniforms of structures, have the values that a pipeline file gives them."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError

OUTPUT = """
[[pass]]
name = "y"
shader = "s.frag"
output = { shape = [1, 4, 1, 1], layout = "channel_tiles_rgba" }
"""
COMPUTED = """
[[pass]]
name = "y"
shader = "s.comp"
output = { shape = [1, 4, 1, 1], layout = "linear" }
buffers.Y = "y"
dispatch = [1, 1, 1]
"""
BLOCKS = """
const int COUNT = 3;
#define LIGHTS 2
struct Light { vec3 at; float gain[2]; };
struct Scene { Light first; ivec2 size; };
layout(std140) uniform Params {
    vec3 shift;  // 16 bytes for 12
    float bias;
    float weights[COUNT];  // 16 bytes each
    mat2x3 turn;
    layout(row_major) mat3x2 other;
    bool is_on, is_off;
    uvec2 counts;
    Light lights[LIGHTS];
    Scene scene;
} params;
layout(std140) uniform Bare { vec2 bare; int number; };
"""
VALUES = """
uniforms."params.shift" = [1, 2, 3]
uniforms."Params.bias" = 0.5
uniforms.params.weights = [10, 20, 30]
uniforms.params.turn = [1, 2, 3, 4, 5, 6]
uniforms.params.other = [1, 2, 3, 4, 5, 6]
uniforms.params.is_on = true
uniforms.params.counts = [7, 4000000000]
uniforms.params.lights = [{ at = [1, 2, 3], gain = [4, 5] }, { at = [6, 7, 8], gain = [9, 10] }]
uniforms.params.scene = { first = { at = [11, 12, 13], gain = [14, 15] }, size = [16, 17] }
uniforms.bare = [18, 19]
uniforms."Bare.number" = -20
"""
READS = {
    "vec4(params.shift, params.bias)": (1, 2, 3, 0.5),
    "vec4(params.weights[0], params.weights[1], params.weights[2], 0)": (10, 20, 30, 0),
    "vec4(params.turn[0], params.turn[1][2])": (1, 2, 3, 6),
    "vec4(params.other[0], params.other[2])": (1, 2, 5, 6),
    "vec4(params.is_on, params.is_off, params.counts)": (1, 0, 7, 4e9),
    "vec4(params.lights[1].at, params.lights[0].gain[1])": (6, 7, 8, 5),
    "vec4(params.lights[1].gain[0], params.lights[1].gain[1], params.scene.size)": (9, 10, 16, 17),
    "vec4(params.scene.first.at, params.scene.first.gain[1])": (11, 12, 13, 15),
    "vec4(bare, number, 0)": (18, 19, -20, 0),
}


@pytest.mark.parametrize("version", ["330 core", "300 es"])
@pytest.mark.parametrize(("expression", "expected"), READS.items(), ids=READS)
def test_a_fragment_shader_reads_what_the_file_says(
    expression: str, expected: tuple[float, ...], version: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    precision = "precision highp float;\nprecision highp int;\n" if "es" in version else ""
    text = f"#version {version}\n{precision}{BLOCKS}\nout vec4 result;\nvoid main() {{ result = {expression}; }}\n"
    with pipeline.open(write_folder(tmp_path, OUTPUT + VALUES, s_frag=text), context=gl) as session:
        session.run()
        assert tuple(session.tensor("y").reshape(-1).tolist()) == expected


def test_a_compute_shader_reads_them_too(gl: moderngl.Context, tmp_path: Path) -> None:
    text = f"""#version 450
layout(local_size_x = 1) in;
{BLOCKS.replace("std140) uniform Params", "std140, set = 0, binding = 1) uniform Params")}
layout(std430, binding = 0) writeonly buffer Y {{ float y[]; }};
void main() {{
    y[0] = params.shift.z; y[1] = params.weights[2]; y[2] = params.lights[1].gain[1]; y[3] = float(number);
}}
"""
    with pipeline.open(write_folder(tmp_path, COMPUTED + VALUES, s_comp=text), context=gl) as session:
        session.run()
        assert session.tensor("y").reshape(-1).tolist() == [3, 30, 10, -20]


STRUCT = """#version 330 core
struct Tensor { vec2 size; float grid[2]; };
uniform Tensor u_x;
uniform Tensor u_more[2];
out vec4 result;
vec2 of(Tensor tensor) { return tensor.size; }
void main() { result = vec4(of(u_x), u_more[1].grid[1], u_more[0].size.y); }
"""


def test_a_structure_that_is_handed_to_a_function_is_set_by_its_members(gl: moderngl.Context, tmp_path: Path) -> None:
    values = """
uniforms."u_x.size" = [1, 2]
uniforms.u_more = [{ size = [3, 4], grid = [5, 6] }, { size = [7, 8], grid = [9, 10] }]
"""
    with pipeline.open(write_folder(tmp_path, OUTPUT + values, s_frag=STRUCT), context=gl) as session:
        session.run()
        assert session.tensor("y").reshape(-1).tolist() == [1, 2, 10, 4]
        assert [warning for warning in session.plan.warnings if "size" in warning] == []


def test_a_member_that_a_structure_has_not_is_refused_with_the_nearest(tmp_path: Path) -> None:
    path = write_folder(tmp_path, f'{OUTPUT}uniforms."u_x.sise" = [1, 2]\n', s_frag=STRUCT)
    message = r"uniforms\.u_x\.sise: expected a uniform that s\.frag has, got 'u_x\.sise'\. Did you mean 'u_x\.size'"
    with pytest.raises(TexelscopeError, match=message):
        pipeline.plan_of(path)


def test_what_the_file_leaves_out_is_zero_and_a_warning_says_so_by_name(gl: moderngl.Context, tmp_path: Path) -> None:
    text = f"#version 330 core\n{BLOCKS}\nout vec4 result;\nvoid main() {{ result = vec4(params.shift, number); }}\n"
    with pipeline.open(write_folder(tmp_path, OUTPUT, s_frag=text), context=gl) as session:
        session.run()
        assert not session.tensor("y").any()
        where = "pipeline.toml [[pass]] 'y': uniform "
        assert session.plan.warnings == (
            f"{where}'params.shift' (s.frag:8) is not set and so is 0. Add 'uniforms.params.shift = …'.",
            f"{where}'number' (s.frag:18) is not set and so is 0. Add 'uniforms.number = …'.",
        )


def test_passes_of_one_shader_have_blocks_of_their_own(gl: moderngl.Context, tmp_path: Path) -> None:
    text = f"#version 330 core\n{BLOCKS}\nout vec4 result;\nvoid main() {{ result = vec4(bare, bare); }}\n"
    passes = [OUTPUT.replace('"y"', f'"y{i}"') + f"uniforms.bare = [{i}, {i}]\n" for i in range(3)]
    with pipeline.open(write_folder(tmp_path, "".join(passes), s_frag=text), context=gl) as session:
        session.run()
        session.run()
        assert [session.tensor(f"y{i}").max() for i in range(3)] == [0, 1, 2]
