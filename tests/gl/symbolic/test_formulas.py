"""Tests formulas on real passes: their values are the driver's, and right passes have the model's formulas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.faults.fresh.planting import ran
from tests.gl.symbolic.running import symbolic
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.symbolic.canonical import Forms
from texelscope.pipeline.symbolic.divergence import FormulaComparison
from texelscope.pipeline.symbolic.reference import ModelFormulas, nodes_between
from texelscope.pipeline.symbolic.terms import value_of

PRACTICE = Path(__file__).parents[2] / "faults" / "practice"
# Fragments with fused layers, a decoder, pools of packed channels, and dispatches, some with shared memory.
FOLDERS = (
    "rewritten_nets/phone_net", "rewritten_nets/small_unet", "accessors/decoder", "webgl_nets/shuffle",
    "mobile_engine/mobile", "engine/products", "engine/rows", "mobile_engine/compute",
)  # fmt: skip
# Passes whose forms are not the model's, though their values are.
MOST_UNLIKE = 1


@pytest.fixture(params=[each for each in FOLDERS if (PRACTICE / each / "pipeline.toml").exists()])
def session(request: pytest.FixtureRequest, gl: moderngl.Context) -> Iterator[DebugSession]:
    """A right pipeline as users write them, run."""
    with ran(PRACTICE / request.param, gl) as session:
        yield session


def test_formulas_have_the_values_of_the_driver_and_are_the_models(session: DebugSession) -> None:
    plan = session.plan
    assert plan.graph is not None
    keys = {stored.tensor: key for key, stored in plan.textures.items()}
    known = 0
    for shader_pass in plan.passes:
        output = plan.textures[shader_pass.output].tensor
        actual = session.tensor(shader_pass.output).reshape(-1)
        model = ModelFormulas(
            plan.graph, nodes_between(plan.graph, output, keys), output, lambda name: session.tensor(keys[name])
        )
        constants = {name: np.asarray(value, np.float32).reshape(-1) for name, value in model.constants.items()}
        for key in shader_pass.reads:
            if plan.textures[key].role == "constant":
                constants.setdefault(plan.textures[key].tensor, session.tensor(key).reshape(-1))
        forms = Forms({key: plan.textures[key].tensor for key in shader_pass.reads}, constants, model.computed)
        run = symbolic(session, shader_pass)
        for element in np.linspace(0, actual.size - 1, 3).astype(int).tolist():
            got, expected = run.element(element), model.element(element)
            assert np.isclose(value_of(got), actual[element], rtol=1e-3, atol=1e-4), shader_pass.name
            assert np.isclose(value_of(expected), actual[element], rtol=1e-3, atol=1e-3), shader_pass.name
            known += FormulaComparison(forms).are_equal(forms.sum_of(got), forms.sum_of(expected))
    assert known >= 3 * (len(plan.passes) - MOST_UNLIKE)
