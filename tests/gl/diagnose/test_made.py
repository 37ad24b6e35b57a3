"""The line that made a wrong number is named where one alone did, and where nothing else may have: else none is."""

from __future__ import annotations

import moderngl
import pytest

from tests.faults.changes import Change, Edit, Uniform
from tests.faults.fault import Fault
from tests.faults.outcome import outcome
from tests.faults.seen.subjects import elements

NORM = elements.batchnorm_tiles


def made(gl: moderngl.Context, *changes: Change) -> tuple[str, int] | None:
    """What the first finding says of a normalisation with those changes."""
    findings = outcome(Fault("planted here", "", NORM, changes), gl, located=True).findings
    assert findings[0].explained == 1.0
    return findings[0].made


def test_it_is_the_line_that_was_changed_and_not_the_read(gl: moderngl.Context) -> None:
    found = made(gl, Edit("normal * texelFetch(u_scale, c, 0)", "normal * texelFetch(u_scale, c + 1, 0)"))
    assert found is not None
    assert found[1] == 25


@pytest.mark.parametrize(
    "change",
    [
        Uniform("u_slope", 0.4),  # what the plan says is wrong, and the text is right
        Edit("shifted * u_slope : shifted", "shifted * u_slope + shifted : shifted"),  # or a slope of one less
    ],
    ids=["uniform", "either"],
)
def test_where_another_line_or_a_uniform_may_be_wrong_none_is_named(gl: moderngl.Context, change: Change) -> None:
    assert made(gl, change) is None
