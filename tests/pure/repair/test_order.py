"""A declaration changes places with the statement beside it where that changes what it is made of."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.text.beyond_schemata import reordered


def edits(text: str) -> list[tuple[int, ...]]:
    program = ProgramSource(text, (SourceFile(0, "a.frag", text),))
    return [tuple(edit.line for edit in some) for some in reordered(program)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("float gate = exp(sum);\nsum += bias;", [(1, 2)]),
        ("sum += bias;\nfloat gate = exp(sum);  // of it", [(1, 2)]),
        ("vec4 v = texel(p);\nv.x *= 2.0;", []),  # which needs what is declared
        ("float gate = exp(other);\nsum += bias;", []),
        ("sum += bias;\nproduct = sum * 2.0;", []),  # no declaration: an edit may say that
    ],
)
def test_which_lines_change_places(text: str, expected: list[tuple[int, ...]]) -> None:
    assert edits(text) == expected
