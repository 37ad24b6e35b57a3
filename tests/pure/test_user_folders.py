"""Tests where settings and logs are kept on each system."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from texelscope.pipeline.user_folders import log_folder, settings_folder


@pytest.mark.parametrize(
    ("system", "settings", "logs"),
    [
        ("linux", ".config/texelscope", ".local/state/texelscope"),
        ("darwin", "Library/Application Support/texelscope", "Library/Logs/texelscope"),
        ("win32", "AppData/Roaming/texelscope", "AppData/Local/texelscope/logs"),
    ],
)
def test_each_system_has_its_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, settings: str, logs: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, "relative")  # which the specification has ignored
    assert (settings_folder(), log_folder()) == (tmp_path / settings, tmp_path / logs)


def test_a_folder_that_the_environment_names_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "s"))
    assert (settings_folder(), log_folder()) == (tmp_path / "c" / "texelscope", tmp_path / "s" / "texelscope")
