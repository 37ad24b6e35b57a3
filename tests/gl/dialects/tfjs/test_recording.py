"""A recorded run of TensorFlow.js: runs unchanged, is compared pass by pass, and a wrong edit is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import pytest

from tests.tfjs_recordings import CONVOLUTION, SQUARES, four_programs
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.reload.reloader import Reloader

CONV, PACK, RELU, SQUARED = "0_Conv2D", "1_Pack", "2_UnaryOpPacked", "3_Squares"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The recording."""
    return four_programs().write(tmp_path / "recording")


@pytest.fixture
def session(gl: moderngl.Context, folder: Path) -> Iterator[DebugSession]:
    """A session on it that has run."""
    with pipeline.open(folder, context=gl) as opened:
        opened.run()
        yield opened


def test_its_programs_run_unchanged_and_match_in_every_pass(session: DebugSession, folder: Path) -> None:
    report = session.compare()
    assert [(each.name, each.operator, each.verdict) for each in report.passes] == [
        (CONV, "Conv", "match"), (PACK, "Identity", "match"), (RELU, "Relu", "match"), (SQUARED, "Squares", "match"),
    ]  # fmt: skip
    for each in session.plan.passes:
        for file in each.program.files:
            assert file.text == (folder / file.path).read_text()
    assert session.plan.textures[CONV].layout.parameters == {"order": "nhwc"}
    assert session.plan.textures[CONV].shape == (1, 3, 4, 5)


def test_a_wrong_edit_is_named_with_its_line_and_what_follows_is_not_blamed(
    session: DebugSession, folder: Path
) -> None:
    path = folder / "programs" / "000_Conv2DProgram.frag"
    path.write_text(CONVOLUTION.replace("const ivec2 pads = ivec2(1, 1);", "const ivec2 pads = ivec2(1, 0);"))
    with Reloader(session, folder) as reloader:
        assert reloader.reload(frozenset({path})).passes == (CONV, PACK, RELU, SQUARED)
    report = session.compare()
    assert report.culprit == CONV
    assert [each.verdict for each in report.passes] == ["mismatch", "match", "match", "not_compared"]
    found = report.passes[0].findings[0]
    assert (found.cause, found.parameters["dx"], found.parameters["dy"]) == ("shift", 1, 0)
    asks = 1 + CONVOLUTION.split("\n").index(
        "                total += getX(0, from.x, from.y, k) * getW(r, c, k, at.w);"
    )
    assert (found.shader, found.line) == (
        f"programs/{path.name}",
        asks,
    )  # the author's own call, not the function that TensorFlow.js supplies
    message = report.passes[3].message
    assert "expected the inputs that it was recorded with, got others (input 0). Mend the passes before it" in message


def test_a_save_of_a_program_that_nobody_knows_is_judged_by_its_recording(session: DebugSession, folder: Path) -> None:
    path = folder / "programs" / "003_SquaresProgram.frag"
    with Reloader(session, folder) as reloader:
        path.write_text(SQUARES.replace("x * x", "x * missing"))
        (error,) = reloader.reload(frozenset({path})).errors
        assert str(error).startswith("programs/003_SquaresProgram.frag:8: expected a shader that compiles")
        path.write_text(SQUARES.replace("* gain", "* gain * 2.0"))
        assert reloader.reload(frozenset({path})).passes == (SQUARED,)
    report = session.compare()
    assert report.culprit == SQUARED
    assert [(each.cause, each.parameters["factor"]) for each in report.passes[3].findings] == [("scale", 2.0)]


def test_taps_tell_what_an_element_read(session: DebugSession) -> None:
    taps = session.taps(CONV, (0, 1, 0, 0))
    read = {element for tap in taps.reads if tap.key == f"{CONV}.x" for element in tap.elements}
    assert read == {0, 1, 5, 6, 20, 21, 25, 26}  # a corner: 2 x 2 of each of two channels
