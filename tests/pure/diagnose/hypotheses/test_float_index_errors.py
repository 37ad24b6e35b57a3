"""An index from a float quotient: the read follows the grid to another tile, and the values follow the read."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import SHADER, evidence, graph, right
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.hypotheses.indices_in_floats import GENERATORS, SLIPS, Slip, slipped
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node, TensorInfo

IN_FLOATS = SHADER.replace("texelFetch(u_x, ivec2(i), 0)", "texelFetch(u_x, ivec2(int(float(i) / 2.0)), 0)")


def made_by(slip: Slip) -> tuple[FailingPass, ModelEdit]:
    case = FailingPass(evidence(graph(), right(graph())))
    read = case.read_of("x")
    assert read is not None
    return case, slipped(case, read, slip, "texel")


def test_a_quotient_that_falls_short_reads_the_column_behind_the_last() -> None:
    short = next(slip for slip in SLIPS if "falls below" in slip.says)
    case, change = made_by(short)
    # Three channels in two columns: channel 2 begins a row. Behind the last column the texture's edge goes on.
    moved = case.model_slice.whole([change], "x")
    x = case.model_slice.values["x"]
    np.testing.assert_array_equal(moved[:, :2], x[:, :2])
    np.testing.assert_array_equal(moved[0, 2], np.repeat(x[0, 1, :, -1:], 7, axis=1))


# Numbers below three over two are exact in floats.
OF_THREE = [slip for slip in SLIPS if any(np.any(steps) for steps in slip.miss(np.arange(3), 2))]


@pytest.mark.parametrize("slip", OF_THREE, ids=lambda slip: slip.says)
def test_the_values_that_a_slipped_index_gives_are_named(slip: Slip) -> None:
    case, change = made_by(slip)
    actual = case.model_slice.evaluate([change]).reshape(1, 4, 6, 7)
    causes = [found.cause for found in explain(evidence(graph(), actual, shader=IN_FLOATS)).findings]
    # With three tiles some of these are as well a grid of other columns, or channels in another order.
    as_true = {"float_index_precision", "missing_channels", "channel_permutation", "wrong_layout"}
    assert as_true & set(causes), causes


def test_reads_alone_are_told_and_named_by_no_cause() -> None:
    case = FailingPass(
        evidence(graph(), right(graph()) + np.float32(np.random.default_rng(0).standard_normal((1, 4, 6, 7))))
    )
    diagnosis = explain(case.evidence)
    assert diagnosis.findings == ()
    assert diagnosis.unexplained.startswith("No known cause reproduces the wrong values; 168 of 168 elements are wrong")


def test_a_column_cut_off_from_a_fraction_is_one_short_where_floats_are() -> None:
    cut = next(slip for slip in SLIPS if "the fraction of k / g" in slip.says)
    across, down = cut.miss(np.arange(100), 10)
    assert set(across.tolist()) == {0, -1}
    assert not np.any(down)


def test_in_a_shader_of_integers_no_index_is_off_by_rounding() -> None:
    case, change = made_by(next(slip for slip in SLIPS if "falls below" in slip.says))
    actual = case.model_slice.evaluate([change]).reshape(1, 4, 6, 7)
    findings = explain(evidence(graph(), actual)).findings
    assert "float_index_precision" not in {found.cause for found in findings}


def test_the_scales_of_a_resize_are_no_parameters_of_channels() -> None:
    before, scales = graph(), np.array([1, 1, 2, 2], dtype=np.float32)
    said = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    twice = Node("up", "Resize", ("x", "", "scales"), ("u",), MappingProxyType(said), opset=19)
    conv = dataclasses.replace(before.nodes[0], inputs=("u", "w", "b"))
    shapes = {"scales": scales.shape, "u": (1, 3, 12, 14), "y": (1, 4, 12, 14)}
    made = dataclasses.replace(
        before,
        nodes=(twice, conv),
        tensors=MappingProxyType(
            {**before.tensors, **{name: TensorInfo(name, shape) for name, shape in shapes.items()}}
        ),
        constants=MappingProxyType({**before.constants, "scales": scales}),
    )
    actual = right(made)
    actual[0, 1, ::2] += 1.0
    case = FailingPass(evidence(made, actual, shader=IN_FLOATS))
    assert all("indexes its parameters" not in each.says for each in GENERATORS[0].propose(case))
