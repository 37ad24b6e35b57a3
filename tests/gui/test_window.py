"""Tests the window on the demo, driven with mouse and keys as a person would."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window, all_match
from texelscope import pipeline
from texelscope.pipeline.opening import set_inputs
from texelscope.pipeline.target import Target

MODEL = ROOT / "examples" / "facades" / "facades.onnx"
PICTURE = sorted((ROOT / "examples" / "facades" / "inputs").glob("*.png"))[0]


@pytest.fixture(scope="module")
def shared(desktop: Desktop) -> Iterator[Window]:
    """One window on the demo for all tests of the module, with its input as it is stored."""
    window = desktop.start(MODEL, "--layout", "channel_tiles", "--input", f"labels={PICTURE}", "--verbose")
    desktop.wait_until(lambda: "30/30 match" in desktop.title(window), "all passes are compared", window=window)
    desktop.click_on(window, "close view 1")
    desktop.wait_for(window, shows("views", [None]), "the input stands alone")
    desktop.press("i")
    desktop.wait_for(window, shows("shown_as", "channel_tiles"), "the input is no picture any more")
    yield window
    window.close()


@pytest.fixture
def demo(desktop: Desktop, shared: Window) -> Window:
    """The demo as it is after opening: everything run, nothing picked, the actual texture fitted."""
    if shared.seen()["position"] < 30:
        desktop.press("F5")
    desktop.wait_for(shared, all_have_run, "everything has run and matches")
    desktop.press_at_once("Escape", "1", "Home", "f")
    desktop.wait_for(shared, lambda seen: seen["selected"] == "labels" and seen["settled"], "the input is selected")
    return shared


def all_have_run(seen: dict[str, Any]) -> bool:
    return seen["position"] == len(seen["verdicts"]) == 30 and all_match(seen)


def shows(what: str, value: object) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: seen[what] == value


@pytest.fixture(scope="module")
def tensors() -> dict[str, NDArray[np.float32]]:
    """Returns tensors of the demo by name, from a session without a window."""
    with pipeline.open(MODEL) as session:
        set_inputs(session, Target(str(MODEL), inputs={"": str(PICTURE)}))
        session.run(to="down2")
        return {name: session.tensor(name) for name in ("labels", "down1", "down2")}


def texel_at(window: Window, x: float, y: float) -> tuple[float, float]:
    """The texel position that is under a place of the screen."""
    seen = window.seen()
    left, top, width, height = seen["places"]["canvas"]
    return tuple(
        centre + (at - start - size / 2) / seen["zoom"]
        for centre, at, start, size in zip(seen["centre"], (x, y), (left, top), (width, height), strict=True)
    )


def test_a_model_is_opened_and_gets_its_verdict(desktop: Desktop, demo: Window) -> None:
    assert desktop.title(demo) == "Texelscope – facades.onnx – 30/30 match"
    assert set(demo.seen()["verdicts"].values()) == {"match"}


def test_a_click_on_a_layer_selects_it(desktop: Desktop, demo: Window) -> None:
    desktop.click_on(demo, "layer down1")
    desktop.wait_for(demo, lambda seen: seen["selected"] == "down1", "down1 is selected")
    assert "selected down1" in demo.printed()


def test_the_value_under_the_mouse_is_that_of_the_tensor(
    desktop: Desktop, demo: Window, tensors: dict[str, NDArray[np.float32]]
) -> None:
    desktop.move(*demo.place_of(33, 12))
    desktop.wait_for(demo, lambda seen: seen["hover"] == [33, 12], "the texel is under the mouse")
    (lane,) = demo.seen()["readout"]["lanes"]
    assert lane["index"] == [0, 0, 12, 33]
    assert lane["actual"] == tensors["labels"][0, 0, 12, 33]
    assert f"points at labels (33, 12) [0, 0, 12, 33] = {lane['actual']!r}" in demo.printed()


def test_a_picked_value_is_that_of_the_tensor_in_every_tile(
    desktop: Desktop, demo: Window, tensors: dict[str, NDArray[np.float32]]
) -> None:
    desktop.click_on(demo, "layer down1")
    desktop.wait_for(demo, lambda seen: seen["selected"] == "down1" and seen["settled"], "down1 is shown")
    for channel, y, x in ((0, 0, 0), (6, 30, 63), (15, 63, 17)):
        tx, ty = channel % 4 * 64 + x, channel // 4 * 64 + y
        desktop.click(*demo.place_of(tx, ty))
        desktop.wait_for(demo, shows("pick", [tx, ty]), "the texel is picked")
        (lane,) = demo.seen()["readout"]["lanes"]
        assert lane["index"] == [0, channel, y, x]
        assert lane["actual"] == pytest.approx(float(tensors["down1"][0, channel, y, x]), rel=1e-5)
        assert lane["oracle"] == pytest.approx(lane["actual"], rel=1e-3, abs=1e-5)


def test_arrow_keys_move_the_pick_by_one_texel(desktop: Desktop, demo: Window) -> None:
    desktop.click(*demo.place_of(20, 30))
    desktop.wait_for(demo, lambda seen: seen["pick"] == [20, 30], "the texel is picked")
    desktop.press("Right", "Right", "Down", "Left")
    desktop.wait_for(demo, lambda seen: seen["pick"] == [21, 31], "the pick has moved")


def test_steps_go_back_and_forward_and_what_has_not_run_says_so(desktop: Desktop, demo: Window) -> None:
    desktop.press("alt+Prior", "alt+Prior")
    desktop.wait_for(demo, lambda seen: seen["position"] == 28, "two passes are taken back")
    desktop.press("alt+Next")
    desktop.wait_for(demo, lambda seen: seen["position"] == 29 and not seen["busy"], "one pass has run again")
    seen = demo.seen()
    assert seen["selected"] == seen["layers"][29]
    assert seen["verdicts"][seen["layers"][30]] == "not_run"
    desktop.press("F5")
    desktop.wait_for(demo, all_have_run, "everything matches again")


def test_run_to_here_stops_at_the_selected_layer(desktop: Desktop, demo: Window) -> None:
    desktop.click_on(demo, "layer down2")
    desktop.click_on(demo, "run_here")
    wanted = ["match"] * 3 + ["not_run"] * 27
    desktop.wait_for(demo, lambda seen: list(seen["verdicts"].values()) == wanted, "three passes have run")
    assert demo.seen()["position"] == 3


def test_number_keys_choose_what_is_shown(desktop: Desktop, demo: Window) -> None:
    desktop.click_on(demo, "layer down1")
    pictures = []
    for key, mode in enumerate(("actual", "oracle", "difference", "ratio", "split", "flicker"), start=1):
        desktop.press(str(key))
        desktop.wait_for(demo, shows("mode", mode), f"key {key} shows {mode}")
        if mode != "flicker":
            left, top, width, height = demo.seen()["places"]["canvas"]
            still = desktop.wait_until_still(still_seconds=0.2)
            pictures.append(still.crop((round(left), round(top), round(left + width), round(top + height))).tobytes())
    actual, oracle, difference, ratio, _split = pictures
    assert actual == oracle, "a layer that matches looks like its oracle"
    assert difference != actual
    assert ratio != difference


def test_the_texel_under_the_mouse_stays_there_while_zooming(desktop: Desktop, demo: Window) -> None:
    x, y = demo.place_of(40, 200)
    before, zoom = texel_at(demo, x, y), demo.seen()["zoom"]
    desktop.scroll(x, y, 5)
    desktop.wait_for(demo, lambda seen: seen["zoom"] > 2.5 * zoom and seen["settled"], "the texture is larger")
    after = texel_at(demo, x, y)
    assert math.dist(before, after) * demo.seen()["zoom"] < 1.0, "moved by a pixel or more"
    desktop.scroll(x, y, -5)
    desktop.wait_for(demo, lambda seen: abs(seen["zoom"] - zoom) < 1e-6, "the texture has its first size again")


def test_a_drag_moves_the_texture_with_the_mouse(desktop: Desktop, demo: Window) -> None:
    x, y = demo.place_of(100, 100)
    before = texel_at(demo, x, y)
    desktop.drag((x, y), (x + 60, y + 40))
    desktop.wait_for(demo, lambda seen: seen["settled"], "the window is at rest")
    assert texel_at(demo, x + 60, y + 40) == pytest.approx(before, abs=0.01)
    assert demo.seen()["pick"] is None, "a drag is no click"


def test_the_seam_of_the_split_view_follows_the_mouse(desktop: Desktop, demo: Window) -> None:
    desktop.press("5")
    start = desktop.point_at(demo, "canvas")
    desktop.drag(start, (start[0] + 200, start[1]))
    left, _, width, _ = demo.seen()["places"]["canvas"]
    desktop.wait_for(
        demo, lambda seen: abs(seen["seam"] - (start[0] + 200 - left) / width) < 0.01, "the seam has moved"
    )


@pytest.mark.parametrize(("typed", "texel"), [("33 12", [33, 12]), ("0 1 5 7", [128 + 7, 5]), ("#16384", [128, 0])])
def test_go_to_takes_a_texel_or_a_tensor_index(desktop: Desktop, demo: Window, typed: str, texel: list[int]) -> None:
    desktop.press("ctrl+g")
    desktop.write(typed)
    desktop.press("Return")
    desktop.wait_for(demo, lambda seen: seen["pick"] == texel, f"{typed} is picked")
    assert demo.seen()["zoom"] >= 16


def test_the_palette_does_what_is_typed(desktop: Desktop, demo: Window) -> None:
    desktop.press("ctrl+p")
    desktop.write("show oracle")
    desktop.press("Return")
    desktop.wait_for(demo, lambda seen: seen["mode"] == "oracle", "the oracle is shown")


def test_the_palette_does_what_is_clicked(desktop: Desktop, demo: Window) -> None:
    desktop.press("ctrl+p")
    desktop.write("show oracle")
    desktop.click_on(demo, "palette mode_oracle")
    desktop.wait_for(demo, lambda seen: seen["mode"] == "oracle", "the oracle is shown")
    assert not any(name.startswith("palette ") for name in demo.seen()["places"])


def test_a_tensor_is_shown_as_in_another_layout_and_nothing_runs_again(
    desktop: Desktop, demo: Window, tensors: dict[str, NDArray[np.float32]]
) -> None:
    before = demo.seen()
    desktop.click_on(demo, "shown as")
    desktop.click_on(demo, "shown as channel_tiles_rgba")
    desktop.wait_for(demo, shows("shown_as", "channel_tiles_rgba"), "three channels are one tile")
    desktop.move(*demo.place_of(33, 12))
    desktop.wait_for(demo, lambda seen: seen["hover"] == [33, 12], "the texel is under the mouse")
    lanes = demo.seen()["readout"]["lanes"]
    assert [lane["actual"] for lane in lanes[:3]] == pytest.approx(tensors["labels"][0, :, 12, 33].tolist())
    assert (demo.seen()["layout"], demo.seen()["position"]) == (before["layout"], before["position"])
    lanes_off_and_on = ("alt+r", "alt+g", "alt+b", "alt+a") * 2
    desktop.press(*lanes_off_and_on)
    assert [line for line in demo.seen()["log"] if "failed" in line] == []
    desktop.click_on(demo, "shown as")
    desktop.click_on(demo, "shown as stored")
    desktop.wait_for(demo, shows("shown_as", "channel_tiles"), "it is shown as stored again")


def test_another_layout_is_chosen_in_its_list(desktop: Desktop, demo: Window) -> None:
    for layout in ("channel_tiles_rgba", "channel_tiles"):
        desktop.click_on(demo, "layout")
        desktop.click_on(demo, f"layout {layout}")
        desktop.wait_for(demo, shows("layout", layout), f"{layout} is open")
        desktop.wait_for(demo, lambda seen: len(seen["verdicts"]) == 30 and not seen["busy"], "everything is compared")
        assert set(demo.seen()["verdicts"].values()) == {"match"}


def test_a_window_with_nothing_to_do_uses_no_processor_time(desktop: Desktop, demo: Window) -> None:
    desktop.move(1590, 990)
    desktop.wait_for(demo, lambda seen: seen["settled"] and not seen["busy"], "the window is at rest")
    time.sleep(1.0)  # where the pointer rests a hint would have been shown by then
    frame, used, started = demo.seen()["frame"], demo.cpu_seconds(), time.monotonic()
    time.sleep(2.0)
    share = (demo.cpu_seconds() - used) / (time.monotonic() - started)
    assert demo.seen()["frame"] == frame, "it draws although nothing has happened"
    assert share < 0.05, f"{share:.0%} of a core"


def test_the_source_of_an_input_can_be_a_file_that_is_opened(
    desktop: Desktop, demo: Window, typed_folder: Path
) -> None:
    values = np.full((1, 3, 128, 128), 0.25, dtype=np.float32)
    np.save(typed_folder / "grey.npy", values)
    desktop.press("ctrl+o", "ctrl+a")
    desktop.write(str(typed_folder / "grey.npy"))
    desktop.press("Return")
    desktop.wait_for(demo, lambda seen: seen["inputs"].get("labels", "").endswith("grey.npy"), "the input is set")


def test_the_graph_shows_every_layer_and_a_click_selects(desktop: Desktop, demo: Window) -> None:
    desktop.click_on(demo, "panel Graph")
    desktop.move(*desktop.point_at(demo, "graph down2"))
    desktop.click_on(demo, "graph down2")
    desktop.wait_for(demo, shows("selected", "down2"), "down2 is selected")
    desktop.click_on(demo, "panel Texture")
    desktop.wait_for(demo, lambda seen: "canvas" in seen["places"], "the texture is there again")


def test_a_test_pattern_is_chosen_in_the_input_panel(desktop: Desktop, demo: Window) -> None:
    desktop.click_on(demo, "panel Input")
    desktop.click_on(demo, "pattern")
    desktop.click_on(demo, "pattern ramp")
    desktop.wait_for(demo, lambda seen: seen["inputs"]["labels"] == "ramp" and all_have_run(seen), "the ramp has run")


def test_what_is_painted_goes_into_the_input(desktop: Desktop, demo: Window) -> None:
    desktop.click_on(demo, "panel Input")
    start, end = desktop.point_at(demo, "paint", 0.25, 0.5), desktop.point_at(demo, "paint", 0.75, 0.5)
    desktop.drag(start, end)
    desktop.wait_for(demo, lambda seen: "painted" in seen["inputs"]["labels"] and all_have_run(seen), "it has run")
    desktop.move(*demo.place_of(64, 64))
    desktop.wait_for(demo, lambda seen: seen["hover"] == [64, 64] and seen["readout"], "the stroke is under the mouse")
    assert demo.seen()["readout"]["lanes"][0]["actual"] == 1.0
