"""Handles operators that frameworks define differently, and the definition that a graph's nodes follow.

An ONNX file has LRN and four numbers; it does not say whether the numbers came from a framework that means the same
by them. Choosing a convention rewrites the nodes; choosing ONNX's own restores them. In general form,

    y = x / (bias + scale · S)^exponent,

S the sum of x² over a window along the channels or over a square of the picture. All frameworks call the parameters
size (n), alpha, beta and bias (or k, or nothing where it is fixed).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node


@dataclass(frozen=True)
class LocalResponse:
    """Describes one normalisation, independent of conventions.

    The window has `window` elements along the channel axis, or along each of the two spatial axes if `spatial`,
    `before` of them before the element. `scale` multiplies the sum of squares: α for a sum, α / n for a mean.
    Outside the tensor are zeros or, if `repeat_edge`, its nearest elements.
    """

    window: int
    before: int
    scale: float
    bias: float
    exponent: float
    spatial: bool = False
    repeat_edge: bool = False


@dataclass(frozen=True)
class LrnParameters:
    """Holds a node's parameters: n, alpha, beta and the bias."""

    size: int
    alpha: float
    beta: float
    bias: float


@dataclass(frozen=True)
class LrnConvention:
    """Holds a framework's reading of the parameters; `formula` is for people."""

    name: str
    formula: str
    read: Callable[[LrnParameters], LocalResponse]


def lrn_convention(name: str) -> LrnConvention:
    """Returns the convention of that name. Raises TexelscopeError with the nearest name there is."""
    if name not in LRN_CONVENTIONS:
        raise TexelscopeError("LRN", "a convention that is known", f"'{name}'", nearest(name, LRN_CONVENTIONS))
    return LRN_CONVENTIONS[name]


def _centred(p: LrnParameters, divisor: int) -> LocalResponse:
    """Returns n elements, ⌊(n − 1) / 2⌋ of them before."""
    return LocalResponse(p.size, (p.size - 1) // 2, p.alpha / divisor, p.bias, p.beta)


def _tensorflow(p: LrnParameters) -> LocalResponse:
    radius = p.size // 2
    return LocalResponse(2 * radius + 1, radius, p.alpha, p.bias, p.beta)


def _pytorch(p: LrnParameters) -> LocalResponse:
    return LocalResponse(p.size, p.size // 2, p.alpha / p.size, p.bias, p.beta)


def _caffe_within(p: LrnParameters) -> LocalResponse:
    return LocalResponse(p.size, (p.size - 1) // 2, p.alpha / p.size**2, 1.0, p.beta, spatial=True)


def _ncnn(p: LrnParameters) -> LocalResponse:
    return LocalResponse(2 * (p.size // 2) + 1, p.size // 2, p.alpha / p.size, p.bias, p.beta)


def _ncnn_within(p: LrnParameters) -> LocalResponse:
    return LocalResponse(p.size, p.size // 2, p.alpha / p.size**2, p.bias, p.beta, spatial=True)


def _directml_within(p: LrnParameters) -> LocalResponse:
    return LocalResponse(p.size, (p.size - 1) // 2, p.alpha / p.size, p.bias, p.beta, spatial=True)


# Sources: the operators' specifications (ONNX LRN 13, tf.nn.local_response_normalization,
# torch.nn.functional.local_response_norm, Core ML LRNLayerParams, DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC)
# and, where a specification leaves the window open, lrn_layer.cpp of Caffe and lrn.cpp of ncnn.
_ALL = (
    LrnConvention("onnx", "bias + alpha / n · Σ over n channels, ⌊(n − 1) / 2⌋ before", lambda p: _centred(p, p.size)),
    LrnConvention("tensorflow", "bias + alpha · Σ over 2r + 1 channels, r = ⌊n / 2⌋", _tensorflow),
    LrnConvention("pytorch", "k + alpha / n · Σ over n channels, ⌊n / 2⌋ before", _pytorch),
    LrnConvention("caffe_across", "k + alpha / n · Σ over n channels, n odd", lambda p: _centred(p, p.size)),
    LrnConvention("caffe_within", "1 + alpha / n² · Σ over n × n of the picture", _caffe_within),
    LrnConvention("coreml", "k + alpha / n · Σ over n channels", lambda p: _centred(p, p.size)),
    LrnConvention("ncnn", "bias + alpha / n · Σ over 2⌊n / 2⌋ + 1 channels", _ncnn),
    LrnConvention("ncnn_within", "bias + alpha / n² · Σ over n × n of the picture, ⌊n / 2⌋ before", _ncnn_within),
    LrnConvention("directml", "bias + alpha / n · Σ over n channels", lambda p: _centred(p, p.size)),
    LrnConvention("directml_within", "bias + alpha / n · Σ over n × n of the picture", _directml_within),
)
LRN_CONVENTIONS: Mapping[str, LrnConvention] = MappingProxyType({each.name: each for each in _ALL})


# ONNX's own definition, of any operator.
DEFAULT = "onnx"


def conventions() -> Mapping[str, tuple[LrnConvention, ...]]:
    """Returns operator type → its conventions, ONNX's first; each has a name and a formula to show."""
    return MappingProxyType({"LRN": tuple(LRN_CONVENTIONS.values())})


def convention_of(node: Node) -> str:
    """Returns the name of the convention that a node follows; empty for one that has no choice."""
    if node.op_type not in conventions():
        return ""
    return str(node.attributes.get("convention", "" if node.domain == OWN_DOMAIN else DEFAULT))


def with_conventions(graph: Graph, chosen: Mapping[str, str]) -> Graph:
    """Returns `graph` with its nodes following the conventions `chosen` by operator type, the others unchanged.

    Returns the same graph if that changes nothing. Raises TexelscopeError for an unknown operator or
    convention.
    """
    for op_type, name in chosen.items():
        check_convention(op_type, name)
    nodes = tuple(_following(node, chosen) for node in graph.nodes)
    changed = any(new is not old for new, old in zip(nodes, graph.nodes, strict=True))
    return dataclasses.replace(graph, nodes=nodes) if changed else graph


def check_convention(op_type: str, name: str) -> None:
    """Raises TexelscopeError, with the nearest name, unless both are known."""
    if op_type not in conventions():
        expected, advice = "an operator that frameworks define differently", nearest(op_type, conventions())
        raise TexelscopeError("conventions", expected, f"'{op_type}'", advice)
    lrn_convention(name)


def with_only(graph: Graph, chosen: Mapping[str, str]) -> Graph:
    """Returns the graph as `with_conventions`, with ONNX's definition for every operator that is not `chosen`."""
    return with_conventions(graph, {**dict.fromkeys(conventions(), DEFAULT), **chosen})


def readings(node: Node) -> Mapping[str, LocalResponse]:
    """Returns convention → its interpretation of the node's parameters; nothing for an operator without a choice."""
    if not convention_of(node):
        return {}
    parameters = _parameters(node.attributes["said"] if node.domain == OWN_DOMAIN else node.attributes)
    return {each.name: each.read(parameters) for each in conventions()[node.op_type]}


def _parameters(said: Mapping[str, Any]) -> LrnParameters:
    """Returns an LRN node's attributes with ONNX's defaults (LRN 13)."""
    return LrnParameters(
        int(said["size"]), float(said.get("alpha", 1e-4)), float(said.get("beta", 0.75)), float(said.get("bias", 1.0))
    )


def _following(node: Node, chosen: Mapping[str, str]) -> Node:
    name = chosen.get(node.op_type)
    if name is None or convention_of(node) in ("", name):
        return node
    said = dict(node.attributes["said"] if node.domain == OWN_DOMAIN else node.attributes)
    if name == DEFAULT:
        return dataclasses.replace(node, domain="", attributes=MappingProxyType(said))
    form = dataclasses.asdict(lrn_convention(name).read(_parameters(said)))
    attributes = MappingProxyType({**form, "said": MappingProxyType(said), "convention": name})
    return dataclasses.replace(node, domain=OWN_DOMAIN, attributes=attributes)
