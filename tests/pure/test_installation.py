"""Where a copy of the program finds what came with it, and how it calls itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT
from texelscope.pipeline.installation import command, shipped_beside


def test_a_checkout_has_its_data_beside_the_packages() -> None:
    assert shipped_beside(ROOT) == ROOT


def test_installed_data_lies_in_the_folder_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "texelscope" / "shaders").mkdir(parents=True)
    (tmp_path / "shaders").mkdir()  # somebody else's
    assert shipped_beside(tmp_path) == tmp_path / "texelscope"


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
