"""Unrolls If, whose taken branch replaces it, and Loop and Scan: their bodies once for each iteration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from onnx import helper

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.model_file.nodes import names_of_body
from texelscope.pipeline.model_file.unrolling import GraphScope, alias, body_of, inline
from texelscope.pipeline.quotas import hold


def take_branch(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Inlines the branch; its tensors keep their names where these are unique."""
    holds = bool(scope.value(proto, proto.input[0], "a condition").any())
    body = body_of(proto, "then_branch" if holds else "else_branch")
    taken = any(scope.has(name) for name in names_of_body(body) if name)
    results = inline(body, {}, scope.unique(proto) if taken else "", scope)
    for inner, outer in zip(results, proto.output, strict=False):
        if outer:
            alias(inner, outer, scope, title=f"{proto.name}/{outer.lstrip('/')}")


def unroll_loop(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Unrolls Loop: iterates until the trip count is reached or the body stops it.

    Known values are evaluated in each iteration, since a body's condition may depend on its state.
    """
    body = body_of(proto)
    trips, condition = [*proto.input, "", ""][:2]
    count = int(scope.value(proto, trips, "a trip count").reshape(())) if trips else None
    goes_on = bool(scope.value(proto, condition, "a condition").any()) if condition else True
    states = list(proto.input[2:])
    collected: list[list[str]] = [[] for _ in body.output[1 + len(states) :]]
    prefix, turn = scope.unique(proto), 0
    while goes_on and (count is None or turn < count):
        scope.count(proto)
        names = [f"{prefix}/{turn}/turn", f"{prefix}/{turn}/goes_on"]
        scope.add_constant(names[0], np.asarray(turn, np.int64))
        scope.add_constant(names[1], np.asarray(True))
        bound = dict(zip((each.name for each in body.input), [*names, *states], strict=False))
        after, *results = inline(body, bound, f"{prefix}/{turn}", scope)
        states = results[: len(states)]
        for name, parts in zip(results[len(states) :], collected, strict=True):
            parts.append(name)
        goes_on = bool(scope.value(proto, after, "a condition").any())
        turn += 1
    _finish(proto, states, collected, [0] * len(collected), scope)


@dataclass(frozen=True)
class _Scanned:
    """Describes a Scan: the carried `states`, and of each input its `axis` and whether it goes `backwards`."""

    states: list[str]
    inputs: list[str]
    axes: list[int]
    backwards: list[bool]
    length: int


def unroll_scan(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Unrolls Scan: one iteration for each place along the scanned axes."""
    if scope.opset < 9:
        _unroll_batches(proto, scope)
        return
    given = {each.name: helper.get_attribute_value(each) for each in proto.attribute}
    count = _scanned(proto, given, len(proto.input), scope)
    split = len(proto.input) - count
    axes = list(given.get("scan_input_axes") or [0] * count)
    backwards = [bool(each) for each in given.get("scan_input_directions") or [0] * count]
    inputs = list(proto.input[split:])
    length = next((scope.shape(proto, name)[axis] for name, axis in zip(inputs, axes, strict=True)), 0)
    scanned = _Scanned(list(proto.input[:split]), inputs, axes, backwards, length)
    states, collected = _scan(proto, scanned, scope.unique(proto), scope)
    for parts, back in zip(collected, given.get("scan_output_directions") or [0] * len(collected), strict=True):
        if back:
            parts.reverse()
    _finish(proto, states, collected, list(given.get("scan_output_axes") or [0] * len(collected)), scope)


def _scanned(proto: onnx.NodeProto, given: Mapping[str, Any], inputs: int, scope: GraphScope) -> int:
    """Counts the scanned inputs."""
    count = int(given.get("num_scan_inputs", 0))
    hold(scope.who(proto), "inputs", count)  # running the unchanged node would make lists as long
    if not 0 < count <= inputs:
        raise UnsupportedError(
            scope.who(proto), f"from 1 to {inputs} scanned inputs", f"{count}", "Check 'num_scan_inputs'."
        )
    return count


def _unroll_batches(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Unrolls Scan of opset 8: every batch separately, along the axis after it."""
    given = {each.name: helper.get_attribute_value(each) for each in proto.attribute}
    if proto.input[0]:
        raise UnsupportedError(
            scope.who(proto), "sequences of one length", "an input of lengths", "Convert the model to opset 9 or newer."
        )
    names = list(proto.input[1:])
    count = _scanned(proto, given, len(names), scope)
    backwards = [bool(each) for each in given.get("directions") or [0] * count]
    batches, length = scope.shape(proto, names[-1])[:2]
    prefix = scope.unique(proto)
    finals: list[list[str]] = [[] for _ in proto.output]
    for batch in range(batches):
        parts = [_place(name, 0, batch, f"{prefix}/{batch}/in{i}", scope) for i, name in enumerate(names)]
        split = len(parts) - count
        scanned = _Scanned(parts[:split], parts[split:], [0] * count, backwards, length)
        states, collected = _scan(proto, scanned, f"{prefix}/{batch}", scope)
        for i, found in enumerate(collected):
            stack(found, 0, f"{prefix}/{batch}/out{i}", scope)
        results = [*states, *(f"{prefix}/{batch}/out{i}" for i in range(len(collected)))]
        for name, final in zip(results, finals, strict=True):
            final.append(name)
    for outer, final in zip(proto.output, finals, strict=True):
        if outer:
            stack(final, 0, outer, scope)


def _scan(
    proto: onnx.NodeProto, scanned: _Scanned, prefix: str, scope: GraphScope
) -> tuple[list[str], list[list[str]]]:
    """Returns the states after all iterations, and each iteration's outputs."""
    body = body_of(proto)
    states = scanned.states
    collected: list[list[str]] = [[] for _ in body.output[len(states) :]]
    for turn in range(scanned.length):
        parts = [
            _place(name, axis, scanned.length - 1 - turn if back else turn, f"{prefix}/{turn}/in{position}", scope)
            for position, (name, axis, back) in enumerate(
                zip(scanned.inputs, scanned.axes, scanned.backwards, strict=True)
            )
        ]
        bound = dict(zip((each.name for each in body.input), [*states, *parts], strict=False))
        results = inline(body, bound, f"{prefix}/{turn}", scope)
        states = results[: len(states)]
        for name, found in zip(results[len(states) :], collected, strict=True):
            found.append(name)
    return states, collected


def _place(name: str, axis: int, index: int, title: str, scope: GraphScope) -> str:
    """Returns the part of a scanned tensor at one place of its axis, without that axis."""
    scope.add_constant(f"{title}/place", np.asarray(index, np.int64))
    scope.emit(helper.make_node("Gather", [name, f"{title}/place"], [title], name=title, axis=axis))
    return title


def _finish(
    proto: onnx.NodeProto, states: Sequence[str], collected: Sequence[list[str]], axes: Sequence[int], scope: GraphScope
) -> None:
    """Names the last states and the collected tensors as the node's outputs."""
    outputs = [*proto.output, *[""] * (len(states) + len(collected) - len(proto.output))]
    for name, outer in zip(states, outputs, strict=False):
        if outer:
            alias(name, outer, scope)
    for parts, axis, outer in zip(collected, axes, outputs[len(states) :], strict=True):
        if outer and not parts:
            raise UnsupportedError(
                scope.who(proto), "at least one iteration with an output", "none", "Use other inputs."
            )
        if outer:
            stack(parts, axis, outer, scope)


def stack(parts: Sequence[str], axis: int, outer: str, scope: GraphScope) -> None:
    """Stacks tensors of one shape along a new axis as the tensor `outer`."""
    axes = f"{outer}/axis"
    as_input = scope.opset >= 13
    if as_input:
        scope.add_constant(axes, np.asarray([axis], np.int64))
    raised = []
    for turn, part in enumerate(parts):
        name = f"{outer}/{turn}"
        attributes: dict[str, Any] = {} if as_input else {"axes": [axis]}
        scope.emit(helper.make_node("Unsqueeze", [part, axes] if as_input else [part], [name], name=name, **attributes))
        raised.append(name)
    scope.emit(helper.make_node("Concat", raised, [outer], name=outer, axis=axis))
