"""Tests what a diagnosis owes to effects of Magpie and ReShade: the wrong pass is found, and the bug is named.

Each bug is one of indices, in a network as it is published, and is compared with the effect without it.
"""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.effect_networks.faults import FAULTS, EffectFault
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import WRONG, diagnose

SHAPES = {".hlsl": {"INPUT": (1, 3, 20, 28)}, ".fx": {"BackBuffer": (1, 3, 24, 40)}}
# Of the bugs that are diagnosed here, whose first cause has to be true; as measured, less one.
LEAST_NAMED = 11


def _first(fault: EffectFault, gl: moderngl.Context, folder: Path) -> tuple[str, str]:
    """The first wrong pass, and the first cause that the diagnosis names; empty where it names none."""
    right, wrong = folder / f"right{fault.suffix}", folder / f"wrong{fault.suffix}"
    right.write_text(fault.text())
    wrong.write_text(fault.wrong)
    with pipeline.open(wrong, context=gl, oracle=str(right), shapes=SHAPES[fault.suffix]) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        culprit = next(each.name for each in comparer.compare(capture).passes if each.verdict in WRONG)
        findings = diagnose(session, comparer, capture, culprit, repair_seconds=0).findings
        return culprit, findings[0].cause if findings else ""


@pytest.mark.timeout(1200)
def test_every_culprit_is_found_and_most_bugs_are_named(gl: moderngl.Context, tmp_path: Path) -> None:
    said = {each.name: _first(each, gl, tmp_path) for each in FAULTS}
    assert {each.name: said[each.name][0] for each in FAULTS} == {each.name: each.culprit for each in FAULTS}
    named = [each.name for each in FAULTS if said[each.name][1] in each.causes]
    assert len(named) >= LEAST_NAMED, said
