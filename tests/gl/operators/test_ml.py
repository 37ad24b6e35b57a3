"""Operators of ai.onnx.ml: passes against ONNX Runtime."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import moderngl
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

from tests.gl.operators.single_node import Array, normal
from texelscope import pipeline
from texelscope.pipeline.model_file.written import written

DOMAIN = "ai.onnx.ml"
X = np.concatenate([normal(5, 3), np.array([[0.5, np.nan, -1.0], [1.0, 2.0, 3.0]], np.float32)])
WHOLE = np.array([[1, 2, 3], [3, 7, 2]], np.int64)


@dataclass(frozen=True)
class Trial:
    """A node with its inputs."""

    op_type: str
    inputs: tuple[Array, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1
    version: int = 3

    def __str__(self) -> str:
        return self.op_type

    def model(self) -> onnx.ModelProto:
        """Inputs are in0, in1 …, outputs out0, out1 …"""
        names = [f"in{i}" for i in range(len(self.inputs))]
        outputs = [f"out{i}" for i in range(self.outputs)]
        node = helper.make_node(self.op_type, names, outputs, name="node", domain=DOMAIN, **self.attributes)
        declared = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
            for name, x in zip(names, self.inputs, strict=True)
        ]
        graph = helper.make_graph([node], self.op_type, declared, [onnx.ValueInfoProto(name=name) for name in outputs])
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, self.version)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def forest(prefix: str, ids: list[int], weights: list[float], **more: Any) -> dict[str, Any]:
    """Two trees over three features: one of two branches, one of a branch, with every other mode."""
    return {
        "nodes_treeids": [0, 0, 0, 0, 0, 1, 1, 1],
        "nodes_nodeids": [0, 1, 2, 3, 4, 0, 1, 2],
        "nodes_featureids": [0, 1, 0, 0, 0, 2, 0, 0],
        "nodes_values": [0.1, -0.2, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0],
        "nodes_modes": ["BRANCH_LEQ", "BRANCH_GT", "LEAF", "LEAF", "LEAF", "BRANCH_LT", "LEAF", "LEAF"],
        "nodes_truenodeids": [1, 3, 0, 0, 0, 1, 0, 0],
        "nodes_falsenodeids": [2, 4, 0, 0, 0, 2, 0, 0],
        "nodes_missing_value_tracks_true": [0, 1, 0, 0, 0, 0, 0, 0],
        f"{prefix}_treeids": [0, 0, 0, 1, 1],
        f"{prefix}_nodeids": [2, 3, 4, 1, 2],
        f"{prefix}_ids": ids,
        f"{prefix}_weights": weights,
        **more,
    }


SIGNED, SHARES = [0.5, -1.0, 2.0, 0.25, -0.75], [0.1, 0.4, 0.2, 0.3, 0.05]
TREES = [
    *(
        Trial("TreeEnsembleRegressor", (X,),
              forest("target", [0, 1, 0, 1, 0], SIGNED, n_targets=2, aggregate_function=each))
        for each in ("SUM", "AVERAGE", "MIN", "MAX")
    ),
    Trial("TreeEnsembleRegressor", (X,), forest("target", [0] * 5, SIGNED, n_targets=1, base_values=[3.0])),
    *(
        Trial("TreeEnsembleClassifier", (X,), forest("class", [0, 1, 2, 1, 0], SIGNED, classlabels_int64s=[7, 8, 9],
              post_transform=each), outputs=2)
        for each in ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO")
    ),
    *(
        Trial("TreeEnsembleClassifier", (X,), forest("class", [place] * 5, weights, classlabels_int64s=[4, 6],
              post_transform=each), outputs=2)
        for each in ("NONE", "LOGISTIC", "SOFTMAX") for weights in (SIGNED, SHARES) for place in (0, 1)
    ),
]  # fmt: skip
LINEAR = {"coefficients": [0.5, -1.0, 2.0, 1.0, 0.25, 0.0], "intercepts": [0.1, -0.2]}
VECTORS = {
    "n_supports": 2,
    "support_vectors": [0.1, 0.2, 0.3, -1.0, 0.5, 1.0],
    "coefficients": [1.5, -0.5],
    "rho": [0.25],
}
FINITE = X[:5]
TRIALS = [
    *TREES,
    Trial("ArrayFeatureExtractor", (FINITE, np.array([[2, 0]], np.int64))),
    Trial("Binarizer", (FINITE,), {"threshold": 0.25}),
    Trial("FeatureVectorizer", (FINITE, FINITE[:, :2].copy()), {"inputdimensions": [3, 2]}, version=1),
    Trial("Imputer", (X,), {"imputed_value_floats": [9.0], "replaced_value_float": float("nan")}, version=1),
    Trial("Imputer", (WHOLE,), {"imputed_value_int64s": [9, 8, 7], "replaced_value_int64": 3}, version=1),
    Trial("LabelEncoder", (WHOLE,), {"keys_int64s": [1, 2], "values_floats": [0.5, 1.5], "default_float": -1.0}),
    Trial("LabelEncoder", (X,), {"keys_floats": [0.5, np.nan], "values_int64s": [3, 4], "default_int64": 5}, 1, 4),
    Trial("LinearClassifier", (FINITE,), {**LINEAR, "classlabels_ints": [5, 3], "post_transform": "SOFTMAX"}, 2, 1),
    Trial("LinearRegressor", (FINITE,), {**LINEAR, "targets": 2}, version=1),
    *(Trial("Normalizer", (np.abs(FINITE),), {"norm": norm}, version=1) for norm in ("MAX", "L1", "L2")),
    *(Trial("Normalizer", (FINITE,), {"norm": norm}, version=1) for norm in ("L1", "L2")),
    Trial("OneHotEncoder", (WHOLE[0],), {"cats_int64s": [3, 1], "zeros": 1}, version=1),
    Trial("SVMRegressor", (FINITE,), {"coefficients": [0.5, 1.0, 2.0], "rho": [0.5], "kernel_params": [0.0] * 3}, 1, 1),
    *(
        Trial("SVMRegressor", (FINITE,), {**VECTORS, "kernel_type": kind, "kernel_params": [0.5, 0.1, 2.0]}, version=1)
        for kind in ("LINEAR", "POLY", "RBF", "SIGMOID")
    ),
    Trial("Scaler", (FINITE,), {"offset": [1.0, 2.0, 3.0], "scale": [0.5, 2.0, 4.0]}, version=1),
    Trial("Scaler", (WHOLE,), {"offset": [1.0], "scale": [0.5]}, version=1),
]  # fmt: skip


@pytest.mark.parametrize("trial", TRIALS, ids=[f"{number}-{trial}" for number, trial in enumerate(TRIALS)])
def test_passes_follow_onnx_runtime(trial: Trial, gl: moderngl.Context) -> None:
    model = trial.model()
    feeds = {f"in{i}": x for i, x in enumerate(trial.inputs)}
    runtime = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = runtime.run(None, feeds)
    with pipeline.open(model, context=gl) as session:
        assert not session.plan.not_run, session.plan.not_run[0].reason
        for name, value in feeds.items():
            session.set_input(name, value)
        session.run()
        assert {each.verdict for each in session.compare().passes} == {"match"}
        for position, want in enumerate(expected):
            found = session.tensor(f"out{position}")
            np.testing.assert_allclose(found.reshape(want.shape), want, rtol=1e-4, atol=1e-5)


def test_every_one_has_a_trial() -> None:
    cases_of_onnx = {"TreeEnsemble"}
    assert {trial.op_type for trial in TRIALS} | cases_of_onnx == set(written(DOMAIN))


TEXTS = {"classlabels_strings": ["a", "b"]}


@pytest.mark.parametrize(
    ("op_type", "attributes", "message"),
    [
        ("LinearClassifier", {**LINEAR, **TEXTS}, "expected labels that are numbers, got texts. Export the classifier"),
        ("LinearClassifier", {"coefficients": [1.0, 2.0, 3.0], "classlabels_ints": [0, 1]}, "a function for each of 2"),
        ("LabelEncoder", {"keys_floats": [1.0], "values_strings": ["a"]}, "expected values that are numbers,"),
        ("Normalizer", {"norm": "L3"}, "expected norm MAX, L1, L2, got 'L3'"),
        ("SVMRegressor", {**VECTORS, "kernel_type": "COSINE"}, "expected kernel_type LINEAR, POLY, RBF or SIGMOID"),
        ("LinearRegressor", {**LINEAR, "targets": 2, "post_transform": "PROBIT"}, "expected post_transform NONE,"),
        ("TreeEnsembleRegressor", forest("target", [0] * 5, SIGNED, aggregate_function="MEDIAN"),
         "expected aggregate_function SUM, AVERAGE, MIN or MAX, got 'MEDIAN'"),
        ("TreeEnsembleRegressor", {**forest("target", [0] * 5, SIGNED), "nodes_truenodeids": [1, 1, 0, 0, 0, 1, 0, 0]},
         "expected attributes and shapes that make sense together, got ValueError: a tree that runs in a circle"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_by_name(op_type: str, attributes: dict[str, Any], message: str) -> None:
    outputs = 2 if "Classifier" in op_type else 1
    (missing, *_) = pipeline.plan_of(Trial(op_type, (FINITE,), attributes, outputs).model()).not_run
    assert message in missing.reason
    assert missing.reason.startswith(f"{op_type} 'node'")
