"""Replaces passes that cannot run by values, tensor by tensor, and plans again with the shapes that they reveal.

A value shows the shapes of what follows, so that each round knows more: a node that could not be planned then
becomes a pass, or another node that cannot run and gets a value in the next round.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.injection.sources import OracleValues, ValueSource
from texelscope.pipeline.inputs.values import check_held
from texelscope.pipeline.plan import NotRun

Array = NDArray[Any]


@dataclass(frozen=True)
class Injection:
    """Describes the result for one layer that cannot run: the `source` of its value, or the `reason` why it has none.

    A layer that `waits` reads another without a value, which is the one to report.
    """

    layer: str
    operator: str
    tensor: str
    shape: tuple[int, ...] = ()
    source: str = ""
    reason: str = ""
    waits: bool = False

    def __str__(self) -> str:
        what = f"'{self.tensor}' in place of {self.operator} '{self.layer}'"
        if self.source:
            return f"injected {what}: {list(self.shape)} from {self.source}."
        return f"could not inject {what}: {self.reason}."


def inject_missing(
    session: DebugSession, sources: Sequence[ValueSource], only: Collection[str] | None = None
) -> tuple[Injection, ...]:
    """Puts values in place of everything that the plan cannot run; see `run_on` for the next step.

    The first of `sources` that has a tensor provides it; with `only` no other layers get values. Others wait for a
    tensor that no source has.
    """
    done: dict[str, Injection] = {}
    while True:
        values: dict[str, Array] = {}
        for missing in _next(session, done, only):
            injection, value = _valued(session, missing, sources)
            done[missing.outputs[0]] = injection
            if value is not None:
                values[missing.outputs[0]] = value
        if not values and not _next(session, done, only):
            break
        for refused, reason in _put_in(session, values).items():
            was = done[refused]
            done[refused] = Injection(was.layer, was.operator, was.tensor, reason=reason)
    return tuple(each for each in done.values() if each.source or not each.waits)


def run_on(session: DebugSession) -> None:
    """Runs the passes that have not run."""
    for each in session.plan.passes:
        if not session.has_run(each.name):
            session.run_pass(each.name)


def waiting(session: DebugSession, done: Collection[Injection]) -> int:
    """Counts the layers that still do not run, without those that were tried."""
    tried = {each.layer for each in done}
    missing = sum(each.name not in tried for each in session.plan.not_run)
    return missing + sum(not session.has_run(each.name) for each in session.plan.passes)


def _next(session: DebugSession, done: Collection[str], only: Collection[str] | None) -> list[NotRun]:
    """Returns the next layers to try: those that wait for nothing, or for a layer tried before."""
    return [
        missing
        for missing in session.plan.not_run
        if missing.outputs[0] not in done
        and (only is None or missing.name in only)
        and (not missing.waits_for or missing.waits_for in done or only is not None)
        and missing.outputs[0] not in session.injected
    ]


def _valued(session: DebugSession, missing: NotRun, sources: Sequence[ValueSource]) -> tuple[Injection, Array | None]:
    """Returns the value of one tensor from the first source that has it, and the message about it."""
    tensor = missing.outputs[0]
    reasons = []
    for source in sources:
        if isinstance(source, OracleValues) and session.plan.graph is not None:
            source.follow(session.plan.graph, {})
        try:
            value = _fitting(session, tensor, source.value(tensor))
        except TexelscopeError as error:
            who = source.title if error.who == source.title else f"{source.title}: {error.who}"
            reasons.append(f"{who}: expected {error.expected}, got {error.got}")
            continue
        for each in sources:
            if isinstance(each, OracleValues) and session.plan.graph is not None:
                each.follow(session.plan.graph, {tensor: value})
        return Injection(missing.name, missing.operator, tensor, value.shape, source.title), value
    said = "; ".join(reasons)
    return Injection(missing.name, missing.operator, tensor, reason=said, waits=bool(missing.waits_for)), None


def _fitting(session: DebugSession, tensor: str, value: Array) -> Array:
    """Converts the value to the tensor's type. Raises TexelscopeError for another shape or unsuitable values."""
    graph = session.plan.graph
    info = graph.tensors.get(tensor) if graph is not None else None
    if info is not None and info.shape != value.shape:
        raise TexelscopeError(f"'{tensor}'", f"shape {list(info.shape)}", str(list(value.shape)), "Check the file.")
    if 0 in value.shape:
        raise TexelscopeError(f"'{tensor}'", "positive sizes", str(list(value.shape)), "It has no texture.")
    check_held(value, tensor, info.dtype if info is not None else value.dtype.name)
    return value.astype(info.dtype) if info is not None else value


def _put_in(session: DebugSession, values: dict[str, Array]) -> dict[str, str]:
    """Plans with those values and uploads them; returns the reasons for those that do not fit the model."""
    try:
        if values:
            session.plan_for(values)
    except TexelscopeError as error:
        return dict.fromkeys(values, f"{error.who}: expected {error.expected}, got {error.got}")
    refused = {}
    for tensor, value in values.items():
        if tensor in session.plan.textures:
            session.inject(tensor, np.asarray(value))
        else:
            refused[tensor] = "it has no texture"
    return refused
