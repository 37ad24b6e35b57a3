"""Sizes shrink to the smallest that fail as the whole does, and no other failure is taken for it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import pytest

from texelscope.pipeline.compare.report import Finding, PassReport
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.reduce.search import ReductionSearch, SmallestCandidate
from texelscope.pipeline.reduce.trial import CandidateRunner, ExpectedFailure, Failure
from texelscope.pipeline.reduce.written import FolderContents
from texelscope.pipeline.resizing.axes import AxisGroup, Member
from texelscope.pipeline.resizing.subject import PassSubject

NOTHING = ProgramSource("", ())


def subject(shape: tuple[int, ...]) -> PassSubject:
    each = Pass("p", "Relu", ("y",), (), NOTHING)
    values = {"x": np.arange(np.prod(shape), dtype=np.float32).reshape(shape) + 0.25}
    return PassSubject("p", each, (), values, ("x",), {}, NOTHING, {}, {}, None, None)


def failure(cause: str, *others: str, **parameters: Any) -> Failure:
    findings = tuple(Finding(each, parameters, 1.0, 0.0, "", None, "", "") for each in (cause, *others))
    return Failure("mismatch", PassReport("p", "Relu", (), "", "mismatch"), findings)


class Rules:
    """Stands for what makes folders and for what runs them: `fails` says how a subject of some shape does."""

    keeps = ""

    def __init__(self, fails: Any) -> None:
        self._fails = fails
        self._shapes: dict[int, PassSubject] = {}

    def is_valid(self, _subject: PassSubject) -> bool:
        return True

    def folders(self, each: PassSubject) -> Iterator[FolderContents]:
        written = FolderContents({}, dict(each.values))
        self._shapes[id(written)] = each
        yield written

    def failure(self, written: FolderContents, _name: str, **_options: Any) -> Failure | None:
        return cast("Failure | None", self._fails(written.arrays["x"]))


def smallest(
    shape: tuple[int, ...], fails: Any, parameters: Mapping[str, Any] = MappingProxyType({})
) -> SmallestCandidate:
    whole, rules = subject(shape), Rules(fails)
    search = ReductionSearch(
        whole,
        rules,
        cast(CandidateRunner, rules),
        ExpectedFailure("mismatch", "shift"),
        time.monotonic() + 60,
        lambda _: None,
    )
    first = failure("shift", **parameters)
    axes = tuple(AxisGroup(size, (Member("axis", "x", axis),)) for axis, size in enumerate(shape) if size > 1)

    def groups(left: PassSubject) -> tuple[AxisGroup, ...]:
        sizes = left.shape("x")
        return tuple(AxisGroup(sizes[int(each.members[0].place)], each.members) for each in axes)

    return search.smallest(SmallestCandidate(whole, {}, next(rules.folders(whole)), first), groups)


@pytest.mark.parametrize("least", [(1, 1), (2, 3), (5, 1), (7, 64), (200, 300)])
def test_the_smallest_sizes_are_found(least: tuple[int, int]) -> None:
    best = smallest((224, 320), lambda x: failure("shift") if np.all(np.array(x.shape) >= least) else None)
    assert all(size <= max(want + want // 8, want) for size, want in zip(best.subject.shape("x"), least, strict=True))


def test_an_odd_size_that_a_bug_needs_is_kept() -> None:
    best = smallest((225, 225), lambda x: failure("shift") if x.shape[0] % 2 and x.shape[1] > 4 else None)
    assert best.subject.shape("x") == (1, 5)


def test_what_fails_otherwise_is_not_taken() -> None:
    best = smallest((64, 64), lambda x: failure("shift" if x.size > 30 else "stride"))
    assert best.failure.cause == "shift"
    assert 30 < best.subject.elements <= 64


def test_a_cause_that_is_named_alone_is_kept_alone_where_it_can_be() -> None:
    best = smallest((64, 64), lambda x: failure("shift") if x.size > 9 else failure("shift", "stride"))
    assert best.failure.rivals == {"shift"}
    assert best.subject.elements <= 16


def test_parameters_stay_where_they_can() -> None:
    best = smallest((64, 64), lambda x: failure("shift", dx=1 if x.shape[1] > 2 else 2), {"dx": 1})
    assert best.failure.parameters == {"dx": 1}
    assert best.subject.shape("x") == (1, 3)


def test_the_part_that_fails_is_found_at_the_end_too() -> None:
    best = smallest((40, 40), lambda x: failure("shift") if x.max() > 1599 else None)
    assert best.subject.shape("x") == (1, 1)


def test_numbers_become_as_simple_as_they_may() -> None:
    assert smallest((8, 8), lambda _x: failure("shift")).subject.values["x"].ravel().tolist() == [0.0]
    kept = smallest((8, 8), lambda x: failure("shift") if np.all(x % 1) else None)
    assert kept.subject.values["x"].ravel().tolist() == [np.float32(0.2)]
