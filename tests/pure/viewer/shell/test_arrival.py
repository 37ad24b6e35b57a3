"""Tests how another target changes the window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from texelscope.viewer.app import Inputs
from texelscope.viewer.graph.model.folding import Folds
from texelscope.viewer.shader_editor.model.drafts import Drafts
from texelscope.viewer.shell.arrival import Arrival, Pointing
from texelscope.viewer.state import ViewState
from texelscope.viewer.undoing.model import Deeds


def test_pictures_of_a_session_are_let_go_when_another_comes_and_not_before() -> None:
    forgotten: list[object] = []
    document = SimpleNamespace(session=None, origin=None, restored=None)
    canvas = SimpleNamespace(forget=lambda: forgotten.append(document.session))
    display, saving = SimpleNamespace(canvas=canvas), SimpleNamespace(drafts=Drafts())
    parts: dict[str, Any] = {"display": display, "saving": saving, "inputs": Inputs(), "demo": None}
    app = cast(Any, SimpleNamespace(document=document, state=ViewState(), deeds=Deeds(), **parts))
    arrival = Arrival()
    first, second = object(), object()
    for session in (None, first, first, second, None):
        document.session = session
        arrival.update(app)
    assert forgotten == [first, second, None]


def test_another_file_is_listed_whole_and_the_same_one_as_it_was_filtered() -> None:
    document = SimpleNamespace(session=None, origin=None, restored=None, target=None)
    display = SimpleNamespace(canvas=SimpleNamespace(forget=lambda: None))
    remembering = SimpleNamespace(note=lambda _origin, _state: None)
    parts: dict[str, Any] = {"display": display, "remembering": remembering, "saving": SimpleNamespace(drafts=Drafts())}
    parts |= {"inputs": Inputs(), "demo": None}
    app = cast(Any, SimpleNamespace(document=document, state=ViewState(), deeds=Deeds(), **parts))
    arrival = Arrival()
    kept = []
    for origin in ("a.onnx", "a.onnx", "b.onnx"):
        app.state.filter_text, app.state.only_wrong = "conv", True
        document.session, document.origin = object(), origin
        arrival.update(app)
        kept.append((app.state.filter_text, app.state.only_wrong))
    assert kept == [("conv", True), ("conv", True), ("", False)]


def test_what_is_folded_stays_folded_when_the_same_file_is_read_again_and_not_in_another() -> None:
    document = SimpleNamespace(session=None, origin=None, restored=None, target=None)
    display = SimpleNamespace(canvas=SimpleNamespace(forget=lambda: None))
    remembering = SimpleNamespace(note=lambda _origin, _state: None)
    parts: dict[str, Any] = {"display": display, "remembering": remembering, "saving": SimpleNamespace(drafts=Drafts())}
    parts |= {"inputs": Inputs(), "demo": None}
    app = cast(Any, SimpleNamespace(document=document, state=ViewState(), deeds=Deeds(), **parts))
    arrival, kept = Arrival(), []
    for origin in ("a.onnx", "a.onnx", "b.onnx"):
        document.session, document.origin = object(), origin
        arrival.update(app)
        kept.append(app.state.folds.chosen)
        app.state.folds = Folds(frozenset({"encoder"}))
    assert kept == [None, {"encoder"}, None]


def compared(culprit: str | None) -> Any:
    """A window in which passes were compared and nothing is found out yet; `app.found` is what will be."""
    debugger = SimpleNamespace(stepping=SimpleNamespace(is_on=False))
    app = SimpleNamespace(state=ViewState(), debugger=debugger, found=None, selected="input")
    report = SimpleNamespace(culprit=culprit)
    app.document = SimpleNamespace(comparison=SimpleNamespace(report=report), is_compared=True)
    app.analyses = SimpleNamespace(diagnoses=SimpleNamespace(diagnosis=lambda _document, _name: app.found))
    return app


def test_the_first_wrong_pass_is_selected_once_and_not_where_somebody_has_chosen() -> None:
    app, pointing = compared("conv1"), Pointing()
    pointing.update(app)
    assert app.state.selected == "conv1"
    app.document.comparison.report.culprit = "conv2"  # fixed by an edit: the view stays
    pointing.update(app)
    assert app.state.selected == "conv1"
    chosen = compared("conv1")
    chosen.state.select("input")
    Pointing().update(chosen)
    assert chosen.state.selected == "input"


def test_while_somebody_steps_nothing_is_selected_or_brought_into_sight() -> None:
    app, pointing = compared("conv1"), Pointing()
    app.debugger.stepping.is_on = True
    app.found = SimpleNamespace(findings=(SimpleNamespace(made=("a.frag", 7), shader="a.frag", line=9),), repairs=())
    pointing.update(app)
    assert (app.state.selected, app.state.wanted_sight) == (None, None)
    app.debugger.stepping.is_on = False
    pointing.update(app)
    assert (app.state.selected, app.state.wanted_sight) == ("conv1", ("a.frag", 7))
    app.state.wanted_sight = None
    pointing.update(app)
    assert app.state.wanted_sight is None, "a text that somebody scrolls stays where it is"
