"""Tests how the taps panel shows one element's reads."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import moderngl
import numpy as np

from tests.gl.viewer.conftest import model
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.viewer.app import App
from texelscope.viewer.reads.model.tap_view import trace


def window(left: int, top: int) -> set[tuple[int, int]]:
    return {(left + x, top + y) for x in range(3) for y in range(3)}


def test_the_texels_read_are_the_kernel_s_window_in_every_input_tile(session: DebugSession) -> None:
    view = trace(session, "conv", 2 * 6 + 4)  # row 2, column 4
    tapped = view.by_key["X"]
    assert view.judged
    assert view.wrong == 0
    assert tapped.right == window(4, 2) | window(8 + 4, 2)
    assert tapped.box == (0, 0, 16, 8)  # both tiles
    assert sum(site.reads for site in view.sites) == view.reads == 36


def test_a_window_that_is_off_by_one_shows_what_is_read_wrongly_and_what_is_left_out(session: DebugSession) -> None:
    shader = session.program_source("conv").fragment
    session.replace_shader("conv", shader.replace("first_channel + i, y, x)", "first_channel + i, y, x + 1)"))
    session.run()
    view = trace(session, "conv", 0)
    tapped = view.by_key["X"]
    assert tapped.unexpected == {(tx + 3, ty) for tx in (0, 8) for ty in range(3)}
    assert tapped.missing == {(tx, ty) for tx in (0, 8) for ty in range(3)}
    assert view.wrong == 12
    assert {site.wrong > 0 for site in view.sites if "X(" in site.site.text} == {True}


def test_a_shader_that_cannot_be_recorded_says_why(session: DebugSession) -> None:
    shader = session.program_source("conv").fragment
    session.replace_shader("conv", shader.replace("texelFetch(t_X, p.xy, 0)", "textureProj(t_X, vec3(p.xy, 1.0))"))
    session.run()
    view = trace(session, "conv", 0)
    assert "textureProj" in view.problem
    assert view.inputs == ()


def test_what_was_traced_in_one_session_is_not_shown_in_another_of_the_same_model(
    session: DebugSession, gl: moderngl.Context
) -> None:
    app = cast(Any, SimpleNamespace(document=SimpleNamespace(session=session)))
    app.analyses = SimpleNamespace(taps=trace(session, "conv", 0))
    assert App.fresh_taps(app) is app.analyses.taps
    with pipeline.open(model(), context=gl) as other:
        other.set_input("X", np.ones((1, 2, 8, 8), dtype=np.float32))
        other.run()
        app.document.session = other
        assert App.fresh_taps(app) is None
