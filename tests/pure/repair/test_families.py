"""Statements that read alike say what a missing one was to be, and one that does not read as its sisters do."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram

HEAD = "#version 330\nuniform sampler2D image;\nout vec4 result;\n"
TAP = "vec4 sum = vec4(0);\nfloat at(int x, int y) { return texelFetch(image, ivec2(x, y), 0).x; }\n"
ADD = "void add(int x, int y) { sum += at(x, y); }\n"


def edited(body: str) -> set[str]:
    source = f"{HEAD}{TAP}{ADD}void main() {{ {body} }}\n"
    text = MutableProgram(ProgramSource(source, (SourceFile(0, "a.frag", source),)))
    made = (text.edited((each,)) for each in text.edits(()) if each.proposal.kind in ("left out", "statement"))
    return {each.partition("void main() { ")[2].removesuffix(" }\n") for each in made}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("add(0, 0); add(1, 0); add(0, 1); result = sum;", "add(0, 0); add(1, 0); add(0, 1); add(1, 1); result = sum;"),
        ("vec4 v; v[0] = at(0, 0); v[1] = at(1, 0); v[2] = at(0, 1); result = v;",
         "vec4 v; v[0] = at(0, 0); v[1] = at(1, 0); v[2] = at(0, 1); v[3] = at(1, 1); result = v;"),
        ("vec4 v; v.x = exp(sum.x); v.y = exp(sum.y); v.z = exp(sum.z); result = v;",
         "vec4 v; v.x = exp(sum.x); v.y = exp(sum.y); v.z = exp(sum.z); v.w = exp(sum.w); result = v;"),
        ("vec3 v; v.x = max(sum.x, 0.0); v.y = max(sum.y, 0.0); v.z = sum.z; result = vec4(v, 0);",
         "vec3 v; v.x = max(sum.x, 0.0); v.y = max(sum.y, 0.0); v.z = max(sum.z, 0.0); result = vec4(v, 0);"),
        ("vec4 v; v.x += dot(sum, result); v.y += at(1, 0); v.z += at(2, 0); v.w += at(1, 0); result = v;",
         "vec4 v; v.x += dot(sum, result); v.y += at(1, 0); v.z += at(2, 0); v.w += at(3, 0); result = v;"),
    ],
)  # fmt: skip
def test_a_member_of_a_family_is_as_the_others(wrong: str, right: str) -> None:
    assert right in edited(wrong)


def test_a_whole_family_lacks_nothing() -> None:
    whole = "add(0, 0); add(1, 0); add(0, 1); add(1, 1); result = sum;"
    assert not [each for each in edited(whole) if each.count("add(") > 4]
