"""A uniform that the file sets and the shader only names is refused or warned of; none that is used is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pure.pipeline_file.folders import INPUT, PASS, write_folder
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError

SHADER = """#version 330 core
uniform sampler2D t_X;
{declared}
out vec4 Y;
void main() {{ Y = texelFetch(t_X, ivec2(gl_FragCoord.xy), 0){used}; }}
"""
REFUSED = {
    "in a comment": "// u_gain",
    "in an unused macro": "#define MENTIONED u_gain * 2.0",
    "in a macro that an unused macro uses": "#define ONE u_gain\n#define TWO ONE \\\n  + 1.0",
}
IDLE = {
    "declared alone": ("uniform float u_gain;", "u_gain"),
    "and mentioned in a comment": ("uniform float u_gain; // u_gain times", "u_gain"),
    "and in an unused macro": ("uniform float u_gain;\n#define TWICE (2.0 * u_gain)", "u_gain"),
    "a member": ("layout(std140) uniform P { float gain; } params;", "params.gain"),
    "a member by its block's name": ("layout(std140) uniform P { float gain; } params;", "P.gain"),
}
USED = {
    "in the body": ("uniform float u_gain;", " * u_gain", "u_gain"),
    "by a macro": ("uniform float u_gain;\n#define TWICE (2.0 * u_gain)", " * TWICE", "u_gain"),
    "declared by a macro": ("#define DECLARED uniform float u_gain;\nDECLARED", " * u_gain", "u_gain"),
    "a member of a structure that a function gets": (
        "struct P { float gain; };\nuniform P u_p;\nfloat of(P p) { return p.gain; }", " * of(u_p)", "u_p.gain",
    ),
}  # fmt: skip


def planned(folder: Path, declared: str, used: str, name: str) -> tuple[str, ...]:
    """Plans a file that sets the uniform, and returns its warnings."""
    toml = f'{INPUT}{PASS}uniforms."{name}" = 2\n'
    return pipeline.plan_of(write_folder(folder, toml, copy_frag=SHADER.format(declared=declared, used=used))).warnings


@pytest.mark.parametrize("declared", REFUSED.values(), ids=REFUSED)
def test_a_name_that_is_only_mentioned_is_no_uniform(declared: str, tmp_path: Path) -> None:
    with pytest.raises(
        TexelscopeError, match=r"uniforms\.u_gain: expected a uniform that copy\.frag has, got 'u_gain'"
    ):
        planned(tmp_path, declared, "", "u_gain")


@pytest.mark.parametrize(("declared", "name"), IDLE.values(), ids=IDLE)
def test_a_uniform_that_the_shader_does_not_use_is_warned_of(declared: str, name: str, tmp_path: Path) -> None:
    key = f"uniforms.{name}"
    assert planned(tmp_path, declared, "", name) == (
        f"pipeline.toml [[pass]] 'copy': uniform '{name}' (copy.frag:3) is set but copy.frag does not use it. "
        f"Use it, or remove '{key}'.",
    )


@pytest.mark.parametrize(("declared", "used", "name"), USED.values(), ids=USED)
def test_nothing_is_said_of_a_uniform_that_is_used(declared: str, used: str, name: str, tmp_path: Path) -> None:
    assert planned(tmp_path, declared, used, name) == ()
