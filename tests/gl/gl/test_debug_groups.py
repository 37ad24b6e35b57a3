"""Names of forms in a debugger: there where somebody can see them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.models import saved_conv_and_relu
from texelscope import pipeline
from texelscope.pipeline.gl.passes import DEBUGGER


def _named(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch, folder: Path, *, untimed: bool) -> list[str]:
    names: list[str] = []

    def group(_context: moderngl.Context, name: str) -> AbstractContextManager[None]:
        names.append(name)
        return nullcontext()

    monkeypatch.setattr("texelscope.pipeline.gl.passes.debug_group", group)
    with pipeline.open(saved_conv_and_relu(folder), context=gl) as session:
        session.set_input("x", np.ones((1, 3, 8, 8), np.float32))
        with session.untimed() if untimed else nullcontext():
            session.run_fused()
    return names


def test_timed_forms_have_a_group(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert _named(gl, monkeypatch, tmp_path, untimed=False)


def test_untimed_ones_have_none(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert _named(gl, monkeypatch, tmp_path, untimed=True) == []


def test_with_a_debugger_all_have_one(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    listed = gl.extensions | {DEBUGGER}
    monkeypatch.setattr(moderngl.Context, "extensions", property(lambda _self: listed))
    assert _named(gl, monkeypatch, tmp_path, untimed=True)
