"""Runs one wrong pass on held-out inputs: other values of the same kind, other constants, signs and sizes.

A hypothesis may explain one input by chance. Each held-out input is run as the pass itself is, in its own textures,
which are restored after a step. GL thread only.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.figures import root_mean_square
from texelscope.pipeline.diagnose.evidence.evidence import Evidence, RedrawnPass
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.values import alike
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.planning.storage import components

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Array = NDArray[Any]
# Makes a value from a tensor's own values.
Make = Callable[[np.random.Generator, Array], Array]
# Draws the interventions again, by name, with the inputs that are set.
Redraw = Callable[[], Mapping[str, RedrawnPass]]

# At most this many nodes lie between a tensor that a pass reads and another computed from it.
_MOST_NODES = 3
# A slower pass runs once; a much slower one does not run.
_ONCE_MS, _NEVER_MS = 20.0, 400.0


@dataclasses.dataclass(frozen=True)
class _Kind:
    """Makes activations and constants; `is_alike`: with the signs and magnitudes that the tensors had."""

    name: str
    activations: Make
    constants: Make | None = None
    is_alike: bool = True


def _otherwise(random: np.random.Generator, value: Array) -> Array:
    """Returns values of either sign, four times as large, a few of them twenty times that."""
    size = 4.0 * _size(value) * np.where(random.random(value.shape) < 0.02, 20.0, 1.0)
    return np.asarray(random.standard_normal(value.shape) * size)


def _stepped(random: np.random.Generator, value: Array) -> Array:
    """Returns one value per channel (axis 1), with a few outliers."""
    shape = [length if axis == min(1, value.ndim - 1) else 1 for axis, length in enumerate(value.shape)]
    steps = np.broadcast_to(random.uniform(-2.0, 2.0, shape), value.shape)
    return np.asarray(_size(value) * np.where(random.random(value.shape) < 0.01, 9.0, steps))


KINDS = (
    _Kind("values of the same kind", alike),
    _Kind("other values and other constants", alike, alike),
    _Kind("values of either sign and larger", _otherwise, is_alike=False),
    _Kind("values that are equal in a channel", _stepped, is_alike=False),
)


def drawn_on_fresh_inputs(session: Session, base: Evidence, redraw: Redraw) -> Iterator[Evidence]:
    """Yields the evidence on each kind of inputs, one per step; for the first kind with interventions too.

    Its facts have `alike`: whether the inputs are in the range of the given ones. A pass that reads its own target, or
    differs on every run, does not depend on inputs alone: it yields nothing.
    """
    own = {*base.shader_pass.outputs}.intersection(base.shader_pass.reads)
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
    each, plan = base.shader_pass, base.plan
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
            interventions=MappingProxyType(dict(redraw()) if redraw is not None else {}),
        )
    finally:
        for key, data in held.items():
            session.texture(key).write(data, alignment=1)


def _values(base: Evidence, kind: _Kind, random: np.random.Generator) -> dict[str, Array]:
    """Returns the inputs by tensor, in logical shape."""
    found: dict[str, Array] = {}
    used = _used(base)
    for read in base.reads:
        stored, old = read.values.stored, read.values.elements.reshape(read.values.stored.shape)
        make = kind.constants if stored.role == "constant" else kind.activations
        if make is None or stored.tensor in found or (stored.role == "constant" and not _is_varied(base, read.tensor)):
            continue
        if stored.role == "constant" and used is not None and stored.tensor not in used:
            continue  # the model has folded it into another constant, which stays as it is
        old = np.where(np.isfinite(old), old, 0.0)
        new = make(random, old) if _is_real(base.plan, stored) else random.permutation(old.reshape(-1))
        found[stored.tensor] = new.reshape(stored.shape).astype(np.float32)
    return found | _following(base, found)


def _used(base: Evidence) -> frozenset[str] | None:
    """Returns the tensors that the nodes of the pass read; None if unknown."""
    graph, tensors = base.plan.graph, [read.tensor for read in base.reads]
    if graph is None:
        return None
    try:
        nodes = GraphOracle(graph).between(tensors, base.plan.textures[base.shader_pass.output].tensor)
    except TexelscopeError:
        return None
    return frozenset(name for node in nodes for name in node.inputs)


def _following(base: Evidence, values: Mapping[str, Array]) -> dict[str, Array]:
    """Computes tensors that follow, in a few nodes, from others that the pass reads, so that they stay consistent.

    Such as a layer's result beside its input: backward passes read both.
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
    """Writes the elements only: the texels between them stay as they are."""
    address = stored.layout.address(stored.shape)
    kept = session.texels(stored.key)
    texels = np.where(address >= 0, stored.encode(value), kept)
    data = np.ascontiguousarray(components(texels, stored.storage))
    session.texture(stored.key).write(data, alignment=1)


def _is_varied(base: Evidence, tensor: str) -> bool:
    """Whether the tensor is a constant of real numbers that is equal in the model and on the GPU."""
    graph = base.plan.graph
    if graph is None or tensor in base.plan.constants or tensor in base.facts.get("other_constants", ()):
        return False
    value = graph.constants.get(tensor)
    return value is not None and value.dtype.kind == "f"


def _is_real(plan: Plan, stored: StoredTensor) -> bool:
    info = plan.graph.tensors.get(stored.tensor) if plan.graph is not None else None
    of_model = info is None or np.dtype(info.dtype).kind == "f"
    return of_model and stored.dtype.startswith("float")


def _with_constants(plan: Plan, values: Mapping[str, StoredValues]) -> Plan:
    if plan.graph is None or plan.graph.constants.keys().isdisjoint(values):
        return plan
    constants = dict(plan.graph.constants)
    for name in constants.keys() & values.keys():
        constants[name] = values[name].elements.reshape(constants[name].shape).astype(constants[name].dtype)
    return dataclasses.replace(plan, graph=dataclasses.replace(plan.graph, constants=MappingProxyType(constants)))


def _size(value: Array) -> float:
    """Returns the magnitude of a tensor's values; 1 if all are zero."""
    return root_mean_square(value) or 1.0
