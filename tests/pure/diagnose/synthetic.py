"""Evidence as a session would gather it, made in numpy: a convolution 3x3 with bias and, if wanted, a ReLU."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.device import Device
from texelscope.pipeline.diagnose.evidence.evidence import Evidence, ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.model_slice.model_slice import WindowChange
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Role, Sampler, SourceFile, StoredTensor

Array = NDArray[Any]

SHADER = """#version 330 core
uniform sampler2D u_x;
uniform sampler2D u_w;
uniform sampler2D u_b;
out float color;
void main() {
    float sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += texelFetch(u_x, ivec2(i), 0).r * texelFetch(u_w, ivec2(i), 0).r;
    color = sum + texelFetch(u_b, ivec2(0), 0).r;
}
"""
RESULT_LINE = 10


def graph(*, activation: bool = False) -> Graph:
    """x [1, 3, 6, 7] convolved to four channels."""
    random = np.random.default_rng(3)
    w = random.standard_normal((4, 3, 3, 3)).astype(np.float32)
    b = random.standard_normal(4).astype(np.float32)
    made = "s" if activation else "y"
    nodes = [Node("conv", "Conv", ("x", "w", "b"), (made,), MappingProxyType({"pads": (1, 1, 1, 1)}), opset=20)]
    if activation:
        nodes.append(Node("act", "Relu", ("s",), ("y",), opset=20))
    shapes = {"x": (1, 3, 6, 7), "w": w.shape, "b": b.shape, "s": (1, 4, 6, 7), "y": (1, 4, 6, 7)}
    tensors = {name: TensorInfo(name, shape) for name, shape in shapes.items()}
    return Graph("test", tuple(nodes), MappingProxyType(tensors), ("x",), ("y",), MappingProxyType({"w": w, "b": b}))


def right(made: Graph) -> Array:
    """What the pass should give."""
    found = GraphOracle(made).isolated({"x": inputs()}, "y")
    assert found is not None
    return np.asarray(found.value, dtype=np.float32)


def inputs() -> Array:
    """x."""
    return np.random.default_rng(5).standard_normal((1, 3, 6, 7)).astype(np.float32)


def evidence(made: Graph, actual: Array, *, shader: str = SHADER, given: Array | None = None) -> Evidence:
    """The evidence of a pass of `made` that gave `actual`, `given` being x; nothing redrawn, nothing recorded."""
    values = {"x": inputs() if given is None else given, **made.constants}
    roles: dict[str, Role] = {"x": "input", "y": "activation"}
    stored = {
        name: StoredTensor(
            name,
            name,
            made.tensors[name].shape,
            layouts.layout("filter_tiles" if name == "w" else "channel_tiles"),
            role=roles.get(name, "constant"),
        )
        for name in (*values, "y")
    }
    samplers = tuple(Sampler(f"u_{name}", name) for name in values)
    program = ProgramSource(shader, (SourceFile(1, "conv.frag", shader),))
    each = Pass("y", "Shader", ("y",), samplers, program)
    plan = Plan("test", MappingProxyType(stored), (each,), ("x",), ("y",), graph=made)
    capture = Capture("test", Device("none", "0"), {"x": values["x"], "y": actual}, {}, {})
    reads = tuple(
        ReadTensor(sampler, StoredValues(stored[name], stored[name].layout.encode(values[name])))
        for sampler, name in zip(samplers, values, strict=True)
    )
    return Evidence(plan, each, program, "", capture, stored["y"].layout.encode(actual), reads)


def holding(found: Evidence, weights: Array) -> Evidence:
    """The same, whose texture of the weights holds these."""
    reads = tuple(
        dataclasses.replace(
            read, values=dataclasses.replace(read.values, texels=read.values.stored.layout.encode(weights))
        )
        if read.tensor == "w"
        else read
        for read in found.reads
    )
    return dataclasses.replace(found, reads=reads, facts={**found.facts, "other_constants": ("w",)})


def turned() -> WindowChange:
    """The kernel read backwards along both axes."""
    return WindowChange("conv", lambda window: window.replaced(weights=np.flip(np.asarray(window.weights), (2, 3))))
