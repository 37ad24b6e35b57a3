"""Which wrong pass is looked into next. Evidence needs GL and takes long: here it is never complete."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from pipeline.diagnose.evidence import gather
from pipeline.errors import TexelscopeError
from viewer.document.diagnoses import Diagnoses

NAMES = ("a", "b", "c", "d")
RIGHT = "b"


class Endless:
    """Evidence that is gathered for ever."""

    progress = 0.5

    def __init__(self, _session: object, _capture: object, name: str, _wrong: object) -> None:
        self.name = name
        self.is_closed = False

    def step(self) -> bool:
        return True

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def diagnoses(monkeypatch: pytest.MonkeyPatch) -> Iterator[Diagnoses]:
    monkeypatch.setattr(gather, "Gathering", Endless)
    made = Diagnoses(lambda: None)
    yield made
    made.close()


@pytest.fixture
def document() -> Any:
    """Four passes, of which one is right."""
    passes = {name: SimpleNamespace(name=name, output=name) for name in NAMES}
    reports = [SimpleNamespace(name=name, verdict="match" if name == RIGHT else "mismatch") for name in NAMES]
    tensors = {name: np.ones(1, np.float32) for name in NAMES}
    expected = SimpleNamespace(value=np.zeros(1), bound=np.zeros(1), storage_bound=np.zeros(1))
    comparison = SimpleNamespace(
        report=SimpleNamespace(passes=reports),
        isolated=dict.fromkeys(NAMES, expected),
        capture=SimpleNamespace(inside=(), tensors=tensors),
    )
    plan = SimpleNamespace(find=passes.get, pass_called=passes.__getitem__)
    run = SimpleNamespace(is_under_way=False, continuous=False)
    return cast(
        Any,
        SimpleNamespace(
            comparison=comparison, session=SimpleNamespace(plan=plan), run=run, revision=1, is_compared=True
        ),
    )


@pytest.fixture(autouse=True)
def _every_element_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.document.diagnoses.wrong_elements", lambda *_: np.ones(1, bool))


def under_way(diagnoses: Diagnoses) -> str | None:
    return diagnoses.current.name if diagnoses.current is not None else None


def test_the_selected_pass_comes_first_then_the_others_in_order(
    diagnoses: Diagnoses, document: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []

    def refuse(self: Endless) -> bool:
        taken.append(self.name)
        raise TexelscopeError(f"pass '{self.name}'", "evidence", "none", "Try again.")

    monkeypatch.setattr(Endless, "step", refuse)
    for _ in range(5):
        diagnoses.advance(document, 0.0, selected="c")
    assert taken == ["c", "a", "d"], "none is looked into twice"


def test_a_right_pass_that_is_selected_changes_nothing(diagnoses: Diagnoses, document: Any) -> None:
    diagnoses.advance(document, 0.0, selected=RIGHT)
    assert under_way(diagnoses) == "a"


def test_nothing_is_begun_while_somebody_works_unless_it_was_asked_for(diagnoses: Diagnoses, document: Any) -> None:
    diagnoses.advance(document, 0.0, selected="a", at_rest=False)
    assert (under_way(diagnoses), diagnoses.waits) == (None, True)
    diagnoses.ask("d")
    diagnoses.advance(document, 0.0, selected="a", at_rest=False)
    assert (under_way(diagnoses), diagnoses.waits) == ("d", False)


def test_what_is_asked_for_is_looked_into_at_once_and_the_other_later(diagnoses: Diagnoses, document: Any) -> None:
    diagnoses.advance(document, 0.0, selected="a")
    assert diagnoses.current is not None
    before = diagnoses.current.gathering
    diagnoses.ask("d")
    assert isinstance(before, Endless)
    assert before.is_closed, "nothing is left in the session's textures"
    diagnoses.advance(document, 0.0, selected="a")
    assert under_way(diagnoses) == "d"
    assert diagnoses.inquiry(document, "a") is None


def test_after_one_is_cancelled_the_others_wait_until_somebody_asks_or_something_changes(
    diagnoses: Diagnoses, document: Any
) -> None:
    diagnoses.advance(document, 0.0, selected="a")
    diagnoses.cancel()
    diagnoses.advance(document, 0.0, selected="a")
    assert under_way(diagnoses) is None
    assert diagnoses.holds(document)
    diagnoses.go_on()
    diagnoses.advance(document, 0.0, selected="a")
    assert under_way(diagnoses) == "a", "it has another try too"
    diagnoses.cancel()
    document.revision = 2
    diagnoses.advance(document, 0.0, selected="c")
    assert under_way(diagnoses) == "c"


def test_what_is_done_holds_no_evidence(diagnoses: Diagnoses, document: Any) -> None:
    diagnoses.advance(document, 0.0, selected="a")
    diagnoses.cancel()
    known = diagnoses.inquiry(document, "a")
    assert known is not None
    assert (known.gathering, known.job, known.locating) == (None, None, None)
