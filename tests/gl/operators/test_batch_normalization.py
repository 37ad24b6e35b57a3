"""BatchNormalization at inference and Dropout, in the opsets that changed how a node says that it is inference."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

import pipeline
from tests.gl.operators.single_node import LAYOUTS, Array, NodeCase, assert_matches, assert_reads_are_exact, normal


def batch_norm(x: tuple[int, ...], parameters: tuple[int, ...], opset: int, **attributes: object) -> NodeCase:
    scale, bias, mean = (normal(*parameters, seed=seed) for seed in (1, 2, 3))
    inputs = (normal(*x), scale, bias, mean, np.abs(normal(*parameters, seed=4)))
    return NodeCase("BatchNormalization", inputs, attributes, opset=opset)


CASES = [
    batch_norm((2, 5, 3, 4), (5,), 15),
    batch_norm((2, 5, 3, 4), (5,), 9, epsilon=0.1),
    batch_norm((2, 3, 2, 4), (3, 2, 4), 7, spatial=0),
    batch_norm((2, 5, 3), (5,), 15),
    batch_norm((3, 4), (4,), 15),
    batch_norm((2, 3, 2, 4, 3), (3,), 15),
    batch_norm((1, 4, 3, 3), (4,), 6, is_test=1),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_opset_and_rank_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", [CASES[0], CASES[2]], ids=str)
@pytest.mark.parametrize("position", range(5))
def test_every_element_reads_itself_and_its_parameters(case: NodeCase, position: int, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl, position=position)


def dropout(opset: int, *rest: Array | None, outputs: int = 1, **attributes: object) -> NodeCase:
    inputs = (normal(2, 3, 4), *rest)
    return NodeCase("Dropout", inputs, attributes, (1, 2)[: len(rest)], outputs, opset)


HALF = np.array(0.5, dtype=np.float32)
DROPOUTS = [
    dropout(22),
    dropout(22, HALF, np.array(False), outputs=2),
    dropout(22, np.array(0.0, dtype=np.float32), np.array(True), outputs=2),
    dropout(10, ratio=0.3, outputs=2),
]


@pytest.mark.parametrize("case", DROPOUTS, ids=str)
def test_dropout_passes_its_input_on_and_masks_nothing(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        outputs = assert_matches(case, layout, gl)
        np.testing.assert_array_equal(outputs[0], case.inputs[0])
        assert all(np.all(mask == 1.0) for mask in outputs[1:])


def test_training_is_refused_by_name() -> None:
    (missing,) = pipeline.plan_of(dropout(22, HALF, np.array(True)).model()).not_run
    assert missing.reason.startswith("Dropout 'node' (Dropout): expected inference, got training mode.")
