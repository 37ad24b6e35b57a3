"""The seconds of `--diagnose-seconds` are shared out over the wrong passes, and all of them may be used."""

from __future__ import annotations

import pytest

from texelscope.pipeline.diagnose.naming import PASSING_SECONDS, REPAIR_SECONDS, DiagnosisRequest


def used(request: DiagnosisRequest, passes: int, share: float) -> list[float]:
    """Returns the seconds that each pass gets, where each uses a share of its own."""
    spent, found = 0.0, []
    for left in range(passes, 0, -1):
        found.append(request.repair_seconds(spent, left))
        spent += share * found[-1]
    return found


@pytest.mark.parametrize(("seconds", "passes"), [(400.0, 6), (60.0, 2), (90.0, 1)])
def test_passes_that_use_their_seconds_use_all_of_them(seconds: float, passes: int) -> None:
    given = used(DiagnosisRequest(seconds=seconds), passes, 1.0)
    assert given == pytest.approx([seconds / passes] * passes)


def test_what_a_pass_leaves_goes_to_those_behind_it() -> None:
    given = used(DiagnosisRequest(seconds=100.0), 4, 0.5)
    assert given == sorted(given)
    assert given[-1] > 100.0 / 4


def test_of_few_seconds_the_first_pass_gets_what_is_usual() -> None:
    assert used(DiagnosisRequest(seconds=8.0), 6, 1.0)[:3] == [PASSING_SECONDS, PASSING_SECONDS, 2.0]


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        (DiagnosisRequest(), PASSING_SECONDS),
        (DiagnosisRequest(("a",)), REPAIR_SECONDS),
        (DiagnosisRequest(repairs=True), REPAIR_SECONDS),
    ],
)
def test_without_seconds_each_pass_gets_its_own(asked: DiagnosisRequest, seconds: float) -> None:
    assert used(asked, 3, 1.0) == [seconds] * 3
