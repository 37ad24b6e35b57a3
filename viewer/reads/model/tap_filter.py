"""Shows one filter over all tiles of its input: the weight that belongs to each element that should be read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.colour.shown_as import Texel, texels_of


@dataclass(frozen=True)
class TapFilter:
    """The weights by element (linear index) of the input stored under `key`; several of one element are summed."""

    key: str
    weights: dict[int, float]

    def over(self, stored: StoredTensor) -> dict[Texel, float]:
        """Returns the weights by texel of the input in a layout; those of all lanes of a texel are summed."""
        found: defaultdict[Texel, float] = defaultdict(float)
        texels = texels_of(stored, np.array(list(self.weights), dtype=np.int64))
        for texel, weight in zip(texels, self.weights.values(), strict=True):
            found[texel] += weight
        return dict(found)


def filter_over(session: Session, name: str, element: int) -> TapFilter | None:
    """Returns the filter behind one element (linear index) of a pass's output; None if the pass is no convolution.

    The filter is the model's: where the shader should read, and what it should multiply with.
    """
    plan = session.plan
    found, graph = plan.find(name), plan.graph
    if found is None or graph is None:
        return None
    nodes = [node for node in graph.nodes if node.name in found.nodes]
    conv = next((node for node in nodes if node.op_type == "Conv"), None)
    weight = graph.constants.get(conv.inputs[1]) if conv is not None else None
    if conv is None or weight is None or Call(conv, graph).output_shape() != plan.textures[found.output].shape:
        return None
    operator = operator_of(conv)
    reads = operator.reads(Call(conv, graph), element) if operator is not None else None
    stored = {plan.textures[key].tensor: plan.textures[key] for key in found.reads}
    makers = {output: node for node in nodes for output in node.outputs}
    weights: defaultdict[int, float] = defaultdict(float)
    key = ""
    pairs = zip(reads[0].ravel(), reads[1].ravel(), strict=True) if reads is not None else ()
    for read, tap in pairs:  # a convolution names its window's elements and their weights in the same order
        tensor, place = _followed(graph, makers, conv.inputs[0], int(read), stored)
        if tensor not in stored:
            return None
        weights[place] += float(weight.reshape(-1)[tap])
        key = stored[tensor].key
    return TapFilter(key, dict(weights)) if key else None


def _followed(
    graph: Graph, makers: Mapping[str, Node], tensor: str, element: int, stored: Container[str]
) -> tuple[str, int]:
    """Follows an element back through nodes of the pass that only move elements, such as a Resize."""
    while tensor not in stored and tensor in makers:
        node = makers[tensor]
        operator = operator_of(node)
        reads = operator.reads(Call(node, graph), element) if operator is not None else None
        read = reads.get(0, np.zeros(0, dtype=np.int64)) if reads is not None else np.zeros(0, dtype=np.int64)
        if read.size != 1:
            return "", -1
        tensor, element = node.inputs[0], int(read.ravel()[0])
    return tensor, element
