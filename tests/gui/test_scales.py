"""A person whose screens have different scales: what was arranged for one does not spoil the other."""

from __future__ import annotations

from tests.checkout import ROOT
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, all_match

EXAMPLE = ROOT / "examples" / "webgl_cnn" / "fixed.toml"


def test_an_arrangement_for_a_large_window_is_not_restored_in_a_small_one(desktop: Desktop, launch: Launch) -> None:
    """The window has the same pixels at twice the scale, and half of the room."""
    large = launch(EXAMPLE, "--scale", "1")
    desktop.wait_for(large, all_match, "it is compared")
    assert {"inside Layers", "inside Inspector"} <= large.seen()["places"].keys()
    desktop.press("ctrl+q")
    desktop.wait_until(lambda: large.process.poll() == 0, "it closes")
    small = launch(EXAMPLE, "--scale", "2")
    desktop.wait_for(small, all_match, "it is compared")
    places = small.seen()["places"]
    assert "inside Layers" in places
    assert "inside Inspector" not in places, "it stands behind the layers"
    assert places["inside Layers"][3] > 600
