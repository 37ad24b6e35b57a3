"""Quick to the answer: what is wrong is selected, named and in sight without a click; looking elsewhere keeps that."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.gui.conftest import BUSY
from tests.gui.desktop import Desktop, Window
from texelscope.pipeline.diagnose.naming import REPAIR_SECONDS
from texelscope.viewer.findings.lines import LOOKING, USED

EXAMPLES = ROOT / "examples" / "webgl_cnn"
# Passes whose shaders are put right, so that two wrong ones are left, far apart.
MENDED = {"down2": "down", "down3": "down", "up1": "up"}
FIRST, OTHER = "down1", "up2"
LINES_AT_LEAST = 25


@pytest.fixture(scope="module")
def repair_seconds() -> float:
    """As long as for whoever chooses nothing, and longer on a busy machine."""
    return BUSY * REPAIR_SECONDS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a copy of the example with a bug in its first pass and one in a later one."""
    work = Path(shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("work") / "cnn"))
    for name, source in MENDED.items():
        shutil.copy(EXAMPLES / f"{source}.frag", work / f"{name}.frag")
    shader = work / "up3.frag"
    shader.write_text(shader.read_text(encoding="utf-8").replace("u_num_inputs.y - 1.0", "u_num_inputs.y"), "utf-8")
    return work


@pytest.fixture(scope="module")
def window(desktop: Desktop, folder: Path) -> Iterator[Window]:
    """A window on it, in which nobody has done anything; all tests go on in it."""
    opened = desktop.start(folder / "broken.toml")
    yield opened
    opened.close()


def looks_at(key: str) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: bool(seen["visit"] == key and seen["settled"])


def lists(begins: str) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: bool(seen["filter"].startswith(begins))


def test_the_wrong_line_is_in_sight_and_marked_within_30_seconds_and_without_a_click(
    desktop: Desktop, window: Window, folder: Path
) -> None:
    # The line that uses the number is marked at first, and once a repair is found the one that made it.
    desktop.wait_for(
        window,
        lambda seen: seen.get("line_words") == [LOOKING] and [*seen["text"]["marked"].values()] == ["used"],
        "it is said that the line to change is not known, and none is marked so",
        300,
    )
    both = {"made", "used"}
    desktop.wait_for(
        window,
        lambda seen: bool(seen.get("place")) and both <= {*seen["text"]["marked"].values()},
        "the line is marked",
        300,
    )
    assert window.cpu_seconds() < 30, "counted so, work of others on the same cores makes nothing late"
    seen = window.seen()
    assert (seen["selected"], seen["findings"], seen["line_words"]) == (FIRST, ["shift"], [""])
    file, line = re.fullmatch(r"(.+):(\d+)", seen["place"]).groups()  # type: ignore[union-attr]
    text = (folder / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    assert seen["text"]["file"] == file
    assert seen["text"]["lines"][line] == text
    assert seen["text"]["marked"][line] == "made"
    assert len(seen["text"]["lines"]) >= LINES_AT_LEAST
    right = (EXAMPLES / "down.frag").read_text(encoding="utf-8").splitlines()
    assert text not in right, "it is the line that was changed, not one that only shows it"
    assert text.replace("(offset + 1.0)", "offset") in right


def test_all_wrong_passes_are_named_in_order_and_a_click_on_one_goes_there(desktop: Desktop, window: Window) -> None:
    both = {FIRST: ["shift"], OTHER: ["activation_missing"]}
    desktop.wait_for(window, lambda seen: seen["named"] == both, "the other one is named behind the first one's repair")
    assert list(window.seen()["named"]) == [FIRST, OTHER]
    desktop.press("Escape")
    desktop.wait_for(window, lambda seen: seen["diagnosing"] is None, "no more repairs are looked for")
    desktop.click_on(window, f"findings of {OTHER}")
    desktop.wait_for(window, lambda seen: seen["selected"] == OTHER and seen["settled"], "the other is selected")
    seen = window.seen()
    assert seen["findings"] == ["activation_missing"]
    assert seen["line_words"] == ["" if seen["repairs"] else USED], "nothing is looked for"
    assert seen["place"].rpartition(":")[2] in seen["text"]["marked"]
    assert f"findings of {FIRST}" in seen["places"], "the first stays in the list"
    desktop.click_on(window, "panel Taps")
    desktop.click_on(window, "verdict")
    desktop.wait_for(window, lambda seen: seen["selected"] == FIRST, "the verdict leads to the first")
    assert "finding shift" in window.seen()["places"], "and to what is found there"


def test_a_tensor_in_taps_is_looked_at_and_pass_shader_and_pick_stay(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "worst element")
    desktop.click_on(window, "panel Taps")
    desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are shown")
    kept = {key: window.seen()[key] for key in ("selected", "taps", "findings", "text")}
    pick, zoom = window.seen()["pick"], window.seen()["zoom"]
    assert pick is not None
    for key in ("image", "down1.weight"):
        desktop.click_on(window, f"taps in {key}")
        desktop.wait_for(window, looks_at(key), f"{key} is seen")
        assert {key: window.seen()[key] for key in kept} == kept
    desktop.click(*desktop.point_at(window, "canvas"))
    desktop.wait_for(window, lambda seen: seen["pick"] not in (None, pick), "a texel of the weights is picked")
    assert window.seen()["taps"] == kept["taps"], "the reads stay those of the texel that reads"
    desktop.press("Escape")
    desktop.wait_for(window, lambda seen: seen["visit"] is None and seen["pick"] == pick, "Esc goes back")
    assert window.seen()["zoom"] == zoom
    desktop.click_on(window, "taps in image")
    desktop.click_on(window, "go back")
    desktop.wait_for(window, lambda seen: seen["visit"] is None and seen["pick"] == pick, "so does the button")
    desktop.click_on(window, "taps in image")
    desktop.press("F4")
    desktop.wait_for(window, lambda seen: seen["visit"] is None and seen["selected"] == FIRST, "so does a selection")


def test_right_clicks_copy_what_is_said_and_go_to_lines(desktop: Desktop, window: Window) -> None:
    for place, entry, begins in (
        ("finding shift", "copy the text", f"{FIRST}: shift (by (1, 1)) explains all of it, down1.frag:"),
        ("layer operator", "copy the rows", "operator: Conv+Relu"),
    ):
        if place not in window.seen()["places"]:  # the repair stands before, in a panel that is scrolled
            desktop.scroll(*desktop.point_at(window, "worst element"), -30)
        desktop.click_on(window, place, button=3)
        desktop.click_on(window, f"menu {entry}")
        desktop.press("ctrl+f", "ctrl+a", "ctrl+v")
        desktop.wait_for(window, lists(begins), f"{entry}: {begins}")
        desktop.press("ctrl+a", "BackSpace", "Tab")
        desktop.wait_for(window, lambda seen: not seen["filter"], "all are listed")
    desktop.click_on(window, "finding shift", button=3)
    desktop.click_on(window, "menu line down1.frag:44")
    desktop.wait_for(window, lambda seen: seen["line"] == ["down1.frag", 44], "the line that reads is shown")
    desktop.click_on(window, "panel Log")
    desktop.click_on(window, "log 0", button=3)
    desktop.wait_for(window, lambda seen: "menu copy this line" in seen["places"], "lines of the log are copied too")
    desktop.press("Escape")


def test_what_mends_it_is_applied_by_a_click_saved_by_nobody_and_its_finding_is_there_again_when_it_is_undone(
    desktop: Desktop, window: Window, folder: Path
) -> None:
    before = (folder / "down1.frag").read_bytes()
    desktop.click_on(window, "panel Findings")
    desktop.click_on(window, "preview repair")
    title = f"'{FIRST}' repaired at down1.frag:36"
    desktop.wait_for(
        window, lambda seen: (seen["mode"], seen["against"]) == ("split", title), "both are seen, with a seam between"
    )
    desktop.wait_for(window, lambda seen: FIRST in seen["changes"], "it is compared with the repaired texture")
    assert window.seen()["verdicts"][FIRST] == "mismatch", "nothing is applied"
    desktop.click_on(window, "apply repair")
    desktop.wait_for(window, lambda seen: seen["against"] is None, "the oracle is there again, as it runs so now")
    desktop.wait_for(window, lambda seen: seen["verdicts"].get(FIRST) == "match", f"{FIRST} matches")
    assert (folder / "down1.frag").read_bytes() == before
    desktop.press("ctrl+z")
    desktop.wait_for(window, lambda seen: FIRST in seen["named"], "it is wrong again")
    seen = window.seen()
    assert (seen["named"][FIRST], len(seen["repairs"]) > 0) == (["shift"], True), "without a search"
