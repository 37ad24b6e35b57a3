"""A recorded WebGL page: its draws run unchanged, are compared with what it wrote, and a wrong edit is named."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest

from tests.traces.draws import drawn
from tests.traces.sources import Source, opened
from tests.webgl_recordings import QUAD, SCALE, SUM, VERTEX, WebglPage, summed, texels, two_draws
from texelscope import pipeline
from texelscope.pipeline.captured.judging import judge
from texelscope.pipeline.captured.reading import read_captured
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.compare.words import beside_verdict
from texelscope.pipeline.debug_session import DebugSession


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the recording."""
    return two_draws().write(tmp_path / "recording")


@pytest.fixture
def session(gl: moderngl.Context, folder: Path) -> Iterator[DebugSession]:
    """A session on it that has run."""
    with pipeline.open(folder, context=gl) as opened:
        opened.run()
        yield opened


def compared(gl: moderngl.Context, folder: Path) -> Report:
    """Returns the report of a recording."""
    with pipeline.open(folder, context=gl) as opened:
        opened.run()
        return opened.compare()


def test_draws_run_their_own_texts_and_match_what_the_page_wrote(session: DebugSession, folder: Path) -> None:
    report = session.compare()
    assert [(each.name, each.verdict) for each in report.passes] == [("draw0", "match"), ("draw1", "match")]
    assert {beside_verdict(each) for each in report.passes} == {" (recorded)"}
    for each in session.plan.passes:
        for file in each.program.files:
            assert file.text == (folder / file.path).read_text()
    assert session.plan.inputs == ("draw0.x",)
    assert session.plan.textures["draw0"].shape == (1, 4, 4, 6)


def test_a_wrong_edit_is_named_with_its_line_and_the_draw_behind_it_is_not_blamed(
    gl: moderngl.Context, folder: Path
) -> None:
    (folder / "programs" / "000.frag").write_text(SUM.replace("ivec2(1, 0)", "ivec2(2, 0)"))
    report = compared(gl, folder)
    assert report.culprit == "draw0"
    assert [each.verdict for each in report.passes] == ["mismatch", "not_compared"]
    (folder / "programs" / "000.frag").write_text(SUM)
    (folder / "programs" / "001.frag").write_text(SCALE.replace("gain *", "gain * 3.0 *"))
    report = compared(gl, folder)
    assert report.culprit == "draw1"
    found = report.passes[1].findings[0]
    assert (found.cause, found.parameters["factor"]) == ("scale", 3.0)


TRIANGLES = {
    "fan": ("TRIANGLE_FAN", [QUAD[0], QUAD[1], QUAD[3], QUAD[2]]),
    "two triangles": ("TRIANGLES", [QUAD[0], QUAD[1], QUAD[2], QUAD[2], QUAD[1], QUAD[3]]),
    "one triangle": ("TRIANGLES", [[-1, -1], [3, -1], [-1, 3]]),
}


@pytest.mark.parametrize("kind", TRIANGLES)
def test_every_way_to_cover_a_target_is_drawn(gl: moderngl.Context, tmp_path: Path, kind: str) -> None:
    page = two_draws()
    mode, corners = TRIANGLES[kind]
    for draw in page.about["draws"]:
        draw.update(mode=mode, vertices=len(corners), attributes={"corner": corners})
    assert {each.verdict for each in compared(gl, page.write(tmp_path)).passes} == {"match"}


def test_a_viewport_that_is_larger_than_the_target_shows_its_part_of_the_draw(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    page = two_draws()
    page.about["draws"][1].update(viewport=[-2, -1, 12, 8])
    y = summed(texels())
    rows, columns = ((np.arange(4) + 1.5) / 8 * 4).astype(int), ((np.arange(6) + 2.5) / 12 * 6).astype(int)
    page.files["textures/2.bin"] = (2 * y[np.ix_(rows, columns)]).astype("<f4").tobytes()
    assert {each.verdict for each in compared(gl, page.write(tmp_path)).passes} == {"match"}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "blending": ({"state": ["blend"]}, "it uses blend."),
    "texels": ({"unwritten": 3}, "it leaves 3 texels of its target as they were."),
    "a mesh": ({"attributes": None, "vertices": 900}, "it draws 900 vertices, whose values are not recorded."),
    "no rectangle": (
        {"attributes": {"corner": [*QUAD[:3], [0.5, 0.5]]}}, "its 4 vertices (TRIANGLE_STRIP) are no triangle and no",
    ),
    "another sampler": (
        {"samplers": [{"uniform": "x", "kind": "a sampler of another kind than 2D"}]},
        "'x' reads a sampler of another kind than 2D.",
    ),
    "an attribute that is gone": ({"attributes": {"edge": QUAD}}, "its attribute 'edge' is no number or vector."),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_a_draw_that_is_no_pass_is_taken_as_recorded_and_a_line_says_why(
    gl: moderngl.Context, tmp_path: Path, kind: str
) -> None:
    page = two_draws()
    change, reason = REFUSED[kind]
    page.about["draws"][0].update(change)
    folder = page.write(tmp_path)
    plan = pipeline.plan_of(folder)
    (warning,) = plan.warnings
    assert warning.startswith(f"draw0 is not run here, and what was written is taken as recorded: {reason}")
    assert plan.inputs == ("draw1.y",)
    assert [(each.name, each.verdict) for each in compared(gl, folder).passes] == [("draw1", "match")]


def test_whole_numbers_are_read_through_integer_samplers(gl: moderngl.Context, tmp_path: Path) -> None:
    page = WebglPage()
    numbers = np.arange(24, dtype=np.int32).reshape(4, 6, 1) * 1000
    text = SUM.replace("sampler2D x", "highp isampler2D x").replace("texelFetch(x", "vec4(texelFetch(x")
    text = text.replace("- ivec2(1, 0), 0)", "- ivec2(1, 0), 0))").replace("at, 0)", "at, 0))")
    x = np.concatenate([numbers, np.zeros((4, 6, 2), np.int32), np.ones((4, 6, 1), np.int32)], axis=2)
    read = page.texture(numbers, format="R32I")
    page.draw(page.program(VERTEX, text), {"x": read}, page.texture(summed(x)))
    assert [each.verdict for each in compared(gl, page.write(tmp_path)).passes] == ["match"]


def test_bytes_of_a_texture_are_numbers_from_0_to_1(gl: moderngl.Context, tmp_path: Path) -> None:
    page = WebglPage()
    x = (np.arange(96, dtype=np.uint8) * 2).reshape(4, 6, 4)
    page.draw(page.program(VERTEX, SUM), {"x": page.texture(x)}, page.texture(summed(x / np.float32(255))))
    assert [each.verdict for each in compared(gl, page.write(tmp_path)).passes] == ["match"]


def test_another_devices_recording_of_the_page_is_judged(tmp_path: Path, folder: Path) -> None:
    page = two_draws()
    page.files["textures/1.bin"] = (1.5 * summed(texels())).astype("<f4").tobytes()
    page.about["contexts"][0]["renderer"] = "a phone"
    captured = read_captured(page.write(tmp_path / "phone"), pipeline.plan_of(folder))
    report = judge(captured, findings=False).report
    assert (report.device.renderer, report.culprit) == ("a phone", "draw0")


def test_a_phones_lower_precision_is_kept_as_the_text_declares_it(gl: moderngl.Context, tmp_path: Path) -> None:
    page = two_draws()
    page.about["contexts"][0]["fullPrecision"] = False
    folder = page.write(tmp_path)
    texts = [each.program.fragment for each in pipeline.plan_of(folder).passes]
    assert all(text.startswith("#version 300 es") for text in texts)
    assert "precision mediump float;" in texts[1]
    assert {each.verdict for each in compared(gl, folder).passes} <= {"match", "mismatch"}  # half precision, if it has
    page.about["contexts"][0]["fullPrecision"] = True
    assert pipeline.plan_of(page.write(tmp_path)).passes[1].program.fragment.startswith("#version 330")


def test_taps_tell_what_an_element_read(session: DebugSession) -> None:
    taps = session.taps("draw0", (0, 1, 2, 3))
    read = {element for tap in taps.reads if tap.key == "draw0.x" for element in tap.elements}
    assert {24 + 2 * 6 + 3, 24 + 2 * 6 + 2} <= read  # of its own channel: its own, and its left neighbour


@pytest.mark.parametrize("seed", range(2))
def test_a_step_through_a_recorded_draw_gives_its_values(gl: moderngl.Context, folder: Path, seed: int) -> None:
    draw = drawn(Source("webgl", "", partial(opened, folder)), gl, random.Random(seed))
    assert (draw.problem, draw.refusal) == ("", "")
