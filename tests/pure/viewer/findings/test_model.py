"""Tests which wrong pass is diagnosed next. Evidence needs GL and takes long: here it is never complete."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import numpy as np
import pytest

from texelscope.pipeline.compare.judge import Judge
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.diagnose import beginning, explain, locating
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.diagnose.naming import REPAIR_SECONDS
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.kept_diagnoses import dependence
from texelscope.viewer.findings.model.diagnoses import Diagnoses
from texelscope.viewer.findings.model.inquiry import Inquiry

NAMES = ("a", "b", "c", "d")
RIGHT = "b"


class Endless:
    """The beginning of a diagnosis that gathers evidence for ever."""

    progress = 0.5
    diagnosis: Diagnosis | None = None

    def __init__(self, _session: object, _capture: object, name: str, _wrong: object) -> None:
        self.name = name
        self.is_closed = False

    def step(self) -> bool:
        return True

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def diagnoses(monkeypatch: pytest.MonkeyPatch) -> Iterator[Diagnoses]:
    monkeypatch.setattr(beginning, "Beginning", Endless)
    made = Diagnoses(lambda: None)
    yield made
    made.close()


@pytest.fixture
def document() -> Any:
    """Four passes, of which one is right."""
    passes = {name: SimpleNamespace(name=name, output=name, outputs=(name,)) for name in NAMES}
    reports = [SimpleNamespace(name=name, verdict="match" if name == RIGHT else "mismatch") for name in NAMES]
    tensors = {name: np.ones(1, np.float32) for name in NAMES}
    expected = SimpleNamespace(value=np.zeros(1), bound=np.zeros(1), storage_bound=np.zeros(1))
    comparison = SimpleNamespace(
        report=SimpleNamespace(passes=reports),
        isolated=dict.fromkeys(NAMES, expected),
        capture=SimpleNamespace(inside=(), tensors=tensors),
    )
    plan = SimpleNamespace(find=passes.get, pass_called=passes.__getitem__)
    comparison.plan, comparison.programs = plan, {name: SimpleNamespace() for name in NAMES}
    run, session = SimpleNamespace(is_under_way=False, continuous=False), SimpleNamespace(plan=plan)
    fields = {"comparison": comparison, "session": session, "run": run, "target": None}
    return cast(Any, SimpleNamespace(**fields, revision=1, is_compared=True))


@pytest.fixture(autouse=True)
def _every_element_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("texelscope.pipeline.compare.figures.wrong_elements", lambda *_: np.ones(1, bool))


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
    before = diagnoses.current.beginning
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
    assert (known.beginning, known.job, known.locating) == (None, None, None)


class Search:
    """A search for repairs that finds one at its second step and ends with its third."""

    progress = 0.5
    begun: ClassVar[list[str]] = []

    def __init__(self, _session: object, name: str, named: Diagnosis, seconds: float) -> None:
        Search.begun.append(name)
        self.seconds, self.steps, self.is_closed, self._named = seconds, 0, False, named

    def step(self) -> bool:
        self.steps += 1
        return self.steps < 3

    def close(self) -> None:
        self.is_closed = True

    @property
    def diagnosis(self) -> Diagnosis:
        repair = Repair((LineEdit("a.frag", 1, "x", "y"),), "", 1, 4)
        return replace(self._named, judge=None, repairs=(repair,) if self.steps > 1 else ())


@pytest.fixture
def named(diagnoses: Diagnoses, document: Any, monkeypatch: pytest.MonkeyPatch) -> Diagnoses:
    """All wrong passes are named at once; their repairs take three steps."""
    monkeypatch.setattr(locating, "Locating", Search)
    monkeypatch.setattr(Endless, "step", lambda _: False)
    monkeypatch.setattr(Endless, "evidence", None, raising=False)
    judge = Judge(*np.ones((3, 1)))
    monkeypatch.setattr(explain, "explain", lambda *_, **_ignored: Diagnosis((), judge=judge))
    Search.begun.clear()
    return diagnoses


def until(diagnoses: Diagnoses, document: Any, holds: Callable[[], bool], selected: str, **how: Any) -> None:
    end = time.monotonic() + 10.0
    while not holds():
        assert time.monotonic() < end
        diagnoses.advance(document, 0.0, selected=selected, **how)


def test_the_selected_one_is_named_and_mended_first_and_the_others_are_all_named_before_any_is_mended(
    named: Diagnoses, document: Any
) -> None:
    def left() -> list[str]:
        return [name for name in ("a", "c", "d") if named.inquiry(document, name) is None]

    until(named, document, lambda: bool(Search.begun), "c")
    assert (Search.begun, left()) == (["c"], ["a", "d"])
    known = named.inquiry(document, "c")
    assert known is not None
    assert (known.is_done, known.is_over) == (True, False)
    until(named, document, lambda: bool(known.repairs), "c")
    assert known.locating is not None, "results come while the search goes on"
    until(named, document, lambda: len(Search.begun) == 2, "c")
    assert (Search.begun, left()) == (["c", "a"], [])
    assert known.is_over
    assert [known.named, known.locating] == [None, None], "what was found by then is all that is kept"


def test_a_search_rests_while_somebody_works_gives_way_and_can_be_given_up(named: Diagnoses, document: Any) -> None:
    until(named, document, lambda: bool(Search.begun), "c")
    search = named.current.locating if named.current is not None else None
    assert isinstance(search, Search)
    assert not named.advance(document, 0.0, selected="c", at_rest=False)
    assert (search.steps, named.waits, search.seconds) == (1, True, REPAIR_SECONDS)
    named.advance(document, 0.0, selected="a")
    assert search.is_closed, "another pass is looked at, which is not mended yet"
    until(named, document, lambda: len(Search.begun) == 2, "a")
    named.drop()
    assert named.current is None, "the session is about to change"
    until(named, document, lambda: len(Search.begun) == 3, "a")
    assert Search.begun == ["c", "a", "a"]
    named.cancel()
    known = named.inquiry(document, "a")
    assert known is not None
    assert (known.is_done, known.given_up) == (True, True)
    named.advance(document, 0.0, selected="a")
    assert named.current is None
    named.ask("a")
    until(named, document, lambda: bool(known.repairs), "c")
    assert Search.begun == ["c", "a", "a", "a"]


def test_without_a_budget_only_what_is_asked_for_is_mended(named: Diagnoses, document: Any) -> None:
    named.repair_seconds = 0.0
    until(named, document, lambda: all(named.diagnosis(document, name) for name in ("a", "c", "d")), "a")
    for _ in range(3):
        named.advance(document, 0.0, selected="a")
    assert Search.begun == []
    named.ask("d")
    until(named, document, lambda: Search.begun == ["d"], "a")


def test_what_was_named_before_something_changed_keeps_its_findings_and_no_arrays(
    named: Diagnoses, document: Any
) -> None:
    until(named, document, lambda: len(Search.begun) == 2, "c")
    known = [named.inquiry(document, name) for name in ("a", "d")]
    assert all(each is not None and each.named is not None and each.named.judge is not None for each in known)
    document.revision += 1
    named.advance(document, 0.0, selected="c")
    assert [each.named for each in known if each is not None] == [None, None]
    assert sorted(named.findings_at(document.revision - 1)) == ["c", "d"], "the one under way begins anew"


def test_a_pass_whose_literals_alone_are_wrong_is_done_without_a_search(
    diagnoses: Diagnoses, document: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    repair = Repair((LineEdit("a.frag", 1, "x", "y"),), "", 1, 4)
    monkeypatch.setattr(Endless, "step", lambda _: False)
    monkeypatch.setattr(Endless, "diagnosis", Diagnosis((), repairs=(repair,)))
    diagnoses.advance(document, 0.0, selected="c")
    diagnoses.advance(document, 0.0, selected="c")
    known = diagnoses.inquiry(document, "c")
    assert known is not None
    assert (known.is_over, known.repairs, known.job) == (True, (repair,), None)
    until(diagnoses, document, lambda: all(diagnoses.diagnosis(document, name) for name in ("a", "d")), "c")


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    """The key under which each pass's diagnosis is kept."""
    found: dict[str, str | None] = {name: f"key of {name}" for name in NAMES}
    monkeypatch.setattr(dependence, "key_of", lambda _plan, shader_pass, *_: found[shader_pass.name])
    return found


@pytest.fixture
def windows(named: Diagnoses, tmp_path: Path) -> Iterator[Callable[[], Diagnoses]]:
    """Starts one window after another, all of one user; what `named` replaces holds in each."""
    assert named.current is None
    started: list[Diagnoses] = []

    def start() -> Diagnoses:
        started.append(Diagnoses(lambda: None, kept_in=tmp_path / "findings"))
        return started[-1]

    yield start
    for each in started:
        each.close()


def test_what_an_earlier_window_found_is_there_at_once_and_nothing_is_looked_for_again(
    windows: Callable[[], Diagnoses], document: Any, keys: dict[str, str | None]
) -> None:
    first = windows()
    until(first, document, lambda: all(each and each.is_over for each in known(first, document)), "c")
    begun = len(Search.begun)
    second = windows()
    while any(each is None for each in known(second, document)):  # no evidence, no job: only files are read
        assert second.advance(document, 0.0, selected="c", at_rest=False)
        assert second.current is None
    found = known(second, document)
    assert [each.diagnosis for each in found if each] == [each.diagnosis for each in known(first, document) if each]
    assert all(each and each.is_kept and each.is_over and each.repairs for each in found)
    second.advance(document, 0.0, selected="c")
    assert (second.current, len(Search.begun)) == (None, begun)
    keys["a"], document.comparison.number = "another", 2
    document.comparison, document.revision = SimpleNamespace(**vars(document.comparison)), 2
    until(second, document, lambda: under_way(second) is not None, "c")
    assert under_way(second) == "a", "the others have theirs although something was edited"


def test_a_name_that_was_kept_without_a_repair_stays_while_one_is_searched(
    windows: Callable[[], Diagnoses], document: Any, keys: dict[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = windows()
    first.repair_seconds = 0.0
    until(first, document, lambda: all(first.diagnosis(document, name) for name in ("a", "c", "d")), "a")
    second = windows()
    second.advance(document, 50.0, selected="a", at_rest=False)
    (inquiry, *_) = known(second, document)
    assert inquiry is not None
    assert (inquiry.is_done, inquiry.is_over, second.looks_for_line(document, "a")) == (True, False, True)
    monkeypatch.setattr(Endless, "step", lambda _: True)
    second.advance(document, 0.0, selected="a")
    assert (under_way(second), inquiry.beginning is not None, inquiry.is_done) == ("a", True, True)
    second.cancel()
    assert (inquiry.problem, inquiry.given_up, inquiry.diagnosis is not None) == ("", True, True)
    second.ask("a")
    monkeypatch.setattr(Endless, "step", lambda _: False)
    until(second, document, lambda: bool(inquiry.repairs) and inquiry.is_over, "a")
    third = windows()
    third.advance(document, 50.0, selected="a")
    found = third.inquiry(document, "a")
    assert found is not None
    assert (found.is_over, len(found.repairs)) == (True, 1), "what was found later is kept too"


def test_without_a_key_nothing_is_kept(
    windows: Callable[[], Diagnoses], document: Any, keys: dict[str, str | None], tmp_path: Path
) -> None:
    keys.update(dict.fromkeys(NAMES))
    first = windows()
    until(first, document, lambda: all(first.diagnosis(document, name) for name in ("a", "c", "d")), "a")
    assert not (tmp_path / "findings").exists()


def known(diagnoses: Diagnoses, document: Any) -> list[Inquiry | None]:
    return [diagnoses.inquiry(document, name) for name in ("a", "c", "d")]
