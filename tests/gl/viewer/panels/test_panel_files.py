"""Panels are files of a folder; a bad file is an error that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugin_folders import package_maker
from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.panels.registry import discover

MADE = """
from texelscope.viewer.panels.registry import Panel
class Made(Panel):
    title = "Made"
    place = "left"
    def draw(self, app): ...
PANEL = Made()
"""


def test_a_file_more_is_a_panel_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (panel,) = discover(package_maker(tmp_path, monkeypatch)({"made": MADE}))
    assert panel.title == "Made"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0", r"a module that imports, got ZeroDivisionError: division by zero\. Mend or remove the file\."),
        (
            MADE.replace("PANEL", "PANE"),
            r"PANEL, an instance of Panel, got none\. Define it at the end of the module\.",
        ),
        (MADE.replace("Made()", "Made"), r"PANEL, an instance of Panel, got <class '\S+\.made\.Made'>\."),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str) -> None:
    with pytest.raises(TexelscopeError, match=rf"/made\.py: expected {message}"):
        discover(package_maker(tmp_path, monkeypatch)({"made": text}))
