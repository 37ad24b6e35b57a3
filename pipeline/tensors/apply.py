"""Applies an ONNX operator to tensors, and records the call where gradients are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gradients.derivatives.registry import flat
from texelscope.pipeline.tensors.core import REAL, Core, RecordedCall
from texelscope.pipeline.tensors.running.call import Constant, Given, OperatorCall, TensorSignature, attributes_of

_RECORDS: ContextVar[bool] = ContextVar("whether calls on tensors are recorded", default=True)


def records() -> bool:
    """Whether calls are recorded here."""
    return _RECORDS.get()


@contextmanager
def no_grad() -> Iterator[None]:
    """Turns recording off inside: results need no gradient, and inputs may be freed."""
    before = _RECORDS.set(False)
    try:
        yield
    finally:
        _RECORDS.reset(before)


T = TypeVar("T", bound=Core)


def apply(op_type: str, *inputs: T | NDArray[Any] | None, **attributes: Any) -> T:
    """Returns the first output of an ONNX operator (of the newest opset here), of the type of the first tensor.

    Inputs are in the operator's order, None for an omitted one; an array is part of the plan, as axes, sizes and bounds
    are, so that another array is another plan. Raises TexelscopeError for inputs that do not fit the operator, and for
    tensors of several devices.
    """
    return apply_several(op_type, *inputs, outputs=1, **attributes)[0]


def apply_several(op_type: str, *inputs: T | NDArray[Any] | None, outputs: int, **attributes: Any) -> tuple[T, ...]:
    """Returns, as `apply`, all of the first `outputs` outputs."""
    tensors = [each for each in inputs if isinstance(each, Core)]
    first = _one_device(op_type, tensors)
    helds = tuple(each.held if isinstance(each, Core) else None for each in inputs)
    call = OperatorCall(op_type, tuple(map(_given, inputs)), attributes_of(attributes), outputs, first.layout)
    made = first.device.run(call, helds)
    results = tuple(first.like(held) for held in made)
    if records() and any(each.requires_grad for each in tensors) and op_type not in flat():
        parents = tuple(_parent(each) if isinstance(each, Core) else None for each in inputs)
        recorded = RecordedCall(first.device.next_number(), call, first.device, helds, made, parents)
        for position, result in enumerate(results):
            if result.dtype == REAL:
                result.made_by(recorded, position)
    return results


def _one_device(op_type: str, tensors: Sequence[T]) -> T:
    if not tensors:
        raise TexelscopeError(op_type, "a tensor", "none", "Make one with Tensor(...).")
    first = tensors[0]
    if any(each.device is not first.device for each in tensors):
        got, do_next = "tensors of several", "Move one over with Tensor(other.numpy(), device=...)."
        raise TexelscopeError(op_type, "tensors of one device", got, do_next)
    return first


def _given(each: Core | NDArray[Any] | None) -> Given:
    if isinstance(each, Core):
        stored = each.held.stored
        return TensorSignature(stored.shape, stored.dtype, stored.layout)
    return None if each is None else Constant.of(np.ascontiguousarray(each).reshape(np.shape(each)))


def _parent(tensor: Core) -> Core | tuple[RecordedCall, int] | None:
    if not tensor.requires_grad:
        return None
    return tensor if tensor.origin is None else tensor.origin
