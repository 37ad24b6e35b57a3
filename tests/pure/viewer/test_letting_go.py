"""Panels that are not in sight hold on to nothing of what they showed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from texelscope.viewer.app import App
from texelscope.viewer.debugger.sum_panel import SumPanel
from texelscope.viewer.debugger.variables_panel import VariablesPanel
from texelscope.viewer.panel import Panel, all_panels, present
from texelscope.viewer.why.model.trail import Trail


@pytest.mark.parametrize("made", [SumPanel, VariablesPanel])
def test_a_panel_of_the_stepper_lets_its_trace_go(made: type[Panel]) -> None:
    panel = made()
    held = object()
    for name in vars(panel):
        setattr(panel, name, held)
    panel.let_go()
    assert sum(value is held for value in vars(panel).values()) == (made is VariablesPanel)  # where one stood


def test_a_panel_lets_go_when_it_is_not_there_or_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[str] = []
    for panel in all_panels():
        monkeypatch.setattr(panel, "let_go", lambda title=panel.title: gone.append(title))
    app = SimpleNamespace(
        state=SimpleNamespace(shown_panels={"Graph": False}),
        debugger=SimpleNamespace(stepping=SimpleNamespace(is_on=False), trail=Trail()),
        analyses=SimpleNamespace(captured=SimpleNamespace(shown_beside=lambda _session: None)),
        document=SimpleNamespace(session=None, target=None),
        training=SimpleNamespace(is_wanted=False),
    )
    app.selected = None
    there = {panel.title for panel in present(cast(App, app))}
    assert {"Graph", "Sum", "Variables"} <= set(gone)
    assert not there & set(gone)
    assert {"Shader", "Texture"} <= there
