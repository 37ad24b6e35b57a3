"""Runs a pass with other tensors bound: those that the model needs there and that no sampler has.

The model says which tensors lead to the pass's output, the plan which ones are bound. If a needed one is missing and
another is bound without need, the first is bound in place of the second in a separate session, and the unchanged shader
runs again. GL thread only.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import RedrawnPass
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.plan import Pass, Plan, StoredTensor

# At most this many bindings are tried, in one session.
_MOST = 6
# A slower pass (milliseconds), or one with more elements to copy, is not tried.
_SLOW_MS, _MOST_ELEMENTS = 400.0, 1 << 24


@dataclass(frozen=True)
class BindingSwap:
    """Binds the tensor `needed` to a sampler (block, image) in place of the tensor `bound`."""

    uniform: str
    bound: str
    needed: str


Rebinding = tuple[BindingSwap, ...]


def rebindings(plan: Plan, shader_pass: Pass, output: StoredTensor) -> list[Rebinding]:
    """Returns the bindings to try; none if everything that the output depends on is bound."""
    needed = _needed(plan, shader_pass, output.tensor)
    bound = [(uniform, plan.textures[key].tensor) for uniform, key in shader_pass.bound_reads]
    missing = [name for name in needed if not any(_same(plan, name, other) for _, other in bound)]
    if not missing or sum(math.prod(plan.textures[key].shape) for key in shader_pass.reads) > _MOST_ELEMENTS:
        return []
    names = [name for _, name in bound]
    idle = [
        (uniform, name)
        for uniform, name in bound
        if names.count(name) > 1 or not any(_same(plan, name, other) for other in needed)
    ]
    return [*itertools.islice(_assigned(plan, idle, missing), _MOST)]


def rebound(
    session: Session, shader_pass: Pass, output: str, interventions: dict[str, RedrawnPass]
) -> Generator[None, None, tuple[Rebinding, ...]]:
    """Adds `rebound 0` and so on to `interventions`, step by step. Returns the rebindings in that order."""
    plan, took = session.plan, session.gpu_ms(shader_pass.name) or 0.0
    stored = plan.textures[output]
    tried = (
        []
        if shader_pass.from_operator or took > _SLOW_MS or session.is_long(shader_pass.name)
        else rebindings(plan, shader_pass, stored)
    )
    if not tried:
        return ()
    textures: dict[str, StoredTensor] = {}
    values: dict[str, NDArray[Any]] = {}
    source = dataclasses.replace(shader_pass, program=session.program_source(shader_pass.name))
    passes = tuple(_with(session, source, swaps, number, textures, values) for number, swaps in enumerate(tried))
    alone = Plan(plan.name, MappingProxyType(textures), passes, tuple(values), passes[-1].outputs)
    found: list[Rebinding] = []
    with Session(alone, session.context) as scratch:
        for key, value in values.items():
            scratch.inject(key, value)
        yield
        for swaps, again in zip(tried, passes, strict=True):
            if scratch.run_pass(again.name):
                texels = scratch.texels(again.outputs[shader_pass.outputs.index(output)])
                interventions[f"rebound {len(found)}"] = RedrawnPass(texels, slice(0, texels.shape[0]))
                found.append(swaps)
            yield
    return tuple(found)


def _needed(plan: Plan, shader_pass: Pass, wanted: str) -> list[str]:
    """Returns the nearest tensors from which `wanted` is computed: constants, inputs, and other passes' outputs."""
    graph = plan.graph
    if graph is None:
        return []
    own = {plan.textures[key].tensor for key in shader_pass.outputs}
    there = {stored.tensor for stored in plan.textures.values()} - own
    makers = {name: node for node in graph.nodes for name in node.outputs if name}
    found: dict[str, None] = {}
    pending, seen = [wanted], {wanted}
    while pending:
        name = pending.pop()
        node = makers.get(name)
        if name != wanted and (name in there or name in graph.constants or node is None):
            constant = graph.constants.get(name)
            if constant is None or constant.dtype.kind == "f":
                found[name] = None
            continue
        new = [each for each in (node.inputs if node is not None else ()) if each and each not in seen]
        seen.update(new)
        pending.extend(reversed(new))
    return list(found)


def _same(plan: Plan, name: str, other: str) -> bool:
    """Whether two names are the same numbers, in any arrangement.

    A file may give a constant of the model another name, and a model may transpose or reshape a tensor.
    """
    if name == other or _in_order(plan, name) == _in_order(plan, other):
        return True
    one, two = plan.constant(name), plan.constant(other)
    if one is None or two is None or one.size != two.size:
        return False
    return np.array_equal(np.sort(one, axis=None), np.sort(two, axis=None))


def _in_order(plan: Plan, name: str) -> str:
    """Returns the tensor before nodes that only reshape it."""
    makers = {} if plan.graph is None else {out: node for node in plan.graph.nodes for out in node.outputs}
    while name in makers and facts_of(makers[name]).keeps_order:
        name = makers[name].inputs[0]
    return name


def _assigned(plan: Plan, idle: Sequence[tuple[str, str]], missing: Sequence[str]) -> Iterator[Rebinding]:
    """Yields missing tensors for samplers bound without need: all that fit at once, then each alone."""
    fits = {
        (uniform, name): BindingSwap(uniform, bound, name)
        for uniform, bound in idle
        for name in missing
        if _fits(plan, bound, name)
    }
    most = min(len({uniform for uniform, _ in fits}), len({name for _, name in fits}))
    for count in range(most, 0, -1):
        for names in itertools.permutations(missing, count):
            for some in itertools.combinations(idle, count):
                pairs = [(uniform, name) for (uniform, _), name in zip(some, names, strict=True)]
                if all(pair in fits for pair in pairs):
                    yield tuple(fits[pair] for pair in pairs)


def _fits(plan: Plan, bound: str, name: str) -> bool:
    """Whether one may replace the other: as many elements, or both made by passes."""
    one, other = (plan.constant(each) for each in (bound, name))
    sizes = {value.size if value is not None else _size(plan, each) for each, value in ((bound, one), (name, other))}
    return len(sizes) == 1 or (one is None and other is None)


def _size(plan: Plan, tensor: str) -> int:
    return next((math.prod(each.shape) for each in plan.textures.values() if each.tensor == tensor), 0)


def _with(
    session: Session,
    shader_pass: Pass,
    swaps: Rebinding,
    number: int,
    textures: dict[str, StoredTensor],
    values: dict[str, NDArray[Any]],
) -> Pass:
    """Returns the pass with those bindings and separate outputs; fills `textures` and `values`."""
    plan = session.plan
    instead = {swap.uniform: swap.needed for swap in swaps}
    outputs = {key: f"{key} {number}" for key in shader_pass.outputs}
    textures |= {new: dataclasses.replace(plan.textures[key], key=new) for key, new in outputs.items()}

    def key_of(uniform: str, key: str) -> str:
        if key in outputs:
            return outputs[key]
        stored = plan.textures[key]
        if uniform in instead:
            stored = _stored(plan, instead[uniform], stored)
        if stored.key not in textures:
            textures[stored.key] = dataclasses.replace(stored, role="input")
            constant = plan.constant(stored.tensor) if stored.key not in plan.textures else None
            held = session.tensor(stored.key) if constant is None else np.asarray(constant, dtype=np.float32)
            values[stored.key] = held.reshape(stored.shape)
        return stored.key

    samplers = tuple(dataclasses.replace(one, key=key_of(one.uniform, one.key)) for one in shader_pass.samplers)
    dispatch = shader_pass.dispatch
    if dispatch is not None:
        buffers = tuple(
            dataclasses.replace(
                one, key=key_of(one.block, one.key), starts_as=one.starts_as and key_of("", one.starts_as)
            )
            for one in dispatch.buffers
        )
        images = tuple(
            dataclasses.replace(
                one, key=key_of(one.uniform, one.key), starts_as=one.starts_as and key_of("", one.starts_as)
            )
            for one in dispatch.images
        )
        dispatch = dataclasses.replace(dispatch, buffers=buffers, images=images)
    name = f"{shader_pass.name} {number}"
    return dataclasses.replace(
        shader_pass, name=name, outputs=tuple(outputs.values()), samplers=samplers, dispatch=dispatch, nodes=()
    )


def _stored(plan: Plan, tensor: str, place: StoredTensor) -> StoredTensor:
    """Returns how the tensor is stored: as another pass has it, or else like the tensor that it replaces."""
    made = [each for each in plan.textures.values() if each.tensor == tensor and each.role != "constant"]
    if made:
        return next((each for each in made if each.layout == place.layout), made[0])
    value = plan.constant(tensor)
    assert value is not None
    shape = place.shape if math.prod(place.shape) == value.size else value.shape
    return dataclasses.replace(place, key=f"{tensor} for {place.key}", tensor=tensor, shape=shape)
