"""Which tensors a pipeline file may have meant to bind to a pass: those that its nodes need, or two exchanged."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.repair.pipeline_file_repairs.tried import rebound

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# So many of each are tried.
_MOST = 8
Bindings = tuple[tuple[str, str], ...]


def bound_otherwise(
    session: Session, each: Pass, is_late: Callable[[], bool], *, exchanged: bool
) -> Generator[None, None, tuple[Repair, ...]]:
    """The first of these that mends the pass; two are tried `exchanged` where that is asked for. GL thread."""
    plan = session.plan
    for bindings in (*needed_bindings(plan, each), *(exchanged_bindings(plan, each) if exchanged else ())):
        if is_late():
            break
        try:
            found = yield from rebound(session, each, bindings)
        except TexelscopeError:
            continue
        if found:
            return found
    return ()


def needed_bindings(plan: Plan, each: Pass) -> Iterator[Bindings]:
    """A tensor that the pass's nodes need and that is not bound, in the place of each that none of them needs."""
    bound = _bound(plan, each)
    needed, made = set[str](), set[str]()
    for node in plan.graph.nodes if plan.graph is not None else ():
        if node.name in each.nodes:
            needed |= {name for name in node.inputs if name}
            made |= {*node.outputs}
    lost = sorted(needed - made - {tensor for _, tensor in bound})
    spare = [name for name, tensor in bound if tensor not in needed]
    pairs = itertools.product(lost, spare)
    yield from itertools.islice((((name, tensor),) for tensor, name in pairs), _MOST)


def exchanged_bindings(plan: Plan, each: Pass) -> Iterator[Bindings]:
    """Two tensors of one shape, each where the other one is bound."""
    alike = (
        ((one, second), (other, first))
        for (one, first), (other, second) in itertools.combinations(_bound(plan, each), 2)
        if first != second and _shape(plan, first) == _shape(plan, second)
    )
    yield from itertools.islice(alike, _MOST)


def _bound(plan: Plan, each: Pass) -> list[tuple[str, str]]:
    return [(name, plan.textures[key].tensor) for name, key in each.bound_reads]


def _shape(plan: Plan, tensor: str) -> tuple[int, ...] | None:
    constant = plan.constant(tensor)
    if constant is not None:
        return constant.shape
    return next((stored.shape for stored in plan.textures.values() if stored.tensor == tensor), None)
