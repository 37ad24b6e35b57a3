"""Tests how keys are named on each system."""

from __future__ import annotations

import sys

import pytest

from texelscope.viewer.key_names import with_keys


def test_chords_are_named_as_on_the_keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Ctrl+Shift+S saves, Alt+R shows a lane, F5 runs; Ctrl is held"
    assert with_keys(text) == text
    monkeypatch.setattr(sys, "platform", "darwin")
    assert with_keys(text) == "Cmd+Shift+S saves, Option+R shows a lane, F5 runs; Ctrl is held"
