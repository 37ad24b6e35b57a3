"""Sizes are rounded up to whole packs where indices are multiplied or divided by them, and back."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram

HEAD = """\
#version 330
uniform sampler2D t_x;
uniform int u_channels;
uniform uint u_width;
uniform float u_rows;
const int C = 6;
out vec4 result;
void main() {
    int n = int(gl_FragCoord.x), c = int(gl_FragCoord.y), size = u_channels;
    result = """


def texts(value: str) -> set[str]:
    """The values that come of the edits of one."""
    text = f"{HEAD}{value};\n}}\n"
    made = MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),)))
    every = (made.edited((edit,)) for edit in made.edits(()))
    return {each.removeprefix(HEAD).removesuffix(";\n}\n") for each in every if each.startswith(HEAD)}


def at(index: str) -> str:
    return f"texelFetch(t_x, ivec2({index}, 0), 0)"


@pytest.mark.parametrize(
    ("tight", "padded"),
    [
        ("n * u_channels + c", "n * ((u_channels + 3) / 4 * 4) + c"),
        ("n * u_channels + c", "n * ((u_channels + 7) / 8 * 8) + c"),
        ("C * n + c", "((C + 3) / 4 * 4) * n + c"),
        ("n * size + c", "n * ((size + 3) / 4 * 4) + c"),
        ("c / u_channels", "c / ((u_channels + 3) / 4 * 4)"),
        ("c % C", "c % ((C + 3) / 4 * 4)"),
        ("int(uint(n) * u_width)", "int(uint(n) * ((u_width + 3u) / 4u * 4u))"),
        ("int(float(n) * u_rows)", "int(float(n) * (ceil(u_rows / 4.0) * 4.0))"),
    ],
)
def test_a_size_is_rounded_up_to_a_pack(tight: str, padded: str) -> None:
    assert at(padded) in texts(at(tight))


@pytest.mark.parametrize(
    ("padded", "tight"),
    [
        ("n * ((u_channels + 3) / 4 * 4) + c", "n * (u_channels) + c"),
        ("n * (((u_channels + 3) >> 2) << 2) + c", "n * (u_channels) + c"),
        ("n * ((u_channels + 7) & ~7) + c", "n * (u_channels) + c"),
        ("((C + 7) / 8 * 8) * n + c", "(C) * n + c"),
        ("int(float(n) * (ceil(u_rows / 4.0) * 4.0))", "int(float(n) * (u_rows))"),
    ],
)
def test_a_size_that_is_rounded_up_may_be_meant_as_it_is(padded: str, tight: str) -> None:
    assert at(tight) in texts(at(padded))


def test_what_varies_is_not_rounded_up() -> None:
    assert not any("(n + 3) / 4" in each or "(c + 3) / 4" in each for each in texts(at("n * u_channels + c")))
