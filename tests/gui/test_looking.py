"""Tests viewing wrong textures: from a finding to its place, in separate tabs, several textures side by side."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window
from texelscope.viewer.palettes import DARK, RGBA

EXAMPLES = ROOT / "examples" / "webgl_cnn"
# Passes whose shaders are put right: others that are wrong are diagnosed again whenever something changes.
MENDED = {"down3": "down", "up1": "up", "up2": "up", "up3": "up"}


@pytest.fixture(scope="module")
def shared(desktop: Desktop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """One window for all tests of the module, on a copy of the example with a bug in each of its first two passes."""
    folder = Path(shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("work") / "cnn"))
    for name, source in MENDED.items():
        shutil.copy(EXAMPLES / f"{source}.frag", folder / f"{name}.frag")
    window = desktop.start(folder / "broken.toml")
    desktop.wait_for(window, lambda seen: len(seen.get("verdicts", ())) == 6, "all passes are compared")
    yield window
    window.close()


@pytest.fixture
def window(desktop: Desktop, shared: Window) -> Window:
    """Restores the first pass in one tab, fitted, nothing picked."""
    for _ in range(len(shared.seen()["views"]) - 1):
        desktop.press("ctrl+Next", "ctrl+w")
    desktop.press("F4", "1", "f")
    desktop.wait_for(shared, lambda seen: bool(seen["findings"]), "it is looked into")
    if shared.seen()["diagnosing"] is not None:  # the others need not be
        desktop.press("Escape")
    desktop.wait_for(shared, is_first_pass, "down1 is shown in the only tab")
    return shared


def is_first_pass(seen: dict[str, Any]) -> bool:
    at_first = seen["selected"] == "down1" and seen["views"] == [None] and seen["pick"] is None
    return bool(at_first and seen["settled"] and not seen["busy"])


def test_a_click_on_a_finding_goes_to_the_texel_its_tile_and_the_line(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "panel Findings")
    desktop.wait_for(window, lambda seen: seen["findings"] == ["shift"], "the bug has its name")
    desktop.click_on(window, "finding shift")
    desktop.wait_for(window, lambda seen: seen["pick"] is not None and seen["line"] is not None, "its place is shown")
    seen = window.seen()
    (lane,) = seen["readout"]["lanes"]
    assert lane["actual"] != pytest.approx(lane["oracle"], rel=0.1), "it is one of the wrong ones"
    assert seen["line"] in (["down1.frag", 44], ["down1.frag", 36]), (
        "the line that reads, or once it is known that made"
    )
    tile = [axis // 32 for axis in seen["pick"]]
    assert [int(axis // 32) for axis in seen["centre"]] == tile, "its tile is in the middle"


def test_two_clicks_with_time_between_them_are_no_double_click(desktop: Desktop, window: Window) -> None:
    x, y = desktop.point_at(window, "layer down2")
    desktop.click(x, y)
    end = time.monotonic() + 0.6  # a double click's two are at most 0.3 s apart
    while time.monotonic() < end:  # frames are drawn meanwhile
        desktop.move(x + 40, y)
        desktop.move(x, y)
    desktop.click(x, y)
    desktop.wait_for(window, lambda seen: seen["selected"] == "down2" and seen["settled"], "down2 is shown")
    assert window.seen()["views"] == [None]


def test_a_double_click_on_a_layer_opens_a_tab_and_runs_nothing(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "layer down2", times=2)
    desktop.wait_for(window, lambda seen: seen["views"] == [None, "down2"], "it has a tab")
    desktop.click_on(window, "layer down2", times=2)
    desktop.wait_for(window, lambda seen: seen["settled"] and not seen["busy"], "the window is at rest")
    seen = window.seen()
    assert seen["views"] == [None, "down2"], "it gets no second one"
    assert seen["position"] == 6
    desktop.click_on(window, "layer down3")
    desktop.wait_for(window, lambda seen: seen["selected"] == "down3" and seen["settled"], "another layer is selected")
    assert window.seen()["views"] == [None, "down2"]


def test_arrows_choose_layers_in_the_list_and_texels_in_the_texture(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "layer down1")
    desktop.press("Down", "Down", "Up")
    desktop.wait_for(window, lambda seen: seen["selected"] == "down2" and seen["settled"], "the next is selected")
    assert window.seen()["pick"] is None
    desktop.click(*desktop.point_at(window, "canvas"))
    desktop.wait_for(window, lambda seen: seen["pick"] is not None, "a texel is picked")
    x, y = window.seen()["pick"]
    desktop.press("Down")
    desktop.wait_for(window, lambda seen: seen["pick"] == [x, y + 1], "the one below is picked")
    assert window.seen()["selected"] == "down2"


def test_the_menu_of_a_layer_runs_to_it(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "layer down3", button=3)
    desktop.click_on(window, "menu run_here")
    desktop.wait_for(
        window, lambda seen: seen["position"] == 3 and seen["selected"] == "down3", "three passes have run"
    )
    desktop.press("F5")
    desktop.wait_for(window, lambda seen: seen["position"] == 6 and not seen["busy"], "all have run again")


def test_linked_textures_side_by_side_zoom_together_and_unlinked_ones_do_not(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+t", "F4")
    desktop.click_on(window, "layer down2")
    desktop.press("s")
    desktop.wait_for(window, lambda seen: "canvas 1" in seen["places"] and seen["settled"], "both are there")
    before = window.seen()["zooms"]
    assert before[0] / before[1] == pytest.approx(128 / 96), "both show the whole of a texture"
    desktop.scroll(*desktop.point_at(window, "canvas 1"), 2)
    desktop.wait_for(window, lambda seen: seen["zooms"][1] > before[1] * 1.5 and seen["settled"], "one is larger")
    assert window.seen()["zooms"][0] / window.seen()["zooms"][1] == pytest.approx(128 / 96), "so is the other"
    desktop.press("k")
    linked = window.seen()["zooms"]
    desktop.scroll(*desktop.point_at(window, "canvas 1"), 2)
    desktop.wait_for(window, lambda seen: seen["zooms"][1] > linked[1] * 1.5 and seen["settled"], "one is larger still")
    assert window.seen()["zooms"][0] == linked[0]
    desktop.press("k", "s")
    desktop.wait_for(window, lambda seen: "canvas 1" not in seen["places"] or "canvas 0" not in seen["places"], "tabs")


def test_black_and_white_points_are_dragged_and_fitted_again(desktop: Desktop, window: Window) -> None:
    (left, top), (right, _) = (desktop.point_at(window, "range", across) for across in (0.0, 1.0))
    width = right - left
    desktop.drag((left + 1, top), (left + width // 4, top))
    desktop.drag((right - 1, top), (left + width // 2, top))

    def is_set(seen: dict[str, Any]) -> bool:  # values begin at 0: a quarter and a half of the way
        return seen["range"] is not None and abs(seen["range"][0] / seen["range"][1] - 0.5) < 0.05

    desktop.wait_for(window, is_set, "the range is set")
    desktop.click_on(window, "range auto", button=3)
    desktop.wait_for(window, lambda seen: seen["range"] is None, "it follows the data again")


def test_a_sign_is_explained_where_the_pointer_rests_and_a_menus_path_beside_the_menu(
    desktop: Desktop, window: Window
) -> None:
    desktop.move(*desktop.point_at(window, "sign down1"))
    desktop.wait_for(window, lambda seen: "tooltip" in seen["places"], "the sign is explained")
    left, top, _, height = window.seen()["places"]["only wrong"]
    assert desktop.colour_at(round(left), round(top + height / 2)) == rgb(DARK["quiet"]), "an empty box is framed"
    desktop.click_on(window, "bar File")
    desktop.move(*desktop.point_at(window, "recent"))
    desktop.move(*desktop.point_at(window, "recent 0"))
    desktop.wait_for(window, lambda seen: "tooltip" in seen["places"], "its path is shown")
    places = window.seen()["places"]
    assert places["tooltip"][0] > places["recent 0"][0] + places["recent 0"][2], "beside the entries"
    desktop.press("Escape", "Escape")


def rgb(colour: RGBA) -> tuple[int, int, int]:
    red, green, blue, _ = (round(255 * share) for share in colour)
    return red, green, blue


def test_tiles_too_narrow_for_their_labels_have_them_beside(desktop: Desktop, window: Window) -> None:
    for name, column in (("down1", 32), ("down2", 16)):
        desktop.click_on(window, f"layer {name}")
        desktop.click_on(window, "shown as")
        desktop.click_on(window, "shown as ncnn_pack4")
        desktop.press("f")
        desktop.wait_for(window, lambda seen: seen["shown_as"] == "ncnn_pack4" and seen["settled"], "it is packed")
        groups = 4 if name == "down1" else 9
        rows = [window.place_of(column, column * group)[1] for group in range(groups)]
        x = window.place_of(column - 1, 0)[0] + round(window.seen()["zoom"])
        shot = desktop.screenshot()
        written = [max(shot.crop((x, y - 4, x + 60, y + 18)).convert("L").tobytes()) > 200 for y in rows]
        assert written == [name == "down2"] * groups
        desktop.click_on(window, "shown as")
        desktop.click_on(window, "shown as stored")


def test_the_legend_of_marks_opens_where_marks_are(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "panel Taps")
    desktop.click(*desktop.point_at(window, "canvas"))
    desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are marked")
    desktop.click_on(window, "button marks")
    desktop.wait_for(
        window, lambda seen: {"legend of marks", "legend of reads"} <= set(seen["places"]), "marks are explained"
    )
    desktop.press("shift+y")
    desktop.wait_for(window, lambda seen: "legend of marks" not in seen["places"], "it is closed")


def test_right_reads_of_a_wrong_value_are_not_called_good(desktop: Desktop, window: Window) -> None:
    folder = Path(window.seen()["target"]).parent
    shutil.copy(EXAMPLES / "up2.frag", folder / "up2.frag")
    desktop.wait_for(window, lambda seen: seen["verdicts"].get("up2") == "mismatch", "its sums lack something")
    desktop.click_on(window, "layer up2")
    desktop.click_on(window, "panel Taps")
    desktop.press("w")
    desktop.wait_for(window, lambda seen: seen["taps"] is not None and seen["taps"]["name"] == "up2", "it is traced")
    assert window.seen()["taps"]["wrong"] == 0
    desktop.wait_for(window, lambda seen: seen["taps"]["judged"][0] is False, "its products are checked")
    _, text = window.seen()["taps"]["judged"]
    assert "all as expected" in text
    assert "but the value is wrong" in text
    shutil.copy(EXAMPLES / "up.frag", folder / "up2.frag")
    desktop.wait_for(window, lambda seen: seen["verdicts"].get("up2") == "match", "it is right again")


@pytest.mark.parametrize(("type_count", "keys"), [(1, ()), (6, ("F8",))], ids=["at rest", "while frames follow frames"])
def test_a_picture_that_is_dropped_goes_into_the_input(
    desktop: Desktop, window: Window, tmp_path: Path, type_count: int, keys: tuple[str, ...]
) -> None:
    picture = Path(shutil.copy(EXAMPLES / "inputs" / "gables.png", tmp_path / f"Straße {type_count}.png"))
    place = map(str, desktop.point_at(window, "canvas"))
    desktop.press(*keys)
    command = [sys.executable, "tests/gui/file_drop.py", window.identifier, *place, str(type_count), str(picture)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    desktop.wait_for(window, lambda seen: seen["inputs"].get("image") == str(picture), "it is the input")
    desktop.press(*keys)
    desktop.wait_for(window, lambda seen: not seen["busy"] and not seen["running"], "it has run")


def test_a_folder_that_is_opened_is_played_into_the_input(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+o", "ctrl+a")
    desktop.write(f"{EXAMPLES / 'inputs'}/")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: seen["inputs"]["image"].endswith("corner_shop.png"), "the first is shown")
    desktop.wait_for(window, lambda seen: seen["inputs"]["image"].endswith("gables.png"), "the next is shown")
    desktop.press("ctrl+period")
    desktop.wait_for(window, lambda seen: not seen["busy"] and not seen["running"] and seen["settled"], "it stops")


def test_the_roofline_is_there_once_the_device_was_measured(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "panel Timing")
    desktop.click_on(window, "timing Roofline")
    desktop.click_on(window, "measure device")
    desktop.wait_for(window, lambda seen: "roofline" in seen["places"], "the device is measured")
    width, height = window.seen()["places"]["roofline"][2:]
    assert width > 300
    assert height > 100


def test_an_error_shows_over_the_window_until_it_is_dismissed(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+o", "ctrl+a")
    desktop.write("/nowhere/at_all.onnx")
    desktop.press("Return")
    desktop.click_on(window, "dismiss notice")
    desktop.wait_for(window, lambda seen: "dismiss notice" not in seen["places"], "it is gone")
    assert "at_all.onnx" in window.seen()["log"][-1]


def test_a_bundle_reopens_what_was_seen(desktop: Desktop, window: Window, typed_folder: Path) -> None:
    desktop.press("ctrl+t", "3")
    desktop.wait_for(window, lambda seen: seen["views"] == [None, "down1"] and seen["mode"] == "difference", "a tab")
    desktop.press("ctrl+g")
    desktop.write("70 40")
    desktop.press("Return")
    desktop.click_on(window, "panel Export")
    desktop.click_on(window, "export folder")
    desktop.press("ctrl+a")
    desktop.write(str(typed_folder))
    desktop.click_on(window, "export bundle")
    desktop.wait_until(lambda: len(list(typed_folder.glob("*.texelscope"))) == 1, "it is written", window=window)
    before = {key: window.seen()[key] for key in ("selected", "views", "zooms", "mode", "pick", "verdicts")}
    assert before["pick"] == [70, 40]
    desktop.press("1", "ctrl+Next", "ctrl+w", "Home")
    (bundle,) = typed_folder.glob("*.texelscope")
    desktop.press("ctrl+o", "ctrl+a")
    desktop.write(str(bundle))
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: bundle.name in desktop.title(window) and not seen["busy"], "it is open")
    desktop.wait_for(window, lambda seen: {key: seen[key] for key in before} == before, "all is as it was")
