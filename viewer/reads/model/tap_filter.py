"""Shows one filter over all tiles of its input, and lists the product of each read in the sum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.stepping.sum_words import elements_of, read_of_value
from texelscope.viewer.colour.shown_as import Texel, texels_of

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.sums import FragmentSum


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


@dataclass(frozen=True)
class TapProduct:
    """One element of the texture `key`: its value times its weight, and the product's share of all |products|.

    Of a fragment that was stepped through it was read, and is `wrong` if the model multiplies others. Of the model it
    should be read, and is `wrong` if it was not. `read_with` is where the weight was read, a texture's key and a texel;
    None if unknown, as of the model.
    """

    key: str
    texel: Texel
    element: int
    value: float
    weight: float
    product: float
    share: float = 0.0
    wrong: bool = False
    read_with: tuple[str, Texel] | None = None

    def is_at(self, key: str, texel: Texel) -> bool:
        """Returns whether the value or its weight was read there."""
        return (self.key, self.texel) == (key, texel) or self.read_with == (key, texel)

    @property
    def text(self) -> str:
        """The product as text: `0.5 × -0.25 = -0.125, 3.1 % of the sum`."""
        share = f"{100 * self.share:.3g} %"
        return f"{self.value:.6g} × {self.weight:.6g} = {self.product:.6g}, {share} of the sum"


def of_model(session: Session, shown: TapFilter | None, unread: Set[Texel]) -> tuple[TapProduct, ...]:
    """Returns the products of the model's filter and its input's present values, largest first; empty without one.

    Those of the `unread` texels are wrong, and come before all others.
    """
    if shown is None or not session.is_valid(shown.key):
        return ()
    stored = session.plan.textures[shown.key]
    values = session.tensor(shown.key).reshape(-1)
    found = []
    for element, weight in shown.weights.items():
        value = float(values[element])
        texel = stored.layout.texel_of(stored.shape, element)[:2]
        found.append(TapProduct(shown.key, texel, element, value, weight, value * weight, wrong=texel in unread))
    return tuple(sorted(_shared(found), key=lambda each: not each.wrong))


def of_fragment(sums: FragmentSum) -> tuple[TapProduct, ...]:
    """Returns the products that the fragment itself summed, largest first."""
    found = []
    for term, element in zip(sums.terms, elements_of(sums.terms), strict=True):
        if term.value is None or term.weight is None or not term.reads:
            continue
        of_value = read_of_value(term)
        other = next((read for read in term.reads if read is not of_value), None)
        found.append(
            TapProduct(
                of_value.key,
                of_value.texel,
                element,
                float(term.value),
                float(term.weight),
                term.product,
                wrong=term.wrong,
                read_with=(other.key, other.texel) if other is not None else None,
            )
        )
    return _shared(found)


def _shared(found: Iterable[TapProduct]) -> tuple[TapProduct, ...]:
    each = sorted(found, key=lambda tap: -abs(tap.product) if np.isfinite(tap.product) else -np.inf)
    whole = float(sum(abs(tap.product) for tap in each if np.isfinite(tap.product)))
    return tuple(replace(tap, share=abs(tap.product) / whole if whole else 0.0) for tap in each)
