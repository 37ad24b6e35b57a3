"""Tests the window's manners: light or dark, small or large, it shows its keys and versions, and loses no work."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window, all_match
from tests.gui.test_bad_files import save
from texelscope.viewer.memory.settings import FILE_NAME
from texelscope.viewer.palettes import DARK, LIGHT, RGBA


@pytest.fixture(scope="module")
def window(desktop: Desktop, typed_folder: Path) -> Iterator[Window]:
    """One window on a model of one pass, which is selected."""
    path = typed_folder / "m.onnx"
    save(path, "Relu", (1, 3, 8, 8))
    opened = desktop.start(path, folder=typed_folder)
    desktop.wait_for(opened, all_match, "it matches")
    desktop.click_on(opened, "bar File")
    desktop.press("Escape")
    assert "inside Findings" in opened.seen()["places"], "a window's first menu leaves the panels as they are"
    desktop.click_on(opened, "layer odd_one")
    yield opened
    opened.close()


def test_a_light_look_is_chosen_and_kept(desktop: Desktop, window: Window) -> None:
    left, top, width, height = window.seen()["places"]["inside Layers"]  # which end above it
    ground = round(left + width / 2), round(top + height - 20)
    assert near(desktop.colour_at(*ground), DARK["panel"])
    desktop.press("ctrl+shift+t")
    desktop.wait_until(lambda: near(desktop.colour_at(*ground), LIGHT["panel"]), "the ground is light")
    (kept,) = desktop.home.rglob("window.json")
    assert json.loads(kept.read_text(encoding="utf-8"))["look"] == "light"
    desktop.press("ctrl+shift+t")
    desktop.wait_until(lambda: near(desktop.colour_at(*ground), DARK["panel"]), "and dark again")


def test_help_lists_keys_pages_and_versions(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+F1")
    desktop.wait_for(window, lambda seen: "help keys" in seen["places"], "the keys are there")
    desktop.write("light")
    desktop.wait_for(window, lambda seen: "key of look" in seen["places"], "found")
    assert "key of grid" not in window.seen()["places"]
    desktop.press("shift+F1")
    desktop.wait_for(window, lambda seen: "page first-bug" in seen["places"], "the pages are there")
    desktop.press("alt+F1")
    desktop.click_on(window, "copy versions")
    desktop.press("Escape")
    desktop.wait_for(window, lambda seen: "help versions" not in seen["places"], "it is closed")
    desktop.click_on(window, "shader text")
    desktop.press("ctrl+Home", "ctrl+v")
    desktop.wait_for(window, lambda seen: seen["unsaved"] == ["relu.glsl"], "they can be pasted")
    desktop.press("ctrl+z")
    desktop.wait_for(window, lambda seen: not seen["unsaved"], "and undone")


def test_keys_that_come_within_one_frame_all_count_in_their_order(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "shader text")
    desktop.press("ctrl+Home")
    desktop.wait_for(window, lambda seen: 1 in lines_of(seen), "its beginning is in sight")
    first = lines_of(window.seen())[1]
    typed = [f"{word}{number}" for number in range(10) for word in ("ab", "cc")]
    for start in range(0, len(typed), 5):
        keys = [key for word in typed[start : start + 5] for key in ("End", "Return", *word)]
        desktop.press_at_once(*keys, within_frame=window)
    assert [lines_of(window.seen())[number] for number in range(1, 22)] == [first, *typed]
    desktop.press_at_once("Left", "BackSpace", "x", "Home", "Delete", "y", within_frame=window)
    assert lines_of(window.seen())[21] == "yx9", "and edits stand where the caret was"
    desktop.click_on(window, "revert shader")
    desktop.wait_for(window, lambda seen: not seen["unsaved"], "all is reverted")


def test_in_a_small_window_the_texture_gives_way_last(desktop: Desktop, window: Window) -> None:
    large = window.seen()["places"]["inside Texture"]
    desktop.resize(window, 1280, 800)
    shared = [0.8 * pixels for pixels in large[2:]]
    desktop.wait_for(
        window,
        lambda seen: all(
            abs(is_now / was - 1) < 0.05
            for is_now, was in zip(seen["places"]["inside Texture"][2:], shared, strict=True)
        ),
        "it does not shrink alone",
    )
    for width, height in ((1000, 640), (640, 480)):
        desktop.resize(window, width, height)
        desktop.wait_until(partial(stands_within, window, width, height), "it is smaller", window=window)
        _, _, across, down = window.seen()["places"]["as seen"]  # the picture and its legend
        assert across > width * 0.55
        assert down > height * 0.4
    tabs = [window.seen()["places"][f"panel {title}"][0] for title in ("Texture", "Graph", "Shader", "Findings")]
    assert tabs == sorted(tabs)
    desktop.click_on(window, "more tools")
    desktop.click_on(window, "compare")
    desktop.click_on(window, "compare chained")
    desktop.press("Escape")
    desktop.resize(window, 1600, 1000)
    desktop.wait_for(window, lambda seen: seen["places"].get("inside Texture") == large, "all is where it was")


def test_a_key_gives_the_texture_most_of_the_window_and_back_and_it_stays_fitted(
    desktop: Desktop, window: Window
) -> None:
    desktop.press("alt+2", "f")
    desktop.wait_for(window, lambda seen: "inside Shader" in seen["places"] and seen["settled"], "the usual places")
    before = window.seen()
    desktop.press("shift+f")
    desktop.wait_for(window, lambda seen: takes(seen, "canvas", 0.55) and seen["settled"], "the texture has the room")
    assert window.seen()["zoom"] > 1.3 * before["zoom"], "it is fitted to it"
    desktop.press("minus")
    zoomed = window.seen()["zoom"]
    desktop.press("shift+f")
    desktop.wait_for(
        window,
        lambda seen: all(seen["places"].get(name) == before["places"][name] for name in ("canvas", "inside Shader")),
        "all is where it was",
    )
    assert window.seen()["zoom"] == zoomed, "what was zoomed by hand stays"
    desktop.press("f")
    desktop.wait_for(window, lambda seen: seen["zoom"] == before["zoom"], "it is fitted again")


def test_compact_rows_show_20_layers_and_are_kept(desktop: Desktop, window: Window) -> None:
    desktop.press("alt+1")
    desktop.click_on(window, "compact rows")
    desktop.wait_for(window, lambda seen: rows_in_sight(seen) >= 20, "there is room for 20")
    assert kept(desktop)["compact"] is True
    desktop.press("shift+h")
    desktop.wait_for(window, lambda seen: rows_in_sight(seen) < 12, "they have two lines again")
    assert kept(desktop)["compact"] is False


def rows_in_sight(seen: dict[str, Any]) -> float:
    """How many rows the list of layers has room for, in a window whose first ones are `x` and `odd_one`."""
    (_, top, _, height), first, second = (
        seen["places"][name] for name in ("inside Layers", "layer x", "layer odd_one")
    )
    return float((top + height - first[1]) / (second[1] - first[1]))


def kept(desktop: Desktop) -> dict[str, Any]:
    """The settings as they are in their file."""
    text = (desktop.home / "config" / "texelscope" / FILE_NAME).read_text(encoding="utf-8")
    return dict(json.loads(text))


def test_the_interface_is_scaled_from_the_view_menu_and_by_keys(desktop: Desktop, window: Window) -> None:
    usual = window.seen()["places"]["run_all"]
    desktop.click_on(window, "bar View")
    desktop.move(*desktop.point_at(window, "menu scale"))
    desktop.click_on(window, "scale 1.5")
    desktop.wait_for(window, lambda seen: height_of(seen) == 1.5 * usual[3] and seen["settled"], "controls are larger")
    assert kept(desktop)["scale"] == 1.5
    desktop.press("ctrl+minus", "ctrl+minus")
    desktop.wait_for(window, lambda seen: seen["places"].get("run_all") == usual and seen["settled"], "as before")
    assert kept(desktop)["scale"] == 1.0


def height_of(seen: dict[str, Any]) -> float:
    return float(seen["places"].get("run_all", (0, 0, 0, 0))[3])


def test_a_layout_of_panels_is_kept_under_a_name_and_comes_back(desktop: Desktop, window: Window) -> None:
    usual = window.seen()["places"]["inside Texture"]
    desktop.press("alt+2", "shift+f")
    desktop.wait_for(window, lambda seen: takes(seen, "canvas", 0.55) and seen["settled"], "the texture has the room")
    open_layouts(desktop, window)
    desktop.click_on(window, "layout name")
    desktop.write("wide")
    desktop.press("Return")
    desktop.wait_until(lambda: "wide" in kept(desktop).get("layouts", {}), "it is kept", window=window)
    desktop.press("Escape", "Escape", "shift+f")
    desktop.wait_for(window, lambda seen: seen["places"].get("inside Texture") == usual, "the panels stand as usual")
    open_layouts(desktop, window)
    desktop.click_on(window, "kept layout wide")
    desktop.wait_for(window, lambda seen: takes(seen, "canvas", 0.55), "the kept layout is back")
    desktop.press("ctrl+shift+a")
    desktop.wait_for(window, lambda seen: "inside Shader" in seen["places"] and seen["settled"], "all is reset")


def open_layouts(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "bar View")
    desktop.move(*desktop.point_at(window, "menu layouts"))
    desktop.move(*desktop.point_at(window, "keep layout"))


def takes(seen: dict[str, Any], place: str, share: float) -> bool:
    """Whether a place takes that share of a window of 1600 by 1000 pixels."""
    _, _, width, height = seen["places"].get(place, (0, 0, 0, 0))
    return bool(width * height > share * 1600 * 1000)


def test_a_filter_that_nothing_matches_says_so_and_is_cleared(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+f")
    desktop.write("zz")
    desktop.wait_for(window, lambda seen: "clear filter" in seen["places"], "nothing matches")
    assert "layer odd_one" not in window.seen()["places"]
    desktop.click_on(window, "clear filter")
    desktop.wait_for(window, lambda seen: "layer odd_one" in seen["places"], "all are listed")
    assert not window.seen()["filter"]


def test_the_graph_is_searched_and_fitted(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "layer x")
    desktop.click_on(window, "panel Graph")
    desktop.click_on(window, "graph search")
    desktop.write("relu 8")
    desktop.wait_for(window, lambda seen: "graph found 1" in seen["places"], "operator and shape are found")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: seen["selected"] == "odd_one", "Enter goes there")
    box = window.seen()["places"]["graph odd_one"]
    desktop.scroll(*desktop.point_at(window, "graph odd_one"), notches=-3)
    desktop.wait_for(window, lambda seen: seen["places"]["graph odd_one"][2] < box[2], "it is smaller")
    desktop.click_on(window, "graph fit")
    desktop.wait_for(window, lambda seen: seen["places"]["graph odd_one"] == box, "it fits again")


def test_no_work_is_lost_by_leaving(desktop: Desktop, window: Window, typed_folder: Path) -> None:
    type_first(desktop, window, "// a")
    desktop.press("ctrl+s")
    desktop.wait_for(window, lambda seen: "where kept" in seen["places"] and seen["settled"], "it is tried")
    desktop.click_on(window, "layout")
    desktop.click_on(window, "layout channel_tiles")
    desktop.wait_for(window, lambda seen: seen["layout"] == "channel_tiles" and all_match(seen), "another layout")
    desktop.press("ctrl+q")
    desktop.wait_for(window, lambda seen: "leave save" in seen["places"], "it is asked")
    desktop.press("Escape")
    desktop.click_on(window, "keep in bundle")
    desktop.wait_for(window, lambda seen: any("Wrote" in line for line in seen["log"]), "a bundle holds it")

    desktop.press("ctrl+o", "ctrl+a")
    desktop.write("out/m/m.texelscope")
    desktop.press("Return")
    desktop.wait_for(
        window, lambda seen: "texelscope-" in seen["target"] and all_match(seen), "nothing was to be asked"
    )
    desktop.wait_for(window, lambda seen: "original shader" in seen["places"], "it runs as it was tried")
    assert "where kept" in window.seen()["places"], "it is said that the files are temporary"

    desktop.click_on(window, "keep in folder")
    desktop.wait_for(window, lambda seen: seen["target"].endswith("pipeline.toml") and all_match(seen), "it is open")
    assert window.seen()["selected"] == "odd_one", "one goes on where one was"
    shader = typed_folder / "out" / "m" / "m" / "shaders" / "odd_one.frag"
    assert "// a\n" in shader.read_text(encoding="utf-8")
    desktop.press("ctrl+equal")
    desktop.wait_for(window, lambda seen: height_of(seen) > 24 and seen["settled"], "controls are larger by a quarter")
    type_first(desktop, window, "// b")
    desktop.press("ctrl+q")
    desktop.wait_for(window, lambda seen: "leave save" in seen["places"], "it is asked again")
    desktop.press("s")
    desktop.wait_until(lambda: window.process.poll() == 0, "the window closes")
    assert shader.read_text(encoding="utf-8").startswith("// b\n")
    assert kept(desktop)["size"] == [1280, 800], "of 1600 by 1000 pixels, as much as it shows at scale 1"


def lines_of(seen: dict[str, Any]) -> dict[int, str]:
    """Returns the lines of the shader that are in sight, by number."""
    text = seen["text"]
    return {int(number): line for number, line in text["lines"].items()} if text is not None else {}


def test_edits_of_a_window_that_was_killed_are_offered_again(desktop: Desktop, launch: Launch, tmp_path: Path) -> None:
    target = Path(shutil.copytree(ROOT / "examples" / "webgl_cnn", tmp_path / "cnn")) / "broken.toml"
    first = launch(target)
    desktop.wait_for(first, lambda seen: bool(seen.get("verdicts")) and not seen["busy"], "it is compared")
    for name in ("down1", "down2"):
        desktop.click_on(first, f"layer {name}")
        desktop.wait_for(first, partial(shows, f"shader text of {name}.frag"), "its shader is shown")
        type_first(desktop, first, f"// {name}")
    folder = desktop.home / "config" / "texelscope" / "unsaved"
    desktop.wait_until(
        lambda: any(place.read_text(encoding="utf-8").count("// down") == 2 for place in folder.glob("*.json")),
        "both edits are kept",
        window=first,
    )
    first.process.kill()
    first.process.wait()

    second = launch(target)
    desktop.wait_for(second, lambda seen: "restore_edits" in seen.get("places", {}), "they are offered")
    desktop.press("r")
    desktop.wait_for(second, lambda seen: seen["unsaved"] == ["down1.frag"], "the first is in its editor")
    assert lines_of(second.seen())[1] == "// down1"
    desktop.click_on(second, "layer down2")
    desktop.wait_for(second, lambda seen: len(seen["unsaved"]) == 2, "and the other")
    assert not target.with_name("down1.frag").read_text(encoding="utf-8").startswith("//"), "no file has changed"
    desktop.press("ctrl+q")
    desktop.wait_for(second, lambda seen: "leave discard" in seen["places"], "they are unsaved work")
    desktop.press("d")
    desktop.wait_until(lambda: second.process.poll() == 0, "the window closes")
    assert not list(folder.iterdir()), "nothing is left of what was discarded"


def shows(place: str, seen: dict[str, Any]) -> bool:
    return place in seen["places"]


def type_first(desktop: Desktop, window: Window, text: str) -> None:
    """Type a line before the shader's first."""
    desktop.click_on(window, "shader text")
    desktop.press("ctrl+Home")
    desktop.write(text)
    desktop.press("Return")


def stands_within(window: Window, width: int, height: int) -> bool:
    """Whether the texture, and the button for what the tool bar has no room for, stand in a window of that size."""
    seen = window.seen()
    areas = [seen["places"].get(name) for name in ("inside Texture", "more tools", "canvas 0")]
    ends = [(area[0] + area[2], area[1] + area[3]) for area in areas if area is not None]
    return bool(seen["settled"]) and len(ends) == len(areas) and all(x <= width and y <= height for x, y in ends)


def near(colour: tuple[int, int, int], wanted: RGBA) -> bool:
    """Whether a colour on the screen is that one, but for rounding."""
    return all(abs(have - 255.0 * want) < 2.0 for have, want in zip(colour, wanted, strict=False))
