"""DeformConv: a convolution whose taps are moved by offsets, and weighted by a mask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, turns_of
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma
from texelscope.pipeline.operators.windows import check_channels, window

# Roundings of a tap's place, of the shader and of the oracle together.
PLACE_ROUNDINGS = 4.0


class DeformConv(Operator):
    """Convolution with offsets for every tap."""

    op_types = ("DeformConv",)
    facts = Facts(addend=3)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element reads four elements of the input for each of its taps."""
        if len(call.shape(0)) != 4:
            got = f"an input of shape {list(call.shape(0))}"
            raise UnsupportedError(call.who, "two spatial axes", got, "Reshape around the node.")
        outputs, channels_per_group = call.shape(1)[:2]
        check_channels(call, channels_per_group * int(call.attribute("group", 1)), outputs, bias=3)
        _check_offsets(call)
        constants: dict[str, Constant] = {
            "CHANNELS_PER_GROUP": channels_per_group,
            "OUTPUTS_PER_GROUP": outputs // int(call.attribute("group", 1)),
            "CHANNELS_PER_OFFSET_GROUP": call.shape(0)[1] // int(call.attribute("offset_group", 1)),
            **window(call, call.shape(1)[2:]).constants(),
        }
        names = dict(zip(("X", "W", "F", "B", "M"), call.node.inputs, strict=False))
        reads = {key: name for key, name in names.items() if name}
        turns = turns_of(*call.shape(1)[1:])
        filters = frozenset({"W"})
        return Kernel(("deform_conv.glsl",), reads, MappingProxyType(constants), filters=filters, turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """γ(k) over taps and their corners, and what a tap's place within its rounding can change.

        Between two elements x changes by at most twice its largest size.
        """
        x, weight, offset, bias, mask = (*evaluation.inputs, None, None)[:5]
        assert x is not None
        assert weight is not None
        assert offset is not None
        absolute = [None if v is None else np.abs(v) for v in (x, weight, offset, bias, mask)]
        absolute[2] = offset
        given = len(evaluation.inputs)

        def at(position: int, value: Array, *, others: Sequence[int] = (3,)) -> Array:
            """The node on absolute values with `value` at `position` and zeros at `others`."""
            inputs = [None if v is None else np.zeros_like(v) if i in others else v for i, v in enumerate(absolute)]
            inputs[position] = value.astype(np.float32)
            return evaluation.run(inputs[:given]).astype(np.float64)

        terms = 12 * int(np.prod(weight.shape[1:])) + 1
        bound = 2.0 * gamma(terms, evaluation.unit) * evaluation.run(absolute[:given]) + terms * SMALLEST_NORMAL
        errors = (*evaluation.errors, None, None)[:5]
        place = PLACE_ROUNDINGS * evaluation.unit * (max(x.shape[2:]) + np.abs(offset).max())
        place = place + (0.0 if errors[2] is None else float(errors[2].max()))
        bound = bound + 4.0 * place * _largest(call, absolute)
        for position in (0, 1, 4):
            error = errors[position]
            if error is not None:
                bound = bound + at(position, error)
        if errors[3] is not None:
            bound = bound + errors[3].reshape(-1, 1, 1)
        return np.asarray(bound)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Not known before the run: the offsets say it."""
        return None


def _check_offsets(call: Call) -> None:
    """Raises UnsupportedError where the offsets, or the mask, are not there for every tap of every place."""
    groups = int(call.attribute("offset_group", 1))
    channels = call.shape(0)[1]
    if groups < 1 or channels % groups:
        advice = "Check 'offset_group' or the exporting script."
        raise UnsupportedError(call.who, "channels in whole offset groups", f"{channels} in {groups}", advice)
    taps = groups * int(np.prod(call.shape(1)[2:]))
    made = call.output_shape()
    for position, name, wanted in ((2, "offsets", 2 * taps), (4, "a mask", taps)):
        expected = (made[0], wanted, *made[2:])
        if call.has(position) and call.shape(position) != expected:
            got = f"{list(call.shape(position))}"
            raise UnsupportedError(call.who, f"{name} of shape {list(expected)}", got, "Check the exporting script.")


def _largest(call: Call, absolute: Sequence[Array | None]) -> NDArray[np.float64]:
    """Σ |w|·|m| times the largest |x| of a channel, for every output element."""
    x, weight, offset, _, mask = absolute
    assert x is not None
    assert weight is not None
    assert offset is not None
    groups, offset_groups = int(call.attribute("group", 1)), int(call.attribute("offset_group", 1))
    n, _, height, width = offset.shape
    taps = weight.shape[2] * weight.shape[3]
    shape = (n, offset_groups, taps, height, width)
    share = np.ones(shape) if mask is None else mask.reshape(shape).astype(np.float64)
    share = np.repeat(share, x.shape[1] // offset_groups, axis=1) * x.max(axis=(2, 3))[:, :, None, None, None]
    share = share.reshape(n, groups, -1, height * width)
    kernel = weight.reshape(groups, weight.shape[0] // groups, -1).astype(np.float64)
    return np.asarray((kernel @ share).reshape(n, len(weight), height, width))


OPERATORS = (DeformConv(),)
