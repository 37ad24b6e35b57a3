"""How much work a pass is: operations by what its elements read, bytes and texels by the textures it touches."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.plan import Pass, Plan, Storage
from texelscope.pipeline.planning.memory import texture_bytes

# Elements whose reads stand for those of all.
_SAMPLES = 24


@dataclass(frozen=True)
class OutputTexels:
    """One output texture: its texels, and what each holds."""

    texels: int
    lanes: int
    storage: Storage


@dataclass(frozen=True)
class PassWork:
    """What a pass has to do at least: operations (None: not counted), elements made, bytes read, texels written.

    Each texture counts once, however often a shader comes back to it.
    """

    operations: int | None
    elements: int
    read_bytes: int
    write_bytes: int
    written: tuple[OutputTexels, ...]

    @property
    def bytes(self) -> int:
        """Bytes that have to be moved at least."""
        return self.read_bytes + self.write_bytes


def work_of(plan: Plan, each: Pass) -> PassWork:
    """The work of one pass."""
    outputs = [plan.textures[key] for key in each.outputs]
    return PassWork(
        operations(plan, each),
        sum(math.prod(stored.shape) for stored in outputs),
        sum(texture_bytes(plan.textures[key]) for key in each.reads),
        sum(texture_bytes(stored) for stored in outputs),
        tuple(OutputTexels(math.prod(stored.texture_shape), stored.layout.lanes, stored.storage) for stored in outputs),
    )


def operations(plan: Plan, each: Pass) -> int | None:
    """Float operations of a pass of one node: a product and a sum for every element of the input that is read most.

    Estimated from a sample of elements, since windows at the border read less. None where the operator does not say
    what it reads, where the pass covers several nodes, and where an element reads one of each input: such a pass
    moves bytes, and what it computes between is not counted.
    """
    graph = plan.graph
    node = next((node for node in graph.nodes if node.name == each.nodes[0]), None) if graph and each.nodes else None
    if graph is None or node is None or len(each.nodes) > 1:
        return None
    operator = all_operators().get(node.op_type)
    if operator is None or plan.textures[each.output].tensor != node.outputs[0]:
        return None
    count = math.prod(plan.textures[each.output].shape)
    sample = np.random.default_rng(0).integers(0, count, size=min(_SAMPLES, count))
    most = []
    for element in sample:
        reads = operator.reads(Call(node, graph), int(element))
        if reads is None:
            return None
        most.append(max((len(indices) for indices in reads.values()), default=0))
    return round(2 * count * float(np.mean(most))) if max(most) > 1 else None
