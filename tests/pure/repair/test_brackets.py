"""A macro gets the parentheses that it lacks, where its uses are read otherwise without them."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.text.beyond_schemata import bracketed


def edits(text: str) -> list[list[str | None]]:
    program = ProgramSource(text, (SourceFile(0, "a.frag", text),))
    return [[edit.after for edit in some] for some in bracketed(program)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define TWICE(x) x * 2.0\nfloat y = TWICE(a + b);", [["#define TWICE(x) (x) * 2.0"]]),
        ("#define TWICE(x) x * 2.0\nfloat y = TWICE(a);", []),
        ("#define TWICE(x) (x) * 2.0\nfloat y = TWICE(a + b);", []),
        ("#define ALL A + B\nint y = ALL * 3;", [["#define ALL (A + B)"]]),
        ("#define ALL A + B\nint y = ALL;", []),
        ("#define ALL (A + B)\nint y = ALL * 3;", []),
        ("#define ADD(x) sum += x * w;\nADD(a + b) ADD(c)", [["#define ADD(x) sum += (x) * w;"]]),
        (
            "#define DO(x) \\\n  sum += x * w; \\\n  all += 1.0 - x;\nvoid f() { DO(a + b) }",
            [
                ["  sum += (x) * w; \\"],
                ["  all += 1.0 - (x);"],
                ["  sum += (x) * w; \\", "  all += 1.0 - (x);"],
            ],
        ),
    ],
)
def test_where_it_matters(text: str, expected: list[list[str]]) -> None:
    assert edits(text) == expected


def test_no_more_than_a_few_are_tried() -> None:
    text = "\n".join(f"#define M{i}(x) x * {i}.0\nfloat y{i} = M{i}(a + b);" for i in range(30))
    assert len(edits(text)) == 8
