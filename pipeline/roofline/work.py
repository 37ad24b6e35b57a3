"""Counts the work of a pass: operations by what its elements read, bytes and texels by its textures.

By that and the measured peaks it computes the least time of the pass on this device, and what limits it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.plan import Pass, Plan, Storage
from texelscope.pipeline.planning.memory import texture_bytes
from texelscope.pipeline.roofline.peaks import Peaks

# So many elements are sampled for their reads.
_SAMPLES = 24


@dataclass(frozen=True)
class OutputTexels:
    """Describes one output texture: its texels, and the contents of each."""

    texels: int
    lanes: int
    storage: Storage


@dataclass(frozen=True)
class PassWork:
    """Counts the least work of a pass: operations (None: not counted), elements made, bytes read, texels written.

    Each texture counts once, however often a shader comes back to it.
    """

    operations: int | None
    elements: int
    read_bytes: int
    write_bytes: int
    written: tuple[OutputTexels, ...]

    @property
    def bytes(self) -> int:
        """The bytes that have to be moved at least."""
        return self.read_bytes + self.write_bytes


def work_of(plan: Plan, shader_pass: Pass) -> PassWork:
    """Returns the work of one pass."""
    outputs = [plan.textures[key] for key in shader_pass.outputs]
    return PassWork(
        operations(plan, shader_pass),
        sum(math.prod(stored.shape) for stored in outputs),
        sum(texture_bytes(plan.textures[key]) for key in shader_pass.reads),
        sum(texture_bytes(stored) for stored in outputs),
        tuple(OutputTexels(math.prod(stored.texture_shape), stored.layout.lanes, stored.storage) for stored in outputs),
    )


def operations(plan: Plan, shader_pass: Pass) -> int | None:
    """Counts float operations of a one-node pass: a product and a sum for every element of its most read input.

    Estimated from a sample of elements, since windows at the border read less. None where the operator does not declare
    its reads, where the pass covers several nodes, and where an element reads one of each input: such a pass moves
    bytes, and its arithmetic is not counted.
    """
    graph = plan.graph
    node = (
        next((node for node in graph.nodes if node.name == shader_pass.nodes[0]), None)
        if graph and shader_pass.nodes
        else None
    )
    if graph is None or node is None or len(shader_pass.nodes) > 1:
        return None
    operator = operator_of(node)
    if operator is None or plan.textures[shader_pass.output].tensor != node.outputs[0]:
        return None
    count = math.prod(plan.textures[shader_pass.output].shape)
    sample = np.random.default_rng(0).integers(0, count, size=min(_SAMPLES, count))
    most = []
    for element in sample:
        reads = operator.reads(Call(node, graph), int(element))
        if reads is None:
            return None
        most.append(max((len(indices) for indices in reads.values()), default=0))
    return round(2 * count * float(np.mean(most))) if max(most) > 1 else None


def dispatched(session: Session) -> frozenset[str]:
    """Returns the names of passes that are dispatched, by themselves or by their form."""
    own = {each.name for each in session.plan.passes if each.dispatch is not None}
    forms = {each.name: session.form(each.name) for each in session.plan.passes}
    return frozenset(own) | {
        name for name, form in forms.items() if form is not None and any(step.kind == "compute" for step in form.steps)
    }


By = Literal["compute", "reads", "writes"]


@dataclass(frozen=True)
class Limit:
    """Gives the least milliseconds: for arithmetic (None: not counted), reading and writing, which overlap."""

    compute_ms: float | None
    read_ms: float
    write_ms: float

    @property
    def ms(self) -> float:
        """The largest of the three."""
        return max(self.compute_ms or 0.0, self.read_ms, self.write_ms)

    @property
    def by(self) -> By:
        """The name of the largest."""
        found: dict[By, float] = {"compute": self.compute_ms or 0.0, "reads": self.read_ms, "writes": self.write_ms}
        return max(found, key=lambda name: found[name])


def limit_of(work: PassWork, peaks: Peaks, *, in_compute: bool = False) -> Limit:
    """Returns the limit of a pass in fragments, or in compute, where that was measured.

    Every texture that it reads counts once, at the rate at which memory or caches give four floats a texel, whichever
    is faster; every texel that it writes at the rate of its format.
    """
    rates = peaks.compute if in_compute and peaks.compute is not None else peaks.fragment
    return Limit(
        work.operations / rates.gflops / 1e6 if work.operations is not None else None,
        work.read_bytes / rates.texture_gbytes / 1e6,
        sum(each.texels / rates.fill.gtexels(each.lanes, each.storage) for each in work.written) / 1e6,
    )
