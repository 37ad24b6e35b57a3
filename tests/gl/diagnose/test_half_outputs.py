"""An output that the shader itself keeps in half precision is remedied in the shader, not in the plan."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.compare.report import Finding

FILE = """
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [1, 4, {height}, {width}]
layout = "channel_tiles_rgba"
source = "x.npy"
[[pass]]
name = "y"
shader = "s.frag"
output = {{ shape = [1, 4, {height}, {width}], layout = "channel_tiles_rgba", dtype = "{dtype}" }}
textures.u_x = "x"
"""
ORACLE = "def y(u_x):\n    return 3.0 * u_x + 0.1\n"
READS = "precision highp float;\nprecision highp sampler2D;\nuniform sampler2D u_x;\n"
# Mesa rounds what is written in several places.
OLD = f"""{READS}varying vec2 v_uv;
void put(vec4 v) {{
    v = 3.0 * v + 0.1;
    OUTPUT = v;
}}
void main() {{
    vec4 x = texture2D(u_x, v_uv);
    if (v_uv.x > 0.4) put(x); else put(x);
}}
"""
OLD_ES = "Write to an `out highp vec4` of #version 300 es: gl_FragColor is mediump in GLSL ES 1.00."
NEW = f"""#version 300 es
{READS}out PRECISION vec4 result;
in vec2 v_uv;
void put(vec4 v) {{
    v = 3.0 * v + 0.1;
    result = v;
}}
void main() {{
    vec4 x = texture(u_x, v_uv);
    if (v_uv.x > 0.4) put(x); else put(x);
}}
"""


def finding(
    folder: Path, gl: moderngl.Context, shader: str, dtype: str = "float32", size: tuple[int, int] = (9, 7)
) -> Finding:
    height, width = size
    file = FILE.format(height=height, width=width, dtype=dtype)
    path = write_folder(folder, file, oracle_py=ORACLE, s_frag=shader)
    np.save(folder / "x.npy", np.random.default_rng(1).uniform(0.0, 1.0, (1, 4, *size)).astype(np.float32))
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        report = session.compare()
        return report.passes[0].findings[0]


@pytest.mark.parametrize("version", ["#version 100\n", ""])
@pytest.mark.parametrize(("output", "size"), [("gl_FragColor", (9, 7)), ("gl_FragData[0]", (5, 12))])
def test_the_output_of_es_100_is_remedied_by_a_later_version(
    version: str, output: str, size: tuple[int, int], gl: moderngl.Context, tmp_path: Path
) -> None:
    shader = version + OLD.replace("OUTPUT", output)
    found = finding(tmp_path, gl, shader, size=size)
    assert (found.cause, found.parameters["where"], found.remedy) == ("half_precision", "stored", OLD_ES)
    assert found.line == (8 if version else 7)


def test_an_output_declared_mediump_is_remedied_by_its_declaration(gl: moderngl.Context, tmp_path: Path) -> None:
    found = finding(tmp_path, gl, NEW.replace("PRECISION", "mediump"))
    assert (found.cause, found.line) == ("half_precision", 5)
    assert "rite to an `out highp vec4`" in found.remedy


def test_an_output_in_a_plan_of_halves_is_the_plan_s(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = "#version 100\n" + OLD.replace("OUTPUT", "gl_FragColor")
    shader = shader.replace("v = 3.0 * v + 0.1;", "v = 3.0 * v + 0.1 + step(0.8, v) * 0.01;")
    found = finding(tmp_path, gl, shader, dtype="float16")
    assert "of #version 300 es" not in found.remedy


def test_a_variable_declared_mediump_is_remedied_by_its_own_declaration(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = NEW.replace("PRECISION", "highp").replace(
        "    vec4 x = texture(u_x, v_uv);", "    mediump vec4 sum = texture(u_x, v_uv) * 0.7;\n    vec4 x = sum / 0.7;"
    )
    found = finding(tmp_path, gl, shader)
    assert (found.cause, found.line) == ("half_precision", 12)
    assert found.remedy == "Declare `sum` highp, not mediump."
