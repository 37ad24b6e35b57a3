"""Backward passes written by hand, one shader a gradient, in place of the passes that a model's gradients are made of.

Each network is one layer and a loss of squared differences; all but the pass under test is generated.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from tests.faults import models
from tests.faults.models import Array, Layer, Model, layer, noise
from tests.faults.subjects import FLAT, UNPACKED, Subject, generated, shader_text
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Sampler, SourceFile, UniformValue

TILES = "channel_tiles"
_X = "x.grad"


def by_hand(
    trained: Model,
    shader: str,
    samplers: Mapping[str, str],
    name: str = _X,
    *,
    layout: str = UNPACKED,
    uniforms: Mapping[str, UniformValue] | None = None,
) -> Subject:
    """The pass `name` of the gradients of the loss, made by `shader` (of `shaders/backward`) out of the textures that
    `samplers` say by uniform."""
    subject = generated(trained, layout, gradients="loss")
    graph = subject.plan.graph
    assert graph is not None
    called = {f"{tensor}.grad": gradient for tensor, gradient in graph.gradients.items()}
    name = called[name]
    path = f"seen/backward/{shader}.frag"
    text = shader_text(path)
    program = ProgramSource(text, (SourceFile(1, Path(path).name, text),))
    bound = tuple(Sampler(uniform, called.get(key, key)) for uniform, key in samplers.items())
    written = Pass(name, "Shader", (name,), bound, program, MappingProxyType(dict(uniforms or {})))
    plan = _without_idle(subject.plan, written)
    return dataclasses.replace(subject, title=f"{path}: {trained.title}, {layout}", plan=plan, name=name)


def _without_idle(plan: Plan, written: Pass) -> Plan:
    """The plan with `written` for the pass of its name, without passes and textures that then nobody needs."""
    kept: list[Pass] = []
    needed = {*plan.outputs}
    for each in reversed([written if each.name == written.name else each for each in plan.passes]):
        if needed & {*each.outputs}:
            kept.append(each)
            needed |= {sampler.key for sampler in each.samplers}
    made = {output for each in kept for output in each.outputs}
    textures = {key: stored for key, stored in plan.textures.items() if key in needed | made or key in plan.inputs}
    return dataclasses.replace(plan, passes=tuple(reversed(kept)), textures=MappingProxyType(textures))


def trained_on(
    layers: Sequence[Layer], y: Sequence[int], inputs: Mapping[str, Array], weights: Mapping[str, Array] | None = None
) -> Model:
    """Layers that end in y, of that shape, and loss = (y - t)^2."""
    title = f"{' and '.join(each.op_type for each in layers)} of {_shapes(inputs)} {_shapes(weights or {})}, trained"
    ends = [layer("Sub", "y", "t", to="e"), layer("Mul", "e", "e", to="loss")]
    return models.model(title, [*layers, *ends], {**inputs, "t": noise(*y, seed=9)}, weights or {})


def _shapes(values: Mapping[str, Array]) -> str:
    return ", ".join(f"{name} {'x'.join(map(str, value.shape))}" for name, value in values.items())


@cache
def conv(name: str) -> Subject:
    """Convolution 3x3 of step 2 in two groups; `name` is the tensor whose gradient is made."""
    weights = {"w": noise(6, 2, 3, 3, seed=1, scale=0.4), "b": noise(6, seed=2)}
    node = layer("Conv", "x", "w", "b", pads=(1, 1, 1, 1), strides=(2, 2), group=2)
    trained = trained_on([node], (2, 6, 5, 4), {"x": noise(2, 4, 9, 8)}, weights)
    reads = {"x": {"dy": "y.grad", "w": "w"}, "w": {"x": "x", "dy": "y.grad"}, "b": {"dy": "y.grad"}}
    return by_hand(trained, f"conv_d{name}", reads[name], f"{name}.grad")


@cache
def deconv() -> Subject:
    """Transposed convolution 4x4 of step 2."""
    node = layer("ConvTranspose", "x", "w", pads=(1, 1, 1, 1), strides=(2, 2))
    weights = {"w": noise(4, 3, 4, 4, seed=1, scale=0.4)}
    return by_hand(
        trained_on([node], (1, 3, 10, 12), {"x": noise(1, 4, 5, 6)}, weights), "deconv_dx", {"dy": "y.grad", "w": "w"}
    )


@cache
def dilated() -> Subject:
    """Convolution 3x3 whose taps lie two apart, four channels to four."""
    node = layer("Conv", "x", "w", pads=(2, 2, 2, 2), dilations=(2, 2))
    weights = {"w": noise(4, 4, 3, 3, seed=1, scale=0.4)}
    trained = trained_on([node], (1, 4, 7, 8), {"x": noise(1, 4, 7, 8)}, weights)
    return by_hand(trained, "dilated_dx", {"u_dy": "y.grad", "u_w": "w"}, layout=TILES)


def _with_ties(*shape: int) -> Array:
    """Values in steps of a half, none below zero, as pools see them behind a ReLU."""
    return np.asarray(np.maximum(np.round(noise(*shape, scale=2.0)) / 2.0, 0.0), dtype=np.float32)


@cache
def max_pool() -> Subject:
    """Largest of 3x3, step 2: windows overlap."""
    node = layer("MaxPool", "x", kernel_shape=(3, 3), strides=(2, 2))
    return by_hand(
        trained_on([node], (1, 2, 4, 5), {"x": _with_ties(1, 2, 9, 11)}), "maxpool_dx", {"x": "x", "dy": "y.grad"}
    )


@cache
def max_pool_apart() -> Subject:
    """Largest of 2x2, step 2."""
    node = layer("MaxPool", "x", kernel_shape=(2, 2), strides=(2, 2))
    trained = trained_on([node], (1, 3, 4, 5), {"x": _with_ties(1, 3, 8, 10)})
    return by_hand(trained, "unpool_dx", {"x": "x", "y": "y", "dy": "y.grad"})


@cache
def average_pool() -> Subject:
    """Mean of 3x3, step 2, of what lies inside."""
    node = layer("AveragePool", "x", kernel_shape=(3, 3), strides=(2, 2), pads=(1, 1, 1, 1))
    return by_hand(trained_on([node], (1, 2, 4, 5), {"x": noise(1, 2, 8, 9)}), "avgpool_dx", {"dy": "y.grad"})


@cache
def enlarged() -> Subject:
    """Each pixel four times."""
    scales = np.array([1.0, 1.0, 2.0, 2.0], dtype=np.float32)
    how = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    node = layer("Resize", "x", "", "scales", **how)
    trained = trained_on([node], (1, 3, 10, 12), {"x": noise(1, 3, 5, 6)}, {"scales": scales})
    return by_hand(trained, "resize_dx", {"u_dy": "y.grad"}, layout=TILES, uniforms={"u_size": (6.0, 5.0)})


@cache
def softmax() -> Subject:
    """Softmax of rows, flat in memory."""
    trained = trained_on([layer("Softmax", "x", axis=-1)], (5, 10), {"x": noise(5, 10)})
    uniforms: Mapping[str, UniformValue] = {"u_rows": 5, "u_length": 10}
    return by_hand(trained, "softmax_dx", {"Y": "y", "DY": "y.grad"}, layout=FLAT, uniforms=uniforms)


@cache
def log_softmax() -> Subject:
    """Logarithm of a softmax of rows."""
    trained = trained_on([layer("LogSoftmax", "x", axis=-1)], (4, 9), {"x": noise(4, 9)})
    return by_hand(trained, "logsoftmax_dx", {"y": "y", "dy": "y.grad"})


@cache
def layer_norm() -> Subject:
    """Layer normalisation of rows of ten."""
    weights = {"gamma": noise(10, seed=1, shift=1.0, scale=0.4), "beta": noise(10, seed=2)}
    node = layer("LayerNormalization", "x", "gamma", "beta", axis=-1, epsilon=0.001)
    trained = trained_on([node], (6, 10), {"x": noise(6, 10)}, weights)
    return by_hand(trained, "layernorm_dx", {"x": "x", "gamma": "gamma", "dy": "y.grad"})


@cache
def instance_norm() -> Subject:
    """Instance normalisation of 4x5."""
    weights = {"scale": noise(3, seed=1, shift=1.0, scale=0.4), "shift": noise(3, seed=2)}
    node = layer("InstanceNormalization", "x", "scale", "shift", epsilon=0.01)
    trained = trained_on([node], (2, 3, 4, 5), {"x": noise(2, 3, 4, 5)}, weights)
    return by_hand(trained, "instancenorm_dx", {"x": "x", "scale": "scale", "dy": "y.grad"})


@cache
def batch_norm() -> Subject:
    """Batch normalisation by running statistics, of small variances."""
    weights = {
        "scale": noise(4, seed=1, shift=1.0, scale=0.4), "shift": noise(4, seed=2), "mean": noise(4, seed=3),
        "variance": np.abs(noise(4, seed=4, scale=0.1)),
    }  # fmt: skip
    node = layer("BatchNormalization", "x", "scale", "shift", "mean", "variance", epsilon=0.01)
    trained = trained_on([node], (2, 4, 5, 6), {"x": noise(2, 4, 5, 6)}, weights)
    return by_hand(trained, "batchnorm_dx", {"dy": "y.grad", "scale": "scale", "variance": "variance"})


@cache
def dense(name: str) -> Subject:
    """Five rows times a square matrix of 8."""
    trained = trained_on([layer("MatMul", "x", "w")], (5, 8), {"x": noise(5, 8)}, {"w": noise(8, 8, seed=1)})
    reads = {"x": {"dy": "y.grad", "w": "w"}, "w": {"x": "x", "dy": "y.grad"}}
    return by_hand(trained, f"dense_d{name}", reads[name], f"{name}.grad")


@cache
def activation(op_type: str, shader: str, reads: str, **attributes: Any) -> Subject:
    """A function of one element; `reads` is x or y, from which its slope is made."""
    x = np.abs(noise(2, 3, 4, 5)) + 0.1 if op_type == "Sqrt" else noise(2, 3, 4, 5, scale=1.5)
    trained = trained_on([layer(op_type, "x", **attributes)], (2, 3, 4, 5), {"x": x})
    return by_hand(trained, shader, {reads: reads, "dy": "y.grad"})


@cache
def quotient() -> Subject:
    """a / b, element by element."""
    inputs = {"a": noise(1, 3, 4, 5), "b": np.abs(noise(1, 3, 4, 5, seed=1)) + np.float32(0.5)}
    trained = trained_on([layer("Div", "a", "b")], (1, 3, 4, 5), inputs)
    return by_hand(trained, "quotient_db", {"a": "a", "b": "b", "dy": "y.grad"}, "b.grad")


@cache
def product() -> Subject:
    """a · b, where a is a column and b has six."""
    trained = trained_on([layer("Mul", "a", "b")], (7, 6), {"a": noise(7, 1), "b": noise(7, 6, seed=1)})
    return by_hand(trained, "product_da", {"b": "b", "dy": "y.grad"}, "a.grad")


@cache
def offset() -> Subject:
    """x + a, where a has one element a channel."""
    trained = trained_on([layer("Add", "x", "a")], (3, 4, 5, 6), {"x": noise(3, 4, 5, 6), "a": noise(4, 1, 1, seed=1)})
    return by_hand(trained, "channel_da", {"dy": "y.grad"}, "a.grad")


@cache
def mean_loss() -> Subject:
    """The mean of squared differences, behind a hyperbolic tangent."""
    layers = [
        layer("Tanh", "x"),
        layer("Sub", "y", "t", to="e"),
        layer("Mul", "e", "e", to="squares"),
        layer("ReduceMean", "squares", to="loss", keepdims=0),
    ]
    trained = models.model("Mean of squares of 4x6", layers, {"x": noise(4, 6), "t": noise(4, 6, seed=9)}, {})
    return by_hand(trained, "mean_loss", {"y": "y", "target": "t"}, "y.grad")


@cache
def residual() -> Subject:
    """x + relu(x)."""
    layers = [layer("Relu", "x", to="r"), layer("Add", "x", "r")]
    trained = trained_on(layers, (1, 3, 4, 5), {"x": noise(1, 3, 4, 5)})
    return by_hand(trained, "residual_dx", {"x": "x", "dy": "y.grad"})


@cache
def embedding() -> Subject:
    """Nine rows of a table of five, some of them more than once, each element times one of x."""
    places = np.array([0, 3, 1, 3, 3, 4, 0, 1, 2])
    layers = [layer("Gather", "w", "places", axis=0, to="g"), layer("Mul", "g", "x")]
    trained = trained_on(layers, (9, 6), {"x": noise(9, 6), "w": noise(5, 6, seed=1)}, {"places": places})
    return by_hand(trained, "embedding_dw", {"places": "places", "dy": "g.grad"}, "w.grad")


@cache
def prelu() -> Subject:
    """PReLU with a slope a channel."""
    inputs = {"x": noise(1, 4, 5, 6)}
    weights = {"slope": noise(4, 1, 1, seed=1, scale=0.3)}
    trained = trained_on([layer("PRelu", "x", "slope")], (1, 4, 5, 6), inputs, weights)
    return by_hand(trained, "prelu_dslope", {"x": "x", "dy": "y.grad"}, "slope.grad")


@cache
def turned() -> Subject:
    """Three axes of four, turned by one."""
    trained = trained_on([layer("Transpose", "x", perm=(2, 0, 1))], (4, 4, 4), {"x": noise(4, 4, 4)})
    return by_hand(trained, "turned_dx", {"dy": "y.grad"})


@cache
def joined() -> Subject:
    """Three channels and four, one behind the other."""
    inputs = {"a": noise(2, 3, 5, 6), "b": noise(2, 4, 5, 6, seed=1)}
    trained = trained_on([layer("Concat", "a", "b", axis=1)], (2, 7, 5, 6), inputs)
    return by_hand(trained, "concat_db", {"dy": "y.grad"}, "b.grad")


@cache
def global_mean() -> Subject:
    """The mean of each of four channels."""
    trained = trained_on([layer("GlobalAveragePool", "x")], (1, 4, 1, 1), {"x": noise(1, 4, 5, 6)})
    return by_hand(trained, "globalmean_dx", {"u_dy": "y.grad"}, layout=TILES)
