"""Tests where a copy of the program finds its data, and which command starts it."""

from __future__ import annotations

import sys

import pytest

from tests.checkout import ROOT
from texelscope.pipeline.installation import SHIPPED, command


def test_shaders_and_examples_lie_beside_the_packages() -> None:
    assert SHIPPED == ROOT
    assert (SHIPPED / "shaders").is_dir()
    assert (SHIPPED / "examples").is_dir()


@pytest.mark.parametrize(
    ("started", "called"),
    [
        ("app.py", "app.py"),
        ("checkout/app.py", "app.py"),
        ("bin/texelscope", "texelscope"),
        ("Scripts/texelscope.exe", "texelscope"),
        ("site-packages/texelscope/__main__.py", "texelscope"),
        ("somebody_s_script.py", "texelscope"),
        ("", "texelscope"),
    ],
)
def test_advice_names_the_command_that_the_person_used(
    monkeypatch: pytest.MonkeyPatch, started: str, called: str
) -> None:
    monkeypatch.setattr(sys, "argv", [started])
    assert command() == called
