"""Tests gradients in the window: requested in the Run menu, listed after the model's layers, linked with tensors."""

from __future__ import annotations

from pathlib import Path

import onnx

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, all_match
from tests.small_models import two_layers


def test_gradients_are_asked_for_in_the_menu_shown_beside_and_put_away(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    onnx.save(two_layers(), tmp_path / "model.onnx")
    window = launch(tmp_path / "model.onnx")
    desktop.wait_for(window, all_match, "it is compared")
    forward = window.seen()["layers"]
    desktop.click_on(window, "bar Run")
    desktop.click_on(window, "menu gradients")
    desktop.click_on(window, "gradients of y")
    desktop.wait_for(window, lambda seen: seen["gradients"] == "y" and all_match(seen), "the backward passes match")
    seen = window.seen()
    assert seen["layers"] == [*forward, *(name for name in seen["layers"] if name in seen["backward"])]
    assert len(seen["backward"]) >= 5
    assert "gradients heading" in seen["places"]
    desktop.click_on(window, "layer first")
    desktop.wait_for(window, lambda seen: "link w1.grad" in seen["places"], "its weight's gradient is linked")
    desktop.click_on(window, "link w1.grad")
    desktop.wait_for(window, lambda seen: seen["selected"] == "w1.grad" and seen["settled"], "the gradient is shown")
    desktop.click_on(window, "link w1")
    desktop.wait_for(window, lambda seen: seen["visit"] == "w1", "the weight is shown")
    desktop.press("Escape")
    desktop.click_on(window, "panel Graph")
    desktop.wait_for(window, lambda seen: "graph w1.grad" in seen["places"], "it is in the graph")
    places = window.seen()["places"]
    assert places["graph w1.grad"][0] > places["graph first"][0], "beside the network"
    desktop.press("ctrl+shift+g")
    desktop.wait_for(window, lambda seen: seen["layers"] == forward and all_match(seen), "they are gone")
    desktop.click_on(window, "layer rectified")
    desktop.wait_for(window, lambda seen: seen["selected"] == "rectified" and seen["settled"], "a layer is chosen")
    desktop.press("shift+g")
    desktop.wait_for(window, lambda seen: seen["gradients"] == "rectified" and all_match(seen), "by a key, of a layer")
