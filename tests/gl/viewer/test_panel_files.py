"""A panel is a file `panel.py` or `*_panel.py` in a folder of the viewer; a bad file is an error that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gl.viewer.features import package
from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.panel import discover

MADE = """
from texelscope.viewer.panel import Panel
class Made(Panel):
    title = "Made"
    place = "left"
    def draw(self, app): ...
PANEL = Made()
"""


def test_a_new_file_in_a_feature_is_a_new_panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "feature/panel.py": MADE,
        "feature/other_panel.py": MADE.replace('"Made"', '"Other"'),
        "feature/panels.py": "1 / 0",
        "panel.py": "1 / 0",
    }
    panels = discover(package(tmp_path, monkeypatch, "features_with_panels", files))
    assert [panel.title for panel in panels] == ["Made", "Other"], "other files are left alone"


@pytest.mark.parametrize(
    ("number", "text", "message"),
    [
        (0, "1 / 0", r"a module that imports, got ZeroDivisionError: division by zero\. Fix or remove the file\."),
        (
            1,
            MADE.replace("PANEL", "PANE"),
            r"PANEL, an instance of Panel, got none\. Define it at the end of the module\.",
        ),
        (2, MADE.replace("Made()", "Made"), r"PANEL, an instance of Panel, got <class '\S+\.panel\.Made'>\."),
    ],
)
def test_a_bad_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, text: str, message: str
) -> None:
    made = package(tmp_path, monkeypatch, f"bad_features_{number}", {"feature/panel.py": text})
    with pytest.raises(TexelscopeError, match=rf"/feature/panel\.py: expected {message}"):
        discover(made)
