"""Unrolls sequences and optional values: the tensors in them are known before the run, so that none remain.

`unroll_of` finds the function that unrolls an operator, control flow too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.model_file.loops import stack, take_branch, unroll_loop, unroll_scan
from texelscope.pipeline.model_file.unrolling import GraphScope, Unroll, alias, body_of, inline


def _construct(proto: onnx.NodeProto, scope: GraphScope) -> None:
    scope.sequences[proto.output[0]] = tuple(proto.input)


def _insert(proto: onnx.NodeProto, scope: GraphScope) -> None:
    parts = _parts(proto, scope)
    place = _position(proto, 2, scope, len(parts), len(parts) + 1)
    scope.sequences[proto.output[0]] = (*parts[:place], proto.input[1], *parts[place:])


def _erase(proto: onnx.NodeProto, scope: GraphScope) -> None:
    parts = _parts(proto, scope)
    place = _position(proto, 1, scope, len(parts) - 1, len(parts))
    scope.sequences[proto.output[0]] = (*parts[:place], *parts[place + 1 :])


def _at(proto: onnx.NodeProto, scope: GraphScope) -> None:
    parts = _parts(proto, scope)
    alias(parts[_position(proto, 1, scope, 0, len(parts))], proto.output[0], scope, title=proto.name)


def _length(proto: onnx.NodeProto, scope: GraphScope) -> None:
    scope.add_constant(proto.output[0], np.asarray(len(_parts(proto, scope)), np.int64))


def _join(proto: onnx.NodeProto, scope: GraphScope) -> None:
    parts, given = _parts(proto, scope), _numbers(proto)
    if not parts:
        raise UnsupportedError(scope.who(proto), "a sequence of tensors", "an empty one", "Use other inputs.")
    if given.get("new_axis", 0):
        stack(parts, given.get("axis", 0), proto.output[0], scope)
    else:
        axis = given.get("axis", 0)
        scope.emit(helper.make_node("Concat", list(parts), proto.output, name=proto.name, axis=axis))


def _split(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Splits along an axis: by the sizes in `split`, in parts of one size with a smaller last, or of 1, unstacked."""
    given, shape = _numbers(proto), scope.shape(proto, proto.input[0])
    named = len(proto.input) > 1 and bool(proto.input[1])
    axis = given.get("axis", 0) % max(1, len(shape))
    whole = shape[axis] if shape else 0
    sizes = _sizes(scope.value(proto, proto.input[1], "sizes of parts"), whole) if named else [1] * whole
    if min(sizes, default=0) < 1 or sum(sizes) != whole:
        raise UnsupportedError(scope.who(proto), f"sizes of parts that make {whole}", str(sizes), "Check the model.")
    prefix, start, parts = scope.unique(proto), 0, []
    for i, length in enumerate(sizes):
        part = f"{prefix}/{i}"
        if named or given.get("keepdims", 1):
            limits = {"starts": start, "ends": start + length, "axes": axis}
            for word, number in limits.items():
                scope.add_constant(f"{part}/{word}", np.asarray([number], np.int64))
            scope.emit(helper.make_node("Slice", [proto.input[0], *(f"{part}/{w}" for w in limits)], [part], name=part))
        else:
            scope.add_constant(f"{part}/place", np.asarray(start, np.int64))
            scope.emit(helper.make_node("Gather", [proto.input[0], f"{part}/place"], [part], name=part, axis=axis))
        parts.append(part)
        start += length
    scope.sequences[proto.output[0]] = tuple(parts)


def _sizes(split: NDArray[Any], whole: int) -> list[int]:
    if split.ndim:
        return [int(each) for each in split]
    step = max(1, int(split))
    return [min(step, whole - start) for start in range(0, whole, step)]


def _map(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Runs the body once for each element; inputs after the first that are tensors are the same in all."""
    body, prefix = body_of(proto), scope.unique(proto)
    found: list[list[str]] = [[] for _ in proto.output]
    for i in range(len(_parts(proto, scope))):
        given = [scope.sequences[name][i] if name in scope.sequences else name for name in proto.input]
        bound = dict(zip((each.name for each in body.input), given, strict=True))
        for name, parts in zip(inline(body, bound, f"{prefix}/{i}", scope), found, strict=False):
            parts.append(name)
    scope.sequences.update({name: tuple(parts) for name, parts in zip(proto.output, found, strict=True) if name})


def _same(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Unrolls Identity of a sequence or an optional value."""
    source, name = proto.input[0], proto.output[0]
    if source in scope.sequences:
        scope.sequences[name] = scope.sequences[source]
    if source in scope.optionals:
        scope.optionals[name] = scope.optionals[source]


def _optional(proto: onnx.NodeProto, scope: GraphScope) -> None:
    scope.optionals[proto.output[0]] = next((name for name in proto.input if name), None)


def _held(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Unrolls OptionalGetElement: returns the content, a tensor or a sequence."""
    held = scope.optionals.get(proto.input[0], proto.input[0])
    if held is None:
        raise UnsupportedError(
            scope.who(proto), "an optional value that holds something", "nothing", "Use other inputs."
        )
    alias(held, proto.output[0], scope, title=proto.name)


def _holds(proto: onnx.NodeProto, scope: GraphScope) -> None:
    source = proto.input[0] if proto.input else ""
    held = scope.optionals[source] is not None if source in scope.optionals else bool(source)
    scope.add_constant(proto.output[0], np.asarray(held))


def _parts(proto: onnx.NodeProto, scope: GraphScope) -> tuple[str, ...]:
    """Returns the tensors of the sequence that the node reads first."""
    name = proto.input[0]
    if name not in scope.sequences:
        raise UnsupportedError(scope.who(proto), "a sequence with known content", f"'{name}'", "Run up to there.")
    return scope.sequences[name]


def _position(proto: onnx.NodeProto, index: int, scope: GraphScope, otherwise: int, count: int) -> int:
    """Returns the place in an input, of `count`; `otherwise` if the node has no such input."""
    if len(proto.input) <= index or not proto.input[index]:
        return otherwise
    place = int(scope.value(proto, proto.input[index], "a place").reshape(()))
    # SequenceInsert counts back from the last tensor, not from the place after it.
    counted = place if place >= 0 else place + count - (1 if proto.op_type == "SequenceInsert" else 0)
    if not 0 <= counted < count:
        got = f"{place} of {count}"
        raise UnsupportedError(scope.who(proto), "a place in the sequence", got, "Use other inputs.")
    return counted


def _numbers(proto: onnx.NodeProto) -> dict[str, Any]:
    return {each.name: helper.get_attribute_value(each) for each in proto.attribute}


UNROLLED: Mapping[str, Unroll] = {
    "If": take_branch,
    "Loop": unroll_loop,
    "Scan": unroll_scan,
    "ConcatFromSequence": _join,
    "Optional": _optional,
    "OptionalGetElement": _held,
    "OptionalHasElement": _holds,
    "SequenceAt": _at,
    "SequenceConstruct": _construct,
    "SequenceEmpty": _construct,
    "SequenceErase": _erase,
    "SequenceInsert": _insert,
    "SequenceLength": _length,
    "SequenceMap": _map,
    "SplitToSequence": _split,
}


def unroll_of(proto: onnx.NodeProto, no_tensors: Collection[str]) -> Unroll | None:
    """Returns the function that replaces `proto` by plain nodes; `no_tensors` are sequences and optional values."""
    if proto.domain not in ("", "ai.onnx"):
        return None
    if proto.op_type == "Identity" and any(name in no_tensors for name in proto.input):
        return _same
    return UNROLLED.get(proto.op_type)
