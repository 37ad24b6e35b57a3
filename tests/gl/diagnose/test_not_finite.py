"""NaN and infinities are named for what they are, on the line where the run of such a texel first has them."""

from __future__ import annotations

import shutil
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.compare.report import Finding

EXAMPLE = Path(__file__).parents[3] / "examples" / "webgl_cnn"
FILE = """
[pipeline]
oracle = "oracle.py"

[[input]]
name = "x"
shape = [1, {channels}, 9, 14]
layout = "{layout}"
source = "x.npy"

[[pass]]
name = "y"
shader = "s.frag"
output = {{ shape = [1, {channels}, 9, 14], layout = "{layout}" }}
textures.u_x = "x"
"""
ES = "#version 300 es\nprecision highp float;\nprecision highp sampler2D;\nuniform sampler2D u_x;\nout vec4 result;\n"
CORE = "#version 330 core\nuniform sampler2D u_x;\nout float result;\n"
OLD = "#version 100\nprecision highp float;\nuniform sampler2D u_x;\n"
READ = "float x = texelFetch(u_x, ivec2(gl_FragCoord.xy), 0).r;"
# The root and the quotient are right; what is written at the end is not.
TWO_TEXELS = f"""{ES}void main() {{
    {READ}
    float root = sqrt(x + 2.0) / 3.0;
    result = vec4(root);
    if (gl_FragCoord.x == 3.5 && gl_FragCoord.y == 2.5) result = vec4(uintBitsToFloat(0x7fc00000u));
    if (gl_FragCoord.x == 9.5 && gl_FragCoord.y == 7.5) result = vec4(uintBitsToFloat(0x7f800000u));
}}
"""
# A function divides by what is zero in a row, 0 by 0 in one texel of it; the logarithm is of a positive number.
IN_A_FUNCTION = f"""{CORE}float share(float a, float b) {{
    float whole = b - 6.0;
    return (a - 6.0) / whole;
}}
void main() {{
    {READ}
    float right = sqrt(x + 2.0) / 3.0;
    vec2 at = floor(gl_FragCoord.xy);
    float odd = share(at.x, at.y);
    result = right / log(exp(1.0));
    if (at.y == 6.0) result = odd;
}}
"""
# One term of a long sum is NaN in a few rows.
IN_A_LOOP = f"""{ES}void main() {{
    {READ}
    float sum = 0.0;
    float scale = pow(2.0, 3.0) / 8.0;
    for (int k = 0; k < 9100; k++) {{
        float term = k == 9000 && gl_FragCoord.y > 7.0 ? log(-scale) : scale;
        sum += term / 9100.0;
    }}
    result = vec4(sqrt(x + 2.0) / 3.0 + 0.5 * (sum - 1.0));
}}
"""
# GLSL ES 1.00: four lanes, one of which is too large.
OF_LANES = f"""{OLD}void main() {{
    vec4 x = texture2D(u_x, gl_FragCoord.xy / vec2(14.0, 9.0));
    vec4 powers = exp(vec4(1.0, 2.0, x.b > 0.5 ? 100.0 : 1.0, 3.0));
    vec4 root = sqrt(x + 2.0) / 3.0;
    gl_FragColor = root;
    if (powers.z > 5.0) gl_FragColor.z = powers.z;
    if (gl_FragCoord.x < 5.0 && gl_FragCoord.y < 5.0) gl_FragColor.y = log(-powers.y);
}}
"""
ORACLE = "import numpy as np\ndef y(u_x):\n    return np.sqrt(u_x + 2.0) / 3.0\n"


def findings(
    folder: Path,
    gl: moderngl.Context,
    shader: str,
    oracle: str = ORACLE,
    channels: int = 1,
    low: float = -1.0,
    high: float = 1.0,
) -> dict[str, Finding]:
    layout = "channel_tiles" if channels == 1 else "channel_tiles_rgba"
    path = write_folder(folder, FILE.format(layout=layout, channels=channels), oracle_py=oracle, s_frag=shader)
    values = np.random.default_rng(3).uniform(low, high, (1, channels, 9, 14)).astype(np.float32)
    np.save(folder / "x.npy", values)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        (report,) = session.compare().passes
        return {each.cause: each for each in report.findings}


def line_with(shader: str, text: str) -> int:
    return 1 + next(number for number, line in enumerate(shader.split("\n")) if text in line)


@pytest.mark.parametrize(
    ("shader", "channels", "lines"),
    [
        (TWO_TEXELS, 1, {"nan_source": "0x7fc00000u", "inf_source": "0x7f800000u"}),
        (IN_A_FUNCTION, 1, {"nan_source": "/ whole", "inf_source": "/ whole"}),
        (IN_A_LOOP, 1, {"nan_source": "log(-scale)"}),
        (OF_LANES, 4, {"nan_source": "log(-powers", "inf_source": "exp(vec4"}),
    ],
)
def test_each_source_is_placed_where_the_run_of_a_texel_first_has_it(
    shader: str, channels: int, lines: dict[str, str], gl: moderngl.Context, tmp_path: Path
) -> None:
    found = findings(tmp_path, gl, shader, channels=channels)
    assert {cause: found[cause].line for cause in lines} == {
        cause: line_with(shader, text) for cause, text in lines.items()
    }


def test_of_two_written_numbers_each_has_its_finding_and_no_function_has_one(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "cnn")
    path = tmp_path / "cnn" / "down.frag"
    head, _, _ = path.read_text(encoding="utf-8").rpartition("}")
    written = [("10.5", "0x7f800000u"), ("12.5", "0x7fc00000u")]
    added = [
        f"    if (gl_FragCoord.x == {x} && gl_FragCoord.y == 10.5) result = vec4(uintBitsToFloat({bits}));\n"
        for x, bits in written
    ]
    path.write_text(f"{head}{''.join(added)}}}\n", encoding="utf-8")
    file = tmp_path / "cnn" / "fixed.toml"
    opening, first, *_ = file.read_text(encoding="utf-8").split("[[pass]]")
    file.write_text("[[pass]]".join((opening, first)), encoding="utf-8")
    with pipeline.open(file, context=gl) as session:
        session.run()
        (report,) = session.compare().passes
    count = head.count("\n")
    assert [(each.cause, each.line) for each in report.findings] == [
        ("inf_source", count + 1),
        ("nan_source", count + 2),
    ]


def test_a_written_nan_is_not_remedied_by_limits_of_functions(gl: moderngl.Context, tmp_path: Path) -> None:
    found = findings(tmp_path, gl, TWO_TEXELS)
    assert found["nan_source"].remedy == "See what this statement writes there: no limit of a function makes it NaN."
    assert (
        "in texel (3, 2) it begins with `result = vec4(uintBitsToFloat(0x7fc00000u))`" in found["nan_source"].evidence
    )


# The model's values, and a shader that writes NaN or infinities among them; the root beside them is right.
WRITTEN = [
    ("np.sign(u_x)", "result = sign(x) * root;\n    if (x < 0.0) result = uintBitsToFloat(0x7fc00000u);"),
    ("2.0 * (u_x >= 0.0) - 1.0", "result = x < 0.0 ? uintBitsToFloat(0xffc00000u) : root;"),
    ("np.maximum(np.sign(u_x), 0.0)", "result = x < 0.0 ? uintBitsToFloat(0x7fc00000u) : root;"),
    ("(u_x > 0.0) * 1.0", "result = x < 0.0 ? uintBitsToFloat(0x7f800000u) : root;"),
    (
        "2.0 * u_x",
        "result = 2.0 * x;\n    if (x < 0.0) result = uintBitsToFloat(x < -0.5 ? 0x7fc00000u : 0x7f800000u);",
    ),
]


@pytest.mark.parametrize(("model", "body"), WRITTEN)
def test_what_a_shader_writes_is_named_by_its_values_and_by_no_function(
    model: str, body: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    shader = f"{CORE}void main() {{\n    {READ}\n    float root = sqrt(4.0) / 2.0;\n    {body}\n}}\n"
    found = findings(tmp_path, gl, shader, f"import numpy as np\ndef y(u_x):\n    return {model}\n")
    assert {*found} <= {"nan_source", "inf_source"}
    assert sum(each.explained for each in found.values()) == pytest.approx(1.0)


# Of NaN this driver's `max` makes 0.
OF_NAN = f"{CORE}void main() {{\n    {READ}\n    result = max(x, 0.0) + 1.0;\n}}\n"


@pytest.mark.parametrize("body", ["", "    if (x > 0.5) result *= 2.0;\n"])
def test_what_a_right_pass_makes_of_nan_is_no_fault_of_its_text(
    body: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    shader = OF_NAN.replace("+ 1.0;\n", f"+ 1.0;\n{body}")
    oracle = "import numpy as np\ndef y(u_x):\n    return np.maximum(u_x, 0.0) + 1.0\n"
    path = write_folder(tmp_path, FILE.format(layout="channel_tiles", channels=1), oracle_py=oracle, s_frag=shader)
    values = np.random.default_rng(3).uniform(-1.0, 1.0, (1, 1, 9, 14)).astype(np.float32)
    np.save(tmp_path / "x.npy", values)
    values[0, 0, 2:4, 3:7] = np.nan
    with pipeline.open(path, context=gl, trust=True) as session:
        session.set_input("x", values)
        session.run()
        (report,) = session.compare().passes
    if not body:
        assert report.findings == ()
        assert report.message == (
            "It reads NaN or infinity in 'x', and GLSL leaves to the driver what becomes of NaN; all else is right. "
            "See first where they begin."
        )
    else:
        assert report.message.startswith("No known cause reproduces the wrong values")
