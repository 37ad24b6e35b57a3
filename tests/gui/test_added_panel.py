"""A panel of a new folder, beside those of the program, is in the View menu and in the palette."""

from __future__ import annotations

from pathlib import Path

from tests.gui.added_feature import launch_with_panel
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop

PANEL = """
from texelscope.viewer.app import App
from texelscope.viewer.panel import Panel

class Made(Panel):
    title, place, order = "Made", "bottom", 99

    def draw(self, app: App) -> None:
        app.mark("made is drawn")

PANEL = Made()
"""


def test_a_new_panel_is_found_in_the_view_menu_and_in_the_palette(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    window = launch_with_panel(launch, tmp_path, "made", PANEL)
    desktop.wait_for(window, lambda seen: bool(seen.get("verdicts")) and not seen["busy"], "passes are compared", 60)
    desktop.click_on(window, "bar View")
    desktop.wait_for(window, lambda seen: "menu panels" in seen["places"], "the View menu is open")
    desktop.click_on(window, "menu panels")
    desktop.wait_for(window, lambda seen: "menu panel Made" in seen["places"], "the panel is in the menu")
    desktop.click(1500, 800)
    desktop.wait_for(window, lambda seen: "menu panel Made" not in seen["places"], "the menu is closed")
    assert "made is drawn" not in window.seen()["places"], "it is behind other panels"
    desktop.press("ctrl+p")
    desktop.wait_for(window, lambda seen: seen["settled"], "the palette is open")
    desktop.write("Panel Made")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: "made is drawn" in seen["places"], "the palette brings it to the front")
