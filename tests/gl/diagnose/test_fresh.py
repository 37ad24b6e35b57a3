"""A pass on inputs that nobody gave it: they are of their kinds, and the session holds what it held."""

from __future__ import annotations

import dataclasses

import moderngl
import numpy as np

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.explain import explain

NO_BIAS = Fault("planted here", "bias_missing", convolutions.conv_tiles, (Edit("color = sum + bias;", "color = sum;"),))


def test_a_pass_is_run_on_other_inputs_and_the_session_is_as_before(gl: moderngl.Context) -> None:
    planted = NO_BIAS.plant(gl)
    with planted.session as session:
        capture = session.capture()
        gathering = Gathering(session, capture, planted.name, Comparer(session.plan).wrong(capture, planted.name))
        found = gathering.run()
        after = session.capture()
    assert {key: value.tobytes() for key, value in after.tensors.items()} == {
        key: value.tobytes() for key, value in capture.tensors.items()
    }
    first, constants, *_ = found.fresh
    assert [each.facts["alike"] for each in found.fresh] == [True, True, False, False]
    assert all(not np.array_equal(each.texels, found.texels) for each in found.fresh)
    assert first.plan.graph is found.plan.graph
    assert constants.plan.graph is not None
    assert found.plan.graph is not None
    changed = [n for n, v in constants.plan.graph.constants.items() if v is not found.plan.graph.constants[n]]
    assert len(changed) == 2  # weights and biases
    # What is true holds there; the findings say so, and without those inputs nothing is sure.
    assert [(each.cause, each.sure) for each in explain(found).findings[:1]] == [("bias_missing", True)]
    assert not explain(dataclasses.replace(found, fresh=())).findings[0].sure


def test_what_explains_the_inputs_at_hand_alone_is_not_said(gl: moderngl.Context) -> None:
    """With one value all over, a forgotten bias is a factor, a clamp or any number of things."""
    subject = convolutions.conv_tiles()
    [key] = subject.inputs
    flat = subject.fed(**{key: np.ones_like(subject.inputs[key])})
    fault = dataclasses.replace(NO_BIAS, subject=lambda: flat)
    planted = fault.plant(gl)
    with planted.session as session:
        capture = session.capture()
        found = Gathering(session, capture, planted.name, Comparer(session.plan).wrong(capture, planted.name)).run()
    findings = explain(found).findings
    assert findings[0].cause == "bias_missing"
    assert findings[0].sure
