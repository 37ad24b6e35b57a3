"""The line that made a wrong number is named where one alone did, and where nothing else may have: else none is."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, cast

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.faults.changes import Change, Edit, Uniform
from tests.faults.fault import Fault
from tests.faults.outcome import outcome
from tests.faults.seen.subjects import elements
from texelscope.pipeline.compare.judge import Judge
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.diagnose.locating import Locating

NORM = elements.batchnorm_tiles


def made(gl: moderngl.Context, *changes: Change) -> tuple[str, int] | None:
    """Returns the first finding's words on a normalisation with those changes."""
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


def by_repair(gl: moderngl.Context, old: str, new: str) -> Diagnosis:
    """The diagnosis with repairs of a normalisation, where nothing was named before."""
    planted = Fault("planted here", "", NORM, (Edit(old, new),)).plant(gl)
    nothing = Diagnosis((), unexplained="Rows are wrong.", judge=Judge(*np.ones((3, 1))))
    with planted.session as session:
        return Locating(session, planted.name, nothing).run()


def test_what_nothing_explains_is_named_by_what_mends_it(gl: moderngl.Context) -> None:
    found = by_repair(gl, "normal * texelFetch(u_scale, c, 0)", "normal * texelFetch(u_scale, c + 1, 0)")
    first = found.findings[0]
    assert (first.cause, first.explained, first.sure, found.unexplained) == ("index_map", 1.0, False, "")
    assert first.repair == found.repairs[0]
    assert "texelFetch(u_scale, c + 1, 0)" in first.parameters["before"]
    assert "texelFetch(u_scale, c, 0)" in first.parameters["after"]
    assert first.evidence == ("this line reads another element: with the repair, all 210 elements match, on 4 inputs.")


def test_another_sign_is_a_factor(gl: moderngl.Context) -> None:
    found = by_repair(gl, "(x - mean)", "(x + mean)")
    assert [(each.cause, each.sure) for each in found.findings] == [("scale", False)]
    assert found.findings[0].evidence.startswith("this line has another sign: with the repair, ")


def test_what_is_at_odds_with_what_mends_it_is_not_sure_and_comes_behind(gl: moderngl.Context) -> None:
    factor = Finding(
        cause="scale", parameters={"factor": 2.0}, explained=1.0, residual=0.0, shader="a.frag", line=1,
        evidence="twice.", remedy="Half.", sure=True,
    )  # fmt: skip
    part = dataclasses.replace(factor, cause="shift", explained=0.5)
    change = Edit("normal * texelFetch(u_scale, c, 0)", "normal * texelFetch(u_scale, c + 1, 0)")
    planted = Fault("planted here", "", NORM, (change,)).plant(gl)
    with planted.session as session:
        named = Diagnosis((factor, part), judge=Judge(*np.ones((3, 1))))
        # An index is looked for last where a factor is to be wrong; a machine may be busy.
        found = Locating(session, planted.name, named, 60.0).run()
    assert [(each.cause, each.sure) for each in found.findings] == [
        ("index_map", False),
        ("scale", False),
        ("shift", False),
    ]


def sure_of(cause: str) -> Finding:
    """A finding of that cause which is sure."""
    return Finding(
        cause=cause, parameters={}, explained=1.0, residual=0.0, shader="a.frag", line=25,
        evidence="it is.", remedy="It.", sure=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("cause", "is_sure"),
    [
        ("index_map", True),  # as the repair says
        ("filter_offset", True),  # what the repair says is the wider word
        ("channel_permutation", False),  # what many a fault amounts to
        ("wrong_layout", False),  # an index is what the repair fixes
        ("flip_x", False),
    ],
)
def test_what_a_repair_does_not_say_is_not_sure(gl: moderngl.Context, cause: str, is_sure: bool) -> None:
    change = Edit("normal * texelFetch(u_scale, c, 0)", "normal * texelFetch(u_scale, c + 1, 0)")
    planted = Fault("planted here", "", NORM, (change,)).plant(gl)
    with planted.session as session:
        named = Diagnosis((sure_of(cause),), judge=Judge(*np.ones((3, 1))))
        found = Locating(session, planted.name, named).run()
    assert [each.sure for each in found.findings if each.cause == cause] == [is_sure]


@pytest.mark.parametrize(("cause", "is_sure"), [("wrong_function", False), ("stale_tensor", True)])
def test_where_no_repair_was_found_only_what_the_plan_does_is_sure(
    gl: moderngl.Context, cause: str, is_sure: bool
) -> None:
    changes = (
        Edit("(x - mean) / sqrt(variance + u_epsilon)", "tan(x * 0.3) - mean * mean"),
        Edit("normal * texelFetch(u_scale, c, 0)", "sin(normal * 17.3) * cos(normal + 5.1) * vec4(normal)"),
        Edit("shifted < 0.0 ? shifted * u_slope : shifted", "fract(shifted * 3.7) + shifted * shifted"),
    )
    planted = Fault("planted here", "", NORM, changes).plant(gl)
    with planted.session as session:
        named = Diagnosis((sure_of(cause),), judge=Judge(*np.ones((3, 1))))
        found = Locating(session, planted.name, named, 2.0).run()
    assert not found.repairs
    assert [each.sure for each in found.findings] == [is_sure]


class Nobody:
    """No causes that an edit may leave."""

    def values_at(self, elements: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        return iter(())

    def whole(self, number: int) -> None:
        return None


def test_what_an_edit_leaves_is_diagnosed_where_nothing_mends_all(gl: moderngl.Context) -> None:
    """Of two faults one is a line, the other one has a name and no short repair."""
    leaky = "shifted < 0.0 ? shifted * u_slope : shifted"
    changes = (
        Edit("normal * texelFetch(u_scale, c, 0)", "normal * texelFetch(u_scale, c + 1, 0)"),
        Edit(leaky, f"float(int(floor(({leaky}) * 255.0 + 0.5))) / 255.0"),
    )
    planted = Fault("planted here", "", NORM, changes).plant(gl)
    with planted.session as session:
        nothing = Diagnosis((), "Rows are wrong.", judge=Judge(*np.ones((3, 1))), partners=cast(Any, Nobody()))
        found = Locating(session, planted.name, nothing, 30.0).run()
    assert not found.repairs
    assert [(each.cause, each.sure) for each in found.findings] == [("index_map", False), ("quantized_8bit", False)]
    assert found.unexplained == ""
    first, second = found.findings
    assert first.evidence.endswith("with this line changed, a single cause explains all remaining errors.")
    assert second.evidence.startswith("with line 25 fixed, ")
