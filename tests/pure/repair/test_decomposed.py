"""An index taken apart the other way about: quotient and rest at once, by another size."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram

HEAD = "#version 330\nuniform sampler2D image;\nuniform int u_depth;\nout vec4 result;\n"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("int a = k / 4; int b = k - a * 4;", "int a = k % u_depth; int b = k / u_depth;"),
        ("int a = k / 4; int b = k % 4;", "int a = k % 6; int b = k / 6;"),
        ("int a = k % 4; k /= 4; int b = k;", "int a = k / 6; k -= a * 6; int b = k;"),
        ("int a = k / 4; k -= a * 4; int b = k;", "int a = k % u_depth; k /= u_depth; int b = k;"),
    ],
)
def test_a_quotient_and_its_rest_are_exchanged(body: str, wanted: str) -> None:
    def source(text: str) -> str:
        read = "texelFetch(image, ivec2(a, b % 2), 0)"
        return f"{HEAD}void main() {{ int k = int(gl_FragCoord.x); {text} result = {read}; }}\n"

    text = MutableProgram(ProgramSource(source(body), (SourceFile(0, "a.frag", source(body)),)))
    made = {text.edited((each,)) for each in text.edits((), (6.0,)) if each.beside}
    assert source(wanted) in made
