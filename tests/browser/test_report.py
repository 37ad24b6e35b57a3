"""The page of a report in a browser, by clicks and keys: texels, reads, executions, findings; whole in one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from texelscope.pipeline.commands.diff import ComparisonExtras, diff
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.target import OpenOptions, Target

NETWORKS = ROOT / "examples" / "webgl_cnn"
FACADES = ROOT / "examples" / "facades" / "facades.onnx"
MOST_BYTES = 10_000_000
ALIVE = "document.body.dataset.state === 'alive'"
FIRST = "#pass-0 "


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
    assert said.startswith(f"{counts[1]} texels should not have been read, {counts[2]} should have been.")


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


def test_a_pass_is_filled_when_it_is_opened_by_its_link(page: Chromium) -> None:
    page.click("tbody tr:nth-child(6) a")
    page.wait("document.querySelector('#pass-5 .live').dataset.ready")
    assert page.evaluate("document.querySelectorAll('#pass-5 .pictures canvas').length") >= 3


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
    assert chromium.complaints == []
