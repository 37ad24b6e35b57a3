"""BatchNormalization and Dropout, in the opsets that changed how a node says that it is inference."""

from __future__ import annotations

import moderngl
import numpy as np
import onnxruntime
import pytest

from tests.gl.operators.single_node import LAYOUTS, Array, NodeCase, assert_matches, assert_reads_are_exact, normal
from texelscope import pipeline


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


@pytest.mark.parametrize(
    ("opset", "outputs", "attributes"), [(7, 5, {}), (9, 5, {}), (14, 3, {"training_mode": 1})], ids=str
)
def test_a_training_export_takes_the_statistics_of_the_batch(
    opset: int, outputs: int, attributes: dict[str, object], gl: moderngl.Context
) -> None:
    """Also where nobody reads the outputs that make it training, as PyTorch exports it."""
    case = batch_norm((2, 5, 3, 4), (5,), opset, **attributes)
    model = NodeCase(case.op_type, case.inputs, attributes, outputs=outputs, opset=opset).model()
    del model.graph.output[1:]
    names = [declared.name for declared in model.graph.input]
    runtime = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = runtime.run(None, dict(zip(names, case.inputs, strict=True)))[0]
    with pipeline.open(model, context=gl) as session:
        for name, value in zip(names, case.inputs, strict=True):
            assert value is not None
            session.set_input(name, value)
        session.run()
        assert {each.verdict for each in session.compare().passes} == {"match"}
        assert [each.operator for each in session.plan.passes] == ["BlockSum", "BlockSum", "Normalise"]
        np.testing.assert_allclose(session.tensor("out0"), expected, rtol=1e-4, atol=1e-5)
    bias = case.inputs[2]
    assert bias is not None
    assert abs(np.mean(expected[:, 0]) - bias[0]) < 1e-4


def test_training_by_statistics_of_every_element_is_refused_by_name() -> None:
    case = batch_norm((2, 3, 2, 4), (3, 2, 4), 7, spatial=0)
    model = NodeCase(case.op_type, case.inputs, case.attributes, outputs=5, opset=7).model()
    reason = pipeline.plan_of(model).not_run[0].reason
    assert reason.startswith(
        "BatchNormalization 'node' (BatchNormalization): expected statistics of channels in training"
    )


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
