"""Three columns of a recorded pass, this device's, the page's and the meaning's: the meaning is always the oracle."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.tfjs_recordings import SQUARES, Page, four_programs, numbers
from tests.tfjs_wrong_programs import WRONG_PROGRAMS, WrongProgram
from texelscope import pipeline
from texelscope.pipeline.captured.judging import judge
from texelscope.pipeline.captured.reading import read_captured
from texelscope.pipeline.commands.diff import FAILED, MATCH, MISMATCH, exit_code
from texelscope.pipeline.commands.table import render
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.export.html_report import render as render_page
from texelscope.pipeline.export.junit import junit_of_report
from texelscope.pipeline.export.live_page.contents import PageSubject


def compared(page: Page, folder: Path, gl: moderngl.Context, *, findings: bool = False) -> Report:
    """Returns the report of a recording."""
    with pipeline.open(page.write(folder), context=gl) as session:
        session.run()
        return session.compare(findings=findings)


wrong_programs = pytest.mark.parametrize("wrong", WRONG_PROGRAMS.values(), ids=WRONG_PROGRAMS)


@wrong_programs
def test_a_program_that_is_wrong_in_its_release_is_not_what_its_kernel_means(
    gl: moderngl.Context, tmp_path: Path, wrong: WrongProgram
) -> None:
    report = compared(wrong.recording(), tmp_path, gl)
    (found,) = report.passes
    assert (found.verdict, found.compared_with, report.culprit) == ("not_its_meaning", "meaning", found.name)
    assert exit_code(report) == MISMATCH
    assert found.page is not None
    assert (found.page.agrees_with, found.page.same_inputs) == ("device", True)
    apart = float(np.abs(wrong.page - wrong.meant).max())
    assert found.isolated is not None
    assert found.isolated.max_abs == pytest.approx(apart, rel=1e-4)
    assert found.page.isolated.max_abs == pytest.approx(apart, rel=1e-4)
    assert found.message == (
        f"Not what {wrong.kernel} means: this device and the page agree, off by up to {apart:.3g}, "
        "so the program is wrong in TensorFlow.js 0.1.2."
    )


@wrong_programs
def test_once_it_is_mended_it_is_a_match_and_the_page_is_said_to_part(
    gl: moderngl.Context, tmp_path: Path, wrong: WrongProgram
) -> None:
    report = compared(wrong.recording(variant=wrong.right), tmp_path, gl)
    (found,) = report.passes
    assert (found.verdict, exit_code(report)) == ("match", MATCH)
    assert found.page is not None
    assert found.page.agrees_with == "neither"
    assert found.message.startswith(f"The values here are what {wrong.kernel} means, the page's are not (off by")


@wrong_programs
def test_an_edit_that_breaks_a_right_program_is_a_mismatch_and_the_page_is_as_meant(
    gl: moderngl.Context, tmp_path: Path, wrong: WrongProgram
) -> None:
    (found,) = compared(wrong.recording(page=wrong.meant), tmp_path, gl).passes
    assert found.verdict == "mismatch"
    assert found.page is not None
    assert found.page.agrees_with == "meaning"
    assert found.message.startswith(f"The page's values are what {wrong.kernel} means, the values here are not:")


@wrong_programs
def test_where_all_three_differ_that_is_said(gl: moderngl.Context, tmp_path: Path, wrong: WrongProgram) -> None:
    (found,) = compared(wrong.recording(page=wrong.meant + np.float32(3.0)), tmp_path, gl).passes
    assert found.verdict == "mismatch"
    assert found.page is not None
    assert found.page.agrees_with == "neither"
    assert "and they differ from each other" in found.message


@wrong_programs
def test_where_all_three_agree_nothing_is_said(gl: moderngl.Context, tmp_path: Path, wrong: WrongProgram) -> None:
    (found,) = compared(wrong.recording(variant=wrong.right, page=wrong.meant), tmp_path, gl).passes
    assert (found.verdict, found.message) == ("match", "")
    assert found.page is not None
    assert found.page.agrees_with == "both"


def test_the_wrong_program_is_diagnosed_against_the_meaning(gl: moderngl.Context, tmp_path: Path) -> None:
    wrong = WRONG_PROGRAMS["weights_of_a_dilated_window"]
    report = compared(wrong.recording(), tmp_path, gl, findings=True)
    found = report.passes[0].findings[0]
    assert (found.cause, found.explained) == ("index_map", 1.0)
    assert "0_DepthwiseConv2D.W" in found.evidence


def test_every_format_of_a_report_has_the_verdict_and_the_page(gl: moderngl.Context, tmp_path: Path) -> None:
    wrong = WRONG_PROGRAMS["count_of_an_average"]
    with pipeline.open(wrong.recording().write(tmp_path), context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        html = render_page(PageSubject(report, session.plan, capture, comparer.isolated_values()))
    row = next(line for line in render(report).splitlines() if "0_Pool2D" in line)
    assert (row.split()[0], row.split()[4]) == ("✗", "not_its_meaning")
    assert " as here" in row
    (made,) = json.loads(report.as_json())["passes"]
    assert (made["verdict"], made["page"]["agrees_with"]) == ("not_its_meaning", "device")
    assert 'class="not_its_meaning">not its meaning</td>' in html
    assert "on the page, on the inputs there" in html
    assert html.count('"recorded":"') == 1
    assert 'type="not_its_meaning"' in junit_of_report(report)


def unknown(values: float) -> Page:
    """Squares by a kernel that nobody knows; the page has `values` times the square."""
    page = Page()
    x = numbers(1, 4, 5, 3)
    output = page.texture(x * x * np.float32(values), "packed")
    page.program(
        "SquaresProgram", SQUARES, {"A": (page.texture(x, "packed"), x.shape)}, output, kernel="Mystery",
        uniforms={"gain": 0.5},
    )  # fmt: skip
    return page


def test_where_nothing_states_a_meaning_the_word_recorded_stands_beside_the_verdict(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    with pipeline.open(unknown(0.5).write(tmp_path), context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        html = render_page(PageSubject(report, session.plan, capture, comparer.isolated_values()))
    (found,) = report.passes
    assert (found.verdict, found.compared_with, found.page) == ("match", "recording", None)
    text = render(report)
    assert "match (recorded)" in text
    assert "1 could be compared with what was recorded alone: nothing states their meaning." in text
    assert json.loads(report.as_json())["passes"][0]["compared_with"] == "recording"
    assert "match (recorded)" in html
    assert "Compared with what was recorded: nothing states its meaning." in junit_of_report(report)


def test_a_program_without_a_meaning_that_does_not_make_what_was_recorded_is_a_mismatch(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    report = compared(unknown(0.75), tmp_path, gl)
    assert (report.passes[0].verdict, report.passes[0].compared_with) == ("mismatch", "recording")
    assert "mismatch (recorded)" in render(report)


def test_after_a_wrong_pass_nothing_is_said_of_pages_that_had_other_inputs(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    page = four_programs()
    name = "programs/000_Conv2DProgram.frag"
    page.files[name] = page.files[name].replace(b"const ivec2 pads = ivec2(1, 1);", b"const ivec2 pads = ivec2(1, 0);")
    convolved, packed, relu, squared = compared(page, tmp_path, gl).passes
    assert convolved.page is not None
    assert (convolved.verdict, convolved.page.agrees_with) == ("mismatch", "meaning")
    for each in (packed, relu):
        assert each.page is not None
        assert (each.verdict, each.page.agrees_with, each.page.same_inputs) == ("match", "both", False)
        assert each.message == ""
    assert (squared.verdict, squared.page) == ("not_compared", None)


def test_half_floats_of_a_page_are_no_reason_to_accuse_it(gl: moderngl.Context, tmp_path: Path) -> None:
    wrong = WRONG_PROGRAMS["centres_of_pixels"]
    stored = wrong.meant.astype(np.float16).astype(np.float32)
    page = wrong.recording(variant=wrong.right, page=stored)
    page.about["textures"][-1]["type"] = "float16"
    (found,) = compared(page, tmp_path, gl).passes
    assert found.verdict in ("match", "precision")
    assert found.page is not None
    assert found.page.agrees_with == "both"


def test_a_recording_as_its_own_capture_is_judged_without_a_page_beside_it(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    wrong = WRONG_PROGRAMS["count_of_an_average"]
    folder = wrong.recording().write(tmp_path)
    with pipeline.open(folder, context=gl) as session:
        report = judge(read_captured(folder, session.plan), findings=False).report
        another = replace(read_captured(folder, session.plan))
    assert [(each.verdict, each.page) for each in report.passes] == [("mismatch", None)]
    assert another.plan.recorded is not None


def test_a_page_that_did_not_run_has_no_column(gl: moderngl.Context, tmp_path: Path) -> None:
    wrong = WRONG_PROGRAMS["count_of_an_average"]
    page = wrong.recording(variant="missing")
    report = compared(page, tmp_path, gl)
    assert (report.passes[0].verdict, exit_code(report) in (MISMATCH, FAILED)) == ("error", True)
