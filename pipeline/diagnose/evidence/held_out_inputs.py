"""One wrong pass on inputs that nobody gave it: other values of the same kind, other constants, signs and sizes.

What explains one input may do so by chance. Each of these is run as the pass is run, in its own textures, which hold
what they held before when a step is done. GL thread only.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.figures import root_mean_square
from texelscope.pipeline.diagnose.evidence.evidence import Evidence, Redrawn
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Plan, StoredTensor

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Array = NDArray[Any]
# How a value is made of those that a tensor held.
Make = Callable[[np.random.Generator, Array], Array]
# What to draw again under the names of interventions, with the inputs at hand.
Redraw = Callable[[], Mapping[str, Redrawn]]

# So many nodes at most lie between one tensor that a pass reads and another that follows from it.
_MOST_NODES = 3
# A pass that takes longer is asked once; one that takes much longer is not.
_ONCE_MS, _NEVER_MS = 20.0, 400.0


@dataclasses.dataclass(frozen=True)
class _Kind:
    """Ways to make activations and constants; `is_alike`: in the range that the tensors had, by sign and size."""

    name: str
    activations: Make
    constants: Make | None = None
    is_alike: bool = True


def alike(random: np.random.Generator, value: Array) -> Array:
    """The same values elsewhere, each by up to two fifths more or less: signs, zeros and sizes stay."""
    mixed = random.permutation(value.reshape(-1)).reshape(value.shape)
    return np.asarray(mixed * random.uniform(0.6, 1.4, value.shape))


def _otherwise(random: np.random.Generator, value: Array) -> Array:
    """Either sign, four times as large, a few of them twenty times that."""
    size = 4.0 * _size(value) * np.where(random.random(value.shape) < 0.02, 20.0, 1.0)
    return np.asarray(random.standard_normal(value.shape) * size)


def _stepped(random: np.random.Generator, value: Array) -> Array:
    """One value for each channel (axis 1), with a few single elements that stand out."""
    shape = [length if axis == min(1, value.ndim - 1) else 1 for axis, length in enumerate(value.shape)]
    steps = np.broadcast_to(random.uniform(-2.0, 2.0, shape), value.shape)
    return np.asarray(_size(value) * np.where(random.random(value.shape) < 0.01, 9.0, steps))


KINDS = (
    _Kind("values of the same kind", alike),
    _Kind("other values and other constants", alike, alike),
    _Kind("values of either sign and larger", _otherwise, is_alike=False),
    _Kind("values that are alike in a channel", _stepped, is_alike=False),
)


def drawn_on_fresh_inputs(session: Session, base: Evidence, redraw: Redraw) -> Iterator[Evidence]:
    """The evidence of the pass on each kind of inputs, one a step; of the first kind with interventions too.

    Its facts have `alike`, whether the inputs are of the range that those at hand had. What is read of itself, or comes
    out otherwise each time, is no matter of inputs: nothing then.
    """
    own = {*base.each.outputs}.intersection(base.each.reads)
    asked = KINDS[: 1 if base.took_ms > _ONCE_MS else None] if base.took_ms <= _NEVER_MS and not own else ()
    for number, kind in enumerate(asked):
        values = _values(base, kind, np.random.default_rng(number))
        if kind.constants is not None and not any(_is_varied(base, name) for name in values):
            continue
        found = _drawn(session, base, values, redraw if number == 0 else None)
        if found is not None:
            facts = MappingProxyType({**found.facts, "alike": kind.is_alike, "inputs": kind.name})
            yield dataclasses.replace(found, facts=facts)


def _drawn(session: Session, base: Evidence, values: Mapping[str, Array], redraw: Redraw | None) -> Evidence | None:
    each, plan = base.each, base.plan
    reads = {read.values.stored.key: read.values.stored for read in base.reads if read.tensor in values}
    held = {key: session.texture(key).read(alignment=1) for key in (*reads, *each.outputs)}
    try:
        for stored in reads.values():
            _write(session, stored, values[stored.tensor])
        if not session.run_pass(each.name):
            return None
        now = tuple(
            dataclasses.replace(
                read, values=StoredValues(read.values.stored, session.texels(read.sampler.key), read.values.wrap)
            )
            for read in base.reads
        )
        tensors = {key: session.tensor(key) for key in (*reads, each.output) if key in base.capture.tensors}
        return dataclasses.replace(
            base,
            plan=_with_constants(plan, {read.tensor: read.values for read in now if read.tensor in values}),
            capture=dataclasses.replace(base.capture, tensors={**base.capture.tensors, **tensors}),
            texels=session.texels(each.output),
            reads=now,
            reruns=(),
            redrawn=MappingProxyType(dict(redraw()) if redraw is not None else {}),
        )
    finally:
        for key, data in held.items():
            session.texture(key).write(data, alignment=1)


def _values(base: Evidence, kind: _Kind, random: np.random.Generator) -> dict[str, Array]:
    """By tensor, in logical shape."""
    found: dict[str, Array] = {}
    used = _used(base)
    for read in base.reads:
        stored, old = read.values.stored, read.values.elements.reshape(read.values.stored.shape)
        make = kind.constants if stored.role == "constant" else kind.activations
        if make is None or stored.tensor in found or (stored.role == "constant" and not _is_varied(base, read.tensor)):
            continue
        if stored.role == "constant" and used is not None and stored.tensor not in used:
            continue  # the model has made another constant of it, which stays as it is
        old = np.where(np.isfinite(old), old, 0.0)
        new = make(random, old) if _is_real(base.plan, stored) else random.permutation(old.reshape(-1))
        found[stored.tensor] = new.reshape(stored.shape).astype(np.float32)
    return found | _following(base, found)


def _used(base: Evidence) -> frozenset[str] | None:
    """The tensors that go into the nodes of the pass; None where that cannot be told."""
    graph, tensors = base.plan.graph, [read.tensor for read in base.reads]
    if graph is None:
        return None
    try:
        nodes = GraphOracle(graph).between(tensors, base.plan.textures[base.each.output].tensor)
    except TexelscopeError:
        return None
    return frozenset(name for node in nodes for name in node.inputs)


def _following(base: Evidence, values: Mapping[str, Array]) -> dict[str, Array]:
    """What nodes of the model make, in a few steps, of the others that the pass reads: it has no values of its own.

    Such as a layer's result beside its input, as ways back read both.
    """
    graph = base.plan.graph
    found: dict[str, Array] = {}
    oracle = GraphOracle(graph) if graph is not None and len(values) > 1 else None
    for name in values if oracle is not None else ():
        others = {other: value for other, value in values.items() if other not in (name, *found)}
        try:
            if 0 < len(oracle.between(others, name)) <= _MOST_NODES:  # type: ignore[union-attr]
                made = oracle.values(others, [name])[name]  # type: ignore[union-attr]
                found[name] = np.asarray(made, dtype=np.float32).reshape(values[name].shape)
        except (TexelscopeError, KeyError):  # it does not follow from them
            continue
    return found


def _write(session: Session, stored: StoredTensor, value: Array) -> None:
    """Elements alone: what lies between them stays as it is."""
    address = stored.layout.address(stored.shape)
    kept = session.texels(stored.key)
    texels = np.where(address >= 0, stored.layout.encode(value), kept)
    if stored.storage == "uint8":
        texels = np.rint(np.clip(texels, 0.0, 1.0) * 255.0)
    with np.errstate(over="ignore"):
        data = np.ascontiguousarray(texels.astype(stored.storage))
    session.texture(stored.key).write(data, alignment=1)


def _is_varied(base: Evidence, tensor: str) -> bool:
    """Whether it is a constant of the model that the GPU has as the model has it, of real numbers."""
    graph = base.plan.graph
    if graph is None or tensor in base.plan.constants or tensor in base.facts.get("other_constants", ()):
        return False
    value = graph.constants.get(tensor)
    return value is not None and value.dtype.kind == "f"


def _is_real(plan: Plan, stored: StoredTensor) -> bool:
    info = plan.graph.tensors.get(stored.tensor) if plan.graph is not None else None
    return info is None or np.dtype(info.dtype).kind == "f"


def _with_constants(plan: Plan, values: Mapping[str, StoredValues]) -> Plan:
    if plan.graph is None or plan.graph.constants.keys().isdisjoint(values):
        return plan
    constants = dict(plan.graph.constants)
    for name in constants.keys() & values.keys():
        constants[name] = values[name].elements.reshape(constants[name].shape).astype(constants[name].dtype)
    return dataclasses.replace(plan, graph=dataclasses.replace(plan.graph, constants=MappingProxyType(constants)))


def _size(value: Array) -> float:
    """Of a tensor's values; 1 where there is nothing."""
    return root_mean_square(value) or 1.0
