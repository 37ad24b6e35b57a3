"""The page of a report in a browser, by clicks and keys: texels, reads, executions, findings; whole in one file."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.commands.diff import ComparisonExtras, diff
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.export.html_report import render
from texelscope.pipeline.export.live_page.chosen import ChosenElement
from texelscope.pipeline.export.live_page.contents import PageSubject
from texelscope.pipeline.export.live_page.recordings import RecordedElement
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.step_trace.sums import FragmentSum
from texelscope.pipeline.step_trace.trace import Assigned, Trace, TraceStep
from texelscope.pipeline.target import OpenOptions, Target

NETWORKS = ROOT / "examples" / "webgl_cnn"
FACADES = ROOT / "examples" / "facades" / "facades.onnx"
MOST_BYTES = 10_000_000
ALIVE = "document.body.dataset.state === 'alive'"
FIRST = "#pass-0 "
# The picture of the first pass.
LEFT_TOP = "document.querySelector('#pass-0 canvas').toDataURL()"


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the network with a bug in every pass; the first one is diagnosed."""
    asked = DiagnosisRequest(("down1",))
    outcome = diff(Target(str(NETWORKS / "broken.toml")), with_page=True, extras=ComparisonExtras(asked))
    path = tmp_path_factory.mktemp("broken") / "report.html"
    assert outcome.page is not None
    path.write_text(outcome.page, encoding="utf-8")
    return path


@pytest.fixture
def page(chromium: Chromium, broken: Path) -> Iterator[Chromium]:
    """That page, opened afresh, with the first pass ready."""
    chromium.listen()
    chromium.open(broken, until=f"{ALIVE} && document.querySelector('#pass-0 .live').dataset.ready")
    yield chromium
    assert chromium.complaints == []


def picked(page: Chromium) -> str:
    """Waits until the picked texel of the first pass is shown, and returns it."""
    live = "document.querySelector('#pass-0 .live')"
    page.wait(f"{live}.dataset.ready === {live}.dataset.picked")
    return str(page.evaluate(f"{live}.dataset.picked"))


def text(page: Chromium, selector: str) -> str:
    return str(page.evaluate(f"document.querySelector('{FIRST}{selector}').textContent"))


def test_it_is_one_file_that_requests_nothing(page: Chromium, broken: Path) -> None:
    assert {address for address in page.requests if not address.startswith("data:image/png")} == {broken.as_uri()}
    assert broken.stat().st_size <= MOST_BYTES


def test_it_opens_at_the_worst_texel_with_its_values(page: Chromium) -> None:
    assert picked(page) != ""
    assert re.search(r"element \[(.*?)\], texel \((\d+), (\d+)\)", page.evaluate("document.body.textContent"))
    actual, oracle, error = (float(text(page, f".reading .{name}")) for name in ("actual", "oracle", "off"))
    assert error == pytest.approx(actual - oracle, rel=1e-3)
    assert abs(error) > float(text(page, ".reading .bound"))


def test_a_click_picks_a_texel_and_arrow_keys_move_it(page: Chromium) -> None:
    width, height = page.evaluate("(({width, height}) => [width, height])(document.querySelector('#pass-0 canvas'))")
    x, y = 33, 65
    page.click(FIRST + "figure .texture canvas", (x + 0.5) / width, (y + 0.5) / height)
    assert picked(page) == f"{x},{y}"
    for key, place in (("ArrowRight", (x + 1, y)), ("ArrowDown", (x + 1, y + 1)), ("ArrowLeft", (x, y + 1))):
        page.press(key)
        assert picked(page) == f"{place[0]},{place[1]}"
    page.press("ArrowUp")
    assert picked(page) == f"{x},{y}"
    assert f"Texel ({x}, {y})" in text(page, ".reading")


PICKS = "window.picks = []; window.addEventListener('texelscope-pick', (event) => window.picks.push(event.detail))"


def test_each_pick_by_hand_is_an_event_with_pass_and_texel(page: Chromium) -> None:
    picked(page)
    page.evaluate(PICKS)
    width, height = page.evaluate("(({width, height}) => [width, height])(document.querySelector('#pass-0 canvas'))")
    page.click(FIRST + "figure .texture canvas", 33.5 / width, 65.5 / height)
    page.press("ArrowRight")
    page.press("n")
    recorded = [int(each) for each in picked(page).split(",")]
    page.click(FIRST + ".to-finding")
    found = [int(each) for each in picked(page).split(",")]
    texels = [[33, 65], [34, 65], recorded, found]
    assert page.evaluate("window.picks") == [{"pass": "down1", "texel": texel} for texel in texels]


def test_an_event_opens_a_pass_at_a_texel_and_is_no_pick(page: Chromium) -> None:
    picked(page)
    page.evaluate(PICKS)
    closed = "document.querySelector('#pass-2').closest('details')"
    page.evaluate(f"{closed}.open = false")
    shown = {"pass": page.evaluate(f"{closed}.querySelector('h2').textContent"), "texel": [4, 3]}
    page.evaluate(f"window.dispatchEvent(new CustomEvent('texelscope-show', {{detail: {json.dumps(shown)}}}))")
    page.wait("document.querySelector('#pass-2 .live').dataset.ready === '4,3'")
    page.wait(f"Math.abs({closed}.getBoundingClientRect().top) < 1")
    page.evaluate(f"{closed}.open = false; window.scrollTo(0, 200)")
    again = json.dumps({**shown, "texel": [5, 3], "stays": True})
    page.evaluate(f"window.dispatchEvent(new CustomEvent('texelscope-show', {{detail: {again}}}))")
    page.wait("document.querySelector('#pass-2 .live').dataset.ready === '5,3'")
    assert page.evaluate(f"[{closed}.open, window.scrollY]") == [True, 200]
    assert page.evaluate("window.picks") == []


@pytest.mark.parametrize("texel", [None, [100000, 0]])
def test_a_texel_that_is_not_there_leaves_the_pick_alone(page: Chromium, texel: list[int] | None) -> None:
    before = picked(page)
    shown = {"pass": "down1", "texel": texel}
    page.evaluate(f"window.dispatchEvent(new CustomEvent('texelscope-show', {{detail: {json.dumps(shown)}}}))")
    assert picked(page) == before


def test_the_reads_of_a_recorded_texel_are_marked_in_its_inputs(page: Chromium) -> None:
    picked(page)
    counts = page.evaluate(
        "['right', 'unexpected', 'missing'].map((kind) => "
        "[...document.querySelectorAll(`#pass-0 .inputs .mark.${kind}`)]"
        ".reduce((sum, path) => sum + path.getAttribute('d').split('M').length - 1, 0))"
    )
    said = text(page, ".read-words")
    assert counts[0] > 0
    assert counts[1] + counts[2] > 0
    assert said.startswith(f"{counts[1]} texels should not have been read, {counts[2]} texels should have been read.")


def test_a_texel_without_a_recording_shows_what_it_should_read(page: Chromium) -> None:
    width, height = page.evaluate("(({width, height}) => [width, height])(document.querySelector('#pass-0 canvas'))")
    page.click(FIRST + "figure .texture canvas", 45.5 / width, 77.5 / height)
    assert picked(page) == "45,77"
    marks = page.evaluate("document.querySelector('#pass-0 .inputs .mark.expected').getAttribute('d')")
    # The element at y 13, x 13 of a convolution 4 by 4 in steps of 2, of the first of the image's tiles of 64 by 64.
    rows = {(25 + i, 25 + j) for i in range(4) for j in range(4)}
    seen = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h", marks)}
    assert {(x, y) for x, y in seen if x < 64 and y < 64} == rows
    assert "should read, by the operator's definition" in text(page, ".read-words")
    assert "was not recorded" in text(page, ".step-words")


def test_n_goes_to_the_next_texel_whose_reads_are_recorded(page: Chromium) -> None:
    page.click(FIRST + "figure .texture canvas", 0.5, 0.5)
    seen = {picked(page)}
    for _ in range(3):
        page.press("n")
        seen.add(picked(page))
        assert "not recorded" not in text(page, ".read-words")
    assert len(seen) >= 3


def test_buttons_and_arrow_keys_step_through_the_execution(page: Chromium) -> None:
    picked(page)
    page.click(FIRST + ".stepper .controls button")  # the first step
    first = text(page, ".step-words")
    assert first.startswith("Step 1 of ")
    page.click(FIRST + ".forward")
    second = text(page, ".step-words")
    assert second.startswith("Step 2 of ")
    assert page.evaluate("document.querySelector('#pass-0 .row.now').dataset.line")
    page.press("ArrowLeft")
    assert text(page, ".step-words") == first
    page.press("ArrowRight")
    page.press("ArrowRight")
    assert text(page, ".step-words").startswith("Step 3 of ")
    page.click(FIRST + ".back")
    assert text(page, ".step-words") == second
    page.press("End")
    assert text(page, ".step-words").startswith("End, behind step ")
    assert text(page, ".variables") != ""


def test_what_the_fragment_wrote_is_the_texels_value(page: Chromium) -> None:
    picked(page)
    page.click(FIRST + ".stepper .controls button")
    page.press("End")
    lane = text(page, ".step-words").rpartition("= ")[2].strip("()").split(",")[0]
    assert np.float32(lane) == np.float32(text(page, ".reading .actual"))


def test_the_first_wrong_term_of_the_sum_stands_beside_the_oracles(page: Chromium) -> None:
    picked(page)
    page.click(FIRST + ".first-wrong")
    assert "faulty" in str(page.evaluate("document.querySelector('#pass-0 .sum tr.now')?.className"))
    assert "terms" in text(page, ".values")


def test_a_click_on_a_finding_leads_to_its_texel_line_and_step(page: Chromium) -> None:
    worst = picked(page)
    page.click(FIRST + "figure .texture canvas", 0.99, 0.99)
    assert picked(page) != worst
    page.click(FIRST + ".to-finding")
    page.wait(f"document.querySelector('#pass-0 .live').dataset.picked === '{worst}'")
    assert picked(page) == worst
    line = page.evaluate("document.querySelector('#pass-0 .to-finding').dataset.line")
    page.wait(f"document.querySelector('#pass-0 .row.now')?.dataset.line === '{line}'")
    assert page.evaluate("document.querySelector('#pass-0 .row.now').classList.contains('faulty')")


def test_a_repair_stands_in_it_with_both_lines_whole(page: Chromium) -> None:
    lines: list[Any] = page.evaluate("[...document.querySelectorAll('#pass-0 .diff .gone')].map((e) => e.textContent)")
    source = (NETWORKS / "down1.frag").read_text(encoding="utf-8").splitlines()
    source += (NETWORKS / "down.frag").read_text(encoding="utf-8").splitlines()
    assert lines
    assert all(line[1:] in source for line in lines)
    assert page.evaluate("document.querySelectorAll('#pass-0 .diff .new').length")


def test_it_is_no_wider_than_a_narrow_window(page: Chromium, tmp_path: Path) -> None:
    picked(page)
    widths = "window.widths = [document.documentElement.scrollWidth, window.innerWidth]"
    page.picture(tmp_path / "narrow.png", 480, 900, before=widths)
    needed, given = page.evaluate("window.widths")
    assert needed <= given == 480


def test_a_pass_is_filled_when_it_is_opened_by_its_link(page: Chromium) -> None:
    page.click("tbody tr:nth-child(6) a")
    page.wait("document.querySelector('#pass-5 .live').dataset.ready")
    assert page.evaluate("document.querySelectorAll('#pass-5 .pictures canvas').length") >= 3


EVIL = "</script><img src=x onerror=\"document.title='hit'\"><!--"


def hostile_page() -> str:
    """The page of a wrong pass whose names, files, texts and traces are all written by an enemy."""
    nodes = [node("Relu", "x", "a", "first"), node("Neg", "a", "y", EVIL)]
    plan = pipeline.plan_of(model(nodes, [value("x", (1, 2, 4, 4))], [value("y", (1, 2, 4, 4))]))
    x = np.abs(array(1, 2, 4, 4))
    capture = Capture(EVIL, DeviceInfo(EVIL, EVIL), {"x": x, "a": x, "y": x}, {}, {})
    comparer = Comparer(plan)
    report = comparer.compare(capture)
    finding = Finding(EVIL, {EVIL: EVIL}, 1.0, 0.0, EVIL, 1, EVIL, EVIL)
    report = dataclasses.replace(
        report, passes=(report.passes[0], dataclasses.replace(report.passes[1], findings=(finding,)))
    )
    assert report.passes[1].isolated is not None
    element = report.passes[1].isolated.worst
    made = Assigned(EVIL, EVIL, (1.0,), 1, EVIL)
    step = TraceStep(0, (EVIL, 1), EVIL, 0, 0, (), EVIL, (made,))
    trace = Trace(EVIL, (0, 0), element, 1, (step,), {EVIL: (1.0, 0.0, 0.0, 1.0)}, uniforms={EVIL: (1.0,)})
    stored = plan.textures["y"]
    texel = stored.layout.texel_of(stored.shape, element)
    recorded = RecordedElement(
        ChosenElement(element, EVIL, is_traced=True), texel, problem=EVIL, trace=trace, sum=FragmentSum((), None, EVIL)
    )
    program = ProgramSource(EVIL, (SourceFile(0, EVIL, EVIL),))
    recordings, programs = {EVIL: (recorded,)}, {EVIL: program}
    return render(PageSubject(report, plan, capture, comparer.isolated_values(), recordings, programs=programs))


def test_names_and_texts_of_an_enemy_are_only_text(chromium: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(hostile_page(), encoding="utf-8")
    chromium.listen()
    chromium.open(path, until=f"{ALIVE} && document.querySelector('#pass-1 .live').dataset.ready")
    chromium.click("#pass-1 .to-finding")
    chromium.wait("document.querySelector('#pass-1 .row.now')")
    shown = chromium.evaluate("document.querySelector('#pass-1 .live').textContent")
    assert shown.count(EVIL) >= 6
    assert chromium.evaluate("document.querySelectorAll('img[src=x]').length") == 0
    assert chromium.evaluate("document.title") != "hit"
    assert chromium.complaints == []


@pytest.fixture(scope="module")
def facades(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the facades network, which matches."""
    outcome = diff(Target(str(FACADES), OpenOptions()), with_page=True)
    path = tmp_path_factory.mktemp("facades") / "report.html"
    assert outcome.page is not None
    path.write_text(outcome.page, encoding="utf-8")
    return path


def test_the_page_of_facades_is_no_larger_than_ten_megabytes_and_shows_every_pass(
    chromium: Chromium, facades: Path
) -> None:
    assert facades.stat().st_size <= MOST_BYTES
    chromium.listen()
    chromium.open(facades, until=ALIVE)
    for position in (0, 12, 29):
        chromium.evaluate(f"document.querySelector('#pass-{position}').closest('details').open = true")
        chromium.wait(f"document.querySelector('#pass-{position} .live').dataset.ready")
        assert chromium.evaluate(f"document.querySelectorAll('#pass-{position} .pictures canvas').length") >= 2
        assert chromium.evaluate(f"document.querySelectorAll('#pass-{position} .inputs .mark.expected').length") >= 1
    before = chromium.evaluate(LEFT_TOP)
    chromium.click("#pass-0 .lane + .lane")
    assert chromium.evaluate(LEFT_TOP) != before
    assert chromium.complaints == []
