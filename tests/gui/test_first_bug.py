"""docs/first-bug.md, walked as its reader walks it: what the page says is what the window says."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.checkout import ROOT
from tests.first_bug import PAGE, block, line_of
from tests.gui.conftest import BUSY
from tests.gui.desktop import Desktop, Window
from texelscope.pipeline.diagnose.naming import REPAIR_SECONDS

PASSES = ("down1", "down2", "down3", "up1", "up2", "up3")


@pytest.fixture(scope="module")
def repair_seconds() -> float:
    """As long as for whoever chooses nothing, and longer on a busy machine."""
    return BUSY * REPAIR_SECONDS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of the page's copy of the example."""
    source, copy = block("sh").split()[2:]
    work = tmp_path_factory.mktemp("work")
    shutil.copytree(ROOT / source, work / copy)
    return work


@pytest.fixture(scope="module")
def opened(desktop: Desktop, folder: Path) -> Iterator[Window]:
    """Opens the page's window: everything is compared, the first bug is named and has a repair, no other has."""
    window = desktop.start("first-bug/broken.toml", folder=folder)
    desktop.wait_for(window, lambda seen: bool(seen.get("repairs")), "what mends the first bug is found", 300)
    desktop.press("Escape")
    yield window
    window.close()


def select(desktop: Desktop, window: Window, layer: str) -> None:
    if window.seen()["selected"] != layer:
        desktop.click_on(window, f"layer {layer}")
    desktop.wait_for(window, lambda seen: seen["selected"] == layer and seen["settled"], f"{layer} is shown")


def picture(desktop: Desktop, window: Window) -> NDArray[np.int64]:
    """The texture as it is shown, [height, width, 3] of 0 to 255."""
    left, top, width, height = (round(each) for each in window.seen()["places"]["canvas"])
    desktop.move(1599, 999)
    still = desktop.wait_until_still(seconds=150).crop((left, top, left + width, top + height))
    return np.asarray(still, dtype=np.int64)


def coloured(pixels: NDArray[np.int64]) -> int:
    """Counts the pixels that are neither black nor grey nor white."""
    return int(((pixels.max(axis=2) - pixels.min(axis=2)) > 60).sum())


def said(window: Window) -> dict[str, Any]:
    return window.seen()["verdicts"]  # type: ignore[no-any-return]


def test_step_1_the_output_is_not_the_house_of_the_oracle(desktop: Desktop, opened: Window) -> None:
    select(desktop, opened, "up3")
    desktop.press("c", "1")
    actual = picture(desktop, opened)
    desktop.press("2")
    oracle = picture(desktop, opened)
    desktop.press("1", "c")
    assert (np.abs(actual - oracle).max(axis=2) > 60).mean() > 0.2


def test_step_2_the_first_wrong_pass_is_found_by_f4(desktop: Desktop, opened: Window) -> None:
    assert said(opened) == dict.fromkeys(PASSES, "mismatch")
    assert "first wrong: down1" in PAGE
    select(desktop, opened, "image")
    desktop.press("F4")
    desktop.wait_for(opened, lambda seen: seen["selected"] == "down1", "the first wrong pass is selected")


def test_step_4_the_worst_texel_reads_a_square_that_is_moved(desktop: Desktop, opened: Window) -> None:
    select(desktop, opened, "down1")
    desktop.click_on(opened, "panel Taps")
    desktop.click_on(opened, "worst element")
    desktop.wait_for(opened, lambda seen: seen["taps"] is not None, "its reads are shown")
    assert opened.seen()["taps"]["name"] == "down1"
    # Of each channel's 4 by 4 texels, 7 are read wrongly and 7 are left out. Nothing comes of those of the empty tile.
    assert opened.seen()["taps"]["wrong"] == 3 * (7 + 7)


def test_step_4_the_bug_is_named(desktop: Desktop, opened: Window) -> None:
    select(desktop, opened, "down1")
    desktop.click_on(opened, "panel Findings")
    desktop.wait_for(opened, lambda seen: "finding shift" in seen["places"], "the finding is shown")
    assert opened.seen()["findings"] == ["shift"]


def test_step_5_what_mends_it_is_applied_unsaved_and_taken_back(desktop: Desktop, opened: Window, folder: Path) -> None:
    select(desktop, opened, "down1")
    shader = folder / "first-bug" / "down1.frag"
    before = shader.read_bytes()
    desktop.click_on(opened, "panel Findings")
    assert f"-{line_of('-')}\n+" in opened.seen()["repairs"][0]
    desktop.click_on(opened, "apply repair")
    desktop.wait_for(opened, lambda seen: seen["verdicts"].get("down1") == "match", "down1 matches")
    assert opened.seen()["text"]["lines"]["36"] != line_of("-")
    assert shader.read_bytes() == before, "nothing is saved by itself"
    desktop.press("ctrl+z")
    desktop.wait_for(opened, lambda seen: seen["verdicts"].get("down1") == "mismatch", "it is wrong again")
    assert opened.seen()["text"]["lines"]["36"] == line_of("-")
    assert "save shader" not in opened.seen()["places"], "the text is that of the file, to the letter"
    desktop.press("Escape")


def test_step_5_the_changed_line_is_taken_up_and_the_pass_matches(
    desktop: Desktop, opened: Window, folder: Path
) -> None:
    select(desktop, opened, "down1")
    desktop.press("3")
    before = picture(desktop, opened)
    shader = folder / "first-bug" / "down1.frag"
    text = shader.read_text(encoding="utf-8")
    assert text.count(line_of("-")) == 1
    assert text.split("\n").index(line_of("-")) + 1 == 36, "the page says line 36"
    shader.write_text(text.replace(line_of("-"), line_of("+")), encoding="utf-8")
    desktop.wait_for(opened, lambda seen: seen["verdicts"].get("down1") == "match", "down1 matches")
    assert said(opened) == {**dict.fromkeys(PASSES, "mismatch"), "down1": "match"}
    after = picture(desktop, opened)
    assert coloured(after) < coloured(before) / 20, "within rounding a difference looks like none"
    desktop.press("F4")
    desktop.wait_for(opened, lambda seen: seen["selected"] == "down2", "the next one is the first wrong")
