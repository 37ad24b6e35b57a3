"""Tests forms in words."""

from __future__ import annotations

from texelscope.pipeline.lowerings.lowering import (
    Lowering,
    LoweringStep,
    Scratch,
    backend_word,
    form_words,
    step_words,
    texture_words,
)
from texelscope.pipeline.plan import ProgramSource

DRAW = LoweringStep(
    ProgramSource("const int PIXELS = 8;\nconst int GROUPS = 2;\n", ()), (64, 4, 1), ("x", "x"), ("slices",)
)
PLAIN = LoweringStep(ProgramSource("void main() {}", ()), (32, 32, 1), ("slices",), ("y",))
DISPATCH = LoweringStep(
    ProgramSource("layout(local_size_x = 16, local_size_y = 8) in;", ()), (3, 2, 1), ("x",), ("y",), kind="compute"
)
FORM = Lowering(("conv", "act"), ("x",), ("y",), (DRAW, PLAIN), (Scratch("slices", 8, 8),))


def test_a_draw_says_how_its_fragments_share_the_work() -> None:
    assert step_words(DRAW) == "draw of 256 fragments, 8 pixels x 2 groups of channels each"
    assert step_words(PLAIN) == "draw of 1,024 fragments"


def test_a_dispatch_says_its_work_groups() -> None:
    assert step_words(DISPATCH) == "dispatch of 6 work groups of 128 invocations"
    assert backend_word(Lowering(("conv",), ("x",), ("y",), (DISPATCH,))) == "dispatch"
    assert backend_word(FORM) == "draw"


def test_a_form_is_its_steps_in_a_line() -> None:
    assert form_words(FORM) == f"2 steps: {step_words(DRAW)}; {step_words(PLAIN)}"
    assert form_words(Lowering(("conv",), ("x",), ("y",), (PLAIN,))) == "a draw of 1,024 fragments"


def test_a_copy_is_named_by_what_it_copies() -> None:
    copies = [
        LoweringStep(ProgramSource("", ()), (0, 0, 0), (key,), (), kind="copy", buffers=("input",)) for key in "xw"
    ]
    draw = LoweringStep(ProgramSource("void main() {}", ()), (32, 32, 1), ("b",), ("y",), read_buffers=("input",))
    form = Lowering(("conv",), ("x", "w", "b"), ("y",), (copies[0], draw, copies[1], PLAIN))
    assert form_words(form) == f"2 steps: {step_words(draw)}; {step_words(PLAIN)}"
    assert texture_words(draw, form) == "reads x, b; writes y"


def test_scratch_is_told_from_tensors() -> None:
    assert texture_words(DRAW, FORM) == "reads x; writes scratch 'slices'"
    assert texture_words(PLAIN, FORM) == "reads scratch 'slices'; writes y"
