"""Tests forms for drivers whose fragments write no images: the same values, through the colours of draws."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.lowerings.test_fusing import network, random
from tests.gl.lowerings.test_window_sums import CASES, LAYOUT
from tests.gl.operators.single_node import NodeCase, opened
from texelscope import pipeline
from texelscope.pipeline.gl import lowering_runner, session_lowerings
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.lowerings import solo
from texelscope.pipeline.lowerings.fusion import fusing
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.plan import Storage

FACADES = Path(__file__).parents[3] / "examples" / "facades" / "facades.onnx"


@pytest.fixture(autouse=True)
def no_images(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the driver for one that is too old to write images and to bind what a text names."""
    for module in (solo, fusing, lowering_runner):
        monkeypatch.setattr(module, "STORES_VERSION", 1000)


def is_drawn(form: Lowering) -> bool:
    return all(step.kind == "fragment" and not step.images and not step.buffers and step.targets for step in form.steps)


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_every_kind_of_window_matches_the_oracle(case: NodeCase, precision: Storage, gl: moderngl.Context) -> None:
    with pipeline.open(case.model(), layout=LAYOUT, precision=precision, context=gl) as session:
        for i, value in enumerate(case.inputs):
            if value is not None and i not in case.constant:
                session.set_input(f"in{i}", value)
        form = session.form("node")
        assert form is not None
        assert is_drawn(form)
        session.run()
        while session.tune(0):
            session.run()
        (report,) = session.compare(findings=False).passes
        assert report.verdict in (("match",) if precision == "float32" else ("match", "precision"))


@pytest.mark.parametrize("max_colours", [8, 4])
def test_a_form_keeps_no_more_sums_than_a_draw_has_colours(
    max_colours: int, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = dataclasses.replace(limits_of(gl), max_colours=max_colours)
    monkeypatch.setattr(session_lowerings, "limits_of", lambda _context: limits)
    with opened(CASES[3], LAYOUT, gl) as session:
        form = session.form("node")
        assert form is not None
        assert form.tuned is not None
        layers = [each.scratch[0].layers for each in (form, form.tuned())]
        assert min(layers) > 1
        assert max(layers) == max_colours
        session.run()
        while session.tune(0):
            session.run()
        assert session.compare(findings=False).passes[0].verdict == "match"


def test_a_fused_network_gives_the_values_of_its_passes(gl: moderngl.Context) -> None:
    with pipeline.open(FACADES, layout=LAYOUT, context=gl) as session:
        key = session.plan.inputs[0]
        session.set_input(key, np.random.default_rng(0).random(session.plan.textures[key].shape, dtype=np.float32))
        forms = [item for item in session.fused() if not isinstance(item, str)]
        assert len(forms) > len(session.plan.passes) / 4
        assert all(map(is_drawn, forms))
        for _ in range(2):
            session.run_fused()
            fused = session.tensor(session.plan.outputs[0]).copy()
            while session.tune(0):
                pass
        session.run()
        np.testing.assert_allclose(fused, session.tensor(session.plan.outputs[0]), rtol=0, atol=1e-5)


def test_stores_into_parts_of_a_tensor_leave_the_other_parts(gl: moderngl.Context) -> None:
    with pipeline.open(network(), context=gl) as session:
        session.set_input("x", random(2, 4, 9, 11, seed=20))
        session.run()
        kept = tuple(key for each in session.plan.passes for key in each.outputs)
        expected = {key: session.tensor(key).copy() for key in kept}
        for keep in ((), kept):
            session.set_input("x", random(2, 4, 9, 11, seed=20))
            session.run_fused(keep={*keep})
            for key in keep or session.plan.outputs:
                np.testing.assert_allclose(session.tensor(key), expected[key], rtol=0, atol=2e-5, err_msg=key)
