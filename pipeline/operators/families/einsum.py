"""Implements Einsum: sums of products over labelled axes, any number of operands, with ellipsis and repeated labels."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.affine import AffineMap, strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.facts import SUM, Facts, Rows
from texelscope.pipeline.operators.rewriting import in_parts
from texelscope.pipeline.operators.rounding import sum_of_products

ELLIPSIS = "..."


@dataclass(frozen=True)
class Contraction:
    """Holds sizes of the output's labels and of the summed ones, and each operand's strides along them (0: not there).

    `labels` are those of each operand's axes, `summed` the sizes of the labels that are summed over.
    """

    out_sizes: Shape
    sum_sizes: Shape
    out_strides: tuple[Shape, ...]
    sum_strides: tuple[Shape, ...]
    labels: tuple[tuple[str, ...], ...]
    summed: Mapping[str, int]

    @property
    def terms(self) -> int:
        """The number of products in one sum."""
        return math.prod(self.sum_sizes)

    def constants(self) -> dict[str, Constant]:
        """Returns the shader's constants: both lists of labels filled up to one length with axes of size 1."""
        rank = max(len(self.out_sizes), len(self.sum_sizes), 1)

        def filled(values: Shape, neutral: int) -> Shape:
            return (neutral,) * (rank - len(values)) + values

        return {
            "RANK": rank,
            "OPERANDS": len(self.out_strides),
            "SUM_COUNT": self.terms,
            "OUT_SIZES": filled(self.out_sizes, 1),
            "SUM_SIZES": filled(self.sum_sizes, 1),
            "OUT_STRIDES": sum((filled(strides, 0) for strides in self.out_strides), ()),
            "SUM_STRIDES": sum((filled(strides, 0) for strides in self.sum_strides), ()),
        }

    def elements(self, operand: int, element: int) -> NDArray[np.int64]:
        """Returns linear indices of the operand that output element `element` reads, each once."""
        first = AffineMap(self.out_sizes, self.out_strides[operand]).source(element)
        places = AffineMap(self.sum_sizes, self.sum_strides[operand])
        return np.unique(np.array([first + places.source(k) for k in range(self.terms)], dtype=np.int64))


class Einsum(Operator):
    """Sums products over labelled axes."""

    op_types = ("Einsum",)
    facts = Facts(multiplies=True, accumulator=SUM)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Splits a very long sum along the longest summed label that no operand repeats."""
        form = contraction(call)
        if form.terms <= limits.max_loop_turns:
            return None
        for name in sorted(form.summed, key=form.summed.__getitem__, reverse=True):
            most = limits.max_loop_turns // (form.terms // form.summed[name])
            cuts = {i: names.index(name) for i, names in enumerate(form.labels) if name in names}
            sizes = {call.shape(i)[axis] for i, axis in cuts.items()}
            if most and len(sizes) == 1 and all(form.labels[i].count(name) == 1 for i in cuts):
                return in_parts(call, cuts, most)
        return None

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Sums all products of one element."""
        form = contraction(call)
        turns = form.terms // 4 + form.terms % 4
        return Kernel(("einsum.glsl",), {"X": call.node.inputs}, MappingProxyType(form.constants()), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ over the terms and the factors of each; the oracle may sum in any order."""
        operands = len(call.node.inputs)
        return sum_of_products(evaluation, contraction(call).terms + operands, factors=tuple(range(operands)))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns for each operand the elements along the summed labels."""
        return {i: contraction(call).elements(i, element) for i in range(len(call.node.inputs))}

    def rows(self, call: Call) -> Rows | None:
        """Returns the first operand's summed axes; None where it has a diagonal."""
        form = contraction(call)
        axes = tuple(axis for axis, label in enumerate(form.labels[0]) if label in form.summed)
        return Rows(call.shape(0), axes) if axes and len(set(form.labels[0])) == len(form.labels[0]) else None


def contraction(call: Call) -> Contraction:
    """Returns the node's equation with its operands' sizes. Raises UnsupportedError if they do not fit."""
    shapes = [call.shape(i) for i in range(len(call.node.inputs))]
    equation = str(call.attribute("equation")).replace(" ", "")
    left, arrow, right = equation.partition("->")
    subscripts = left.split(",")
    if len(subscripts) != len(shapes) or any(character not in string.ascii_letters + ".,->" for character in equation):
        raise UnsupportedError(
            call.who, f"an equation for {len(shapes)} operands", f"'{equation}'", "Check the exporting script."
        )
    pairs = list(zip(subscripts, shapes, strict=True))
    hidden = max((len(shape) - _letters(text) for text, shape in pairs if ELLIPSIS in text), default=0)
    labels = [_labels(text, len(shape), hidden) for text, shape in pairs]
    sizes: dict[str, int] = {}
    for names, shape in zip(labels, shapes, strict=True):
        for name, size in zip(names, shape, strict=True):
            sizes[name] = max(size, sizes.get(name, 1))
    out = _labels(right, _letters(right) + hidden * (ELLIPSIS in right), hidden) if arrow else _implicit(labels)
    summed = [name for name in sizes if name not in out]
    return Contraction(
        tuple(sizes[name] for name in out),
        tuple(sizes[name] for name in summed),
        tuple(_strides(names, shape, out) for names, shape in zip(labels, shapes, strict=True)),
        tuple(_strides(names, shape, summed) for names, shape in zip(labels, shapes, strict=True)),
        tuple(tuple(names) for names in labels),
        {name: sizes[name] for name in summed},
    )


def _letters(text: str) -> int:
    return len(text.replace(ELLIPSIS, ""))


def _labels(text: str, rank: int, hidden: int) -> list[str]:
    """Returns one label per axis; labels of the ellipsis are numbered so that the last ones of all operands match."""
    if ELLIPSIS not in text:
        return list(text)
    before, after = text.split(ELLIPSIS)
    count = rank - len(before) - len(after)
    return [*before, *(str(number) for number in range(hidden - count, hidden)), *after]


def _implicit(labels: Sequence[Sequence[str]]) -> list[str]:
    """Returns the output without an arrow: the ellipsis, then every label that occurs once, in alphabetical order."""
    every = [name for names in labels for name in names]
    numbered = sorted({name for name in every if name.isdigit()}, key=int)
    return numbered + sorted(name for name in set(every) if not name.isdigit() and every.count(name) == 1)


def _strides(names: Sequence[str], shape: Shape, wanted: Sequence[str]) -> Shape:
    """Returns the operand's strides along the labels `wanted`; a label that occurs twice is a diagonal."""
    own = list(zip(names, shape, strides_of(shape), strict=True))
    return tuple(sum(stride for name, size, stride in own if name == label and size > 1) for label in wanted)


OPERATORS = (Einsum(),)
