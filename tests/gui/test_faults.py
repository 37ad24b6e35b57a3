"""A panel or a command with a fault that nobody foresaw: a line of the log, and the window goes on."""

from __future__ import annotations

from pathlib import Path

from tests.gui.added_feature import launch_with_panel
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop

PANEL = """
import os
from texelscope.viewer.app import App
from texelscope.viewer.panel import Panel

class Planted(Panel):
    title, place, order = "Planted", "right", 0

    def draw(self, app: App) -> None:
        if os.path.exists("broken"):
            if not os.path.exists("sent"):
                open("sent", "w").close()
                app.send("select", nonsense=1)
            raise ValueError(f"planted in frame {os.urandom(4).hex()}")
        app.mark("it works again")

PANEL = Planted()
"""


def test_a_panel_and_a_command_with_a_fault_are_told_once_and_the_window_goes_on(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "broken").touch()
    window = launch_with_panel(launch, tmp_path, "planted", PANEL)
    desktop.wait_for(window, lambda seen: len(seen.get("verdicts") or ()) > 0, "passes are compared all the same")
    faults = [line for line in window.seen()["log"] if "fault" in line]
    assert len(faults) == 2
    for line, who in zip(faults, ("panel 'Planted'", "'select'"), strict=True):
        assert "\n" not in line
        assert line.startswith(f"error: {who}: expected no fault of this program, got ")
        log = Path(line.partition("All of it is in ")[2].partition(";")[0])
        assert log.parent == desktop.home / "state" / "texelscope"
        text = log.read_text()
        assert "Traceback (most recent call last)" in text
        assert "driver: DeviceInfo(renderer='llvmpipe" in text
    (tmp_path / "broken").unlink()
    desktop.press("F5")
    desktop.wait_for(window, lambda seen: "it works again" in seen["places"], "the panel is drawn again")
    assert "Traceback" not in window.output.read_text()
