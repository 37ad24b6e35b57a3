"""What another target makes of the window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from viewer.editing.drafts import Drafts
from viewer.shell.arrival import Arrival
from viewer.state import ViewState


def test_pictures_of_a_session_are_let_go_when_another_comes_and_not_before() -> None:
    forgotten: list[object] = []
    document = SimpleNamespace(session=None, origin=None, restored=None)
    canvas = SimpleNamespace(forget=lambda: forgotten.append(document.session))
    app = cast(Any, SimpleNamespace(document=document, canvas=canvas, state=ViewState(), drafts=Drafts()))
    arrival = Arrival()
    first, second = object(), object()
    for session in (None, first, first, second, None):
        document.session = session
        arrival.update(app)
    assert forgotten == [first, second, None]
