"""Expands models whose scores are sums of products of features, or of functions of these."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Write, Writer
from texelscope.pipeline.model_file.ml.features import as_float, labels, numbers, transformed


def linear(node: Writer, targets: int) -> str:
    """Adds X [N, features] · coefficientsᵀ + intercepts, [N, targets]."""
    coefficients = numbers(node, "coefficients").reshape(targets, -1)
    intercepts = numbers(node, "intercepts")
    addend = intercepts if intercepts.size else np.zeros(targets, dtype=np.float32)
    weights, bias = node.constant(coefficients, label="coefficients"), node.constant(addend, label="intercepts")
    return node.add("Gemm", as_float(node), weights, bias, label="scores", transB=1)


def linear_classifier(node: Writer) -> None:
    """Expands LinearClassifier: the class of the largest of several linear functions, and their values.

    Takes X [N, features]. Raises UnsupportedError for one function of two classes, which ONNX does not define.
    """
    classes = labels(node, "classlabels_ints", "classlabels_strings")
    functions = max(1, numbers(node, "intercepts").size)
    if functions != len(classes):
        raise node.refusal(f"a function for each of {len(classes)} classes", str(functions), "Export one for each.")
    scores = linear(node, functions)
    best = node.add("ArgMax", scores, label="best", axis=-1, keepdims=0)
    node.result(0, node.add("Gather", node.constant(classes, "int64", label="classes"), best))
    node.result(1, transformed(node, scores, str(node.attribute("post_transform", "NONE"))))


def linear_regressor(node: Writer) -> None:
    """Expands LinearRegressor: Y = X · Cᵀ + intercepts. Takes X [N, features], coefficients [targets · features]."""
    scores = linear(node, int(node.attribute("targets", 1)))
    node.result(0, transformed(node, scores, str(node.attribute("post_transform", "NONE"))))


def svm_regressor(node: Writer) -> None:
    """Expands SVMRegressor: y = Σᵢ cᵢ · K(x, sᵢ) + ρ over the support vectors sᵢ.

    Takes X [N, features]; K is linear, a polynomial, a radial function or a hyperbolic tangent.
    """
    coefficients, rho = numbers(node, "coefficients"), numbers(node, "rho")
    count = int(node.attribute("n_supports", 0))
    x = as_float(node)
    if count:
        vectors = numbers(node, "support_vectors").reshape(count, -1)
        x = _kernel(node, x, vectors, str(node.attribute("kernel_type", "LINEAR")))
    weights = node.constant(coefficients.reshape(-1, 1), label="coefficients")
    score = node.add("Gemm", x, weights, node.constant(rho[:1], label="rho"), label="score")
    if node.attribute("one_class", 0):
        inside = node.add("Greater", score, node.constant(0.0, label="zero"), label="inside")
        score = node.add("Where", inside, node.constant(1.0, label="one"), node.constant(-1.0, label="minus_one"))
    node.result(0, transformed(node, score, str(node.attribute("post_transform", "NONE"))))


def _kernel(node: Writer, x: str, vectors: np.ndarray, kind: str) -> str:
    """Returns K(x, s), [N, support vectors]."""
    gamma, offset, degree = (*(float(value) for value in numbers(node, "kernel_params")), 0.0, 0.0, 0.0)[:3]
    rate = node.constant(gamma, label="gamma")
    if kind == "RBF":  # e^(−γ·|x − s|²)
        away = node.add("Unsqueeze", x, node.whole(1, label="axes"), label="each")
        away = node.add("Sub", away, node.constant(vectors, label="vectors"), label="away")
        squares = node.add("ReduceSumSquare", away, node.whole(-1, label="axes"), label="distance", keepdims=0)
        return node.add("Exp", node.add("Neg", node.add("Mul", squares, rate, label="scaled")), label="kernel")
    product = node.add("MatMul", x, node.constant(vectors.T, label="vectors"), label="products")
    if kind == "LINEAR":
        return product
    moved = node.add("Add", node.add("Mul", product, rate, label="scaled"), node.constant(offset, label="offset"))
    if kind == "POLY":
        return node.add("Pow", moved, node.constant(degree, label="degree"), label="kernel")
    if kind == "SIGMOID":
        return node.add("Tanh", moved, label="kernel")
    raise node.refusal("kernel_type LINEAR, POLY, RBF or SIGMOID", f"'{kind}'")


OPERATORS: Mapping[str, Write] = {
    "LinearClassifier": linear_classifier,
    "LinearRegressor": linear_regressor,
    "SVMRegressor": svm_regressor,
}
