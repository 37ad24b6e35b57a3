"""Runs backward passes: gradients arrive at leaves through the recorded calls, the last ones first."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.core import Core, RecordedCall
from texelscope.pipeline.tensors.running.call import BackwardCall, OperatorCall, TensorSignature
from texelscope.pipeline.tensors.running.device import Device
from texelscope.pipeline.tensors.running.pool import PooledTexture


def go_back(end: Core, gradient: PooledTexture, *, keep: bool) -> None:
    """Adds to every leaf behind `end` its share of `gradient`, which has the shape of `end`.

    Frees the record unless it is to be kept. Raises TexelscopeError where that has happened before, and
    UnsupportedError for an operator without a derivative.
    """
    walk = _Walk(end.device)
    if end.origin is None:
        walk.leaves.append((end, gradient))
    else:
        walk.arrive(end.origin, gradient)
    passed = walk.to_the_leaves()
    for leaf, held in walk.leaves:
        before = leaf.grad
        leaf.grad = leaf.like(held if before is None else added(end.device, before.held, held, leaf.layout))
    for recorded in () if keep else passed:
        recorded.spend()


def added(device: Device, one: PooledTexture, other: PooledTexture, layout: str) -> PooledTexture:
    """Returns the sum of two tensors of one shape."""
    return device.run(OperatorCall("Add", (looks(one), looks(other)), (), 1, layout), (one, other))[0]


def looks(held: PooledTexture) -> TensorSignature:
    """Returns a tensor's properties that plans depend on."""
    return TensorSignature(held.stored.shape, held.stored.dtype, held.stored.layout)


class _Walk:
    def __init__(self, device: Device) -> None:
        self._device = device
        self._waiting: list[tuple[int, RecordedCall]] = []
        self._arrived: dict[int, list[PooledTexture | None]] = {}
        self.leaves: list[tuple[Core, PooledTexture]] = []

    def arrive(self, at: tuple[RecordedCall, int], gradient: PooledTexture) -> None:
        """Adds a gradient of an output of a call."""
        recorded, position = at
        if recorded.is_spent:
            raise TexelscopeError(
                "backward()",
                f"calls whose record was not freed ({recorded.call.op_type})",
                "freed ones",
                "Compute it again, or call backward(retain_graph=True) the first time.",
            )
        if recorded.order not in self._arrived:
            self._arrived[recorded.order] = [None] * recorded.call.outputs
            heapq.heappush(self._waiting, (-recorded.order, recorded))
        found = self._arrived[recorded.order]
        before = found[position]
        layout = recorded.call.layout
        found[position] = gradient if before is None else added(self._device, before, gradient, layout)

    def to_the_leaves(self) -> Sequence[RecordedCall]:
        """Differentiates all waiting calls; returns them."""
        passed = []
        while self._waiting:
            _, recorded = heapq.heappop(self._waiting)
            self._through(recorded, self._arrived.pop(recorded.order))
            passed.append(recorded)
        return passed

    def _through(self, recorded: RecordedCall, arriving: Sequence[PooledTexture | None]) -> None:
        call, inputs = recorded.call, recorded.inputs
        back = BackwardCall(
            call,
            tuple(parent is not None for parent in recorded.parents),
            tuple(looks(each) if each is not None else None for each in arriving),
            tuple(map(looks, recorded.outputs)),
        )
        tensors = {f"x{i}": each for i, each in enumerate(inputs) if each is not None}
        tensors.update({f"y{i}": each for i, each in enumerate(recorded.outputs)})
        tensors.update({f"dy{i}": each for i, each in enumerate(arriving) if each is not None})
        _check_there(call, tensors.values())
        gradients = self._device.run_back(back, tensors)
        for parent, gradient in zip(recorded.parents, gradients, strict=True):
            if gradient is None or parent is None:
                continue
            if isinstance(parent, Core):
                self.leaves.append((parent, gradient))
            else:
                self.arrive(parent, gradient)


def _check_there(call: OperatorCall, tensors: Iterable[PooledTexture]) -> None:
    if any(each.is_released for each in tensors):
        got, do_next = "one that was released since", "Release it after backward()."
        raise TexelscopeError(f"backward() through {call.op_type}", "the tensors of the call", got, do_next)
