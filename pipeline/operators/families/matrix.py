"""Implements products of matrices, MatMul and Gemm, and determinants of small square ones."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite, block
from texelscope.pipeline.operators.facts import SUM, Facts, Rows
from texelscope.pipeline.operators.rewriting import in_parts
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma, sum_of_products


class MatMul(Operator):
    """Multiplies matrices over the last two axes; the axes before them broadcast."""

    op_types = ("MatMul",)
    facts = Facts(window="product", multiplies=True, accumulator=SUM, is_ordered=True, neutral=(0.0,))

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Splits a very long inner axis in parts."""
        return in_parts(call, {0: -1, 1: -2 if len(call.shape(1)) > 1 else -1}, limits.max_loop_turns)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads a row of A and a column of B."""
        product = matrix_product(call.shape(0), call.shape(1))
        reads = {"A": call.node.inputs[0], "B": call.node.inputs[1]}
        turns = _turns(call.shape(0)[-1])
        return Kernel(("matmul.glsl",), reads, MappingProxyType(product.constants()), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) over the inner axis."""
        return sum_of_products(evaluation, call.shape(0)[-1], factors=(0, 1))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns a row of A and a column of B."""
        return dict(enumerate(matrix_product(call.shape(0), call.shape(1)).reads(element)))

    def rows(self, call: Call) -> Rows:
        """Returns the inner axis of A."""
        return Rows(call.shape(0), (len(call.shape(0)) - 1,))


class Gemm(Operator):
    """Multiplies two matrices, scales the product, and adds a third one, scaled."""

    op_types = ("Gemm",)
    facts = Facts(window="product", multiplies=True, accumulator=SUM, addend=2, neutral=(0.0,))

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Splits a very long inner axis in parts."""
        cuts = {0: 0 if call.attribute("transA", 0) else 1, 1: 1 if call.attribute("transB", 0) else 0}
        return in_parts(call, cuts, limits.max_loop_turns, addends=(2,))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads a row of A and a column of B."""
        transposed = bool(call.attribute("transA", 0)), bool(call.attribute("transB", 0))
        constants: dict[str, Constant] = {
            "INNER_COUNT": call.shape(0)[0 if transposed[0] else 1],
            "TRANSPOSE_A": transposed[0],
            "TRANSPOSE_B": transposed[1],
            "ALPHA": float(call.attribute("alpha", 1.0)),
            "BETA": float(call.attribute("beta", 1.0)),
        }
        reads: dict[str, str | tuple[str, ...]] = {"A": call.node.inputs[0], "B": call.node.inputs[1]}
        if call.has(2):
            reads["C"] = call.node.inputs[2]
        turns = _turns(call.shape(0)[0 if transposed[0] else 1])
        return Kernel(("gemm.glsl",), reads, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) over the inner axis, two factors and the addend, with α and β by their size."""
        attributes = dict(call.node.attributes)
        alpha, beta = (abs(float(attributes.get(name, 1.0))) for name in ("alpha", "beta"))

        def sizes(inputs: Sequence[Array | None]) -> Array:
            a, b, *rest = inputs
            assert a is not None
            assert b is not None
            product = alpha * ((a.T if attributes.get("transA") else a) @ (b.T if attributes.get("transB") else b))
            return np.asarray(product if not rest or rest[0] is None else product + beta * rest[0])

        inner = call.shape(0)[0 if attributes.get("transA") else 1]
        return sum_of_products(dataclasses.replace(evaluation, run=sizes), inner + 4, factors=(0, 1), addends=(2,))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns a row of A, a column of B, and the element of C."""
        i, j = (int(place) for place in np.unravel_index(element, call.output_shape()))
        a, b = call.shape(0), call.shape(1)
        inner = np.arange(a[0 if call.attribute("transA", 0) else 1])
        taps = {
            0: block(a, inner, i) if call.attribute("transA", 0) else block(a, i, inner),
            1: block(b, j, inner) if call.attribute("transB", 0) else block(b, inner, j),
        }
        if call.has(2):
            shape = (1,) * (2 - len(call.shape(2))) + call.shape(2)
            taps[2] = block(shape, min(i, shape[0] - 1), min(j, shape[1] - 1))
        return taps


@dataclass(frozen=True)
class MatrixProduct:
    """Describes how matrices of two operands pair up. Strides count an operand's matrices, one entry per batch axis."""

    a: Shape
    b: Shape
    batch: Shape
    a_strides: Shape
    b_strides: Shape

    @property
    def rows(self) -> int:
        """Counts rows of each product; 1 where A is a vector."""
        return self.a[-2] if len(self.a) > 1 else 1

    @property
    def columns(self) -> int:
        """Counts columns of each product; 1 where B is a vector."""
        return self.b[-1] if len(self.b) > 1 else 1

    def constants(self) -> dict[str, Constant]:
        """Returns the shader's constants."""
        return {
            "ROWS": self.rows,
            "COLUMNS": self.columns,
            "INNER_COUNT": self.a[-1],
            "BATCH_AXES": max(len(self.batch), 1),
            "BATCH_SHAPE": self.batch or (1,),
            "A_STRIDES": self.a_strides or (0,),
            "B_STRIDES": self.b_strides or (0,),
            "B_IS_VECTOR": len(self.b) == 1,
        }

    def reads(self, element: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns linear indices in A and in B that output element `element` reads."""
        batch, rest = divmod(element, self.rows * self.columns)
        i, j = divmod(rest, self.columns)
        places = np.unravel_index(batch, self.batch) if self.batch else ()
        a = sum(int(place) * stride for place, stride in zip(places, self.a_strides, strict=True))
        b = sum(int(place) * stride for place, stride in zip(places, self.b_strides, strict=True))
        k = np.arange(self.a[-1], dtype=np.int64)
        return (a * self.rows + i) * self.a[-1] + k, (b * self.a[-1] + k) * self.columns + j


def _turns(inner: int) -> int:
    """Returns the loops: four products per iteration, then the rest."""
    return inner // 4 + inner % 4


def matrix_product(a: Shape, b: Shape) -> MatrixProduct:
    """Returns the product of operands of these shapes, as numpy's matmul defines it."""
    batch = np.broadcast_shapes(a[:-2], b[:-2])
    return MatrixProduct(a, b, batch, _batch_strides(a[:-2], batch), _batch_strides(b[:-2], batch))


def _batch_strides(own: Shape, batch: Shape) -> Shape:
    """Returns strides along the batch, zero where the operand repeats its matrix."""
    strides = tuple(0 if size == 1 else stride for size, stride in zip(own, strides_of(own), strict=True))
    return (0,) * (len(batch) - len(own)) + strides


LARGEST = 4
# Roundings of one of the products of four elements: three multiplications, and its additions.
ROUNDINGS = 12


class Det(Operator):
    """Computes the determinant of each matrix in the last two axes, of up to four rows."""

    op_types = ("Det",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads one matrix."""
        size = call.shape(0)[-1]
        if size > LARGEST:
            raise UnsupportedError(call.who, f"matrices of at most {LARGEST} rows", str(size), "Use smaller matrices.")
        return Kernel(("det.glsl",), {"X": call.node.inputs[0]}, MappingProxyType({"N": size}))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ over the permanent of |x|, the sum of all products' sizes; carried: what errors add to it."""
        x = np.abs(np.asarray(evaluation.inputs[0], dtype=np.float64))
        size = _permanent(x)
        bound = 2.0 * gamma(ROUNDINGS, evaluation.unit) * size + 2.0 * SMALLEST_NORMAL
        error = evaluation.errors[0]
        return np.asarray(bound if error is None else bound + _permanent(x + error) - size)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the whole matrix."""
        count = call.shape(0)[-1] ** 2
        return {0: element * count + np.arange(count, dtype=np.int64)}


def _permanent(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Computes a determinant with all signs positive; large matrices never run."""
    size = x.shape[-1]
    if size > LARGEST:
        return np.zeros(x.shape[:-2])
    rows = range(size)
    return np.asarray(sum(np.prod([x[..., r, c] for r, c in zip(rows, columns, strict=True)], axis=0)
                          for columns in itertools.permutations(rows)))  # fmt: skip


OPERATORS = (MatMul(), Gemm(), Det())
