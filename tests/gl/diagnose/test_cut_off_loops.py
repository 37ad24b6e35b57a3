"""A loop that the driver cuts off is named with its line; nothing else that its values look like is."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.evidence.gather import Gathering

FILE = """
[pipeline]
oracle = "oracle.py"

[[input]]
name = "x"
shape = [1, 1, 12, 10]
layout = "channel_tiles"
source = "x.npy"

[[pass]]
name = "y"
shader = "s.frag"
output = { shape = [1, 1, 12, 10], layout = "channel_tiles" }
textures.u_x = "x"
"""
ORACLE = "def y(u_x):\n    return 2.0 * u_x + 1.0\n"
ES = "#version 300 es\nprecision highp float;\nprecision highp sampler2D;\nuniform sampler2D u_x;\nout vec4 result;\n"
CORE = "#version 330 core\nuniform sampler2D u_x;\nout float result;\n"
OLD = "#version 100\nprecision highp float;\nuniform sampler2D u_x;\n"
TWICE = "float x = texelFetch(u_x, ivec2(gl_FragCoord.xy), 0).r, sum = 1.0;"

# A step of zero: the driver drops what is behind the loop, and each run gives other values.
STEP_OF_ZERO = f"""{ES}void main() {{
    {TWICE}
    for (int k = 0; k >= 0; k += 0) {{ sum += sin(sum); }}
    for (int k = 0; k < 2; k++) sum += x;
    result = vec4(sum);
}}
"""
# The counter that the condition asks never changes; the loop stands in a function, beside one that ends by a jump.
IN_A_FUNCTION = f"""{CORE}float twice(float x) {{
    int left = 2;
    float sum = 0.0;
    while (true) {{
        if (sum > 0.5) break;
        sum += 1.0;
    }}
    while (left > 0) {{
        sum = fract(sum + x);
    }}
    return sum;
}}
void main() {{
    {TWICE}
    result = sum + twice(x);
}}
"""
# Fragments of one half alone have an outer loop without an end; its inner loop ends every time.
OF_SOME = f"""{ES}void main() {{
    {TWICE}
    float at = 0.0;
    do {{
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < 7; l++) sum += x / 7.0;
        at += gl_FragCoord.x > 5.0 ? 0.0 : 1.0;
    }} while (at < 1.0);
    result = vec4(sum);
}}
"""
# GLSL ES 1.00, without a condition; a loop that ends comes after.
OF_ES_100 = f"""{OLD}void main() {{
    float x = texture2D(u_x, gl_FragCoord.xy / vec2(10.0, 12.0)).r, sum = 1.0;
    for (float k = 0.0; ; k += 1.0) {{ if (k < 0.0) {{ break; }} sum = sin(sum); }}
    for (int k = 0; k < 2; k++) sum += x;
    gl_FragColor = vec4(sum);
}}
"""
# More turns than Mesa allows: they would have an end.
TOO_MANY = f"""{CORE}void main() {{
    {TWICE}
    for (int k = 0; k < 300000; k++) sum += x / 150000.0;
    result = sum;
}}
"""


def opened(folder: Path, gl: moderngl.Context, shader: str) -> DebugSession:
    path = write_folder(folder, FILE, oracle_py=ORACLE, s_frag=shader)
    np.save(folder / "x.npy", np.random.default_rng(3).uniform(0.1, 0.9, (1, 1, 12, 10)).astype(np.float32))
    session = pipeline.open(path, context=gl, trust=True)
    session.run()
    return session


def findings(folder: Path, gl: moderngl.Context, shader: str) -> tuple[Finding, ...]:
    with opened(folder, gl, shader) as session:
        (report,) = session.compare().passes
        return report.findings


@pytest.mark.parametrize(
    ("shader", "loop"),
    [
        (STEP_OF_ZERO, "k += 0"),
        (IN_A_FUNCTION, "while (left"),
        (OF_SOME, "do {"),
        (OF_ES_100, "; ; k"),
        (TOO_MANY, "300000"),
    ],
)
def test_a_loop_that_the_driver_cuts_off_is_named_with_its_line_alone(
    shader: str, loop: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    line = 1 + next(number for number, line in enumerate(shader.split("\n")) if loop in line)
    found = [(each.cause, each.line, each.explained) for each in findings(tmp_path, gl, shader)]
    assert found == [("loop_cut_off", line, 1.0)]


def test_elements_whose_loops_end_are_not_explained_by_one_that_is_cut_off(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    shader = OF_SOME.replace("result = vec4(sum)", "result = vec4(gl_FragCoord.y > 11.0 ? 3.0 * sum : sum)")
    found = {each.cause: each for each in findings(tmp_path, gl, shader)}
    assert 0.5 < found["loop_cut_off"].explained < 1.0


@pytest.mark.parametrize(
    "loop",
    [
        "while (true) { sum += x; if (sum > 1.0 + 1.5 * x) break; }",
        "for (int k = 0; k < 6; k += int(x) + 2) sum += x;",
        "int k = 30000; do { sum += x / 15000.0; k -= 1; } while (k > 0);",
    ],
)
def test_an_odd_loop_that_ends_is_not_called_cut_off(loop: str, gl: moderngl.Context, tmp_path: Path) -> None:
    shader = f"{CORE}void main() {{\n    {TWICE}\n    {loop}\n    result = 0.5 * sum;\n}}\n"
    with opened(tmp_path, gl, shader) as session:
        capture, comparer = session.capture(), Comparer(session.plan)
        wrong = comparer.wrong(capture, "y")
        assert wrong.any()
        assert Gathering(session, capture, "y", wrong).run().cut_off is None


def test_a_wrong_value_that_varies_is_no_feedback_loop_where_no_sampler_has_the_target(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    body = f"{TWICE}\n    float never;\n    for (;;) {{ sum += never; }}\n    result = sum;"
    shader = f"{CORE}void main() {{\n    {body}\n}}\n"
    assert [each.cause for each in findings(tmp_path, gl, shader)] == ["loop_cut_off"]
