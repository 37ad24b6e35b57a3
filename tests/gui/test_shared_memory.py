"""A person looks into the shared memory of a compute shader, from barrier to barrier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

EXAMPLE = ROOT / "examples" / "convolution_twice" / "pipeline.toml"


@pytest.fixture(scope="module")
def opened(desktop: Desktop) -> Iterator[Window]:
    """A window on a pass that is dispatched, with a texel picked."""
    window = desktop.start(EXAMPLE)
    desktop.wait_for(window, lambda seen: bool(seen.get("verdicts")) and not seen["busy"], "it is compared")
    desktop.click_on(window, "layer dispatched")
    desktop.wait_for(window, lambda seen: seen["selected"] == "dispatched" and seen["settled"], "it is shown")
    desktop.click(*window.place_of(20, 9))
    desktop.click_on(window, "panel Shared memory")
    desktop.wait_for(window, lambda seen: seen["shared"] is not None, "the work group is recorded")
    yield window
    window.close()


def shared(window: Window) -> dict[str, Any]:
    return dict(window.seen()["shared"])


def test_barriers_are_gone_through_by_keys_and_by_buttons(desktop: Desktop, opened: Window) -> None:
    now = shared(opened)
    assert (now["phase"], now["phases"], now["group"]) == (0, 7, [2, 1, 0])
    assert "shared tile" in opened.seen()["places"]
    desktop.press("alt+Right", "alt+Right")
    desktop.wait_for(opened, lambda seen: seen["shared"]["phase"] == 2, "two barriers later")
    desktop.press("alt+Left")
    desktop.wait_for(opened, lambda seen: seen["shared"]["phase"] == 1, "one back")
    desktop.click_on(opened, "previous barrier")
    desktop.wait_for(opened, lambda seen: seen["shared"]["phase"] == 0, "the first again")


def test_an_element_leads_to_the_invocation_that_wrote_it_and_to_its_line(desktop: Desktop, opened: Window) -> None:
    assert shared(opened)["invocation"] == 12  # (4, 1): column 20 and row 9 in groups of 8x8
    left, top, width, height = opened.seen()["places"]["shared tile"]
    desktop.click(round(left + width * 0.05), round(top + height * 0.05))  # the first of 10x10
    desktop.wait_for(opened, lambda seen: seen["shared"]["invocation"] == 0, "invocation 0 wrote element 0")
    desktop.click_on(opened, "shared access 0")
    desktop.wait_for(opened, lambda seen: seen["line"] == ["conv.comp", 36], "its line is shown")
    desktop.click_on(opened, "shared writer")
    desktop.wait_for(opened, lambda seen: seen["shared"]["invocation"] == 12, "back to the texel's own")


def test_another_texel_is_of_another_work_group(desktop: Desktop, opened: Window) -> None:
    desktop.click(*opened.place_of(40, 30))
    desktop.wait_for(opened, lambda seen: seen["shared"]["group"] == [5, 3, 0], "it is recorded anew")
