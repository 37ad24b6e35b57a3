"""Starts the window with one feature more: a folder with a panel, beside those of the program."""

from __future__ import annotations

from pathlib import Path

from tests.checkout import ROOT
from tests.gui.conftest import Launch
from tests.gui.desktop import Window

_SCRIPT = """
import sys
import texelscope.viewer
texelscope.viewer.__path__.append(sys.argv.pop())
from texelscope.command_line import main
sys.exit(main())
"""


def launch_with_panel(launch: Launch, folder: Path, feature: str, panel: str) -> Window:
    """Opens the example of six passes, with `panel` as the text of `feature`'s panel.py; `folder` is worked in."""
    (folder / feature).mkdir()
    script = folder / "script.txt"
    for path, text in (
        (folder / feature / "__init__.py", ""),
        (folder / feature / "panel.py", panel),
        (script, _SCRIPT),
    ):
        path.write_text(text)
    model = ROOT / "examples" / "webgl_cnn" / "fixed.toml"
    return launch(model, folder, script=script, folder=folder)
