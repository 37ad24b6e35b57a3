"""Saves the report from the window: a page with recorded reads and executions of what is wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

EXAMPLES = ROOT / "examples" / "webgl_cnn"


@pytest.fixture(scope="module")
def window(desktop: Desktop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A window on a copy of the network with a bug in every pass."""
    folder = Path(shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("work") / "cnn"))
    opened = desktop.start(folder / "broken.toml", folder=folder)
    desktop.wait_for(opened, lambda seen: len(seen.get("verdicts", ())) == 6, "all passes are compared")
    yield opened
    opened.close()


def contents_of(page: Path) -> Any:
    before, _, rest = page.read_text(encoding="utf-8").partition('id="contents">')
    assert before.startswith("<!DOCTYPE html>")
    return json.loads(rest.partition("</script>")[0])


def test_the_report_is_saved_with_reads_and_executions_of_every_wrong_pass(
    desktop: Desktop, window: Window, tmp_path: Path
) -> None:
    desktop.click_on(window, "panel Export")
    desktop.click_on(window, "export folder")
    desktop.press("ctrl+a")
    desktop.write(str(tmp_path))
    desktop.click_on(window, "export page")
    page = tmp_path / "report.html"
    desktop.wait_until(page.is_file, "it is written", window=window, seconds=120)
    passes = contents_of(page)["passes"]
    assert [each["name"] for each in passes] == ["down1", "down2", "down3", "up1", "up2", "up3"]
    assert all(each["elements"] for each in passes if each["isWrong"])
    assert "trace" in passes[0]["elements"][0]


def test_the_report_is_saved_by_its_key_while_the_window_goes_on(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+shift+r")
    desktop.wait_for(window, lambda seen: sum("report.html" in line for line in seen["log"]) >= 2, "it is written", 120)
    desktop.press("F4")
    desktop.wait_for(window, lambda seen: seen["selected"] == "down1", "the window answers")


def test_escape_cancels_the_report_while_it_is_being_recorded(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+shift+r", "Escape")
    desktop.wait_for(window, lambda seen: "info: Writing the report: cancelled." in seen["log"], "it is cancelled")
