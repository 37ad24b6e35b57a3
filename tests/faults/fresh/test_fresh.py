"""What the cases of every style promise: edits that can be made, pipelines that are right, bugs that show.

A failure tells numbers of cases and no names, since whoever changes rules may see it.
"""

from __future__ import annotations

import hashlib
from collections import Counter

import moderngl
import pytest

from tests.faults.fresh.case import Planted
from tests.faults.fresh.cases import Case, cases_of, styles
from tests.faults.fresh.planting import planted, ran

# Each opens a pipeline; all of them would take minutes.
SAMPLE = {"fault": 4, "pair": 1, "healthy": 1}
STYLES = styles() or (pytest.param("none", marks=pytest.mark.skip("no style is written yet")),)


def _sample(style: str) -> list[tuple[int, Case]]:
    """Some of each kind, with their places in the style, always the same: the first by a hash of their names."""
    order = sorted(enumerate(cases_of(style)), key=lambda each: hashlib.sha256(each[1].what.name.encode()).hexdigest())
    return [each for kind, count in SAMPLE.items() for each in [of for of in order if of[1].kind == kind][:count]]


@pytest.mark.parametrize("style", STYLES)
def test_every_edit_can_be_made_and_every_case_has_a_name_of_its_own(style: str) -> None:
    cases = cases_of(style)
    assert cases
    unmade = []
    for place, case in enumerate(cases):
        try:
            with planted(case.folder, case.swaps):
                pass
        except (ValueError, OSError):
            unmade.append(place)
    assert unmade == []
    names = Counter(case.what.name for case in cases)
    assert [place for place, case in enumerate(cases) if names[case.what.name] > 1] == []


@pytest.mark.parametrize("style", STYLES)
def test_right_pipelines_match_and_planted_bugs_show_first_in_their_culprit(style: str, gl: moderngl.Context) -> None:
    otherwise = []
    for place, case in _sample(style):
        with planted(case.folder, case.swaps) as folder, ran(folder, gl) as session:
            report = session.compare(findings=False)
        if isinstance(case.what, Planted):
            as_told = report.culprit == case.what.culprit
        else:
            as_told = {each.verdict for each in report.passes} == {"match"}
        if not as_told:
            otherwise.append((place, report.verdict))
    assert otherwise == []
