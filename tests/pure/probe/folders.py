"""A pipeline whose passes are right, wrong in half precision alone, and wrong in any precision."""

from __future__ import annotations

from pathlib import Path

from tests.pure.pipeline_file.folders import INPUT, PASS, write_folder
from texelscope.pipeline.target import OpenOptions, Target

_SHADER = """\
#version 300 es
precision {precision} float;
uniform {precision} sampler2D t_X;
out vec4 Y;

void main() {{
    ivec2 at = ivec2(gl_FragCoord.xy);
    Y = {result};
}}
"""

_ORACLE = (
    "def copy(t_X):\n    return t_X\n\n\ndef rounded(t_X):\n    return t_X\n\n\ndef doubled(t_X):\n    return t_X\n"
)


def of_three(folder: Path) -> Target:
    """`copy` is right; `rounded` is not where mediump is; `doubled` reads in mediump too, and makes twice the value."""
    passes = [
        PASS.replace('"copy', f'"{name}').replace('"image"', f'"{read}"')
        for name, read in (("copy", "image"), ("rounded", "copy"), ("doubled", "rounded"))
    ]
    read = "texelFetch(t_X, at, 0)"
    file = write_folder(
        folder,
        f'[pipeline]\noracle = "oracle.py"\n{INPUT}{"".join(passes)}',
        copy_frag=_SHADER.format(precision="highp", result=read),
        rounded_frag=_SHADER.format(precision="mediump", result=read),
        doubled_frag=_SHADER.format(precision="mediump", result=f"2.0 * {read}"),
        oracle_py=_ORACLE,
    )
    return Target(str(file), OpenOptions(trust=True))
