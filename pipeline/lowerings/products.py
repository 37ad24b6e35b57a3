"""Builds the form of MatMul and Gemm in compute shaders, with the work groups of sums over a window.

Rows of the first matrix replace pixels, columns of the second output channels; each pair of matrices
of a batch replaces a parity. Elements are read and written where the tensors' own layouts keep them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.layouts.base import Layout
from texelscope.layouts.grid import ceil_div
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.glsl.assemble import accessors
from texelscope.pipeline.glsl.other_stages import with_units
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.lowerings.finish import MAX_STORES
from texelscope.pipeline.lowerings.lowering import Constants, Lowering, LoweringStep, Numbers, PackedConstants
from texelscope.pipeline.lowerings.text import DispatchText, framed
from texelscope.pipeline.lowerings.work_groups import TEXEL_BYTES, WorkGroupCounts, deal
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.base import Constant as Number
from texelscope.pipeline.operators.families.matrix import matrix_product
from texelscope.pipeline.plan import ProgramSource, StoredTensor

# The most pairs of matrices in the block of uniforms.
MAX_PAIRS = 512
SUM_THREADS = 64
_PARTS = "parts"


@dataclass(frozen=True)
class Product:
    """Describes y[p, i, j] = α · Σ_k a[p₀, i, k] · b[p₁, k, j] + β · c[i, j] over `pairs` (p₀, p₁) of matrices.

    Where `b_is_packed` the second is one constant matrix, known before the run.
    """

    a: str
    b: str
    c: str
    rows: int
    columns: int
    inner: int
    pairs: tuple[tuple[int, int], ...]
    a_is_transposed: bool = False
    b_is_transposed: bool = False
    b_is_packed: bool = False
    alpha: float = 1.0
    beta: float = 1.0

    @property
    def k_groups(self) -> int:
        """Counts groups of four along k."""
        return ceil_div(self.inner, 4)

    @property
    def groups(self) -> int:
        """Counts groups of four columns."""
        return ceil_div(self.columns, 4)

    @property
    def a_in_fours(self) -> bool:
        """Whether four neighbours along k are neighbours in the first matrix, from each fourth on."""
        return self.inner % 4 == 0 and not self.a_is_transposed

    @property
    def packed_texels(self) -> int:
        """Counts the texels of the packed second matrix."""
        return self.k_groups * 4 * self.groups

    def packed(self) -> PackedConstants:
        """Orders the second matrix by k and group of columns, with zeros beyond its edges."""

        def make(constant: Constants) -> Numbers:
            b = np.asarray(constant(self.b), dtype=np.float32)
            packed = np.zeros((self.k_groups * 4, self.groups * 4), dtype=np.float32)
            packed[: self.inner, : self.columns] = b.T if self.b_is_transposed else b
            return packed.reshape(-1, 4)

        return PackedConstants(f"{self.b}|product|{self.b_is_transposed}", make)

    def reads(self, inputs: Mapping[str, str], y: StoredTensor, textures: Mapping[str, StoredTensor]) -> list[str]:
        """Returns text that reads the `inputs`, keys by name, where their layouts keep them, in fours if it can."""
        words = {"A_linear", "B_linear", "C_linear", "C_shape", "HAS_C", "A_four", "B_four"}
        words -= {"A_linear" if self.a_in_fours else "A_four", "B_four" if self.columns % 4 else "B_linear"}
        return [line for name, key in inputs.items() for line in accessors(name, key, textures, y, words)]


def product_of(call: Call) -> Product | None:
    """Returns the node as a product; None for another node, and for one with too many pairs of matrices."""
    if call.node.domain or call.node.op_type not in ("MatMul", "Gemm"):
        return None
    a, b = call.node.inputs[:2]
    is_packed = call.constant(1) is not None and len(call.shape(1)) == 2
    if call.node.op_type == "Gemm":
        transposed = bool(call.attribute("transA", 0)), bool(call.attribute("transB", 0))
        (rows, columns), inner = call.output_shape(), call.shape(0)[0 if transposed[0] else 1]
        c = call.node.inputs[2] if call.has(2) else ""
        factors = float(call.attribute("alpha", 1.0)), float(call.attribute("beta", 1.0))
        if transposed[1] and not is_packed:
            return None
        return Product(a, b, c, rows, columns, inner, ((0, 0),), *transposed, is_packed, *factors)
    found = matrix_product(call.shape(0), call.shape(1))
    count, inner = math.prod(found.batch), call.shape(0)[-1]
    places = np.indices(found.batch or (1,)).reshape(max(len(found.batch), 1), -1)
    first, second = (places.T @ np.array(each or (0,)) for each in (found.a_strides, found.b_strides))
    if not second.any() and np.array_equal(first, np.arange(count)):
        return Product(a, b, "", count * found.rows, found.columns, inner, ((0, 0),), b_is_packed=is_packed)
    if count > MAX_PAIRS:
        return None
    pairs = tuple((int(i), int(j)) for i, j in zip(first, second, strict=True))
    return Product(a, b, "", found.rows, found.columns, inner, pairs)


def product_form(
    product: Product, output: str, covers: Sequence[str], textures: Mapping[str, StoredTensor], limits: Limits
) -> Lowering | None:
    """Returns the dispatches of a product into the tensor stored as `output`, in place of the passes it `covers`.

    None if the output's layout spreads a thread's sums over texels shared with others, and as for sums.
    """
    y = textures[output]
    if limits.work_groups is None:
        return None
    if not can_store(product, y):
        return None
    dealt = deal(product.groups, product.rows, product.k_groups, len(product.pairs), limits)
    texels = len(product.pairs) * product.groups * product.rows
    weights = product.packed_texels if product.b_is_packed else 0
    if dealt is None or max(weights, dealt.shares * texels) * TEXEL_BYTES > limits.work_groups.block_bytes:
        return None
    writer = _Writer(product, y, textures, dealt)
    reads = tuple(dict.fromkeys(key for key in (product.a, product.b, product.c) if key))
    parts = ((_PARTS, dealt.shares * texels * TEXEL_BYTES),) if dealt.shares > 1 else ()
    return Lowering(tuple(covers), reads, (output,), writer.steps(texels), buffers=parts)


def can_store(product: Product, y: StoredTensor) -> bool:
    """Reports whether a form can write the output: a texel has no elements that others write."""
    is_plain = y.dtype == "float32" and y.storage in ("float32", "float16")
    return is_plain and (stores_fours(product, y) or _one_a_texel(y.layout, y.shape))


def stores_fours(product: Product, y: StoredTensor) -> bool:
    """Reports whether a texel of the output holds four neighbours of a row."""
    return _in_fours(y.layout, y.shape, product.columns)


def _in_fours(layout: Layout, shape: Shape, columns: int) -> bool:
    """Whether the lanes of a texel are four neighbours of a row of this many columns, never of two rows."""
    return layout.lanes == 4 and layout.lane_axis(shape) == 3 and as_nchw(shape)[3] == columns


def _one_a_texel(layout: Layout, shape: Shape) -> bool:
    """Whether a texel holds one element, in its first lane."""
    return layout.lanes == 1 or (layout.lane_axis(shape) == 1 and as_nchw(shape)[1] == 1)


@dataclass(frozen=True)
class _Writer:
    product: Product
    y: StoredTensor
    textures: Mapping[str, StoredTensor]
    dealt: WorkGroupCounts

    def steps(self, texels: int) -> tuple[LoweringStep, ...]:
        """Returns the steps: the sums, and where several work groups share a sum, the sums of their parts."""
        kind, shares = self.dealt.kind, self.dealt.shares
        groups = (self.dealt.columns, self.dealt.rows, len(self.product.pairs) * shares)
        first = self._step(kind.shader, kind.constants(), groups, reads=True, is_last=shares == 1)
        if shares == 1:
            return (first,)
        size = (ceil_div(texels, SUM_THREADS), 1, 1)
        return (first, self._step("shares.comp.glsl", {"THREADS": SUM_THREADS}, size, reads=False, is_last=True))

    def _step(
        self, file: str, constants: Mapping[str, int], size: tuple[int, int, int], *, reads: bool, is_last: bool
    ) -> LoweringStep:
        product = self.product
        inputs = {"A": product.a} if reads else {}
        if reads and not product.b_is_packed:
            inputs["B"] = product.b
        if is_last and product.c:
            inputs["C"] = product.c
        return LoweringStep(
            program=self._program(file, constants, inputs, is_last=is_last),
            size=size,
            textures=tuple(inputs.values()),
            images=(self.y.key,) if is_last else (),
            blocks=(product.packed(),) if reads and product.b_is_packed else (),
            buffers=(_PARTS,) if self.dealt.shares > 1 else (),
            shape=self._shape(),
            kind="compute",
        )

    def _program(
        self, file: str, constants: Mapping[str, int], inputs: Mapping[str, str], *, is_last: bool
    ) -> ProgramSource:
        product, reads = self.product, "A" in inputs
        before = ["window_sum.shape.glsl"]
        if reads:
            before += ["product.reads.glsl", "weights.glsl" if product.b_is_packed else "product.weights.glsl"]
        generated = product.reads(inputs, self.y, self.textures)
        if is_last:
            generated += places_text(self.y)
        known: dict[str, Number] = {
            **constants,
            "MAX_PARITIES": len(product.pairs),
            "MAX_TAPS": 1,
            "INNER": product.inner,
            "COLUMNS_OF_Y": product.columns,
            "ROWS_OF_Y": product.rows,
            "A_IS_TRANSPOSED": product.a_is_transposed,
            "ALPHA": product.alpha,
            "BETA": product.beta,
        }
        flags = {
            "A_IN_FOURS": product.a_in_fours,
            "B_IN_FOURS": product.columns % 4 == 0,
            "Y_IN_FOURS": stores_fours(product, self.y),
        }
        bindings = [f"#define {name}" for name, is_set in flags.items() if is_set]
        if not is_last:
            bindings.append(f"#define PARTS_BINDING {int(product.b_is_packed)}")
        bindings.append(with_units("\n".join(generated), [f"t_{name}" for name in inputs]))
        puts = ("product.puts.glsl",) if is_last else ()
        files = DispatchText(file, (constants["THREADS"], 1), tuple(before), (*puts, "parts.glsl"))
        return framed(files, known, bindings)

    def _shape(self) -> bytes:
        """Returns the block of uniforms of `window_sum.shape.glsl`."""
        product, count = self.product, len(self.product.pairs)
        integers = [
            (0, 0, 0, product.k_groups),
            (0, 0, 0, product.groups),
            (0, 0, 0, 0),
            (0, 0, product.rows, count),
            (0, 0, 0, 0),
            (self.dealt.shares, self.dealt.share, 0, 0),
            *[(0, 0, 0, 0)] * (MAX_STORES + 1),
            *((second, 1, first, 0) for first, second in product.pairs),
            (0, 0, 0, 0),
        ]
        return np.array(integers, dtype=np.int32).tobytes()


def places_text(y: StoredTensor) -> list[str]:
    """Returns the text of the output's image, and of `Y_place(i)`, the texel of the element with linear index i."""
    _, c, h, w = as_nchw(y.shape)
    at = f"ivec4(i / {c * h * w}, i / {h * w} % {c}, i / {w} % {h}, i % {w})"
    return [
        "layout(binding = 0) writeonly uniform image2D i_Y;",
        y.layout.glsl_texel_of(y.shape, "Y_texel").rstrip(),
        f"ivec2 Y_place(int i) {{ return Y_texel({at}).xy; }}",
    ]
