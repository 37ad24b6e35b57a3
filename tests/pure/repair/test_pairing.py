"""Tests which edits are tried at once: exchanges, equal ones, both ends of a range, repeated rows."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram
from texelscope.pipeline.repair.programs.pairing import Text, as_one, change_of, together
from texelscope.pipeline.repair.programs.schema_text import NUMBER_OF

HEAD = "#version 330\nuniform sampler2D image;\nuniform ivec2 u_size;\nout vec4 result;\n"


def at_once(body: str, most: int = 1000) -> set[str]:
    """The bodies that come of what is tried at once."""
    text = HEAD + body
    editable = MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),)))
    programs = together(text, editable.edits(()), (), most)
    return {editable.edited(each).removeprefix(HEAD) for some in programs for each in some.chosen}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("int i = 4;\nint a = 1 + i / 3;\nint b = 2 + i % 3;", "int i = 4;\nint a = 1 + i % 3;\nint b = 2 + i / 3;"),
        ("int u = 1, v = 2;\nint a = 4 - u;\nint b = 4 - v;", "int u = 1, v = 2;\nint a = u;\nint b = v;"),
        ("int c = 3;\nint lo = c - 1, hi = c + 1;",
         "int c = 3;\nint lo = max(c - 1, 0), hi = min(c + 1, u_size.x - 1);"),
        ("int t = 3;\nfloat a = float(t + 1);\nfloat b = sin(float(t + 1));",
         "int t = 3;\nfloat a = float(t);\nfloat b = sin(float(t));"),
        ("ivec2 p = ivec2(1);\nint a = p.x + u_size.x * 2;\nint b = p.y + u_size.y * 2;",
         "ivec2 p = ivec2(1);\nint a = p.x - u_size.x * 2;\nint b = p.y - u_size.y * 2;"),
    ],
)  # fmt: skip
def test_a_slip_of_two_places_is_tried_at_both(wrong: str, right: str) -> None:
    found = {text.replace("(", "").replace(")", "") for text in at_once(f"void main() {{\n{wrong}\n}}")}
    assert f"void main {{\n{right}\n}}".replace("(", "").replace(")", "") in found


@pytest.mark.parametrize(("one", "other"), [("2.0", "2.0"), ("2.0", "3.0"), ("x", "3.0"), ("a", "x")])
def test_two_edits_of_one_slip_go_on_as_one(one: str, other: str) -> None:
    """With two numbers both are written out: one edit has one of them."""
    text = HEAD + "void main() {\nfloat x = 1.0, a = 2.0;\nfloat b = cos(x) * 0.5;\nfloat c = log(x) * 0.5;\n}"
    editable = MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),)))
    first, second = (
        next(
            edit for edit in editable.edits((2.0, 3.0)) if (edit.line[1], edit.proposal.old, edit.proposal.new) == each
        )
        for each in ((7, "0.5", one), (8, "0.5", other))
    )
    both = as_one((first, second), 77)
    assert editable.edited((both,)) == editable.edited((first, second))
    assert (both.number, both.compile_cost) == (77, first.compile_cost + second.compile_cost)
    made = editable.schemata((both,)).program.fragment
    is_shared = one == other
    assert (f"{NUMBER_OF}(77)[0]" in made) == is_shared


def test_what_reads_alike_in_many_rows_is_one_edit() -> None:
    def body(index: str) -> str:
        rows = "".join(f"r{k} = texelFetch(image, ivec2({k}), 0)[{index}];\n" for k in range(4))
        return f"void main() {{\nivec2 i = ivec2(1);\nfloat r0, r1, r2, r3;\n{rows}}}"

    assert body("i.y * 2 + i.x") in at_once(body("i.x * 2 + i.y"))


def test_places_far_apart_that_do_not_read_alike_are_not_tried_at_once() -> None:
    filler = "".join(f"float f{k} = float({k});\n" for k in range(6))
    body = f"void main() {{\nint i = 4;\nint a = i / 3;\n{filler}float b = sqrt(float(i % 3)) * 2.0;\n}}"
    assert not any("int a = i % 3" in text and "float(i / 3)" in text for text in at_once(body))


def test_no_more_is_tried_than_was_asked_for() -> None:
    body = "void main() {\nint x = 1, y = 2;\nint a = x + y;\nint b = x - y;\nresult = vec4(a, b, 0, 1);\n}"
    text = HEAD + body
    edits = MutableProgram(ProgramSource(text, ())).edits(())
    pairs = [each for some in together(text, edits, (), 7) for each in some.chosen if len(each) == 2]
    assert len(pairs) == 7


def test_a_change_is_what_differs_without_the_parentheses_around_it() -> None:
    body = "void main() { int a = 4; int b = a * 2 + 1; result = vec4(b); }"
    text = HEAD + body
    changes = [change_of(edit, Text(text)) for edit in MutableProgram(ProgramSource(text, ())).edits(())]
    signs = [each for each in changes if (each.old, each.new) == (("+",), ("-",))]
    assert {text.encode()[each.start : each.stop] for each in signs} == {b"+"}
    assert any(each.operand == ("a",) and each.new == ("+", "1") for each in changes)
