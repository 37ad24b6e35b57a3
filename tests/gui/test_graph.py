"""Tests the graph of a network of 600 passes: seen whole, folded by scopes, searched, and moved on its map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import onnx
import pytest

from tests.gui.desktop import Desktop, Window, all_match
from tests.scoped_network import scoped_network

STAGES = {f"graph box stage{number}" for number in range(1, 7)}
READABLE_PIXELS = 100.0


@pytest.fixture(scope="module")
def opened(desktop: Desktop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """Returns a window on the network, with the graph in front."""
    path = tmp_path_factory.mktemp("m") / "m.onnx"
    onnx.save(scoped_network(), path)
    window = desktop.start(path)
    desktop.wait_for(window, all_match, "every pass matches", 400)
    desktop.press("alt+3")
    desktop.wait_for(window, lambda seen: "graph search" in seen["places"], "the graph is shown")
    yield window
    window.close()


@pytest.fixture
def graph(desktop: Desktop, opened: Window) -> Window:
    """The graph with everything folded and fitted, and the input selected."""
    desktop.click_on(opened, "panel Graph")
    desktop.press("Home", "shift+z")
    desktop.click_on(opened, "graph all")
    desktop.wait_for(opened, lambda seen: shown(seen) == STAGES | {"graph x"}, "every stage is a box")
    return opened


def shown(seen: dict[str, Any]) -> set[str]:
    """The boxes that stand in the graph, by the names of their places."""
    return {name for name in seen["places"] if name.startswith(("graph box ", "graph stage", "graph x"))}


def has(*names: str) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: set(names) <= seen["places"].keys() and seen["settled"]


def test_a_large_network_opens_folded(desktop: Desktop, opened: Window) -> None:
    desktop.wait_for(opened, has("graph x", "graph box stage1", "graph box stage2"), "its stages are boxes")
    assert shown(opened.seen()) <= STAGES | {"graph x"}


def test_a_double_click_unfolds_a_box_and_a_key_folds_it_again(desktop: Desktop, graph: Window) -> None:
    before = graph.seen()["places"]["graph box stage2"]
    desktop.click_on(graph, "graph box stage2", times=2)
    desktop.wait_for(graph, has("graph box stage2/block1"), "its blocks are boxes")
    assert "graph box stage2" not in graph.seen()["places"]
    assert graph.seen()["places"]["graph box stage2/block1"][:2] == pytest.approx(before[:2]), "it unfolds where it was"
    desktop.wait_for(graph, lambda seen: seen["selected"] == "stage2/block1/act", "its first pass is selected")
    desktop.press("z")
    desktop.wait_for(graph, has("graph stage2/block1/act", "graph stage2/block1/join"), "the block is unfolded")
    desktop.press("z")
    desktop.wait_for(graph, has("graph box stage2/block1"), "the block is folded")


def test_all_600_passes_are_in_sight_at_once(desktop: Desktop, graph: Window) -> None:
    desktop.press("alt+z")
    desktop.wait_for(graph, has("graph stage1/block1/act"), "everything is unfolded")
    assert len(shown(graph.seen())) < 100
    desktop.click_on(graph, "graph all")
    desktop.wait_for(graph, lambda seen: len(shown(seen)) == 601, "everything is in sight")
    places = graph.seen()["places"]
    left, top, width, height = places["inside Graph"]
    for name in shown(graph.seen()):
        x, y, wide, high = places[name]
        assert left <= x <= left + width - wide, name
        assert top <= y <= top + height - high, name
        assert wide >= 10.0, "a bar, no hairline"
    assert "graph map" not in places, "it would show the same"


def test_enter_goes_to_the_next_match_in_a_folded_box_and_zooms_until_it_is_read(
    desktop: Desktop, graph: Window
) -> None:
    desktop.click_on(graph, "graph search")
    desktop.press("ctrl+a")
    desktop.write("block7/tanh stage4")
    desktop.wait_for(graph, has("graph found 0"), "nothing has that name")
    desktop.press("ctrl+a")
    desktop.write("block7/squash")
    desktop.wait_for(graph, has("graph found 6"), "one in each stage is found")
    desktop.press("alt+z")
    desktop.click_on(graph, "graph all")
    desktop.press("shift+z")
    desktop.click_on(graph, "graph search")
    for stage in (1, 2):
        desktop.press("Return")
        name = f"stage{stage}/block7/squash"
        desktop.wait_for(graph, lambda seen, name=name: seen["selected"] == name, f"{name} is selected")  # type: ignore[misc]
        desktop.wait_for(graph, has(f"graph {name}"), "it has a box of its own")
        assert graph.seen()["places"][f"graph {name}"][2] > READABLE_PIXELS
    desktop.press("shift+Return")
    desktop.wait_for(graph, lambda seen: seen["selected"] == "stage1/block7/squash", "one before")
    desktop.press("ctrl+a", "BackSpace", "Return")


def test_a_click_on_the_map_moves_the_view_and_a_drag_goes_on(desktop: Desktop, graph: Window) -> None:
    desktop.press("alt+z")
    desktop.wait_for(graph, has("graph stage1/block1/act", "graph map"), "the map is there")
    desktop.click(*desktop.point_at(graph, "graph map", 0.5, 0.95))
    desktop.wait_for(graph, lambda seen: any("stage6/" in name for name in shown(seen)), "the end is in sight")
    assert not any("stage1/" in name for name in shown(graph.seen()))
    desktop.drag(desktop.point_at(graph, "graph map", 0.5, 0.9), desktop.point_at(graph, "graph map", 0.5, 0.05))
    desktop.wait_for(graph, lambda seen: any("stage1/" in name for name in shown(seen)), "the beginning is in sight")
    assert graph.seen()["selected"] == "x", "nothing behind the map was clicked"


def test_a_pass_that_is_selected_elsewhere_keeps_its_box_folded_and_brings_it_into_sight(
    desktop: Desktop, graph: Window
) -> None:
    desktop.press("End")
    desktop.wait_for(graph, lambda seen: seen["selected"] == "stage6/block20/join", "the last pass is selected")
    desktop.wait_for(graph, has("graph box stage6"), "its box is in sight")
    assert "graph stage6/block20/join" not in graph.seen()["places"]


def test_the_menu_folds_to_a_depth_and_that_outlasts_a_change_of_the_layout(desktop: Desktop, graph: Window) -> None:
    desktop.click_on(graph, "graph fold")
    desktop.click_on(graph, "graph depth 2")
    desktop.wait_for(graph, has("graph box stage1/block1"), "every block is a box")
    desktop.click_on(graph, "layout")
    desktop.click_on(graph, "layout channel_tiles")
    desktop.wait_for(
        graph, lambda seen: seen["layout"] == "channel_tiles" and all_match(seen), "it is planned anew", 400
    )
    desktop.wait_for(graph, has("graph box stage1/block1"), "the blocks are still folded")
